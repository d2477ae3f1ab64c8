// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// A folder for one test, removed with everything in it.

#pragma once

#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>

namespace orderly {

class scratch_folder {
public:
  scratch_folder() {
    auto pattern
      = (std::filesystem::temp_directory_path() / "orderly-XXXXXX").string();
    if (!mkdtemp(pattern.data()))
      throw std::runtime_error("cannot make a folder like " + pattern);
    path_ = pattern;
  }

  ~scratch_folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  scratch_folder(const scratch_folder&) = delete;
  scratch_folder& operator=(const scratch_folder&) = delete;

  [[nodiscard]] std::string path(const std::string& name) const {
    return (path_ / name).string();
  }

private:
  std::filesystem::path path_;
};

} // namespace orderly
