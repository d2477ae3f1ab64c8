// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The live agent port against a whole orderly-agent on loopback, with
// certificates and keys that are made here.

#include "io/door/tls.hpp"
#include "io/node_agent/agent.hpp"
#include "io/node_reports/port.hpp"
#include "io/node_reports/said.hpp"
#include "tests/support/scratch.hpp"

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/scoped_actor.hpp>
#include <catch2/catch.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include <fmt/format.h>
#include <unistd.h>

namespace orderly::node_reports_test {

using namespace orderly::io;

namespace {

constexpr const char* uuid = "00000001-0000-4000-8000-000000000000";

void write(const std::string& path, const std::string& text) {
  std::ofstream{path} << text;
}

void certificate(const std::string& path) {
  auto made = std::system(
    fmt::format("openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj "
                "/CN=x -keyout {0}.key -out {0} 2>/dev/null && cat {0}.key >> "
                "{0}",
                path)
      .c_str());
  REQUIRE(made == 0);
}

std::string read(const std::string& path) {
  std::ifstream file{path};
  return {std::istreambuf_iterator<char>{file}, {}};
}

void replace(const std::string& path, const std::string& text) {
  write(path + ".new", text);
  std::filesystem::rename(path + ".new", path);
}

/// A node with its agent, and the master beside it; their files differ as
/// much as a test wants them to.
class pair_of_hosts {
public:
  pair_of_hosts() {
    for (const auto* name : {"node", "master", "commands", "state"})
      std::filesystem::create_directory(at(name));
    certificate(at("node/server.pem"));
    certificate(at("master/client.pem"));
    std::filesystem::copy(at("node/server.pem"), at("master/server.pem"));
    for (const auto* who : {"node", "master"})
      write(at(fmt::format("{}/hmac.key", who)), "cluster key\n");
    let_in("master/client.pem");
    write(at("node/ssconf_cluster_tags"), "\n");
  }

  std::string at(const std::string& name) const { return folder_.path(name); }

  /// Another certificate in the place of this one, as a whole.
  void renew(const std::string& name) const {
    certificate(at("fresh.pem"));
    give("fresh.pem", name);
  }

  /// As Ganeti gives files to nodes.
  void give(const std::string& from, const std::string& to) const {
    replace(at(to), read(at(from)));
  }

  /// From now on this one is the only candidate's.
  void let_in(const std::string& name) const {
    auto digest = http::digest_of_pem(read(at(name)));
    REQUIRE(digest);
    replace(at("node/ssconf_master_candidates_certs"), "u1=" + *digest + "\n");
  }

  void start_agent(std::uint16_t port = 0) {
    node_agent::agent_settings s;
    s.http.address = "127.0.0.1";
    s.http.port = port;
    s.node.name = "node1";
    s.node.folder = at("state");
    s.ganeti.folder = at("node");
    s.diagnose.folder = at("commands");
    s.diagnose.interval = millis{200};
    auto made = node_agent::agent::start(on_, s, [](const std::string&) {});
    INFO((made ? std::string{} : made.why().text));
    REQUIRE(made);
    agent_ = std::move(*made);
    port_ = agent_->port();
  }

  void stop_agent() { agent_.reset(); }

  void start_port() {
    settings rules;
    rules.agents.port = port_;
    rules.agents.folder = at("master");
    port_actor_ = node_reports::spawn_agent_port(
      system_, on_, rules, [this](const std::string& x) { told_ = x; });
  }

  diagnosis ask(std::vector<std::string> keys = {},
                const std::string& who = uuid) {
    diagnosis got;
    caf::scoped_actor self{system_};
    self
      ->request(port_actor_, seconds{10},
                ask_diagnosis{"node1", who, "127.0.0.1", seconds{3}, keys})
      .receive([&](diagnosis& x) { got = std::move(x); },
               [&](const caf::error&) { got.text = "no answer at all"; });
    return got;
  }

