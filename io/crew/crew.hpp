// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Work in several processes at once, for a program of one thread: each worker
// is a fork of it and reports in lines of text.

#pragma once

#include <functional>
#include <string>

namespace orderly::io {

using report = std::function<void(const std::string& line)>;

/// As many as there are processors.
unsigned crew_of_all();

/// Forks `workers` times. `work` runs in each of the processes, which ends
/// with it; `heard` gets, here, each line that one of them reports, `passed`
/// is called about once a second. False: a worker ended otherwise.
bool run_crew(
  unsigned workers,
  const std::function<void(unsigned worker, const report& tell)>& work,
  const std::function<void(unsigned worker, const std::string& line)>& heard,
  const std::function<void()>& passed);

} // namespace orderly::io
