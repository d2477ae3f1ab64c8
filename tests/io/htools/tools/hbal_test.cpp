// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/htools/tools/hbal.hpp"
#include "io/htools/tools/hbal_load.hpp"
#include "tests/support/planning/samples.hpp"
#include "tests/support/planning/tool_run.hpp"

#include <catch2/catch.hpp>

#include <filesystem>

#include <unistd.h>

namespace orderly::tools_hbal_test {

using namespace orderly::io::htools;

namespace {

/// A folder with the small cluster as `c`.
class rig {
public:
  rig() {
    folder_ = std::filesystem::temp_directory_path()
              / ("orderly-hbal-" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
    REQUIRE_FALSE(
      write_whole(path("c"), orderly::planning::samples::small_text));
  }

  ~rig() { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const {
    return (folder_ / name).string();
  }

  outcome run(std::vector<std::string> words) {
    return outcome_of([&](auto to) { return run_hbal(words, to); });
  }

private:
  std::filesystem::path folder_;
};

} // namespace

TEST_CASE("hbal prints moves, jobs and a cluster that scores as it said") {
  rig b;
  auto r
    = b.run({"--search=exact", "-t", b.path("c"), "-C", "-S", b.path("s")});
  CHECK(r.code == 0);
  CHECK(says(r.out, "Initial score: 23.22632783\n"));
  CHECK(says(r.out, "    1. i5 n4:n2 => n2:n3   3.52180394 a=f r:n3\n"
                    "    2. i6 n2:n1 => n3:n2   3.48665966 a=r:n3 f\n"
                    "Cluster score improved from 23.22632783 to 3.48665966\n"
                    "Solution length=2\n"));
  CHECK(says(r.out, "  echo jobset 1, 1 jobs\n    echo job 1/1\n"
                    "    gnt-instance failover -f i5\n"
                    "    gnt-instance replace-disks -n n3 i5\n"));
  auto again = b.run({"-t", b.path("s.balanced"), "-l", "0"});
  CHECK(says(again.out, "Initial score: 3.48665966\n"));
}

TEST_CASE("hbal ends with 2 for an option that is none, with 1 for a value") {
  rig b;
  auto r = b.run({"--bogus"});
  CHECK(r.code == 2);
  CHECK(says(r.err, "Command line error: unrecognized option `--bogus'"));
  r = b.run({"-t", b.path("c"), "-l"});
  CHECK(r.code == 2);
  CHECK(says(r.err, "option `-l' requires an argument N"));
  r = b.run({"--max", "1"});
  CHECK(r.code == 2);
  CHECK(says(r.err, "is ambiguous"));
  r = b.run({"-t", b.path("c"), "-l", "x"});
  CHECK(r.code == 1);
  CHECK(says(r.err, "max solution length: cannot parse string 'x'"));
  r = b.run({"-t", b.path("c"), "word"});
  CHECK(r.code == 1);
  r = b.run({});
  CHECK(r.code == 1);
  CHECK(says(r.err, "No backend selected"));
  r = b.run({"-t", b.path("c"), "-L"});
  CHECK(r.code == 1);
  r = b.run({"-L" + b.path("no-socket")});
  CHECK(r.code == 1);
  CHECK(says(r.err, "no-socket: cannot connect: No such file"));
  r = b.run({"-t", b.path("c"), "--priority=none"});
  CHECK(r.code == 1);
  r = b.run({"-t", b.path("c"), "--priority=low", "--reason", "x", "-l", "0"});
  CHECK(r.code == 0);
  r = b.run({"-t", b.path("c"), "-X"});
  CHECK(r.code == 1);
  CHECK(says(r.err, "possible only on LUXI"));
}

TEST_CASE("hbal ends with 1 when a file, node, instance or group is missing") {
  rig b;
  auto r = b.run({"-t", b.path("none")});
  CHECK(r.code == 1);
  CHECK(says(r.err, "failed to load data, aborting"));
  CHECK(says(r.err, "No such file"));
  r = b.run({"-t", b.path("c"), "-O", "n9"});
  CHECK(r.code == 1);
  CHECK(says(r.err, "wrong node name(s) set as offline: n9"));
  r = b.run({"-t", b.path("c"), "--select-instances=i9"});
  CHECK(r.code == 1);
  CHECK(says(r.err, "Unknown instance(s): [\"i9\"]"));
  r = b.run({"-t", b.path("c"), "-G", "other"});
  CHECK(r.code == 1);
  CHECK(says(r.err, "Node group other not found"));
  r = b.run({"-t", b.path("c"), "-C" + b.path("no/such/folder")});
  CHECK(r.code == 1);
}

TEST_CASE("hbal moves only what is selected and has nothing to do when it is "
          "good enough") {
  rig b;
  auto r = b.run({"-t", b.path("c"), "--select-instances", "i6", "-q"});
  CHECK(r.code == 0);
  CHECK_FALSE(says(r.out, "i5 "));
  CHECK_FALSE(says(r.out, "Solution length"));
  r = b.run({"-t", b.path("c"), "-e", "100"});
  CHECK(r.code == 0);
  CHECK(says(r.out, "Cluster is already well balanced"));
}

} // namespace orderly::tools_hbal_test
