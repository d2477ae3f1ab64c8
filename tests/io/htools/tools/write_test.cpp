// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "tests/support/planning/tool_run.hpp"
#include "tests/support/scratch.hpp"

#include <catch2/catch.hpp>

#include <sys/stat.h>

namespace orderly::tools_write_test {

using namespace orderly::io::htools;

namespace {

/// A file, and a link to it in a folder beside.
struct linked_file {
  linked_file() {
    REQUIRE_FALSE(write_whole(file, "old"));
    std::filesystem::create_directory(folder.path("in"));
    std::filesystem::create_symlink(file, link);
  }

  void open_to_all() { REQUIRE(::chmod(folder.path("in").c_str(), 0777) == 0); }

  std::string text() const { return *read_whole(file); }

  scratch_folder folder;
  std::string file = folder.path("file");
  std::string link = folder.path("in/link");
};

} // namespace

TEST_CASE("a file is written through a link of our own") {
  linked_file x;
  CHECK_FALSE(write_whole(x.link, "new"));
  CHECK(x.text() == "new");
}

TEST_CASE("no file is written through a link that others could turn") {
  linked_file x;
  x.open_to_all();
  auto wrong = write_whole(x.link, "new");
  REQUIRE(wrong);
  CHECK(says(wrong->text, x.link + ": it is a link"));
  CHECK(says(wrong->text, "writable by its group or by others"));
  CHECK(x.text() == "old");
  CHECK_FALSE(write_whole(x.folder.path("in/file"), "new"));
}

TEST_CASE("no file is written through a link of somebody else's") {
  linked_file x;
  if (::lchown(x.link.c_str(), 65534, 65534) != 0)
    return; // only root can give it away
  auto wrong = write_whole(x.link, "new");
  REQUIRE(wrong);
  CHECK(says(wrong->text, x.link + " belongs to uid 65534"));
  CHECK(x.text() == "old");
}

TEST_CASE("what is open already can be written by its place in /proc") {
  auto* to = std::tmpfile();
  REQUIRE(to);
  auto place = fmt::format("/proc/self/fd/{}", ::fileno(to));
  CHECK_FALSE(write_whole(place, "new"));
  CHECK(content(to) == "new");
}

} // namespace orderly::tools_write_test
