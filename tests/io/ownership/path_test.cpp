// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Files that say what runs with our rights: in nobody else's hands.

#include "io/ownership/path.hpp"
#include "tests/support/scratch.hpp"

#include <catch2/catch.hpp>

#include <cerrno>
#include <filesystem>
#include <fstream>

#include <sys/stat.h>
#include <unistd.h>

namespace orderly::ownership_path_test {

namespace {

namespace fs = std::filesystem;

void allow(const std::string& what, ::mode_t mode) {
  REQUIRE(::chmod(what.c_str(), mode) == 0);
}

struct rig {
  rig() {
    fs::create_directory(place);
    allow(place, 0755);
    std::ofstream{file} << "[http]\n";
    allow(file, 0644);
  }

  scratch_folder folder;
  std::string place = folder.path("etc");
  std::string file = place + "/orderly.toml";
};

} // namespace

TEST_CASE("a file that only we write, where only we write, is trusted") {
  rig x;
  CHECK(io::doubt_file(x.file).text.empty());
  CHECK(io::doubt_way(x.file).text.empty());
  allow(x.file, 0600);
  CHECK(io::doubt_file(x.file).text.empty());
}

TEST_CASE("a file that others may write is doubted, with the mode to set") {
  rig x;
  for (::mode_t mode : {0666, 0660, 0646}) {
    allow(x.file, mode);
    auto doubt = io::doubt_file(x.file).text;
    CHECK_THAT(doubt, Catch::StartsWith(x.file));
    CHECK_THAT(doubt, Catch::Contains("chmod go-w"));
  }
}

TEST_CASE(
  "a folder that others may write is doubted, but a sticky one is not") {
  rig x;
  allow(x.place, 0777);
  auto doubt = io::doubt_way(x.file).text;
  CHECK_THAT(doubt, Catch::StartsWith(x.place));
  CHECK_THAT(doubt, Catch::Contains("chmod go-w"));
  if (::geteuid() != 0)
    return; // a sticky folder counts if it is root's
  allow(x.place, 01777);
  CHECK(io::doubt_way(x.file).text.empty());
}

TEST_CASE("a file and a folder of somebody else are doubted by name") {
  if (::geteuid() != 0)
    return; // only root can give files away
  rig x;
  REQUIRE(::chown(x.file.c_str(), 12345, ::gid_t(-1)) == 0);
  CHECK_THAT(io::doubt_file(x.file).text,
             Catch::Contains("belongs to uid 12345"));
  REQUIRE(::chown(x.place.c_str(), 12345, ::gid_t(-1)) == 0);
  CHECK_THAT(io::doubt_way(x.file).text,
             Catch::Contains("belongs to uid 12345"));
}

TEST_CASE("links are followed, and looked at on the way") {
  rig x;
  auto open = x.folder.path("open");
  fs::create_directory(open);
  auto link = open + "/link";
  fs::create_symlink(x.file, link);
  allow(open, 0755);
  CHECK(io::doubt_file(link).text.empty());
  CHECK(io::doubt_way(link).text.empty());
  allow(open, 0777);
  CHECK_THAT(io::doubt_way(link).text, Catch::StartsWith(open));
}

TEST_CASE("what is not there is an error of the system, and no doubt") {
  rig x;
  auto gone = io::doubt_file(x.place + "/gone");
  CHECK(gone.error == ENOENT);
  CHECK(gone.text.empty());
  auto circle = x.place + "/circle";
  fs::create_symlink(circle, circle);
  CHECK(io::doubt_way(circle).error == ELOOP);
}

TEST_CASE("a folder, a pipe and a device are no files to trust") {
  rig x;
  CHECK_FALSE(io::doubt_file(x.place).text.empty());
  auto pipe = x.place + "/pipe";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  CHECK_FALSE(io::doubt_file(pipe).text.empty());
  CHECK_FALSE(io::doubt_file("/dev/null").text.empty());
}

} // namespace orderly::ownership_path_test
