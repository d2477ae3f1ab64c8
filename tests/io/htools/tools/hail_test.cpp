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

TEST_CASE("hail has the reference's words for what it cannot read") {
  auto why = [](const std::string& text) {
    draft file{text};
    auto r = run_as_reference(tool::hail, {file.path()});
    CHECK(r.code == 1);
    return r.err;
  };
  CHECK(says(why(""), "Invalid JSON"));
  CHECK(says(why("{"), "Malformed JSON"));
  CHECK(says(why("[]"), "Unable to read JSObject"));
  auto message = restricted_request();
  message["request"]["name"] = 4;
  CHECK(says(why(message.dump()), "key 'name': Unable to read String"));
  message = restricted_request();
  message["request"]["memory"] = "4";
  CHECK(says(why(message.dump()), "key 'memory': Unable to read Int"));
  message = restricted_request();
  message["nodes"]["n1"]["offline"] = 1;
  CHECK(says(why(message.dump()), "key 'offline': Unable to read Bool"));
  message = restricted_request();
  message["nodes"]["n1"]["total_memory"] = "x";
  CHECK(says(why(message.dump()), "key 'total_memory': Unable to read Double"));
  message = restricted_request();
  message["nodes"]["n1"]["tags"] = "x";
  CHECK(says(why(message.dump()), "key 'tags': Unable to read list"));
  auto r = run_as_reference(tool::hail, {"/no/such/file"});
  CHECK(says(r.err, "/no/such/file: openFile: does not exist"));
}

TEST_CASE("hail tells what it was asked, and the state, to who wants to see "
          "it") {
  auto message = restricted_request();
  auto& down = message["instances"]["i1"];
  down["admin_state"] = "down";
  draft file{message.dump()};
  auto r = run_as_reference(tool::hail, {"-v", file.path()});
  CHECK(says(r.err, "Received request: Allocate Instance {name = \"new\""));
  CHECK(says(r.err, "restricted to [\"n1\",\"n2\"]"));
  CHECK_FALSE(says(r.err, "Received cluster data"));
  r = run_as_reference(tool::hail, {"-v", "-v", file.path()});
  CHECK(says(r.err, "Received cluster data:\n  0: Group {name = \"g1\""));
  CHECK(says(r.err, "Node {name = \"n1\", tMem = "));
  CHECK(says(r.err, "runSt = StatusDown"));
  CHECK(says(r.err, "runSt = Running"));
}

} // namespace orderly::tools_hail_test
