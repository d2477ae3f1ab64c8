// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Who is let in by a unix socket, and that nothing else is let in in its place.

#include "io/door/listen.hpp"
#include "tests/support/scratch.hpp"

#include <catch2/catch.hpp>

#include <fstream>

#include <sys/stat.h>
#include <unistd.h>

namespace orderly::door_listen_test {

using namespace orderly::io::http;

namespace {

unsigned mode_of(const std::string& path) {
  struct stat x {};

  REQUIRE(::stat(path.c_str(), &x) == 0);
  return x.st_mode & 07777;
}

/// A socket of ours that nobody else may use.
struct rig : scratch_folder {
  std::string socket = path("socket");
  int descriptor = -1;

  rig() {
    auto made = listen_unix(socket, "");
    REQUIRE(made);
    descriptor = *made;
  }

  ~rig() { ::close(descriptor); }
};

} // namespace

TEST_CASE("a socket is for us alone, or for the group that is named") {
  rig x;
  CHECK(mode_of(x.socket) == 0600);
  CHECK(let_in(x.socket, "root").empty());
  CHECK(mode_of(x.socket) == 0660);
  CHECK(let_in(x.socket, "").empty());
  CHECK(mode_of(x.socket) == 0600);
  CHECK_THAT(let_in(x.socket, "no-such-group"),
             Catch::Contains("no group 'no-such-group'"));
}

TEST_CASE("what took the place of a socket is not let in for it") {
  rig x;
  auto place = x.path("place");
  SECTION("a link to a file of ours") {
    auto secret = x.path("secret");
    std::ofstream{secret} << "x";
    REQUIRE(::chmod(secret.c_str(), 0600) == 0);
    REQUIRE(::symlink(secret.c_str(), place.c_str()) == 0);
    CHECK_FALSE(let_in(place, "root").empty());
    CHECK(mode_of(secret) == 0600);
  }
  SECTION("a link to another socket of ours") {
    REQUIRE(::symlink(x.socket.c_str(), place.c_str()) == 0);
    CHECK_FALSE(let_in(place, "root").empty());
    CHECK(mode_of(x.socket) == 0600);
  }
  SECTION("a second name of another socket of ours") {
    REQUIRE(::link(x.socket.c_str(), place.c_str()) == 0);
    CHECK_THAT(let_in(place, "root"), Catch::Contains("something else"));
    CHECK(mode_of(x.socket) == 0600);
  }
  SECTION("a file of ours") {
    std::ofstream{place} << "x";
    REQUIRE(::chmod(place.c_str(), 0600) == 0);
    CHECK_THAT(let_in(place, "root"), Catch::Contains("something else"));
    CHECK(mode_of(place) == 0600);
  }
  SECTION("a socket of somebody else") {
    if (::geteuid() != 0)
      return; // only root can give files away
    REQUIRE(::chown(x.socket.c_str(), 12345, ::gid_t(-1)) == 0);
    CHECK_THAT(let_in(x.socket, "root"), Catch::Contains("something else"));
    CHECK(mode_of(x.socket) == 0600);
  }
}

} // namespace orderly::door_listen_test
