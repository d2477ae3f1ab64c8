// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// hscan on recorded answers of the remote API: the line and the file that
// Debian's hscan 3.0.2 makes of them.

#include "tests/support/planning/tool_run.hpp"
#include "tests/support/scratch.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>

namespace orderly::tools_hscan_test {

using namespace orderly::io::htools;

namespace {

constexpr const char* header
  = "Nodes  Inst BNode BInst  t_mem  f_mem t_disk f_disk      Score\n";
constexpr const char* line
  = "    5     3     0     0 131072 124880   1465   1425 0.63805292\n";

std::vector<std::string> files_in(const scratch_folder& folder) {
  std::vector<std::string> names;
  for (const auto& x : std::filesystem::directory_iterator{folder.path("")})
    names.push_back(x.path().filename());
  return names;
}

std::string content(const std::string& path) {
  std::ifstream from{path};
  return {std::istreambuf_iterator<char>{from}, {}};
}

} // namespace

TEST_CASE("hscan writes each cluster's file and a line about it") {
  scratch_folder to;
  auto from = "file://" + data("rapi");
  auto r = run_as_reference(tool::hscan, {"-d", to.path(""), from});
  CHECK(r.code == 0);
  auto name = std::string{"Name"};
  name.resize(from.size(), ' ');
  CHECK(r.out == name + " " + header + from + " " + line);
  auto file = from;
  std::replace(file.begin(), file.end(), '/', '_');
  REQUIRE(files_in(to) == std::vector{file + ".data"});
  CHECK(content(to.path(files_in(to).front())) == text_of("rapi/hscan.txt"));
  r = run_as_reference(
    tool::hscan, {"--no-headers", "-pname,pcnt", "-d", to.path(""), from});
  CHECK(r.out
        == from + " " + line
             + " Name pcnt\n n1      1\n n2      1\n n3      0\n n4      0\n"
               " n5      1\n");
}

TEST_CASE("hscan goes on beside a cluster that cannot be read, and says so by "
          "its exit code") {
  scratch_folder to;
  auto good = "file://" + data("rapi");
  auto r = run_as_reference(tool::hscan,
                            {"-d", to.path(""), "file:///no/such", good});
  CHECK(r.code == 2);
  CHECK(says(r.err, "Error for file:///no/such: failed to load data. Details:"
                    "\n/no/such/groups.json"));
  CHECK(files_in(to).size() == 1);
}

TEST_CASE("hscan refuses what it cannot write, and what makes no sense") {
  auto from = "file://" + data("rapi");
  auto r = run_as_reference(tool::hscan, {"-d", "/no/such", from});
  CHECK(r.code == 1);
  CHECK(says(r.err, "/no/such/file:__"));
  CHECK(run_as_reference(tool::hscan, {"-L/no/socket", from}).code == 1);
  CHECK(run_as_reference(tool::hscan, {"-t", "some"}).code != 0);
  scratch_folder to;
  r = run_as_reference(tool::hscan, {"-d", to.path(""), "-L/no/socket"});
  CHECK(r.code == 2);
  CHECK(says(r.err, "Error for LOCAL: failed to load data"));
}

TEST_CASE("neither lines nor files of hscan have a password in them") {
  scratch_folder to;
  auto r = run_as_reference(
    tool::hscan, {"-d", to.path(""), "https://me:s3cret@127.0.0.1:1"});
  CHECK(r.code == 2);
  CHECK(says(r.out, "Name                "));
  CHECK(says(r.err, "Error for https://127.0.0.1:1: "));
  CHECK_FALSE(says(r.out + r.err, "s3cret"));
}

TEST_CASE("hscan says the same to programs") {
  scratch_folder to;
  auto from = "file://" + data("rapi");
  auto r
    = run_as_reference(tool::hscan, {"-d", to.path(""), "--output=json", from});
  auto x = nlohmann::json::parse(r.out)["clusters"][0];
  CHECK(x["name"] == from);
  CHECK(x["nodes"] == 5);
  CHECK(x["bad_instances"] == 0);
  CHECK(x["free_disk"] == 1425);
  CHECK(std::filesystem::exists(x["file"].get<std::string>()));
}

} // namespace orderly::tools_hscan_test
