// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/daemon/limits.hpp"

#include <fmt/format.h>
#include <malloc.h>
#include <sys/resource.h>

namespace orderly {

namespace {

/// With fewer open files the doors, the journal and the probes do not fit.
constexpr rlim_t files_min = 32;

/// One huge answer would have the allocator keep what others are made of, too,
/// and keep it for good.
void give_memory_back() {
  ::mallopt(M_MMAP_THRESHOLD, 4 << 20);
  ::mallopt(M_TRIM_THRESHOLD, 8 << 20);
}

} // namespace

std::string settle_limits() {
  give_memory_back();
  rlimit files{};
  if (getrlimit(RLIMIT_NOFILE, &files) != 0)
    return {};
  // Many probes at once need many sockets.
  files.rlim_cur = files.rlim_max;
  setrlimit(RLIMIT_NOFILE, &files);
  if (files.rlim_max >= files_min)
    return {};
  return fmt::format("orderlyd may open {} files, and needs {} at least: raise "
                     "LimitNOFILE= of its unit, or 'ulimit -n'",
                     files.rlim_max, files_min);
}

} // namespace orderly
