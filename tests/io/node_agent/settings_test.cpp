// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/node_agent/candidates.hpp"
#include "io/node_agent/diagnose_command.hpp"
#include "io/node_agent/identity.hpp"
#include "io/node_agent/settings.hpp"
#include "tests/support/scratch.hpp"

#include <catch2/catch.hpp>

#include <fstream>
#include <iterator>

#include <sys/stat.h>
#include <unistd.h>

namespace orderly::node_agent_settings_test {

using namespace orderly::io::node_agent;

namespace {

std::string wrong(const std::string& text) {
  auto got = load_agent_text(text, "agent.toml");
  return got ? std::string{} : got.why().text;
}

bool has(const std::string& text, const std::string& part) {
  INFO(text);
  return text.find(part) != std::string::npos;
}

std::string read(const std::string& path) {
  std::ifstream in{path, std::ios::binary};
  return {std::istreambuf_iterator<char>{in}, {}};
}

struct commands : scratch_folder {
  std::string folder = path("commands");
  owner_rule us{::geteuid(), ::getegid()};

  commands() {
    ::mkdir(folder.c_str(), 0755);
    ::chmod(folder.c_str(), 0755);
    add("probe", 0755);
  }

  void add(const std::string& name, mode_t mode) const {
    auto at = folder + "/" + name;
    std::ofstream{at} << "#!/bin/sh\n";
    // In this order: a new owner takes the setuid bit away.
    REQUIRE(::chown(at.c_str(), ::geteuid(), ::getegid()) == 0);
    ::chmod(at.c_str(), mode);
  }

  command_doubt doubt(const std::string& name) const {
    return doubt_command(folder, name, us);
  }
};

} // namespace

TEST_CASE("configs/agent.toml is what the agent prints") {
  auto path = std::string{ORDERLY_SOURCE_DIR} + "/configs/agent.toml";
  CHECK(read(path) == render_agent_settings({}));
  CHECK(wrong(read(path)).empty());
}

TEST_CASE("bad settings are named with file, place and key") {
  CHECK(has(wrong("[http]\nport = 70000\n"), "agent.toml:2:"));
  CHECK(has(wrong("[http]\nport = 70000\n"), "http.port is 70000"));
  CHECK(has(wrong("[http]\nprot = 1\n"), "did you mean 'http.port'"));
  CHECK(has(wrong("[http]\naddress = \"here\"\n"), "'here' is no IP address"));
  CHECK(has(wrong("[http]\ntls = false\n"), "must be a loopback address"));
  CHECK(wrong("[http]\ntls = false\naddress = \"::1\"\n").empty());
  CHECK(has(wrong("[node]\nuuid = \"n\"\n"), "node.uuid is 'n'"));
  CHECK(has(wrong("[diagnose]\nfolder = \"x\"\n"), "an absolute path"));
  CHECK(has(wrong("[diagnose]\ninterval = \"1ms\"\n"), "diagnose.interval"));
}

TEST_CASE("a diagnose command is checked in the words of the original") {
  commands c;
  CHECK(c.doubt("probe").error.empty());
  CHECK(c.doubt("probe").details.empty());
  auto says = [&](const std::string& name, const std::string& details) {
    CHECK(c.doubt(name).details == details);
    CHECK_FALSE(c.doubt(name).error.empty());
  };
  const std::string file = "File for diagnose data collector must ";
  says("", "No file specified for diagnose data collector");
  says({"a\0b", 3}, "Invalid filename specified for diagnose data collector");
  says("../probe", "Filepaths cannot be specified for diagnose data collector");
  says("none", "File specified for diagnose data collector does not exist");
  says("..", file + "be a regular file");
  c.add("loose", 0775);
  says("loose", file + "have permissions 755 or stricter");
  c.add("setuid", 04755);
  says("setuid", file + "have permissions 755 or stricter");
  c.add("plain", 0644);
  says("plain", file + "be executable by owner");
  auto link = c.folder + "/link";
  REQUIRE(::symlink("probe", link.c_str()) == 0);
  CHECK(c.doubt("link").error.empty());
  c.us.user += 1;
  says("probe", file + "be owned by root");
  c.us.user -= 1;
  c.us.group += 1;
  says("probe", file + "have group root");
}

TEST_CASE("a folder that others may write in holds no command") {
  commands c;
  ::chmod(c.folder.c_str(), 0775);
  CHECK(has(c.doubt("probe").error, "have permissions 755 or stricter"));
  ::chmod(c.folder.c_str(), 0755);
  ::chmod(c.path("").c_str(), 0777);
  CHECK(has(c.doubt("probe").error, "could be replaced"));
}

TEST_CASE("the cluster's tags name one command, or none") {
  CHECK(command_in_tags("").name.empty());
  CHECK(command_in_tags("a\norderly:diagnose:probe\nb\n").name == "probe");
  CHECK(command_in_tags("xorderly:diagnose:probe\n").name.empty());
  auto two = command_in_tags("orderly:diagnose:a\norderly:diagnose:b");
  CHECK(two.name.empty());
  CHECK(has(two.error, "a and b"));
  CHECK_FALSE(command_in_tags("orderly:diagnose:\n").error.empty());
}

TEST_CASE("candidates are known by digests in any spelling") {
  const std::string digest(40, 'a');
  auto got
    = read_candidates("u1=" + std::string(40, 'A') + "\nu2=junk\n=" + digest
                      + "\ngarbage\nu3=" + std::string(38, 'b') + ":CC");
  CHECK(got.size() == 2);
  CHECK(got.at(digest) == "u1");
  CHECK(got.at(std::string(38, 'b') + "cc") == "u3");
}

TEST_CASE("the agent's key is made once, and is nobody else's") {
  scratch_folder f;
  auto made = load_or_make_key(f.path("state"));
  REQUIRE(made);
  auto path = f.path("state/agent.key");

  struct stat found {};

  REQUIRE(::stat(path.c_str(), &found) == 0);
  CHECK((found.st_mode & 07777) == 0600);
  CHECK(load_or_make_key(f.path("state"))->public_hex() == made->public_hex());
  ::chmod(path.c_str(), 0640);
  CHECK_FALSE(load_or_make_key(f.path("state")));
  ::chmod(path.c_str(), 0600);
  std::ofstream{path} << "garbage";
  CHECK_FALSE(load_or_make_key(f.path("state")));
  CHECK_FALSE(load_or_make_key(f.path("no/such")));
}

TEST_CASE("who a node is it hears once") {
  const std::string a = "00000001-0000-4000-8000-000000000000";
  const std::string b = "00000002-0000-4000-8000-000000000000";
  scratch_folder f;
  std::string trouble;
  {
    identity x{f.path("."), ""};
    CHECK_FALSE(x.hear("garbage", "", trouble));
    CHECK(x.hear(a, "", trouble));
    CHECK_FALSE(x.hear(b, "", trouble));
  }
  identity again{f.path("."), ""};
  CHECK(again.uuid("") == a);
  CHECK(again.uuid(b) == b); // our own certificate knows better
  CHECK(identity(f.path("."), b).uuid(a) == b);
  CHECK(trouble.empty());
}

} // namespace orderly::node_agent_settings_test
