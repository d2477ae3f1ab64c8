// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The vote before a daemon starts, where nobody answers: whom the node daemons
// of a real cluster name is seen on the real cluster.

#include "io/node_reports/vote.hpp"
#include "tests/support/scratch.hpp"

#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <string>

namespace orderly::io::node_reports::vote_test {

namespace {

struct rig {
  rig() {
    here.folder = folder.path("");
    here.self = "node1.example.com";
    here.port = 1;
    here.limit = seconds{1};
    here.tell = [this](const std::string& x) { told.push_back(x); };
    here.pause = [this](millis span) { pauses.push_back(span); };
  }

  void write(const std::string& name, const std::string& text) {
    std::ofstream{folder.path(name)} << text;
  }

  scratch_folder folder;
  vote_place here;
  std::vector<std::string> told;
  std::vector<millis> pauses;
};

} // namespace

TEST_CASE("beside a cluster there is nobody to ask") {
  rig b;
  CHECK(hold_vote(b.here).what == start_step::go);
}

TEST_CASE("a record that says nothing is no sign that there is no cluster") {
  auto voting = GENERATE(true, false);
  rig b;
  b.here.voting = voting;
  b.write("ssconf_node_list", "node1.example.com\nnode2.example.com\n");
  SECTION("it is gone") {
  }
  SECTION("it is empty, as a crash leaves it") {
    b.write("ssconf_master_node", "");
  }
  SECTION("it is blank, and nothing else is there") {
    std::filesystem::remove(b.folder.path("ssconf_node_list"));
    b.write("ssconf_master_node", " \n");
  }
  SECTION("it is a folder") {
    std::filesystem::create_directory(b.folder.path("ssconf_master_node"));
  }
  SECTION("it is a link to itself, which nobody can read") {
    std::filesystem::create_symlink("ssconf_master_node",
                                    b.folder.path("ssconf_master_node"));
  }
  SECTION("it is too large to be one") {
    b.write("ssconf_master_node",
            "node1.example.com\n" + std::string(200 * 1024, ' '));
  }
  auto x = hold_vote(b.here);
  CHECK(x.what == start_step::leave);
  CHECK(x.why.find("ssconf_master_node does not say who") != std::string::npos);
  CHECK(b.pauses.empty());
}

TEST_CASE("a list of nodes that says nothing is no cluster of none") {
  rig b;
  b.write("ssconf_master_node", "node1.example.com\n");
  SECTION("it is gone") {
  }
  SECTION("it is empty") {
    b.write("ssconf_node_list", "");
  }
  auto x = hold_vote(b.here);
  CHECK(x.what == start_step::leave);
  CHECK(x.why.find("ssconf_node_list does not say which") != std::string::npos);
}

TEST_CASE("where another node is the master nobody is asked") {
  rig b;
  b.write("ssconf_master_node", "node2.example.com\n");
  auto x = hold_vote(b.here);
  CHECK(x.what == start_step::leave);
  CHECK(x.why.find("node2.example.com") != std::string::npos);
  CHECK(b.told.empty());
}

TEST_CASE("its own record is enough where a person says so") {
  rig b;
  b.write("ssconf_master_node", "node1.example.com\n");
  b.here.voting = false;
  CHECK(hold_vote(b.here).what == start_step::go);
}

TEST_CASE("nodes that are silent are asked again, and then it leaves") {
  rig b;
  b.write("ssconf_master_node", "node1.example.com\n");
  b.write("ssconf_node_list", "node1.example.com\nnode2.example.com\n");
  b.write("ssconf_node_primary_ips",
          "node1.example.com 127.0.0.1\nnode2.example.com 127.0.0.1\n"
          "node9.example.com 127.0.0.1\n");
  auto x = hold_vote(b.here);
  CHECK(x.what == start_step::leave);
  CHECK(x.why.find("0 of 2 nodes") != std::string::npos);
  CHECK(b.pauses == std::vector<millis>(vote_repeats, vote_pause));
  // Without a certificate nobody can be asked: that is told.
  REQUIRE_FALSE(b.told.empty());
  CHECK(b.told[0].find("client.pem") != std::string::npos);
}

TEST_CASE("a node daemon names the master, or its answer is none") {
  CHECK(*read_ballot(R"([true, "node1"])") == "node1");
  for (const char* wrong :
       {"", "null", "[]", R"([false, "Cluster configuration incomplete"])",
        R"([true, 7])", R"([true])", R"({"a": 1})", "[true, \"x\""})
    CHECK_FALSE(read_ballot(wrong));
}

} // namespace orderly::io::node_reports::vote_test
