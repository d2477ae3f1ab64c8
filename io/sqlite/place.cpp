// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/sqlite/place.hpp"

#include <sys/stat.h>

namespace orderly::io {

place::stamp place::stamp_of(const std::string& path) {
  struct stat found {};

  stamp x;
  if (::stat(path.c_str(), &found) != 0)
    return x;
  constexpr std::int64_t second = 1'000'000'000;
  x.there = true;
  x.device = found.st_dev;
  x.inode = found.st_ino;
  x.size = found.st_size;
  x.written_ns = found.st_mtim.tv_sec * second + found.st_mtim.tv_nsec;
  return x;
}

void place::settle() {
  settled_ = true;
  main_ = stamp_of(path_);
  log_ = stamp_of(path_ + "-wal");
}

std::string place::replaced() const {
  if (!settled_)
    return {};
  auto now = stamp_of(path_);
  if (!now.there)
    return "somebody removed " + path_;
  if (now.device != main_.device || now.inode != main_.inode)
    return "somebody put another file at " + path_;
  return {};
}

std::string place::changed() const {
  if (auto why = replaced(); !why.empty() || !settled_)
    return why;
  auto now = stamp_of(path_);
  // The main file changes only when we merge the log into it.
  if (now.size != main_.size || now.written_ns != main_.written_ns)
    return "somebody else wrote to " + path_;
  if (!log_.there)
    return {};
  auto log = stamp_of(path_ + "-wal");
  if (!log.there)
    return "somebody removed " + path_ + "-wal";
  if (log.device != log_.device || log.inode != log_.inode)
    return "somebody put another file at " + path_ + "-wal";
  return {};
}

} // namespace orderly::io
