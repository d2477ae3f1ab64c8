// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The list of the cluster's settings at the desk, and one that is set.

#include "tests/actors/desk/desk_rig.hpp"

#include <catch2/catch.hpp>

namespace orderly::desk_setting_list_test {

namespace {

errand_request listed() {
  return request(setting_errand{});
}

errand_row row_of(const errand_sheet& sheet, const std::string& key) {
  for (const auto& x : sheet.rows)
    if (x.object == key)
      return x;
  FAIL("no row of " + key);
  return {};
}

} // namespace

TEST_CASE("a setting is listed with its value, its default and its origin") {
  settings file;
  file.maintenance.debounce = 3;
  desk_rig b;
  b.theatre.change(file);
  CHECK(b.ask(listed()).refusal_kind == refused_for::state); // not read yet
  b.read();
  b.theatre.ctx()->heed({{"maintenance.interval", "30s"}});
  auto sheet = b.ask(listed());
  CHECK(sheet.ended != never);
  CHECK_FALSE(sheet.failed);
  CHECK(sheet.remarks.empty());
  auto x = row_of(sheet, "maintenance.interval");
  CHECK(x.text == "30");
  CHECK(x.built_in == "60");
  CHECK(x.step == "tag");
  x = row_of(sheet, "maintenance.debounce");
  CHECK(x.text == "3");
  CHECK(x.built_in == "1");
  CHECK(x.step == "file");
  CHECK(row_of(sheet, "balance.enabled").step == "default");
}

TEST_CASE("a tag that is not heeded is told with the list of settings") {
  desk_rig b;
  b.world->cluster.tags = {"orderly:set:balance.enabled:maybe"};
  b.read();
  auto sheet = b.ask(listed());
  REQUIRE(sheet.remarks.size() == 1);
  CHECK(sheet.remarks.front().find("orderly:set:balance.enabled:maybe")
        != std::string::npos);
}

TEST_CASE("a list of settings by an old reading says so") {
  desk_rig b;
  b.read();
  b.theatre.run_for(b.theatre.rules().cluster.picture_max_age + seconds{5});
  auto sheet = b.ask(listed());
  REQUIRE(sheet.remarks.size() == 1);
  CHECK(sheet.remarks.front().find("was read last") != std::string::npos);
}

} // namespace orderly::desk_setting_list_test
