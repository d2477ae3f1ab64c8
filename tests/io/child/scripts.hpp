// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Real helper programs in a folder of their own, for the tests of io/oob.

#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace orderly::test {

class scripts {
public:
  scripts() {
    auto pattern
      = (std::filesystem::temp_directory_path() / "oob-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
  }

  ~scripts() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }

  scripts(const scripts&) = delete;
  scripts& operator=(const scripts&) = delete;

  /// A shell script of that body; returns its path.
  [[nodiscard]] std::string add(const std::string& name,
                                const std::string& body,
                                unsigned mode = 0755) const {
    auto path = folder_ / name;
    std::ofstream{path} << "#!/bin/sh\n" << body << "\n";
    std::filesystem::permissions(path,
                                 static_cast<std::filesystem::perms>(mode));
    return path.string();
  }

  [[nodiscard]] std::string path(const std::string& name) const {
    return (folder_ / name).string();
  }

  [[nodiscard]] std::string read(const std::string& name) const {
    std::ifstream file{folder_ / name};
    return {std::istreambuf_iterator<char>{file}, {}};
  }

private:
  std::filesystem::path folder_;
};

} // namespace orderly::test
