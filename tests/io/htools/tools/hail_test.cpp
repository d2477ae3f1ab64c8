// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "tests/support/planning/tool_run.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

namespace orderly::tools_hail_test {

using namespace orderly::io::htools;

namespace {

/// An allocation for two nodes that says which nodes are good itself.
nlohmann::json restricted_request() {
  auto golden = nlohmann::json::parse(text_of("hail.json"));
  auto message = golden["message"];
  message["request"] = golden["requests"][0]["request"];
  message["request"]["restrict-to-nodes"] = {"n1", "n2"};
  return message;
}

} // namespace

TEST_CASE("a request and an option say which nodes may be used, and the option "
          "goes first") {
  draft file{restricted_request().dump()};
  auto r = run_as_reference(tool::hail, {file.path()});
  CHECK(says(r.out, "\"result\":[\"n2\",\"n1\"]"));
  r = run_as_reference(tool::hail,
                       {"--restrict-allocation-to=n1,n3", file.path()});
  CHECK(says(r.out, "successes 2,"));
  CHECK(says(r.out, "\"result\":[\"n3\",\"n1\"]"));
}

} // namespace orderly::tools_hail_test
