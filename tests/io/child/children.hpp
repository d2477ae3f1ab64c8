// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The direct children of this process, zombies included, by their ids.

#pragma once

#include <chrono>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <thread>

namespace orderly::test {

inline std::set<std::string> children() {
  std::set<std::string> result;
  for (auto& task : std::filesystem::directory_iterator{"/proc/self/task"}) {
    std::ifstream file{task.path() / "children"};
    std::string pid;
    while (file >> pid)
      result.insert(pid);
  }
  return result;
}

/// Those that are not among `earlier`: none as soon as there are none, else
/// what there is after a minute. What a helper leaves is ended a moment after
/// its answer, and an earlier test's runner may have gone before that moment.
inline std::set<std::string>
children_left(const std::set<std::string>& earlier) {
  auto until = std::chrono::steady_clock::now() + std::chrono::minutes{1};
  for (;;) {
    auto left = children();
    for (const auto& pid : earlier)
      left.erase(pid);
    if (left.empty() || std::chrono::steady_clock::now() > until)
      return left;
    std::this_thread::sleep_for(std::chrono::milliseconds{20});
  }
}

} // namespace orderly::test
