// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Hosts side by side, whose operations share lanes. Within one second come:
// script, eligibility, results that are due, health checks on the beat,
// deadlines; each host after the other, and everything that follows of it in
// no time.

#pragma once

#include "actors/policy/guards/lane.hpp"
#include "sim/timelines/host.hpp"

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace orderly::sim::timelines {

class fleet {
public:
  /// So many equal hosts. Throws std::invalid_argument if an input makes no
  /// sense.
  fleet(std::size_t count, plan how, const beginning& given,
        const json& inputs);

  fleet(const fleet&) = delete;
  fleet& operator=(const fleet&) = delete;

  std::size_t size() const { return hosts_.size(); }

  /// Sets an input of host `which`, counted from 1; 0: of all.
  void set(std::size_t which, const std::string& input, const json& value);

  /// The daemon dies and starts again at once, or another takes over: whoever
  /// does has the same journal.
  void restart();

  /// Goes on by one second, to `second`; the script of it was applied.
  void run(int second);

  [[nodiscard]] const std::vector<std::unique_ptr<host>>& hosts() const {
    return hosts_;
  }

  /// Operations for which there was no room.
  [[nodiscard]] int refused() const { return refused_; }

private:
  struct job {
    std::size_t host = 0;
    turn which;
  };

  struct running_job {
    int ends = 0;
    lane::ticket ticket = 0;
    job what;
  };

  void take(std::size_t host, const turn& which);
  void start(operation kind);
  void end(const job& x, lane::ticket ticket);
  void refuse(operation kind, lane::ticket x);
  void settle();
  [[nodiscard]] lane::bounds bounds_of(operation kind) const;
  [[nodiscard]] bool is_mass_failure() const;

  plan how_;
  std::vector<std::unique_ptr<host>> hosts_;
  std::map<operation, lane> lanes_;
  std::map<std::pair<operation, lane::ticket>, job> waiting_;
  std::vector<running_job> running_;
  bool gathering_ = false; ///< health checks of one beat come in together
  int second_ = 0;
  int refused_ = 0;
};

} // namespace orderly::sim::timelines
