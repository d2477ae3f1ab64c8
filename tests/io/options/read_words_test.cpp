// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/options/read_words.hpp"

#include <catch2/catch.hpp>

namespace orderly::io_options_read_words_test {

using strings = std::vector<std::string>;

namespace {

const option_form force{'f', "force", takes::nothing, "", "do not ask"};
const option_form reason{'r', "reason", takes::value, "TEXT", "why"};
const option_form luxi{'L', "luxi", takes::maybe, "SOCKET", "from luxid"};
const option_form format{0, "format", takes::value, "NAME", "how"};
const option_form forget{0, "forget", takes::nothing, "", "one of ours"};

const option_ranks table{{&force, &reason, &luxi, &format}, {&forget}};

/// As they were understood: "force", "reason=x", "luxi".
strings understood(const words_read& x) {
  strings all;
  for (const auto& given : x.found)
    all.push_back(given.what->name
                  + (given.argument ? "=" + *given.argument : std::string{}));
  return all;
}

strings understood(const strings& args) {
  auto read = read_words(args, table);
  CHECK(read.wrong.empty());
  return understood(read);
}

misused_option only_misuse(const strings& args) {
  auto read = read_words(args, table);
  REQUIRE(read.wrong.size() == 1);
  return read.wrong.front();
}

} // namespace

TEST_CASE("options and other words come in any order, until --") {
  auto read = read_words({"a", "-f", "-", "b", "--", "-f", "--no"}, table);
  CHECK(understood(read) == strings{"force"});
  CHECK(read.others == strings{"a", "-", "b", "-f", "--no"});
  CHECK(read.wrong.empty());
}

TEST_CASE("letters may be glued together, the last with its argument") {
  CHECK(understood({"-fr", "x"}) == strings{"force", "reason=x"});
  CHECK(understood({"-ffrx"}) == strings{"force", "force", "reason=x"});
  CHECK(understood({"-fL"}) == strings{"force", "luxi"});
  CHECK(understood({"-L/run/x"}) == strings{"luxi=/run/x"});
}

TEST_CASE("an argument that an option needs is the next word, whatever it is") {
  CHECK(understood({"--reason", "-f"}) == strings{"reason=-f"});
  CHECK(understood({"-r", "--force"}) == strings{"reason=--force"});
  CHECK(understood({"--reason="}) == strings{"reason="});
  // One that it may have is only what stands behind it.
  auto read = read_words({"--luxi", "x"}, table);
  CHECK(understood(read) == strings{"luxi"});
  CHECK(read.others == strings{"x"});
}

TEST_CASE("a long name may be cut short while it is clear") {
  CHECK(understood({"--rea=x"}) == strings{"reason=x"});
  CHECK(understood({"--forc"}) == strings{"force"});
  auto wrong = only_misuse({"--fo"});
  CHECK(wrong.how == misuse::unclear);
  CHECK(wrong.typed == "--fo");
  CHECK(wrong.candidates == std::vector<const option_form*>{&force, &format});
}

TEST_CASE("an option of a later rank makes no short form unclear") {
  CHECK(understood({"--form", "x"}) == strings{"format=x"});
  CHECK(understood({"--forg"}) == strings{"forget"});
  CHECK(understood({"--forget"}) == strings{"forget"});
  CHECK(only_misuse({"--for"}).candidates.size() == 2);
}

TEST_CASE("what is wrong is told with what was typed and what was meant") {
  auto unknown = only_misuse({"--nothing=x"});
  CHECK(unknown.how == misuse::unknown);
  CHECK(unknown.typed == "--nothing");
  CHECK(unknown.what == nullptr);
  CHECK(only_misuse({"-x"}).typed == "-x");
  auto needs = only_misuse({"-r"});
  CHECK(needs.how == misuse::needs_argument);
  CHECK(needs.typed == "-r");
  CHECK(needs.what == &reason);
  CHECK(only_misuse({"--rea"}).typed == "--rea");
  auto takes_none = only_misuse({"--force=x"});
  CHECK(takes_none.how == misuse::takes_no_argument);
  CHECK(takes_none.what == &force);
}

TEST_CASE("all that is wrong is told, in its order, and the rest is read") {
  auto read = read_words({"-xf", "--nothing", "-y", "-r"}, table);
  strings typed;
  for (const auto& x : read.wrong)
    typed.push_back(x.typed);
  CHECK(typed == strings{"-x", "--nothing", "-y", "-r"});
  CHECK(understood(read) == strings{"force"});
}

} // namespace orderly::io_options_read_words_test
