// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// `orderly cluster`: what is asked for, and what is printed of it.

#include "io/cli/power_options.hpp"
#include "io/cli/power_sheets.hpp"

#include <catch2/catch.hpp>

namespace orderly::cli_setting_options_test {

using namespace orderly::power;

namespace {

using names = std::vector<std::string>;

setting_errand wanted(const names& words) {
  auto x = read_command(words);
  INFO(x.text);
  REQUIRE(x.text.empty());
  return std::get<setting_errand>(x.chosen.wanted.what);
}

errand_row row(row_state state, const char* text) {
  errand_row x;
  x.object = "maintenance.interval";
  x.kind = row_kind::setting;
  x.state = state;
  x.text = text;
  return x;
}

errand_request request(setting_action action) {
  errand_request x;
  x.what = setting_errand{action, "maintenance.interval", "30s"};
  return x;
}

} // namespace

TEST_CASE("a setting is set, unset, or shown with all others") {
  auto x = wanted({"cluster", "set", "maintenance.interval", "30s"});
  CHECK(x.action == setting_action::set);
  CHECK(x.key == "maintenance.interval");
  CHECK(x.value == "30s");
  x = wanted({"cluster", "set", "RoundDelay", "300"});
  CHECK(x.key == "maintenance.interval");
  x = wanted({"cluster", "unset", "balance"});
  CHECK(x.action == setting_action::unset);
  CHECK(x.key == "balance.enabled");
  CHECK(wanted({"cluster", "settings"}).action == setting_action::list);
  auto why = read_command(
    {"cluster", "set", "balance", "true", "--reason", "it is quiet"});
  CHECK(why.chosen.wanted.reason == "it is quiet");
  CHECK(is_power_command("cluster"));
}

TEST_CASE("what makes no sense of a setting is told, with what there is") {
  for (const names& words : {names{"cluster"},
                             {"cluster", "list"},
                             {"cluster", "set"},
                             {"cluster", "set", "balance"},
                             {"cluster", "unset"},
                             {"cluster", "set", "balance", "true", "false"},
                             {"cluster", "set", "balance", ""},
                             {"cluster", "settings", "balance"},
                             {"cluster", "set", "storm.nodes_max", "3"},
                             {"cluster", "settings", "--count", "3"}}) {
    auto x = read_command(words);
    CHECK(x.code == 2);
    CHECK_FALSE(x.text.empty());
  }
  auto near = read_command({"cluster", "unset", "balance.enable"});
  CHECK(near.text.find("is balance.enabled meant?") != std::string::npos);
}

TEST_CASE("the help of cluster says what wins, and what each word does") {
  auto x = read_command({"cluster", "--help"});
  CHECK(x.code == 0);
  for (const auto* word : {"settings", "unset", "orderly:set:KEY:VALUE",
                           "A.BAD_SETTING", "Exit codes"})
    CHECK(x.text.find(word) != std::string::npos);
}

TEST_CASE("settings are a table with value, default and origin") {
  errand_sheet sheet;
  auto x = row(row_state::done, "30");
  x.built_in = "60";
  x.step = "tag";
  sheet.rows = {x};
  sheet.remarks = {"the tag orderly:set:x:y is not heeded"};
  auto text = print(sheet, request(setting_action::list));
  CHECK(text.out
        == "Setting               Value  Default  From\n"
           "maintenance.interval  30     60       tag\n");
  CHECK(text.err == "the tag orderly:set:x:y is not heeded\n");
  CHECK(text.code == 0);
}

TEST_CASE("a setting that was set is a line, one that was not an error") {
  errand_sheet sheet;
  sheet.rows = {row(row_state::done, "is 30, and was 60")};
  auto text = print(sheet, request(setting_action::set));
  CHECK(text.out == "maintenance.interval is 30, and was 60\n");
  CHECK(text.err.empty());
  CHECK(text.code == 0);
  sheet.rows = {row(row_state::failed, "the job failed")};
  sheet.failed = true;
  text = print(sheet, request(setting_action::set));
  CHECK(text.out.empty());
  CHECK(text.err == "maintenance.interval was not set: the job failed\n");
  CHECK(text.code == 1);
}

} // namespace orderly::cli_setting_options_test
