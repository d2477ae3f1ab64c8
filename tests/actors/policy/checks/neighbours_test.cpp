// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/policy/checks/neighbours.hpp"

#include <catch2/catch.hpp>

namespace orderly::checks_neighbours_test {

using namespace orderly::checks;

namespace {

neighbour node(const char* name, std::uint32_t looking = 0) {
  neighbour x{name, "g1", "kvm"};
  x.looking = looking;
  return x;
}

using names = std::vector<node_name>;

names chosen(std::vector<neighbour> all) {
  return choose_neighbours(node("n1"), std::move(all));
}

} // namespace

TEST_CASE("the neighbour that is asked least is asked first") {
  CHECK(chosen({node("n3", 1), node("n4"), node("n2", 1)})
        == names{"n4", "n2", "n3"});
}

TEST_CASE("no neighbour works on more than four questions") {
  CHECK(chosen({node("n2", 4), node("n3", 3)}) == names{"n3"});
}

TEST_CASE("a node is no witness of itself, nor is one that could not see it") {
  auto other_group = node("n2");
  other_group.group = "g2";
  auto other_family = node("n3");
  other_family.family = "xen";
  auto old = node("n4");
  old.able = false;
  CHECK(chosen({node("n1"), other_group, other_family, old}).empty());
}

TEST_CASE("who is not well itself is no witness") {
  auto offline = node("n2");
  offline.online = false;
  auto silent = node("n3");
  silent.heard = false;
  auto troubled = node("n4");
  troubled.in_trouble = true;
  CHECK(chosen({offline, silent, troubled, node("n5")}) == names{"n5"});
}

} // namespace orderly::checks_neighbours_test
