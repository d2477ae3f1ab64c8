// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Whatever somebody asks the agent of a node: nobody but a candidate is
// answered, no order is kept that the cluster's key has not sealed, and a
// sealed report is one to the salt that was asked with. The first line is the
// method, the second one the target, the rest the body; the first byte says who
// asks.

#include "io/node_agent/answers.hpp"
#include "io/query/target.hpp"
#include "io/report/envelope.hpp"

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

#include <unistd.h>

using namespace orderly;
using namespace orderly::io;

namespace {

constexpr const char* uuid = "00000001-0000-4000-8000-000000000000";
constexpr const char* candidate = "00112233445566778899aabbccddeeff00112233";

void demand(bool holds) {
  if (!holds)
    std::abort();
}

/// An agent on a node of its own, whose files are gone with it.
struct node {
  node() {
    std::filesystem::create_directories(folder + "/commands");
    std::ofstream{folder + "/hmac.key"} << "cluster key\n";
    std::ofstream{folder + "/ssconf_master_candidates_certs"}
      << "u1=" << candidate << "\n";
    std::ofstream{folder + "/ssconf_cluster_tags"} << "\n";
    node_agent::agent_settings s;
    s.node.name = "node1";
    s.node.uuid = uuid;
    s.node.folder = folder;
    s.ganeti.folder = folder;
    s.diagnose.folder = folder + "/commands";
    s.repair.folder = folder + "/commands";
    auto key = report::node_key::make();
    demand(key.ok());
    says = std::make_unique<node_agent::answers>(on, s, *key,
                                                 [](const std::string&) {});
  }

  ~node() { std::filesystem::remove_all(folder); }

  std::string folder = std::filesystem::temp_directory_path()
                       / ("orderly-fuzz-" + std::to_string(::getpid()));
  loop on;
  std::unique_ptr<node_agent::answers> says;
};

std::string line_of(std::string& text) {
  auto end = text.find('\n');
  auto line = text.substr(0, end);
  text.erase(0, end == std::string::npos ? end : end + 1);
  return line;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  static node it;
  if (size == 0)
    return 0;
  std::string text{reinterpret_cast<const char*>(data) + 1, size - 1};
  http::request x;
  x.certificate = data[0] == '!' ? "" : candidate;
  x.method = line_of(text);
  x.target = line_of(text);
  x.body = text;
  auto got = it.says->answer(x);
  static const std::set<unsigned> known{200, 400, 403, 404, 405, 409, 503};
  demand(known.contains(got.status));
  demand(!got.text().empty());
  demand(!x.certificate.empty() || got.status == 403);
  if (got.status != 200)
    return 0;
  auto to = http::parse_target(x.target);
  demand(to.ok() && to->path != "/1/deposit");
  if (to->query.empty() || to->path.rfind("/1/report/", 0) != 0)
    return 0;
  report::expectation wanted;
  wanted.salt = to->query.at("rsalt");
  wanted.node_uuid = uuid;
  wanted.keys = {"cluster key"};
  wanted.now = std::chrono::floor<millis>(std::chrono::system_clock::now());
  demand(
    std::holds_alternative<report::believed>(report::open(got.text(), wanted)));
  return 0;
}
