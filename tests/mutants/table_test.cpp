// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Which defect each law has caught. The table is read out of the tests beside
// this one, so it says what they show and nothing else:
// `test_mutants "each law has caught a defect" -s` prints it.

#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>

namespace orderly::mutants_table_test {

namespace {

namespace fs = std::filesystem;

using names = std::set<std::string>;
using table = std::map<std::string, names>;

std::string text_of(const fs::path& path) {
  std::ifstream in{path};
  std::ostringstream out;
  out << in.rdbuf();
  REQUIRE_FALSE(out.str().empty());
  return out.str();
}

fs::path source(const std::string& below) {
  return fs::path{ORDERLY_SOURCE_DIR} / below;
}

names found(const std::string& text, const std::string& pattern) {
  names result;
  std::regex wanted{pattern};
  for (std::sregex_iterator i{text.begin(), text.end(), wanted}, end; i != end;
       ++i)
    result.insert((*i)[1]);
  return result;
}

/// What the laws themselves call a breach.
names laws_in_force() {
  names result;
  for (const auto& file : fs::directory_iterator{source("sim/laws")})
    if (file.path().extension() == ".cpp")
      result.merge(
        found(text_of(file.path()), "breach\\(\\s*\"([SL][0-9]+)\""));
  return result;
}

/// By law, from `{"defect", ...}, {"S1", ...}` in what the tests show.
table caught() {
  const std::string defects = R"re(\{("[a-z0-9-]+"(,\s*"[a-z0-9-]+")*)\})re";
  const std::string laws = R"re(\{("[SL][0-9]+"(,\s*"[SL][0-9]+")*)\})re";
  std::regex shown{defects + ",\\s*" + laws};
  table result;
  for (const auto& file : fs::directory_iterator{source("tests/mutants")}) {
    auto name = file.path().filename().string();
    if (name.find("_mutants_test.cpp") == std::string::npos)
      continue;
    auto text = text_of(file.path());
    for (std::sregex_iterator i{text.begin(), text.end(), shown}, end; i != end;
         ++i)
      for (const auto& law : found((*i)[3], "\"([SL][0-9]+)\""))
        result[law].merge(found((*i)[1], "\"([a-z0-9-]+)\""));
  }
  return result;
}

} // namespace

TEST_CASE("each law has caught a defect") {
  auto all = caught();
  std::string text;
  for (const auto& [law, defects] : all) {
    text += law + ":";
    for (const auto& defect : defects)
      text += " " + defect;
    text += "\n";
  }
  INFO(text);
  auto laws = laws_in_force();
  REQUIRE(laws.size() > 30);
  for (const auto& law : laws) {
    INFO(law);
    CHECK(all.count(law) == 1);
  }
  for (const auto& [law, defects] : all) {
    INFO(law);
    CHECK(laws.count(law) == 1);
  }
}

TEST_CASE("each defect that a law has caught can be switched on") {
  auto known = found(text_of(source("tests/mutants/mutants.cmake")),
                     "\norderly_mutant\\(([a-z0-9-]+) ");
  REQUIRE_FALSE(known.empty());
  for (const auto& [law, defects] : caught())
    for (const auto& defect : defects) {
      INFO(law + ": " + defect);
      CHECK(known.count(defect) == 1);
    }
}

TEST_CASE("the laws in force are the ones that are written down") {
  auto written
    = found(text_of(source("docs/drills.md")), "\n\\| ([SL][0-9]+) \\| ");
  CHECK(written == laws_in_force());
}

} // namespace orderly::mutants_table_test
