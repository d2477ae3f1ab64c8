// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The ready collectors say what the machine shows, and no more.

#include "tests/support/scratch.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>

namespace orderly::test::node_agent_collectors_test {

namespace {

using nlohmann::json;

struct said {
  int code = 0;
  std::string text;
};

/// As the agent runs it: without arguments but the one of a trial, and without
/// an environment.
said run(const std::string& collector, const std::string& about) {
  auto command = "env -i " ORDERLY_SOURCE_DIR "/configs/collectors/" + collector
                 + " " + about + " 2>/dev/null";
  auto* pipe = ::popen(command.c_str(), "r");
  REQUIRE(pipe != nullptr);
  said result;
  std::array<char, 512> piece{};
  while (std::fgets(piece.data(), static_cast<int>(piece.size()), pipe))
    result.text += piece.data();
  result.code = ::pclose(pipe);
  return result;
}

json report(const said& x) {
  REQUIRE(x.code == 0);
  return json::parse(x.text);
}

said look_at(const std::string& mdstat) {
  scratch_folder folder;
  std::ofstream{folder.path("mdstat")} << mdstat;
  return run("md-raid", folder.path("mdstat"));
}

json raid(const std::string& mdstat) {
  return report(look_at(mdstat));
}

const std::string well = "Personalities : [raid1] [raid6] [raid5] [raid4]\n"
                         "md1 : active raid1 sdb2[1] sda2[0]\n"
                         "      136448 blocks super 1.2 [2/2] [UU]\n"
                         "      bitmap: 0/1 pages [0KB], 65536KB chunk\n"
                         "\n"
                         "md3 : active raid5 sdl1[9] sdk1[8] sdj1[7] sdi1[6]\n"
                         "      1318680576 blocks level 5, 1024k chunk, "
                         "algorithm 2 [4/4] [UUUU]\n"
                         "\n"
                         "unused devices: <none>\n";

/// A tree as the kernel shows it.
class memory_tree {
public:
  void count(const std::string& module, const std::string& label, int errors,
             int of_controller) {
    auto folder = root_ / "mc0" / module;
    std::filesystem::create_directories(folder);
    write(folder / "dimm_label", label);
    write(folder / "dimm_ue_count", std::to_string(errors));
    write(root_ / "mc0" / "ue_count", std::to_string(of_controller));
    write(root_ / "mc0" / "ue_noinfo_count", "0");
  }

  [[nodiscard]] said look() const { return run("memory", root_.string()); }

private:
  static void write(const std::filesystem::path& to, const std::string& text) {
    std::ofstream{to} << text << "\n";
  }

  scratch_folder folder_;
  std::filesystem::path root_ = folder_.path("");
};

} // namespace

TEST_CASE("an array with all its members is well, also while it is checked") {
  CHECK(raid(well) == json{{"status", "Ok"}});
  CHECK(raid(well
             + "md9 : active raid1 sdd1[1] sdc1[0]\n"
               "      1048512 blocks super 1.2 [2/2] [UU]\n"
               "      [>....................]  check =  4.1% (43520/1048512)\n")
        == json{{"status", "Ok"}});
}

TEST_CASE("an array that lacks a member has the node emptied") {
  CHECK(
    raid(well
         + "md0 : active raid1 sdc1[1](F) sdd1[0]\n"
           "      1048512 blocks super 1.2 [2/1] [U_]\n")
    == json{{"status", "evacuate"}, {"arrays", {"md0"}}, {"disks", {"sdc1"}}});
  CHECK(raid(well
             + "md0 : active raid1 sdd1[0]\n"
               "      1048512 blocks super 1.2 [2/1] [U_]\n")
        == json{{"status", "evacuate"}, {"arrays", {"md0"}}});
}

TEST_CASE("an array that is filled again is no trouble, but for what failed") {
  const std::string filled
    = "      1048512 blocks super 1.2 [2/1] [U_]\n"
      "      [==>..................]  recovery = 12.6% (132096/1048512) "
      "finish=0.1min speed=132096K/sec\n";
  CHECK(raid(well + "md0 : active raid1 sde1[2] sdd1[0]\n" + filled)
        == json{{"status", "Ok"}});
  CHECK(raid(well + "md0 : active raid1 sde1[2] sdc1[1](F) sdd1[0]\n" + filled)
          .at("disks")
        == json{"sdc1"});
}

TEST_CASE("what is no /proc/mdstat says nothing") {
  CHECK(look_at("hello\n").code != 0);
  CHECK(run("md-raid", "/nowhere").code != 0);
}

TEST_CASE("a module whose error was not corrected has the node emptied") {
  memory_tree x;
  x.count("dimm0", "CPU#0_DIMM#0", 0, 0);
  CHECK(report(x.look()) == json{{"status", "Ok"}});
  x.count("dimm3", "CPU#0_DIMM#3", 2, 2);
  CHECK(report(x.look())
        == json{{"status", "evacuate"}, {"modules", {"CPU#0_DIMM#3"}}});
  x.count("dimm3", "", 2, 2);
  CHECK(report(x.look()).at("modules") == json{"mc0/dimm3"});
  // Nobody is charged with it.
  x.count("dimm3", "CPU#0_DIMM#3", 0, 1);
  CHECK(report(x.look()).at("modules") == json{"mc0"});
}

TEST_CASE("a kernel that counts no errors of memory says nothing") {
  CHECK(memory_tree{}.look().code != 0);
  CHECK(run("memory", "/nowhere").code != 0);
}

} // namespace orderly::test::node_agent_collectors_test
