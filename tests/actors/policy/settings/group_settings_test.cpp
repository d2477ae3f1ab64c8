// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Settings of host HA by all of their names, and of node groups.

#include "actors/policy/settings/group_settings.hpp"

#include <catch2/catch.hpp>

#include <set>

namespace orderly::settings_group_settings_test {

namespace {

using list = std::vector<std::string>;

/// What holds in rack7, by this name, when its list is that.
std::string value(const std::string& name, const list& own, settings all = {}) {
  all.host_ha.groups["rack7"] = own;
  auto shared = std::make_shared<const settings>(std::move(all));
  return value_of(*settings_of_group(shared, "rack7"), *ha_setting_named(name));
}

list wrong(const list& own) {
  settings all;
  all.host_ha.groups["rack7"] = own;
  return wrong_in_groups(all);
}

} // namespace

TEST_CASE("the group goes before the cluster, and that before the default") {
  constexpr const char* name = "kvm.ha.activity.check.interval";
  settings all;
  CHECK(value(name, {}, all) == "60");
  all.host_ha.activity_interval_max = seconds{30};
  CHECK(value(name, {}, all) == "30");
  CHECK(value(name, {"kvm.ha.activity.check.interval = 8"}, all) == "8");
}

TEST_CASE("what is no number, or has no end, is no value of a group") {
  for (const auto* bad : {"nan", "inf", "-inf", "nans", "infm"}) {
    INFO(bad);
    CHECK(wrong({std::string{"retry_max = "} + bad}).size() == 1);
    CHECK(wrong({std::string{"activity_failure_ratio = "} + bad}).size() == 1);
  }
  CHECK(wrong({"activity_failure_ratio = 0.5"}).empty());
}

TEST_CASE("a time that is asked for alone is what the group's settings have") {
  const std::vector<list> owns{{},
                               {"check_timeout = 9"},
                               {"KVM.HA.health.check.timeout = 9s"},
                               {"retry_base = 9", "check_timeout=9"},
                               {"check_timeout = 9", "check_timeout = 8"},
                               {"check_timeout = no", "check_timeout = 8"},
                               {"check_timeout = 1000000"},
                               {"recovery_wait = 1h"}};
  auto all = std::make_shared<settings>();
  for (const auto& own : owns) {
    all->host_ha.groups = {{"rack7", own}};
    auto rack7 = settings_of_group(all, "rack7")->host_ha;
    const auto& cluster = all->host_ha;
    INFO(::Catch::Detail::stringify(own));
    CHECK(check_timeout_of(*all, "rack7") == rack7.check_timeout);
    CHECK(check_timeout_of(*all, "rack8") == cluster.check_timeout);
    CHECK(longest_check_timeout(*all)
          == std::max(cluster.check_timeout, rack7.check_timeout));
    CHECK(longest_recovery_wait(*all)
          == std::max(cluster.recovery_wait, rack7.recovery_wait));
  }
  CHECK(longest_recovery_wait(*all) == hours{1});
}

TEST_CASE("a setting is known by our name and those of the seed, in any case") {
  for (const char* name :
       {"host_ha.recovery_timeout", "recovery_timeout",
        "kvm.ha.recover.timeout", "KVM.HA.Recovery.Timeout"}) {
    REQUIRE(ha_setting_named(name) != nullptr);
    CHECK(ha_setting_named(name)->key == "host_ha.recovery_timeout");
  }
  CHECK(ha_setting_named("kvm.ha.nosuch") == nullptr);
}

TEST_CASE("every setting is a knob with a value, and no two share a name") {
  std::set<std::string> names;
  for (const auto& x : ha_settings()) {
    INFO(x.key);
    CHECK_FALSE(value_of(settings{}, x).empty());
    CHECK(names.insert(x.key).second);
    for (const auto& other : x.others)
      CHECK(names.insert(other).second);
  }
}

TEST_CASE("values are read with a unit or without, within their bounds") {
  CHECK(value("degraded_period", {"degraded_period=5m"}) == "300");
  CHECK(value("degraded_period", {"degraded_period = 30"}) == "30");
  CHECK(value("check_timeout", {"check_timeout = 1500ms"}) == "1.5");
  CHECK(value("activity_failure_ratio", {"activity_failure_ratio = 0.6"})
        == "0.6");
  CHECK(value("restart_operation", {"restart_operation = RESET"}) == "RESET");
  CHECK(value("activity_checks", {"activity_checks = 5"}) == "5");
  CHECK(wrong({"activity_checks = 0"}).size() == 1);
  CHECK(wrong({"activity_checks = 1.5"}).size() == 1);
  CHECK(wrong({"activity_failure_ratio = 7"}).size() == 1);
  CHECK(wrong({"restart_operation = SOFT"}).size() == 1);
  CHECK(wrong({"degraded_period = soon"}).size() == 1);
}

TEST_CASE("how much runs at once is no group's to say") {
  constexpr const char* name = "ha.max.concurrent.fence.operations";
  settings all;
  all.power.concurrency = 10;
  CHECK(value(name, {"ha.max.concurrent.fence.operations = 3"}, all) == "10");
  auto told = wrong({"ha.max.concurrent.fence.operations = 3"});
  REQUIRE(told.size() == 1);
  CHECK(told.front().find("host_ha.groups.\"rack7\"") == 0);
  CHECK(told.front().find("power.concurrency") != std::string::npos);
}

TEST_CASE("one setting by two names is an error that names both") {
  auto told = wrong({"fence_timeout = 30", "kvm.ha.fence.timeout = 40"});
  REQUIRE(told.size() == 1);
  CHECK(told.front().find("fence_timeout") != std::string::npos);
  CHECK(told.front().find("kvm.ha.fence.timeout") != std::string::npos);
  CHECK(wrong({"nosuch = 3"}).size() == 1);
  CHECK(wrong({"retry_base = 300"}).size() == 1);
}

TEST_CASE("a proof must outlive a reading that came to nothing, and its look, "
          "in each group") {
  settings all;
  all.host_ha.check_interval = seconds{10};
  all.autorepair.proof_max_age = minutes{1};
  all.host_ha.groups["rack7"] = {"check_timeout = 20"};
  CHECK(wrong_in_groups(all).empty());
  all.host_ha.groups["rack7"] = {"check_timeout = 21"};
  auto told = wrong_in_groups(all);
  REQUIRE(told.size() == 1);
  CHECK(told.front().find("host_ha.groups.\"rack7\"") == 0);
  CHECK(told.front().find("autorepair.proof_max_age") != std::string::npos);
}

TEST_CASE("a value says where it comes from") {
  settings all;
  const auto& wait = *ha_setting_named("recovery_wait");
  CHECK(origin_of(all, "rack7", wait) == value_origin::built_in);
  all.host_ha.recovery_wait = seconds{30};
  CHECK(origin_of(all, "rack7", wait) == value_origin::cluster);
  all.host_ha.groups["rack7"] = {"kvm.ha.recover.wait.period = 20"};
  CHECK(origin_of(all, "rack7", wait) == value_origin::group);
  CHECK(origin_of(all, "rack8", wait) == value_origin::cluster);
}

TEST_CASE("a group without a list of its own shares the cluster's settings") {
  auto all = std::make_shared<const settings>();
  CHECK(settings_of_group(all, "rack7") == all);
}

} // namespace orderly::settings_group_settings_test
