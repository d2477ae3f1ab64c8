// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The advice for outside systems, and one instance with all that is known.

#include "io/http/advice.hpp"
#include "tests/io/http/site.hpp"

namespace orderly::http_advice_test {

using namespace orderly::test;
using nlohmann::json;

namespace {

std::vector<std::string> names_of(const json& advice) {
  std::vector<std::string> all;
  for (const auto& x : advice["instances"])
    all.push_back(x["name"]);
  return all;
}

json advice(const site& at, const std::string& query = "") {
  return json_of(at.once(get("/2/advice" + query)));
}

using names = std::vector<std::string>;

} // namespace

TEST_CASE("advice tells of one instance all that an outside system needs") {
  site at;
  auto& web = at.actors.all.instances[0].standing;
  web.incident = "0f3a";
  web.jobs = {12, 14};
  web.remarks = {"tag suspend:x on instance web1: its time is no number"};
  web.next = "failover of web1";
  auto all = advice(at);
  REQUIRE(names_of(all) == names{"web1"});
  auto x = all["instances"][0];
  CHECK(x["phase"] == "needs-repair");
  CHECK(x["broken"] == true);
  CHECK(x["wrong"] == "primary node2 is offline");
  CHECK(x["needed"] == "failover");
  CHECK(x["allowed"] == "migrate");
  CHECK(x["permitted_by"] == "tag m on cluster");
  CHECK(x["next"] == "failover of web1");
  CHECK(x["waits_for"] == "somebody to permit failover");
  CHECK(x["incident"] == "0f3a");
  CHECK(x["jobs"] == json::array({12, 14}));
  CHECK(x["remarks"].size() == 1);
  CHECK(x["outlook"] == "not-permitted");
  CHECK(
    contains(x["advice"], "nothing will be done because it takes failover"));
}

TEST_CASE("advice carries the last decisions and their evidence") {
  site at;
  auto x = advice(at)["instances"][0]["decisions"];
  REQUIRE(x.size() == 2);
  CHECK(x[0]["object"] == "node:node2");
  CHECK(x[0]["why"] == "nothing moved in 10 checks");
  CHECK(x[1]["object"] == "instance:web1");
}

TEST_CASE("evidence is of the node's last incident only, and bounded") {
  auto all = small_cluster();
  all.decisions.clear();
  for (int i = 0; i < 20; ++i) {
    journal_entry e;
    e.seq = static_cast<std::uint64_t>(i + 1);
    e.object = i % 2 == 0 ? "node:node2" : "instance:web1";
    e.incident = i < 16 ? "old" : "new";
    all.decisions.push_back(e);
  }
  auto x = io::http::render_advice(all, {})["instances"][0]["decisions"];
  std::vector<int> seqs;
  for (const auto& e : x)
    seqs.push_back(e["seq"]);
  CHECK(seqs == std::vector{12, 14, 16, 17, 18, 19, 20});
}

TEST_CASE("advice says whether the cluster may be acted on at all") {
  site at;
  auto x = advice(at);
  CHECK(x["cluster"] == "c1.example.com");
  CHECK(x["right_to_act"]["held"] == true);
  CHECK(x["guard"]["paused"] == false);
  CHECK(x["guard"]["storm"] == false);
  CHECK(x["autorepair_mode"] == "act");
  CHECK(x["holds"] == "");
  at.actors.all.status.guard.paused = true;
  at.actors.all.status.guard.paused_by = "ann";
  CHECK(advice(at)["holds"] == "it is paused by ann");
}

TEST_CASE("advice is about what is not simply healthy, unless all is wanted") {
  site at;
  auto remarked = healthy_instance("odd");
  remarked.standing.remarks = {"tag x on instance odd: it is odd"};
  at.actors.all.instances.push_back(healthy_instance("calm"));
  at.actors.all.instances.push_back(remarked);
  CHECK(names_of(advice(at)) == names{"odd", "web1"});
  CHECK(names_of(advice(at, "?all=0")) == names{"odd", "web1"});
  auto all = advice(at, "?all=1");
  CHECK(names_of(all) == names{"calm", "odd", "web1"});
  CHECK(all["instances"][0]["advice"]
        == "healthy: its node node1 is in service");
  CHECK(all["instances_total"] == 3);
}

TEST_CASE("remarks about shared tags are told once, not for all instances") {
  site at;
  for (const char* name : {"calm1", "calm2"}) {
    at.actors.all.instances.push_back(healthy_instance(name));
    at.actors.all.instances.back().standing.shared_remarks
      = {"tag x on cluster: it is odd"};
  }
  auto x = advice(at);
  CHECK(names_of(x) == names{"web1"});
  CHECK(x["remarks"] == json::array({"tag x on cluster: it is odd"}));
}

TEST_CASE("advice is filtered by phase, by what is needed and by outlook") {
  site at;
  auto lost = small_cluster().instances[0];
  lost.name = "lost";
  lost.standing.needed.reset();
  lost.standing.phase = repair_phase::failed;
  at.actors.all.instances.push_back(lost);
  at.actors.all.instances.push_back(healthy_instance("calm"));
  CHECK(names_of(advice(at, "?phase=failed")) == names{"lost"});
  CHECK(names_of(advice(at, "?phase=healthy")) == names{"calm"});
  CHECK(names_of(advice(at, "?needed=failover")) == names{"web1"});
  CHECK(names_of(advice(at, "?needed=none")) == names{"lost"});
  CHECK(names_of(advice(at, "?outlook=not-permitted")) == names{"web1"});
  CHECK(names_of(advice(at, "?phase=failed&needed=failover")).empty());
}

TEST_CASE("a filter that means nothing is told with what there is") {
  site at;
  auto text = [&at](const char* query) {
    return std::string{
      error_of(at.once(get(std::string{"/2/advice"} + query)), "400")["text"]};
  };
  CHECK(text("?phase=broken")
        == "'phase' is 'broken', it must be one of healthy, needs-repair, "
           "pending, failed");
  CHECK(contains(text("?needed=reboot"), "fix-storage, migrate, failover"));
  CHECK(
    contains(text("?outlook=x"), "unknown, healthy, probably-down, under-way"));
  CHECK(contains(text("?all=yes"), "'all' is 'yes'"));
  CHECK(contains(text("?limit=0"), "from 1 to 2000"));
  CHECK(contains(text("?limit=2001"), "from 1 to 2000"));
  CHECK(contains(text("?speed=1"), "no parameter 'speed'"));
}

TEST_CASE("advice that is cut says so and where to go on") {
  site at;
  at.actors.all.instances.clear();
  for (const char* name : {"c", "a", "b"})
    at.actors.all.instances.push_back(healthy_instance(name));
  auto first = advice(at, "?all=1&limit=2");
  CHECK(names_of(first) == names{"a", "b"});
  CHECK(first["cut"] == true);
  CHECK(first["next_after"] == "b");
  CHECK(first["instances_total"] == 3);
  auto rest = advice(at, "?all=1&limit=2&after=b");
  CHECK(names_of(rest) == names{"c"});
  CHECK(rest["cut"] == false);
  CHECK(rest["next_after"].is_null());
  // Exactly as many as the limit are not cut.
  CHECK(advice(at, "?all=1&limit=3")["cut"] == false);
}

TEST_CASE("advice of an empty cluster is an empty list") {
  site at;
  at.actors.all = {};
  auto x = advice(at);
  CHECK(x["instances"] == json::array());
  CHECK(x["cut"] == false);
  CHECK(contains(x["holds"], "no right to act"));
}

TEST_CASE("bytes that are no UTF-8 do not break the advice") {
  site at;
  auto& web = at.actors.all.instances[0];
  web.name = web.standing.wrong = "a\xff\xc0";
  web.standing.remarks = {"tag \xff"};
  CHECK(advice(at)["instances"].size() == 1);
}

TEST_CASE("one instance comes with nodes, outlook, decisions and evidence") {
  site at;
  auto x = json_of(at.once(get("/2/instances/web1")));
  CHECK(x["outlook"] == "not-permitted");
  CHECK(x["needed"] == "failover");
  CHECK(x["nodes"].size() == 2);
  CHECK(x["decisions"].size() == 2);
  CHECK(x["autorepair_mode"] == "act");
  auto told = json_of(at.once(get("/2/explain/web1")));
  CHECK(told["instances"][0]["advice"] == x["advice"]);
}

} // namespace orderly::http_advice_test
