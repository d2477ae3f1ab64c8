// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// hsqueeze -X beside a query daemon that takes jobs. The opcodes are those of
// Debian's hsqueeze 3.0.2 but for their order where nodes are switched on.

#include "io/htools/tools/squeeze_jobs.hpp"
#include "tests/support/planning/recorded_luxid.hpp"
#include "tests/support/planning/tool_run.hpp"

namespace orderly::tools_squeeze_jobs_test {

using namespace orderly::io::htools;
using namespace orderly::planning;

namespace {

/// Takes all jobs; those that touch `sick` fail so often.
struct queue {
  std::vector<json> submitted; ///< a list of jobs each
  std::string sick = "no such thing";
  int failures = 0;

  std::optional<json> answer(const std::string& method, const json& asked) {
    auto rows = json::array();
    if (method == "SubmitManyJobs") {
      submitted.push_back(asked.at(0));
      for (std::size_t k = 0; k < asked.at(0).size(); ++k)
        rows.push_back(json::array({true, 101 + k}));
      return json{{"success", true}, {"result", rows}};
    }
    auto fails
      = failures > 0 && submitted.back().dump().find(sick) != std::string::npos;
    failures -= fails ? 1 : 0;
    for (std::size_t k = 0; k < asked.at(0).size(); ++k)
      rows.push_back(json::array({fails ? "error" : "success"}));
    return json{{"success", true}, {"result", rows}};
  }
};

/// n1 and n2 are on and hold an instance, n3 is off.
cluster three() {
  cluster c;
  c.groups.push_back({"g", "u", {}, {}, {}, {}});
  for (int k = 1; k < 4; ++k) {
    node_spec n;
    n.name = "n" + std::to_string(k);
    n.total_memory = 8192;
    n.free_memory = 7168;
    n.total_disk = n.total_cpus = 8;
    n.offline = k == 3;
    c.nodes.push_back(n);
  }
  c.nodes[2].tags = {"htools:standby:auto"};
  c.nodes[2].free_memory = 8192;
  for (int k = 0; k < 2; ++k) {
    instance_spec i;
    i.name = "i" + std::to_string(k);
    i.memory = 1024;
    i.primary = k;
    i.disks = disk_template::ext;
    c.instances.push_back(i);
  }
  return c;
}

struct told {
  std::string wrong;
  std::string said;
  std::vector<std::string> jobs; ///< ids of opcodes, job by job
  std::vector<std::chrono::milliseconds> pauses;
};

told run(const told_squeeze& x, queue& q, const std::string& occupied = {}) {
  auto c = three();
  placement p{c, std::nullopt, {}};
  recorded_luxid luxid{{}, [&](const auto& method, const auto& asked) {
                         return q.answer(method, asked);
                       }};
  told t;
  run_watch watch;
  watch.is_stop_wanted = [] { return false; };
  watch.pause = [&](auto time) { t.pauses.push_back(time); };
  watch.say = [&](const auto& line) { t.said += line; };
  watch.patience = std::chrono::seconds{5};
  t.wrong = run_squeeze(luxid.path(), sets_of(p, x, ",\"priority\":0"), watch,
                        std::chrono::seconds{60}, [&] { return occupied; });
  for (const auto& set : q.submitted)
    for (const auto& job : set) {
      std::string line;
      for (const auto& op : job)
        line += op.at("OP_ID").template get<std::string>() + " ";
      t.jobs.push_back(line);
    }
  return t;
}

} // namespace

TEST_CASE("what goes off is emptied, tagged, marked offline and switched off") {
  told_squeeze x;
  x.off = {1};
  x.steps = {{{1, move_kind::failover_to, 0}, {1, -1}, {0, -1}, 0}};
  x.sets = {{0}};
  queue q;
  auto t = run(x, q);
  CHECK(t.wrong.empty());
  CHECK(t.jobs
        == std::vector<std::string>{"OP_INSTANCE_MIGRATE ", "OP_TAGS_SET ",
                                    "OP_NODE_SET_PARAMS OP_OOB_COMMAND "});
  CHECK(q.submitted[1].at(0).at(0)
        == json::parse(R"({"priority": 0, "OP_ID": "OP_TAGS_SET",
             "kind": "node", "tags": ["htools:standby:auto"], "name": "n2"})"));
  CHECK(q.submitted[2].at(0)
        == json::parse(R"([{"priority": 0, "OP_ID": "OP_NODE_SET_PARAMS",
             "node_name": "n2", "force": false, "offline": true,
             "auto_promote": false},
            {"priority": 0, "OP_ID": "OP_OOB_COMMAND", "node_names": ["n2"],
             "command": "power-off", "timeout": 60, "ignore_status": false,
             "power_delay": 2}])"));
  CHECK(says(t.said, "Executing jobset for tags of n2\n"));
}

TEST_CASE("nothing goes off that is not empty any more after the moves") {
  told_squeeze x;
  x.off = {1};
  x.steps = {{{1, move_kind::failover_to, 0}, {1, -1}, {0, -1}, 0}};
  x.sets = {{0}};
  queue q;
  auto t = run(x, q, "n2 holds instance i7 by now");
  CHECK(t.wrong == "n2 holds instance i7 by now");
  CHECK(t.jobs == std::vector<std::string>{"OP_INSTANCE_MIGRATE "});
}

