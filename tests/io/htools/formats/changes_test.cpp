// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/htools/formats/read_changes.hpp"

#include <catch2/catch.hpp>

namespace orderly::changes_test {

using namespace orderly::planning;
using io::htools::read_changes;

namespace {

change_set read(const std::vector<std::string>& words) {
  auto r = read_changes(words);
  INFO((r ? std::string{} : r.why().text));
  REQUIRE(r);
  return *r;
}

} // namespace

TEST_CASE("each change is read into its own value") {
  auto x = read({"lose=n1,group:g", "drain=n2", "empty=h"});
  CHECK(x.lost == std::vector<whose_nodes>{{false, "n1"}, {true, "g"}});
  CHECK(x.drained == std::vector<whose_nodes>{{false, "n2"}});
  CHECK(x.emptied == std::vector<std::string>{"h"});
  x = read({"add=3*like:n1", "add=2*196608,8t,48@g", "add=like:n2"});
  REQUIRE(x.added.size() == 3);
  CHECK(x.added[0] == new_nodes{3, "n1", 0, 0, 0, {}});
  CHECK(x.added[1] == new_nodes{2, {}, 196608, 8388608, 48, "g"});
  CHECK(x.added[2].count == 1);
  x = read({"ram=n1:+64g", "ram=group:g:+1024"});
  CHECK(x.memory[0] == more_memory{{false, "n1"}, 65'536});
  CHECK(x.memory[1] == more_memory{{true, "g"}, 1024});
  x = read({"grow=200*4096,51200,2,drbd@g", "grow=1g,0,1,ext:external/nas1"});
  CHECK(x.grown[0].count == 200);
  CHECK(x.grown[0].vcpus == 2);
  CHECK(x.grown[0].disks == disk_template::drbd);
  CHECK(x.grown[0].group == "g");
  CHECK(x.grown[1].pool == storage_pool{storage_type::external, "nas1"});
  CHECK(x.grown[1].group.empty());
}

TEST_CASE("a word that is no change is quoted, with what it should be") {
  for (const auto* word : {"",
                           "lose",
                           "lose=",
                           "lose=n1,,n2",
                           "lose=group:",
                           "empty=",
                           "shrink=1",
                           "add=",
                           "add=-1*like:n1",
                           "add=0*like:n1",
                           "add=10001*like:n1",
                           "add=like:",
                           "add=1,2,3",
                           "add=1,2@g",
                           "add=0,2,3@g",
                           "add=1,2,0@g",
                           "add=1,2,3@",
                           "ram=n1:64g",
                           "ram=n1",
                           "ram=n1:+0",
                           "ram=:+1",
                           "ram=n1:+-1",
                           "grow=1,2,3",
                           "grow=1,2,3,floppy",
                           "grow=1,2,3,drbd@",
                           "grow=-1*1,2,3,drbd",
                           "grow=1,2,3,ext:internal/lvm",
                           "grow=1,2,3,diskless:external/x",
                           "grow=1,2,3,ext:nas1"}) {
    auto r = read_changes({word});
    INFO(word);
    REQUIRE_FALSE(r);
    CHECK(r.why().text.find(std::string{"'"} + word + "'") == 0);
  }
}

TEST_CASE("so many that nobody counts them are refused, also in pieces") {
  CHECK(read({"add=10000*like:n1"}).added[0].count == 10'000);
  CHECK_FALSE(read_changes({"add=6000*like:n1", "add=6000*like:n1"}));
  CHECK_FALSE(read_changes({"grow=6000*1,1,1,drbd", "grow=6000*1,1,1,drbd"}));
}

} // namespace orderly::changes_test
