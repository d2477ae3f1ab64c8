// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Settings of the cluster, read from its tags.

#include "actors/policy/settings/cluster_settings.hpp"

#include <catch2/catch.hpp>

namespace orderly::settings_cluster_settings_test {

namespace {

using list = std::vector<std::string>;

settings_reading read(const list& tags, const setting_texts& before = {},
                      const settings& file = {}) {
  return read_setting_tags(tags, file, before);
}

constexpr const char* key = "maintenance.interval";
const std::string good = "orderly:set:maintenance.interval:30s";

} // namespace

TEST_CASE("a tag of the cluster goes before the file, and that before the "
          "default") {
  settings file;
  CHECK(setting_text(with_texts(file, {}), key) == "60");
  file.maintenance.interval = seconds{20};
  CHECK(setting_text(with_texts(file, {}), key) == "20");
  auto x = read({"other", good}, {}, file);
  CHECK(x.unheeded.empty());
  REQUIRE(x.values == setting_texts{{key, "30s"}});
  CHECK(with_texts(file, x.values).maintenance.interval == seconds{30});
}

TEST_CASE("every setting of the cluster is a knob that a tag can set to what "
          "it is") {
  for (const auto& x : cluster_settings()) {
    INFO(x.key);
    auto value = setting_text(settings{}, x.key);
    REQUIRE_FALSE(value.empty());
    auto tag = setting_tag(x.key, value);
    CHECK(tag.size() <= 128);
    CHECK(tag.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_.:")
          == std::string::npos);
    CHECK(read({tag}).values == setting_texts{{x.key, value}});
    CHECK(cluster_setting_named(x.key) == &x);
    CHECK(cluster_setting_named(x.original) == &x);
  }
  CHECK(cluster_setting_named("storm.nodes_max") == nullptr);
  CHECK(cluster_setting_named("") == nullptr);
}

TEST_CASE("a bad value is told, and the old one stays") {
  for (const auto* bad : {"soon", "", "0", "-5", "2h", "nan", "inf", "30 s",
                          "30s:", "1e9", "99999999999999999999999"}) {
    INFO(bad);
    auto tag = setting_tag(key, bad);
    auto x = read({tag}, {{key, "30s"}});
    CHECK(x.values == setting_texts{{key, "30s"}});
    REQUIRE(x.unheeded.size() == 1);
    CHECK(x.unheeded.front().tag == tag);
    CHECK_FALSE(x.unheeded.front().why.empty());
    CHECK_FALSE(x.unheeded.front().one_of_many);
    // Without an old one it is the file's.
    CHECK(read({tag}).values.empty());
  }
}

TEST_CASE("a value that is too long for a tag is refused") {
  CHECK(why_not_set({}, key, "30").empty());
  CHECK_FALSE(why_not_set({}, key, "30." + std::string(80, '0')).empty());
}

TEST_CASE("a tag that does not fit the file is not heeded") {
  settings file;
  file.maintenance.evidence_max_age = seconds{25};
  file.maintenance.interval = seconds{5};
  auto x = read({good}, {}, file);
  CHECK(x.values.empty());
  REQUIRE(x.unheeded.size() == 1);
  CHECK(x.unheeded.front().why.find("evidence_max_age") != std::string::npos);
  // What fitted an older file is left out of the new one.
  CHECK(with_texts(file, {{key, "30s"}}).maintenance.interval == seconds{5});
  CHECK(read({setting_tag(key, "soon")}, {{key, "30s"}}, file).values.empty());
}

TEST_CASE("of several tags for one setting none is heeded, whatever they say") {
  auto other = setting_tag(key, "50");
  auto x = read({good, other}, {{key, "40"}});
  CHECK(x.values == setting_texts{{key, "40"}});
  REQUIRE(x.unheeded.size() == 2);
  CHECK(x.unheeded[0].one_of_many);
  CHECK(x.unheeded[1].one_of_many);
  CHECK(read({other}, x.values).values == setting_texts{{key, "50"}});
}

TEST_CASE("a tag that is gone gives its setting back to the file") {
  CHECK(read({}, {{key, "30s"}}).values.empty());
}

TEST_CASE("a tag that names no setting of the cluster is told") {
  for (const auto* tag :
       {"orderly:set:", "orderly:set::", "orderly:set:maintenance.interval2:3",
        "orderly:set:Maintenance.Interval:3",
        "orderly:set:storm.nodes_max:9"}) {
    INFO(tag);
    auto x = read({tag, good});
    CHECK(x.values == setting_texts{{key, "30s"}});
    REQUIRE(x.unheeded.size() == 1);
    CHECK(x.unheeded.front().tag == tag);
  }
  CHECK(
    read({"orderly:set:maintenance.intervall:3"}).unheeded.front().why.find(key)
    != std::string::npos);
  CHECK(read({"orderly:setting:x:y", "orderly:agent:ab"}).unheeded.empty());
}

TEST_CASE("a switch is true or false, and a number whole where it counts") {
  auto on = [](const char* text) {
    return why_not_set({}, "balance.enabled", text).empty();
  };
  CHECK(on("true"));
  CHECK(on("no"));
  CHECK_FALSE(on("1"));
  CHECK_FALSE(on(""));
  CHECK(why_not_set({}, "maintenance.nodes_max", "3").empty());
  CHECK_FALSE(why_not_set({}, "maintenance.nodes_max", "2.5").empty());
  CHECK_FALSE(why_not_set({}, "maintenance.nodes_max", "0").empty());
  CHECK_FALSE(why_not_set({}, "storm.nodes_maximum", "3").empty());
}

TEST_CASE("two spellings of one value are the same setting") {
  CHECK(is_same_setting(key, "60", "1m"));
  CHECK(is_same_setting("balance.enabled", "yes", "true"));
  CHECK_FALSE(is_same_setting(key, "60", "61"));
  CHECK_FALSE(is_same_setting(key, "soon", "soon"));
}

TEST_CASE("tags of one setting are found among all, good or not") {
  list all{"x", good, "orderly:set:maintenance.interval",
           "orderly:set:maintenance.intervals:3"};
  CHECK(tags_of_setting(all, key)
        == list{good, "orderly:set:maintenance.interval"});
}

} // namespace orderly::settings_cluster_settings_test
