// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/ganeti/trouble_talk.hpp"
#include "tests/io/ganeti/rig.hpp"

#include <catch2/catch.hpp>

namespace orderly::ganeti_trouble_talk_test {

using namespace orderly::io;

TEST_CASE("a trouble with luxid is told once, and so is its end") {
  trouble_talk talk;
  trouble_talk::time_point at{};
  CHECK(talk.after({}, at).empty());
  CHECK(talk.after("busy", at) == "the cluster cannot be read: busy");
  CHECK(talk.after("busy", at + seconds{1}).empty());
  CHECK(talk.after("no JSON", at + minutes{9}).empty());
  CHECK(talk.after({}, at + minutes{10}) == "the cluster is read again");
  CHECK(talk.after({}, at + minutes{11}).empty());
  CHECK_FALSE(talk.after("busy", at + minutes{12}).empty());
}

TEST_CASE("a luxid that changes its mind each time floods no log") {
  trouble_talk talk;
  trouble_talk::time_point at{};
  auto told = 0;
  for (int i = 0; i < 600; ++i) { // ten minutes
    at += seconds{1};
    told += talk.after(i % 2 == 0 ? "busy" : "", at).empty() ? 0 : 1;
  }
  CHECK(told == 4);
}

TEST_CASE("whoever spawned the port hears of a luxid that says nonsense") {
  test::luxi_rig b;
  REQUIRE(b.read().picture);
  b.replies.set("QueryTags", "no JSON");
  CHECK_FALSE(b.read().picture);
  CHECK_FALSE(b.read().picture);
  b.replies.set("QueryTags", test::luxi_sample("tags"));
  CHECK(b.read().picture);
  auto told = b.told();
  REQUIRE(told.size() == 2);
  CHECK(told[0].find("no JSON") != std::string::npos);
  CHECK(told[1] == "the cluster is read again");
}

} // namespace orderly::ganeti_trouble_talk_test