TEST_CASE("nothing goes off when a move before it fails") {
  told_squeeze x;
  x.off = {1};
  x.steps = {{{1, move_kind::failover_to, 0}, {1, -1}, {0, -1}, 0}};
  x.sets = {{0}};
  queue q;
  q.sick = "OP_INSTANCE_MIGRATE";
  q.failures = 1;
  auto t = run(x, q);
  CHECK_FALSE(t.wrong.empty());
  CHECK(t.jobs == std::vector<std::string>{"OP_INSTANCE_MIGRATE "});
}

TEST_CASE(
  "what goes on has power first, is back when it has started, and loses "
  "its tag") {
  told_squeeze x;
  x.on = {2};
  x.steps = {{{1, move_kind::failover_to, 2}, {1, -1}, {2, -1}, 0}};
  x.sets = {{0}};
  queue q;
  q.sick = "OP_NODE_SET_PARAMS";
  q.failures = 2;
  auto t = run(x, q);
  CHECK(t.wrong.empty());
  CHECK(t.jobs
        == std::vector<std::string>{
          "OP_OOB_COMMAND ", "OP_NODE_SET_PARAMS ", "OP_NODE_SET_PARAMS ",
          "OP_NODE_SET_PARAMS ", "OP_TAGS_DEL ", "OP_INSTANCE_MIGRATE "});
  CHECK(q.submitted[0].at(0).at(0).at("command") == "power-on");
  CHECK(q.submitted[1].at(0).at(0).at("offline") == false);
  CHECK(says(t.said, "The nodes have not started yet; trying again.\n"));
  CHECK(std::count(t.pauses.begin(), t.pauses.end(), std::chrono::seconds{15})
        == 2);
  // The reference leaves the tag.
  x.exact = true;
  queue again;
  CHECK(run(x, again).jobs
        == std::vector<std::string>{"OP_OOB_COMMAND ", "OP_NODE_SET_PARAMS ",
                                    "OP_INSTANCE_MIGRATE "});
}

TEST_CASE("a node that does not start in time ends the run") {
  told_squeeze x;
  x.on = {2};
  queue q;
  q.sick = "OP_NODE_SET_PARAMS";
  q.failures = 1000;
  auto t = run(x, q);
  CHECK(says(t.wrong, "of return of n3: error"));
  CHECK(q.submitted.size() == 1 + 5);
}

TEST_CASE("no command is about no nodes, for that would be about all") {
  told_squeeze x;
  x.is_short = true;
  queue q;
  auto t = run(x, q);
  CHECK(t.wrong.empty());
  CHECK(q.submitted.empty());
}

namespace {

/// Where the instances are once these jobs are done.
void carry_out(const json& jobs, json& answers) {
  auto& known = answers["instance"];
  auto place = [&](const std::string& field) {
    std::size_t k = 0;
    while (known.at("fields").at(k).at("name") != field)
      ++k;
    return k;
  };
  for (const auto& job : jobs)
    for (const auto& op : job)
      for (auto& row : known["data"])
        if (op.contains("target_node")
            && row.at(place("name")).at(1) == op.at("instance_name"))
          row.at(place("pnode")).at(1) = op.at("target_node");
}

} // namespace

TEST_CASE("hsqueeze -X carries a plan out over the socket that it reads") {
  auto moves = GENERATE(true, false);
  auto answers = json::parse(text_of("luxi.json"));
  answers["QueryClusterInfo"]["master"] = "node4.gnt.test";
  for (auto& row : answers["instance"]["data"]) {
    row.at(10).at(1) = "sharedfile";
    row.at(6).at(1) = json::array();
  }
  auto& nodes = answers["node"]["data"];
  nodes.at(2).at(9).at(1) = false;     // it was drained
  for (std::size_t k = 1; k < 12; ++k) // and this one was off
    nodes.at(5).at(k) = nodes.at(4).at(k);
  for (std::size_t k = 15; k < 18; ++k)
    nodes.at(5).at(k) = nodes.at(4).at(k);
  queue q;
  recorded_luxid* there = nullptr;
  recorded_luxid luxid{answers, [&](const auto& method, const auto& asked) {
                         if (moves && method == "SubmitManyJobs") {
                           carry_out(asked.at(0), answers);
                           there->become(answers);
                         }
                         return q.answer(method, asked);
                       }};
  there = &luxid;
  auto r
    = run_as_reference(tool::hsqueeze, {luxid.option(), "-X", "--output=json"});
  INFO(r.out << r.err);
  auto plan = json::parse(r.out);
  if (!moves) { // or others have come since
    CHECK(r.code == 1);
    CHECK(says(r.err, " by now: nothing more is switched off"));
    CHECK(!says(json(q.submitted).dump(), "power-off"));
    return;
  }
  CHECK(r.code == 0);
  REQUIRE_FALSE(plan.at("offline").empty());
  for (const auto& name : plan.at("offline"))
    CHECK(name != "node4.gnt.test");
  auto last = q.submitted.back().at(0);
  CHECK(last.back().at("command") == "power-off");
  CHECK(last.back().at("node_names") == plan.at("offline"));
  CHECK(last.back().at("reason").at(0).at(0) == "hsqueeze");
  CHECK(says(last.back().at("comment"), "condensing via hsqueeze"));
  CHECK(says(r.err, "Got job IDs 101"));
}

} // namespace orderly::tools_squeeze_jobs_test
