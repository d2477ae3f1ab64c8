// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/query/list_query.hpp"

#include <catch2/catch.hpp>

namespace orderly::query_list_test {

using namespace orderly::io::http;

TEST_CASE("a list is asked for by what it has") {
  auto got = read_list_query({{"node", "n1"},
                              {"group", "g"},
                              {"state", "fenced"},
                              {"cursor", "n0"},
                              {"limit", "7"}},
                             node_phases());
  REQUIRE(got);
  CHECK(got->node == "n1");
  CHECK(got->group == "g");
  CHECK(got->state == "fenced");
  CHECK(got->after == "n0");
  CHECK(got->limit == 7);
  CHECK(read_list_query({{"state", "needs-repair"}}, instance_phases()));
}

TEST_CASE(
  "a value that a parameter cannot have is named, and so is the parameter") {
  auto refused = [](const char* name, const char* value) {
    auto got = read_list_query({{name, value}}, instance_phases());
    REQUIRE_FALSE(got);
    CHECK(got.why().kind == fault_kind::bad_input);
    return got.why().text;
  };
  CHECK(refused("state", "fenced")
        == "'state' is 'fenced', it must be one of healthy, needs-repair, "
           "pending, failed");
  CHECK(refused("limit", "0")
        == "'limit' is '0', it must be a number from 1 to 100000");
}

} // namespace orderly::query_list_test
