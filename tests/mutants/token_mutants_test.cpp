// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Steps that are read late: S9 S39.

#include "tests/mutants/trial.hpp"

#include <catch2/catch.hpp>

namespace orderly::mutants_token_mutants_test {

using namespace orderly::mutants;

TEST_CASE("law S39 is broken by a daemon whose failovers take no token") {
  shows("at 2m power node3 off\n"
        "run 5m\n",
        {"steps-need-no-token"}, {"S39"});
}

TEST_CASE("law S39 is broken by a daemon whose migrations take no token") {
  shows("at 2m node node3 drained\n"
        "run 5m\n",
        {"steps-need-no-token"}, {"S39"});
}

TEST_CASE("law S39 is broken by a daemon for which what was not found cannot "
          "come any more") {
  shows("seed 1\n"
        "at 2m power node3 off\n"
        "upon job-ended instance:db3 luxi slow 2m\n"
        "at 2m20s luxi slow 10ms\n"
        "run 12m\n",
        {"absence-is-certain"}, {"S39"});
}

TEST_CASE("law S39 is broken by a daemon that writes a token twice") {
  attacks("token-written-late-is-nobodys", {"token-is-written-twice"}, {"S39"});
}

TEST_CASE(
  "law S39 is broken by a daemon that believes an older journal that its "
  "token stands") {
  attacks("spent-token-of-an-older-journal-is-not-used", {"spent-token-stands"},
          {"S39"});
}

TEST_CASE("law S23 is broken by a daemon that does not ask who took the token "
          "of another") {
  attacks("whoever-takes-the-token-is-asked-for-its-job",
          {"token-taken-is-not-asked-for"}, {"S23"});
}

TEST_CASE(
  "law S1 is broken by a daemon that asks nobody whether a node lives that "
  "a job takes for dead") {
  auto drill = GENERATE(
    as<std::string>{}, "home-of-a-stray-is-looked-at-without-a-controller",
    "home-of-a-stray-is-looked-at-by-a-master-that-repairs-nothing");
  attacks(drill, {"given-up-home-is-not-looked-at"}, {"S1"});
}

TEST_CASE("law S34 is broken by a daemon that fences for a trouble that its "
          "reset has ended") {
  attacks("trouble-after-a-reset-that-worked-is-another",
          {"recovered-was-never-well"}, {"S34"});
}

TEST_CASE("law S9 is broken by a daemon that takes the tag of a former master "
          "for a permission") {
  attacks("tag-of-a-former-master-permits-nothing", {"mark-is-not-read"},
          {"S9"});
}

TEST_CASE("law S39 is broken by a daemon that lets a node be switched on while "
          "a step that needs it off may begin yet") {
  attacks("power-on-waits-for-an-open-reinstall", {"doubt-keeps-no-places"},
          {"S39"});
}

} // namespace orderly::mutants_token_mutants_test
