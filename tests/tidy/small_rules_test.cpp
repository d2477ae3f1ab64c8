// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What makes a small file one that was cut off.

#include "tests/tidy/house_rules.hpp"

#include <catch2/catch.hpp>

namespace orderly::tidy_small_rules_test {

using namespace orderly::tidy;

namespace {

source_file file(const std::string& path, std::size_t lines,
                 const std::vector<std::string>& reads = {}) {
  source_file f{path, {}};
  for (const auto& x : reads)
    f.text += "#include \"" + x + "\"\n";
  for (auto i = reads.size(); i < lines; ++i)
    f.text += "x();\n";
  return f;
}

/// A header of so many lines beside its neighbours.
std::size_t found(std::size_t lines, std::vector<source_file> others) {
  others.push_back(file("io/door/part.hpp", lines));
  return check_small(others).size();
}

const std::vector<std::string> part{"io/door/part.hpp"};

} // namespace

TEST_CASE("a few lines that only one neighbour reads belong to it") {
  auto neighbour = file("io/door/session.cpp", 300, part);
  CHECK(found(small_below - 1, {neighbour}) == 1);
  CHECK(found(small_below, {neighbour}) == 0);
  CHECK(
    found(small_below - 1, {neighbour, file("io/door/session.hpp", 90, part)})
    == 1);
  CHECK(found(small_below - 1,
              {neighbour, file("io/door/part.cpp", small_below - 1, part)})
        == 1);
}

TEST_CASE("a few lines that nobody reads are none") {
  CHECK(found(small_below - 1, {}) == 1);
  CHECK(found(small_below - 1, {file("tests/io/door/part_test.cpp", 90, part)})
        == 1);
}

TEST_CASE("what several read, or another room, or much is made of, may be "
          "small") {
  auto one = file("io/door/session.cpp", 300, part);
  CHECK(found(9, {one, file("io/door/server.cpp", 300, part)}) == 0);
  CHECK(found(9, {file("io/http/page.cpp", 300, part)}) == 0);
  CHECK(found(9, {one, file("io/door/part.cpp", small_below, part)}) == 0);
}

} // namespace orderly::tidy_small_rules_test
