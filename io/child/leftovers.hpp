// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What helpers leave behind: children that left their group, and whole helpers
// if the daemon before us was killed. They hold power switches, so none may go
// on when nobody waits for it any more. Used by the runner.
//
// Every helper has a mark in its environment, which its children inherit. As a
// subreaper we become the parent of whoever loses his own; that is a matter of
// the whole process, and so is the register of helpers that run.

#pragma once

#include <cstdint>
#include <set>
#include <string>

#include <sys/types.h>

namespace orderly::io::child {

class leftovers {
public:
  /// `scope`: who uses the same one never lives at the same time; the path of
  /// a journal. `alone`: this process has no other children than helpers.
  leftovers(std::string scope, bool alone);

  /// From here on orphans come to us.
  void adopt() const;

  /// `NAME=VALUE` for the next helper.
  [[nodiscard]] std::string next_mark() const;

  /// Ends what was left by earlier lives of our scope; how many.
  unsigned end_earlier() const;

  /// A helper runs, with that mark; and does no more.
  static void enter(pid_t leader, const std::string& mark);
  static void leave(pid_t leader);

  /// Ends each child of ours that is no helper which runs, and was started by
  /// none, and whoever bears the mark of one that runs no more; reaps those
  /// that ended. How many were ended: theirs come to us in turn.
  unsigned end_orphans();

  /// Does so until none is found any more, or for a few seconds.
  void end_all();

private:
  std::string scope_;
  bool alone_;
  std::set<pid_t> condemned_; ///< killed, and not reaped yet
};

} // namespace orderly::io::child
