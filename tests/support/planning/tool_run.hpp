// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// A run of one of the tools inside the test: what it printed and how it
// ended.

#pragma once

#include "io/htools/tools/hbal_load.hpp"
#include "io/htools/tools/tools.hpp"

#include <catch2/catch.hpp>

#include <filesystem>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

namespace orderly::io::htools {

struct outcome {
  int code = 0;
  std::string out;
  std::string err;
};

inline std::string content(std::FILE* f) {
  std::rewind(f);
  auto text = read_all(f, "output");
  std::fclose(f);
  REQUIRE(text);
  return *text;
}

/// `run(to)` gives the exit code.
template <class Run>
outcome outcome_of(Run run) {
  tool_output to{std::tmpfile(), std::tmpfile()};
  REQUIRE(to.out);
  REQUIRE(to.err);
  outcome result;
  result.code = run(to);
  result.out = content(to.out);
  result.err = content(to.err);
  return result;
}

/// With the rule of 3.0 for memory at the start, as Debian's.
inline outcome run_as_reference(tool of, std::vector<std::string> words) {
  words.insert(words.begin(), "--n1-rule=3.0");
  return outcome_of([&](auto to) { return run_tool(of, words, to); });
}

inline std::string data(const std::string& name) {
  return ORDERLY_SOURCE_DIR "/tests/support/planning/data/" + name;
}

inline std::string text_of(const std::string& name) {
  auto text = read_whole(data(name));
  REQUIRE(text);
  return *text;
}

/// A file that is gone when the test ends.
class draft {
public:
  explicit draft(const std::string& text)
    : path_(std::filesystem::temp_directory_path()
            / fmt::format("orderly-tools-{}-{}", ::getpid(), fmt::ptr(this))) {
    REQUIRE_FALSE(write_whole(path_, text));
  }

  ~draft() { std::filesystem::remove(path_); }

  std::string path() const { return path_; }

private:
  std::filesystem::path path_;
};

inline bool says(const std::string& text, const std::string& what) {
  INFO(text);
  return text.find(what) != std::string::npos;
}

} // namespace orderly::io::htools