  /// The first look of the collector takes a moment.
  diagnosis ask_until_heard() {
    diagnosis got;
    for (int i = 0; i < 100 && got.how != hearing::heard; ++i) {
      got = ask();
      std::this_thread::sleep_for(millis{50});
    }
    return got;
  }

  std::uint16_t port() const { return port_; }

  const std::string& told() const { return told_; }

  std::string fingerprint() const { return agent_->fingerprint(); }

private:
  scratch_folder folder_;
  std::string told_;
  io::loop on_;
  caf::actor_system_config config_;
  caf::actor_system system_{config_};
  std::unique_ptr<node_agent::agent> agent_;
  std::uint16_t port_ = 0;
  agent_port port_actor_;
};

bool says(const diagnosis& x, const std::string& part) {
  INFO(x.text);
  return x.text.find(part) != std::string::npos;
}

} // namespace

TEST_CASE("what a node's agent says is heard, and who has said it") {
  pair_of_hosts x;
  x.start_agent();
  x.start_port();
  auto got = x.ask_until_heard();
  INFO(got.text);
  REQUIRE(got.how == hearing::heard);
  CHECK(got.node == "node1");
  CHECK(got.object.find("\"status\":\"Ok\"") != std::string::npos);
  CHECK(got.key == x.fingerprint());
  CHECK(got.at != never);
  auto again = x.ask({x.fingerprint()});
  CHECK(again.how == hearing::heard);
}

TEST_CASE("an agent with another key than the known one is not believed") {
  pair_of_hosts x;
  x.start_agent();
  x.start_port();
  REQUIRE(x.ask_until_heard().how == hearing::heard);
  auto got = x.ask({std::string(64, 'a')});
  CHECK(got.how == hearing::unverified);
  CHECK(says(got, "wrong_node_key"));
  CHECK(got.key == x.fingerprint());
  CHECK(got.object.empty());
}

TEST_CASE("a report that is not signed with the cluster's key is none") {
  pair_of_hosts x;
  write(x.at("node/hmac.key"), "another key\n");
  x.start_agent();
  x.start_port();
  auto got = x.ask();
  CHECK(got.how == hearing::unverified);
  CHECK(says(got, "wrong_mac"));
}

TEST_CASE("an agent that is another node is not believed") {
  pair_of_hosts x;
  x.start_agent();
  x.start_port();
  REQUIRE(x.ask_until_heard().how == hearing::heard);
  auto got = x.ask({}, "00000002-0000-4000-8000-000000000000");
  CHECK(got.how == hearing::unverified);
  CHECK(says(got, "409"));
}

TEST_CASE("whoever shows no certificate of the cluster is not asked") {
  pair_of_hosts x;
  certificate(x.at("master/server.pem"));
  x.start_agent();
  x.start_port();
  auto got = x.ask();
  CHECK(got.how == hearing::silent);
  CHECK(says(got, "is not of this cluster"));
}

TEST_CASE("an agent that is started anew is heard again over a new line") {
  pair_of_hosts x;
  x.start_agent();
  x.start_port();
  REQUIRE(x.ask_until_heard().how == hearing::heard);
  x.stop_agent();
  CHECK(x.ask().how == hearing::silent);
  x.start_agent(x.port());
  CHECK(x.ask_until_heard().how == hearing::heard);
}

TEST_CASE("certificates that are renewed count without a restart") {
  pair_of_hosts x;
  x.start_agent();
  x.start_port();
  REQUIRE(x.ask_until_heard().how == hearing::heard);
  SECTION("the cluster's, on the node first") {
    x.renew("node/server.pem");
    CHECK(x.ask().how == hearing::heard); // over the line that is open
    x.give("node/server.pem", "master/server.pem");
    CHECK(x.ask().how == hearing::heard);
  }
  SECTION("the cluster's, on the master first") {
    x.renew("master/server.pem");
    auto got = x.ask();
    CHECK(got.how == hearing::silent); // the node still shows the old one
    CHECK(says(got, "is not of this cluster"));
    x.give("master/server.pem", "node/server.pem");
    CHECK(x.ask().how == hearing::heard);
  }
  SECTION("the master's own, once the node's list has it") {
    x.renew("master/client.pem");
    CHECK(x.ask().how == hearing::silent);
    x.let_in("master/client.pem");
    CHECK(x.ask().how == hearing::heard);
  }
  SECTION("all of them at once") {
    x.renew("master/client.pem");
    x.renew("master/server.pem");
    x.give("master/server.pem", "node/server.pem");
    x.let_in("master/client.pem");
    CHECK(x.ask().how == hearing::heard);
  }
  SECTION("one that cannot be used leaves the last one in force") {
    for (const auto* name :
         {"node/server.pem", "master/client.pem", "master/server.pem"}) {
      INFO(name);
      auto good = read(x.at(name));
      replace(x.at(name), "garbage\n");
      CHECK(x.ask().how == hearing::heard);
      replace(x.at(name), good);
      CHECK(x.ask().how == hearing::heard);
    }
  }
}

TEST_CASE("who is put off the list is refused on a line that is open, too") {
  pair_of_hosts x;
  x.start_agent();
  x.start_port();
  REQUIRE(x.ask_until_heard().how == hearing::heard);
  certificate(x.at("other.pem"));
  x.let_in("other.pem");
  auto got = x.ask();
  CHECK(got.how == hearing::silent);
  CHECK(says(got, "403"));
  // Nor by the same certificate over a new one.
  CHECK(x.ask().how == hearing::silent);
  x.let_in("master/client.pem");
  CHECK(x.ask().how == hearing::heard);
}

TEST_CASE("without files of ours nobody is asked, and that is told") {
  pair_of_hosts x;
  x.start_agent();
  std::filesystem::remove(x.at("master/client.pem"));
  x.start_port();
  auto got = x.ask();
  CHECK(got.how == hearing::silent);
  CHECK(says(got, "client.pem"));
  CHECK(x.told().find("client.pem") != std::string::npos);
}

TEST_CASE("a report is passed on as it was spelled") {
  const auto noon = from_ms(1700000000000);
  auto x = node_reports::read_said(
    R"({"name":"diagnose","age_ms":1500,"data":{"n":1e2,"status":"Ok"}})",
    noon);
  CHECK(x.how == hearing::heard);
  CHECK(x.object == R"({"n":1e2,"status":"Ok"})");
  CHECK(x.at == noon - millis{1500});
}

TEST_CASE("what is no word of the node's is no report") {
  auto how = [](const char* text) {
    return node_reports::read_said(text, from_ms(1700000000000)).how;
  };
  CHECK(how("") == hearing::failed);
  CHECK(how("[1]") == hearing::failed);
  CHECK(how(R"({"name":"load","age_ms":1,"data":{}})") == hearing::failed);
  CHECK(how(R"({"name":"diagnose","age_ms":null,"data":{"status":"Ok"}})")
        == hearing::failed);
  CHECK(how(R"({"name":"diagnose","age_ms":-1,"data":{"status":"Ok"}})")
        == hearing::failed);
  CHECK(how(R"({"name":"diagnose","age_ms":1})") == hearing::failed);
  CHECK(how(R"({"name":"diagnose","age_ms":1,"probe_error":"it hangs",)"
            R"("data":{"status":"Ok"}})")
        == hearing::failed);
}

TEST_CASE("a report that has a key twice is none, and the key is named") {
  auto got = node_reports::read_said(
    R"({"name":"diagnose","age_ms":1,"data":{"status":"evacuate"},)"
    R"("data":{"status":"Ok"}})",
    from_ms(1700000000000));
  CHECK(got.how == hearing::failed);
  CHECK(says(got, "the key 'data' is there twice"));
}

} // namespace orderly::node_reports_test
