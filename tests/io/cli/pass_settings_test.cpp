// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/cli/pass_settings.hpp"

#include <catch2/catch.hpp>

namespace orderly::cli_pass_settings_test {

TEST_CASE("a pass repairs instances and leaves nodes alone") {
  settings base;
  base.autorepair.enabled = false;
  base.autorepair.mode = repair_mode::observe;
  base.power.program = "/helper";
  harep_options o;
  o.reason = "rack 7";
  o.job_delay_s = 2.5;
  o.luxi_socket = "/luxi";
  o.journal = "/j";
  auto s = pass_settings(base, o);
  CHECK(s.autorepair.enabled);
  CHECK(s.autorepair.mode == repair_mode::act);
  CHECK(s.autorepair.single_pass);
  CHECK(s.autorepair.offline_vouches);
  CHECK(s.autorepair.job_delay == millis{2500});
  CHECK_FALSE(s.host_ha.enabled);
  CHECK(s.autorepair.mirror_interval == millis{0});
  CHECK(s.storm.settle == millis{0});
  CHECK(s.cluster.remark == "rack 7");
  CHECK(s.cluster.luxi_socket == "/luxi");
  CHECK(s.journal.path == "/j");
  CHECK(s.power.program == "/helper");
  CHECK(contradictions(s).empty());
}

TEST_CASE("a pass balances nothing and leaves it to Ganeti where instances "
          "go") {
  settings base;
  base.balance.enabled = true;
  auto s = pass_settings(base, {});
  CHECK_FALSE(s.balance.enabled);
  CHECK(s.autorepair.targets == target_picker::allocator);
}

TEST_CASE("a dry run keeps no journal, even if one is named") {
  settings base;
  harep_options o;
  o.journal = "/j";
  CHECK(keeps_journal(o));
  o.dry_run = true;
  CHECK_FALSE(keeps_journal(o));
  CHECK(pass_settings(base, o).journal.path == base.journal.path);
  o.dry_run = false;
  o.journal.clear();
  CHECK_FALSE(keeps_journal(o));
}

TEST_CASE("what a pass is not told stays as the settings have it") {
  settings base;
  auto s = pass_settings(base, {});
  CHECK(s.cluster.luxi_socket == base.cluster.luxi_socket);
  CHECK(s.journal.path == base.journal.path);
  CHECK(s.budget.failovers_per_hour_max == base.budget.failovers_per_hour_max);
}

} // namespace orderly::cli_pass_settings_test
