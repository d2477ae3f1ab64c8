// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Changes that tests of what would be ask about, and the answer.

#pragma once

#include "actors/planning/whatif/what_if.hpp"

#include <catch2/catch.hpp>

namespace orderly::planning {

inline change_set lose(const std::string& node) {
  change_set x;
  x.lost.push_back({false, node});
  return x;
}

inline new_instances small(std::int64_t count, disk_template disks) {
  new_instances x;
  x.count = count;
  x.memory = 1000;
  x.disk = 1024;
  x.disks = disks;
  return x;
}

inline what_if_answer ask(const cluster& c, const change_set& x) {
  auto r = what_if(c, x, {});
  INFO((r ? std::string{} : r.why().text));
  REQUIRE(r);
  return *r;
}

} // namespace orderly::planning
