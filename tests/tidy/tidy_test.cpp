// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The source tree against the house rules. Add a file and it is looked at.

#include "tests/tidy/house_rules.hpp"
#include "tests/tidy/reading.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>

namespace orderly::tidy_test {

using namespace orderly::tidy;

namespace {

namespace fs = std::filesystem;

bool is_ours(const fs::path& file) {
  static const char* const endings[]
    = {".cpp", ".hpp", ".sh", ".py", ".cmake", ".toml", ".service"};
  auto ending = file.extension().string();
  return std::find(std::begin(endings), std::end(endings), ending)
           != std::end(endings)
         || file.filename() == "CMakeLists.txt" || file.filename() == "dev";
}

std::string read(const fs::path& file) {
  std::ifstream in{file, std::ios::binary};
  REQUIRE(in.good());
  return {std::istreambuf_iterator<char>{in}, {}};
}

std::vector<source_file> source_tree() {
  const fs::path top{ORDERLY_SOURCE_DIR};
  std::vector<source_file> result;
  auto take = [&](const fs::path& file) {
    if (fs::is_regular_file(file) && is_ours(file))
      result.push_back({fs::relative(file, top).generic_string(), read(file)});
  };
  for (const auto& entry : fs::directory_iterator{top})
    take(entry.path());
  for (const auto* folder :
       {"messages", "actors", "io", "sim", "tests", "configs"})
    if (fs::exists(top / folder))
      for (const auto& entry : fs::recursive_directory_iterator{top / folder})
        take(entry.path());
  std::sort(
    result.begin(), result.end(),
    [](const source_file& a, const source_file& b) { return a.path < b.path; });
  return result;
}

/// All files of the tree, of whatever kind.
std::vector<std::string> paths() {
  const fs::path top{ORDERLY_SOURCE_DIR};
  std::vector<std::string> result;
  for (const auto* folder : {"messages", "actors", "io", "sim", "tests"})
    for (const auto& entry : fs::recursive_directory_iterator{top / folder})
      result.push_back(fs::relative(entry.path(), top).generic_string());
  return result;
}

} // namespace

namespace {

/// Codes such as X.FENCE_STUCK that `code` writes, and `page` does not explain.
std::string untold(const std::string& code, const std::string& page) {
  static const std::regex quoted{R"rx("([AEX]\.[A-Z_]+)")rx"};
  std::string result;
  for (std::sregex_iterator i{code.begin(), code.end(), quoted}, end; i != end;
       ++i)
    if (page.find('`' + (*i)[1].str() + '`') == std::string::npos)
      result += (*i)[1].str() + ' ';
  return result;
}

/// A drill is played wherever the tree lies.
bool names_a_machine(const std::string& drill) {
  return drill.find("\nconfig /") != std::string::npos;
}

} // namespace

TEST_CASE("drills name their settings by their own place") {
  CHECK(names_a_machine("world small-5n\nconfig /home/x/prompt.toml\n"));
  std::size_t seen = 0;
  for (const auto& entry : fs::recursive_directory_iterator{
         fs::path{ORDERLY_SOURCE_DIR} / "sim/drills"})
    if (entry.path().extension() == ".drill") {
      INFO(entry.path());
      CHECK_FALSE(names_a_machine(read(entry.path())));
      ++seen;
    }
  CHECK(seen > 400);
}

TEST_CASE("what host HA tells of a node is in its runbook") {
  CHECK(untold(R"(report("X.NEW", "A.OLD"))", "`A.OLD`") == "X.NEW ");
  const fs::path top{ORDERLY_SOURCE_DIR};
  auto page = read(top / "docs/policies/host-ha.md");
  std::size_t seen = 0;
  for (const auto* folder :
       {"actors/policy/host_ha", "actors/policy/trust", "actors/node"})
    for (const auto& entry : fs::directory_iterator{top / folder})
      if (entry.path().extension() == ".cpp"
          || entry.path().extension() == ".hpp") {
        auto code = read(entry.path());
        INFO(entry.path());
        CHECK(untold(code, page) == "");
        seen += untold(code, {}).empty() ? 0 : 1;
      }
  CHECK(seen > 5);
  // Why a node was fenced is said in the table of codes, by which laws decide.
  std::string fences;
  for (const auto& line : lines_of(read(top / "messages/codes.hpp")))
    if (line.find("fenced_") != std::string::npos)
      fences += line + '\n';
  CHECK(untold(fences, page) == "");
  CHECK(untold(fences, {}).size() > 60);
}

TEST_CASE("the source tree keeps the house rules") {
  auto tree = source_tree();
  std::size_t seen = 0;
  for (const auto& file : tree)
    for (const auto* known :
         {"actors/power/oob.cpp", "actors/policy/guards/storm.hpp",
          "io/main/orderlyd.cpp", "messages/protocol/ports.hpp",
          "sim/laws/laws.cpp", "CMakeLists.txt", "dev"})
      if (file.path == known && !file.text.empty())
        ++seen;
  // Otherwise we looked at nothing.
  REQUIRE(seen == 7);
  auto rooms
    = read_rooms(read(fs::path{ORDERLY_SOURCE_DIR} / "CMakeLists.txt"));
  REQUIRE(rooms.size() > 40);
  std::string all;
  for (const auto& x : check_rooms(tree, rooms))
    all += to_string(x) + '\n';
  for (const auto& x : check_furnished(paths(), rooms))
    all += to_string(x) + '\n';
  for (const auto& x : check_constants(tree))
    all += to_string(x) + '\n';
  for (const auto& x : check_small(tree))
    all += to_string(x) + '\n';
  for (const auto& file : tree)
    for (const auto& x : offences_of(file, rooms))
      all += to_string(x) + '\n';
  INFO(all);
  CHECK(all.empty());
}

} // namespace orderly::tidy_test
