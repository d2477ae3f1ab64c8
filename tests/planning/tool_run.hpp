// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// A run of one of the tools inside the test: what it printed and how it
// ended.

#pragma once

#include "io/htools/hbal_load.hpp"
#include "io/htools/tools.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

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

inline bool says(const std::string& text, const std::string& what) {
  INFO(text);
  return text.find(what) != std::string::npos;
}

} // namespace orderly::io::htools
