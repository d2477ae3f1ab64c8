// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Answers of the remote API in data/rapi, beside hscan.txt, which Debian's
// hscan 3.0.2 made of them.

#include "io/htools/formats/read_rapi.hpp"
#include "io/htools/formats/text.hpp"
#include "tests/support/planning/tool_run.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <functional>

namespace orderly::formats_rapi_test {

using namespace orderly::io::htools;
using json = nlohmann::json;

namespace {

rapi_bodies good() {
  rapi_bodies b;
  b.groups = {text_of("rapi/groups.json"), "groups.json"};
  b.nodes = {text_of("rapi/nodes.json"), "nodes.json"};
  b.instances = {text_of("rapi/instances.json"), "instances.json"};
  b.info = {text_of("rapi/info.json"), "info.json"};
  return b;
}

/// Why it is not read when one answer is spoiled.
std::string why_not(rapi_body rapi_bodies::*which,
                    const std::function<void(json&)>& spoil) {
  auto b = good();
  auto all = json::parse((b.*which).text);
  spoil(all);
  (b.*which).text = all.dump();
  auto c = read_rapi(b, 4096);
  return c ? "it was read" : c.why().text;
}

} // namespace

TEST_CASE(
  "answers of the remote API are the cluster that hscan makes of them") {
  auto c = read_rapi(good(), 4096);
  REQUIRE(c);
  CHECK(write_text(*c) == text_of("rapi/hscan.txt"));
  CHECK(c->nodes[2].offline); // it is drained
  CHECK(c->instances[1].memory == 4096);
  CHECK(c->instances[0].memory == 2048);
}

TEST_CASE("every tool takes the answers of the remote API out of a folder") {
  auto file = data("rapi/hscan.txt");
  auto folder = "file://" + data("rapi");
  for (auto of : {tool::hbal, tool::hcheck, tool::hinfo, tool::hspace}) {
    std::vector<std::string> more;
    if (of == tool::hbal)
      more = {"-G", "rack1"};
    auto words = [&](const char* option, const std::string& from) {
      auto all = more;
      all.insert(all.end(), {option, from});
      return all;
    };
    auto direct = run_as_reference(of, words("-m", folder));
    auto text = run_as_reference(of, words("-t", file));
    CHECK(direct.out == text.out);
    CHECK(direct.code == text.code);
    CHECK_FALSE(direct.out.empty());
  }
  auto r = run_as_reference(tool::hinfo, {"-m", folder, "-t", file});
  CHECK(r.code == 1);
  r = run_as_reference(tool::hinfo, {"-m", "file:///no/such"});
  CHECK(r.code == 1);
  CHECK(says(r.err, "/no/such/groups.json: openFile: does not exist"));
}

TEST_CASE("nodes of KVM have the memory that the option says") {
  auto b = good();
  auto info = json::parse(b.info.text);
  info["default_hypervisor"] = "kvm";
  b.info.text = info.dump();
  CHECK(read_rapi(b, 4096)->nodes[0].node_memory == 4096);
  CHECK(read_rapi(b, 0)->nodes[0].node_memory == 1024);
}

TEST_CASE("fifty thousand instances of the remote API are read") {
  auto b = good();
  auto one = json::parse(b.instances.text)[0];
  for (auto k = 0; k < 66; ++k) // as many as KVM has
    one["hvparams"]["parameter_" + std::to_string(k)] = nullptr;
  // Beside what is recorded: four interfaces and six disks.
  for (auto k = 0; k < 13; ++k)
    one["more." + std::to_string(k)] = std::vector<int>(k < 9 ? 4 : 6);
  one["custom"] = std::vector<int>(14);
  auto text = one.dump();
  b.instances.text = "[" + text;
  for (auto k = 1; k < 50'000; ++k)
    b.instances.text += "," + text;
  b.instances.text += "]";
  auto c = read_rapi(b, 4096);
  REQUIRE(c);
  CHECK(c->instances.size() == 50'000);
}

TEST_CASE("a fault of an answer names the answer, the thing and the key") {
  using b = rapi_bodies;
  CHECK(says(why_not(&b::nodes, [](json& x) { x[1].erase("mfree"); }),
             "nodes.json: node 'n2.x', error while parsing data: key 'mfree' "
             "not found"));
  CHECK(says(why_not(&b::nodes, [](json& x) { x[0]["mtotal"] = "?"; }),
             "key 'mtotal': Unable to read Double"));
  CHECK(says(why_not(&b::nodes, [](json& x) { x[0]["group.uuid"] = "u9"; }),
             "Unknown group 'u9' for node n1.x"));
  CHECK(says(why_not(&b::nodes, [](json& x) { x[0].erase("name"); }),
             "Parsing new node, number 1 of the list: key 'name' not found"));
  CHECK(says(why_not(&b::instances, [](json& x) { x[0]["pnode"] = "n9"; }),
             "Unknown node 'n9' for instance i1.x"));
  CHECK(says(why_not(&b::instances, [](json& x) { x[0]["snodes"] = {"n1.x"}; }),
             "same primary and secondary"));
  CHECK(
    says(why_not(&b::instances, [](json& x) { x[0]["disk.sizes"] = {"big"}; }),
         "instances.json: instance 'i1.x'"));
  CHECK(says(why_not(&b::groups, [](json& x) { x[0]["alloc_policy"] = "x"; }),
             "Invalid string value for type AllocPolicy: \"x\""));
  CHECK(says(why_not(&b::groups, [](json& x) { x = json::object(); }),
             "Parsing group data: groups.json: Unable to read list"));
  CHECK(says(why_not(&b::info, [](json& x) { x["master"] = "n9"; }),
             "Master node n9 unknown"));
  auto bad = good();
  bad.info.text = "{";
  CHECK(says(read_rapi(bad, 0).why().text,
             "Parsing cluster info: info.json: Malformed JSON"));
}

} // namespace orderly::formats_rapi_test
