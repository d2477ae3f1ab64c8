// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// hgroups -X beside a query daemon that takes jobs: rounds, one job a crossing,
// and an end where a job fails.

#include "tests/support/planning/recorded_luxid.hpp"
#include "tests/support/planning/tool_run.hpp"

namespace orderly::hgroups_jobs_test {

using namespace orderly::io::htools;

namespace {

/// What was recorded, with a mirrored and a shared instance in rack2, and
/// perhaps the same in the other group, which has more room.
json two_to_move(bool in_both) {
  auto x = json::parse(text_of("luxi.json"));
  json kept = json::array();
  for (const auto& row : x.at("instance").at("data"))
    for (const auto* name : {"inst9", "inst11", "inst21", "inst23"})
      if (row.at(0).at(1) == std::string{name} + ".gnt.test"
          && (in_both || row.at(5).at(1) != "node1.gnt.test"))
        kept.push_back(row);
  REQUIRE(kept.size() == (in_both ? 4 : 2));
  x.at("instance").at("data") = kept;
  return x;
}

struct carried {
  outcome said;
  std::vector<json> sets; ///< of jobs, as they were submitted
};

carried run(std::vector<std::string> words, const std::string& end = "success",
            bool in_both = false) {
  carried result;
  recorded_luxid luxid{two_to_move(in_both),
                       [&](const std::string& method, const json& asked) {
                         auto rows = json::array();
                         auto submits = method == "SubmitManyJobs";
                         if (submits)
                           result.sets.push_back(asked.at(0));
                         for (std::size_t k = 0; k < asked.at(0).size(); ++k)
                           rows.push_back(submits ? json::array({true, 101 + k})
                                                  : json::array({end}));
                         return json{{"success", true}, {"result", rows}};
                       }};
  words.insert(words.end(), {luxid.option(), "--group-moves=asked"});
  result.said
    = outcome_of([&](auto to) { return run_tool(tool::hgroups, words, to); });
  return result;
}

/// Kinds and targets of the opcodes of a job.
std::vector<std::string> codes(const json& job) {
  std::vector<std::string> result;
  for (const auto& op : job)
    result.push_back(op.at("OP_ID").get<std::string>() + " "
                     + op.at("instance_name").get<std::string>() + " "
                     + op.value("remote_node", op.value("target_node", "-")));
  return result;
}

} // namespace

TEST_CASE("-X empties a group by jobs, a mirrored instance by one") {
  auto x = run({"empty", "rack2", "-X", "--reason=rack2 goes"});
  CHECK(x.said.code == 0);
  CHECK(says(x.said.out, "rack2: can be emptied by 2 moves in 2 rounds"));
  CHECK(says(x.said.out, "Executing jobset for instances "));
  REQUIRE(x.sets.size() == 2);
  json mirrored;
  json shared;
  for (const auto& set : x.sets) {
    REQUIRE(set.size() == 1);
    (set.at(0).size() == 3 ? mirrored : shared) = set.at(0);
  }
  auto kinds = codes(mirrored);
  REQUIRE(kinds.size() == 3);
  CHECK(kinds[0].find("OP_INSTANCE_REPLACE_DISKS inst9.gnt.test node") == 0);
  CHECK(kinds[1] == "OP_INSTANCE_MIGRATE inst9.gnt.test -");
  CHECK(kinds[2].find("OP_INSTANCE_REPLACE_DISKS inst9.gnt.test node") == 0);
  CHECK(kinds[0] != kinds[2]);
  kinds = codes(shared);
  REQUIRE(kinds.size() == 1);
  CHECK(kinds[0].find("OP_INSTANCE_MIGRATE inst11.gnt.test node") == 0);
  CHECK(mirrored.at(0).at("reason").at(0).at(1) == "rack2 goes");
  // All of it goes to the nodes of the other group.
  for (const auto* far : {"node4", "node5", "node6"}) {
    CHECK_FALSE(says(codes(mirrored)[0], far));
    CHECK_FALSE(says(codes(mirrored)[2], far));
    CHECK_FALSE(says(codes(shared)[0], far));
  }
}

TEST_CASE("-X alone takes the group that frees most, and may stop in a round") {
  auto x = run({"empty", "-X", "--first-job-group", "--output=json"}, "success",
               true);
  CHECK(x.said.code == 0);
  auto told = json::parse(x.said.out);
  CHECK(told["chosen"] == json({"default"}));
  CHECK(told["verdicts"].back()["rounds"] == 2);
  CHECK(x.sets.size() == 1);
  CHECK(says(x.said.err, "Executing jobset for instances inst2"));
  CHECK(run({"empty", "rack2"}).sets.empty());
  CHECK(run({"empty", "--most-free"}).sets.empty());
}

TEST_CASE("where a job fails the next round is not begun") {
  auto x = run({"empty", "rack2", "-X"}, "error");
  CHECK(x.said.code == 1);
  CHECK(x.sets.size() == 1);
  CHECK(says(x.said.err, "Not all jobs completed successfully: job 101 of "));
}

TEST_CASE("-X needs a Ganeti that takes jobs") {
  draft file{""};
  auto r = outcome_of([&](auto to) {
    return run_tool(tool::hgroups, {"empty", "rack2", "-X", "-t", file.path()},
                    to);
  });
  CHECK(r.code == 1);
  CHECK(r.err == "Error: Execution of commands possible only on LUXI\n");
}

} // namespace orderly::hgroups_jobs_test
