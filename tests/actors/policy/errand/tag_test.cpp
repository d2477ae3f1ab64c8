// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Settings of the cluster: written as tags by a job, and done once the cluster
// was read with them.

#include "tests/actors/policy/errand/rig.hpp"

namespace orderly::errand::errand_tag_test {

namespace {

constexpr const char* key = "maintenance.interval";
using list = std::vector<std::string>;

errand_request setting(setting_action action, const std::string& value = {},
                       const std::string& name = key) {
  return rig::request(setting_errand{action, name, value});
}

errand_request set_to(const std::string& value) {
  return setting(setting_action::set, value);
}

/// The job as it leaves, which ends well.
std::vector<opcode> job_of(rig& b) {
  auto x = b.take<send_job>(key);
  b.feed(job_told{x.at, true, false, {}});
  return x.order.ops;
}

} // namespace

TEST_CASE("a setting is a tag, and done when the cluster was read with it") {
  rig b;
  b.begin(set_to("30s"));
  auto ops = job_of(b);
  REQUIRE(ops.size() == 1);
  CHECK(ops[0].kind == op_kind::tags_set);
  CHECK(ops[0].tags_on == tag_kind::cluster);
  CHECK(ops[0].tag_object.empty());
  CHECK(ops[0].tags == list{"orderly:set:maintenance.interval:30s"});
  CHECK(b.how(key) == row_state::running);
  CHECK(b.looks > 0);
  b.cluster.tags = ops[0].tags;
  b.rules.maintenance.interval = seconds{30};
  b.wait(seconds{5});
  CHECK(b.how(key) == row_state::done);
  CHECK(b.of(key).text == "is 30, and was 60");
  CHECK_FALSE(has_failed(b.s));
}

TEST_CASE("the new tag comes before all old ones go, in one job") {
  rig b;
  b.cluster.tags = {"other", "orderly:set:maintenance.interval:20",
                    "orderly:set:maintenance.interval:soon",
                    "orderly:set:maintenance.debounce:2"};
  b.begin(set_to("30s"));
  auto ops = job_of(b);
  REQUIRE(ops.size() == 2);
  CHECK(ops[0].kind == op_kind::tags_set);
  CHECK(ops[1].kind == op_kind::tags_del);
  CHECK(ops[1].tags_on == tag_kind::cluster);
  CHECK(ops[1].tags
        == list{"orderly:set:maintenance.interval:20",
                "orderly:set:maintenance.interval:soon"});
}

TEST_CASE("what is set already asks for no job") {
  rig b;
  b.cluster.tags = {"orderly:set:maintenance.interval:30s"};
  b.rules.maintenance.interval = seconds{30};
  b.begin(set_to("30s"));
  CHECK(b.count<send_job>() == 0);
  CHECK(b.how(key) == row_state::done);
}

TEST_CASE("unset takes all tags of the setting away") {
  rig b;
  b.cluster.tags = {"orderly:set:maintenance.interval:30s",
                    "orderly:set:maintenance.interval"};
  b.rules.maintenance.interval = seconds{30};
  b.begin(setting(setting_action::unset));
  auto ops = job_of(b);
  REQUIRE(ops.size() == 1);
  CHECK(ops[0].kind == op_kind::tags_del);
  CHECK(ops[0].tags == b.cluster.tags);
  b.cluster.tags.clear();
  b.rules.maintenance.interval = seconds{60};
  b.wait(seconds{5});
  CHECK(b.of(key).text == "is 60 again, without a tag, and was 30");
}

TEST_CASE("a tag that is written and not heeded fails its errand") {
  rig b;
  b.begin(set_to("30s"));
  b.cluster.tags = job_of(b).front().tags;
  b.rules.maintenance.evidence_max_age = seconds{20}; // another file, meanwhile
  b.wait(seconds{5});
  CHECK(b.how(key) == row_state::failed);
  CHECK(has_failed(b.s));
}

TEST_CASE("a tag that never shows fails its errand") {
  rig b;
  b.begin(set_to("30s"));
  job_of(b);
  b.wait(seconds{100});
  CHECK(b.how(key) == row_state::running);
  b.wait(seconds{100});
  CHECK(b.how(key) == row_state::failed);
}

TEST_CASE("a job that fails fails its errand, with its reason") {
  rig b;
  b.begin(set_to("30s"));
  b.job(key, false, "the master is busy");
  CHECK(b.how(key) == row_state::failed);
  CHECK(b.of(key).text.find("the master is busy") != std::string::npos);
}

TEST_CASE("no setting is written without the right to act") {
  rig b;
  b.lose_right();
  CHECK(b.refused(set_to("30s")).kind == refused_for::state);
  b.no_right.clear();
  b.write_down(set_to("30s"));
  b.lose_right();
  b.feed(begun{});
  CHECK(b.count<send_job>() == 0);
}

TEST_CASE("the job of a setting is not sent on an old reading") {
  rig b;
  b.read_at = b.now - seconds{20};
  b.begin(set_to("30s"));
  auto x = b.take<send_job>(key);
  CHECK(x.order.send_before == *b.read_at + b.rules.cluster.picture_max_age);
}

TEST_CASE("right before its job leaves the tags are looked at once more") {
  rig b;
  b.begin(set_to("30s"));
  auto x = b.take<send_job>(key);
  CHECK(against_job(b.s, x.at, b.look()).empty());
  b.cluster.tags = {"orderly:set:maintenance.interval:30s"};
  CHECK_FALSE(against_job(b.s, x.at, b.look()).empty());
  b.cluster.tags.clear();
  b.rules.maintenance.evidence_max_age = seconds{20};
  CHECK_FALSE(against_job(b.s, x.at, b.look()).empty());
}

TEST_CASE("a value that does not fit, and a name of nothing, are refused") {
  rig b;
  CHECK(b.refused(set_to("soon")).kind == refused_for::usage);
  CHECK(b.refused(set_to("0")).text.find(key) == 0);
  CHECK(b.refused(set_to("30m")).kind == refused_for::usage);
  auto other = setting(setting_action::set, "3", "storm.nodes_max");
  CHECK(b.refused(other).kind == refused_for::usage);
  CHECK(
    b.refused(setting(setting_action::set, "30s", "roundDelay")).text.empty());
}

TEST_CASE("two errands about one setting do not go on at once") {
  rig b;
  b.begin(set_to("30s"));
  CHECK(acts_on(b.s) == list{key});
  b.busy.emplace(key, "power-7");
  CHECK(b.refused(set_to("40s")).kind == refused_for::state);
  CHECK(b.refused(setting(setting_action::set, "2", "maintenance.debounce"))
          .text.empty());
}

TEST_CASE("a stop after the tag was written says so") {
  rig b;
  b.begin(set_to("30s"));
  job_of(b);
  b.feed(stopped{"eve"});
  CHECK(b.how(key) == row_state::done);
  CHECK(b.of(key).text == "stopped by eve after its tag was written");
}

TEST_CASE("a restart asks for the job by its old name, and goes on") {
  rig b;
  b.begin(set_to("30s"));
  auto before = b.take<send_job>(key).order.intent;
  b.restart();
  auto x = b.take<send_job>(key);
  CHECK(x.order.intent == before);
  b.feed(job_told{x.at, true, false, {}});
  b.cluster.tags = {"orderly:set:maintenance.interval:30s"};
  b.rules.maintenance.interval = seconds{30};
  b.wait(seconds{5});
  CHECK(b.of(key).text == "is 30, and was 60");
}

TEST_CASE("verify has a row for each tag that is not heeded") {
  rig b;
  auto has_row = [](const rig& x) {
    return std::any_of(x.s.rows.begin(), x.s.rows.end(), [](const row& r) {
      return r.object == "orderly:set:maintenance.interval:soon"
             && r.state == row_state::failed && !r.text.empty();
    });
  };
  b.write_down(rig::request(verify_errand{}));
  CHECK_FALSE(has_row(b));
  b.cluster.tags = {"orderly:set:maintenance.interval:soon"};
  b.write_down(rig::request(verify_errand{}));
  CHECK(has_row(b));
}

TEST_CASE("a tag that somebody changed since it was asked for is left alone") {
  rig b;
  b.cluster.tags = {"orderly:set:maintenance.interval:60s"};
  b.begin(set_to("30s"));
  auto x = b.take<send_job>(key);
  SECTION("set by another hand") {
    b.cluster.tags = {"orderly:set:maintenance.interval:90s"};
    CHECK(against_job(b.s, x.at, b.look()).find("somebody has set it since")
          != std::string::npos);
    b.feed(job_told{x.at, false, true, "the queue is drained"});
    b.wait(seconds{30});
    CHECK(b.how(key) == row_state::failed);
  }
  SECTION("taken away") {
    b.cluster.tags.clear();
    CHECK(against_job(b.s, x.at, b.look()).find("taken its tag away")
          != std::string::npos);
  }
  SECTION("ours beside the old one is no other hand's") {
    b.cluster.tags.emplace_back("orderly:set:maintenance.interval:30s");
    CHECK(against_job(b.s, x.at, b.look()).empty());
  }
}

} // namespace orderly::errand::errand_tag_test
