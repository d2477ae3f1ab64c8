// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "tests/tidy/house_rules.hpp"
#include "tests/tidy/reading.hpp"

#include <algorithm>
#include <regex>
#include <set>

namespace orderly::tidy {

namespace {

bool begins(const std::string& text, std::string_view with) {
  return text.compare(0, with.size(), with) == 0;
}

std::string folder_of(const std::string& path) {
  auto slash = path.rfind('/');
  return slash == std::string::npos ? std::string{} : path.substr(0, slash);
}

/// How much of the machine a folder may see.
enum class world {
  none,    ///< pure: no clock, dice, thread, file or hash order
  threads, ///< pure, and works with several threads
  repeats, ///< runs that repeat exactly
  all,
};

world world_of(const std::string& folder) {
  for (const auto* pure : {"messages", "actors/policy/", "io/cli"})
    if (begins(folder, pure))
      return world::none;
  if (begins(folder, "actors/planning/"))
    return world::threads;
  // Who sets simulated runs up reads and writes files.
  for (const auto* outside :
       {"io/", "sim/lab", "sim/swarm", "sim/bench", "sim/commands",
        "sim/conformance"})
    if (begins(folder, outside))
      return world::all;
  return world::repeats;
}

bool is_std_for(world seen, const std::string& header) {
  static const std::set<std::string> impure{
    "random",  "unordered_map", "unordered_set",
    "fstream", "filesystem",    "iostream",
    "thread",  "future",        "condition_variable",
    "ctime"};
  static const std::set<std::string> shared{"atomic", "mutex", "shared_mutex"};
  switch (seen) {
  case world::none:
    return impure.count(header) == 0 && shared.count(header) == 0;
  case world::threads:
    return header == "thread" || impure.count(header) == 0;
  case world::repeats:
    return impure.count(header) == 0;
  case world::all:
    return true;
  }
  return false;
}

/// What CMake calls the library that `header` is of; empty: the system.
std::string library_of(const std::string& header) {
  static const std::map<std::string, std::string> known{
    {"caf", "caf"},
    {"fmt", "fmt::fmt"},
    {"boost", "Boost::system"},
    {"nlohmann", "nlohmann_json::nlohmann_json"},
    {"openssl", "OpenSSL::SSL"},
    {"prometheus", "prometheus-cpp::core"},
    {"spdlog", "spdlog::spdlog"},
    {"sqlite3.h", "SQLite::SQLite3"},
    {"systemd", "PkgConfig::SYSTEMD"},
    {"toml++", "tomlplusplus"},
    {"CLI", "CLI11"},
  };
  auto found = known.find(header.substr(0, header.find('/')));
  return found != known.end() ? found->second : std::string{};
}

bool may_include(const std::string& folder, const room& x,
                 const std::string& header, bool ours) {
  static const std::regex of_std{"[a-z_0-9]+"};
  if (ours)
    return folder_of(header) == folder || x.uses.count(folder_of(header)) != 0;
  if (std::regex_match(header, of_std))
    return is_std_for(world_of(folder), header);
  auto library = library_of(header);
  return library.empty() ? world_of(folder) == world::all
                         : x.libs.count(library) != 0;
}

} // namespace

std::vector<offence> check_includes(const source_file& f,
                                    const room_table& rooms) {
  static const std::regex include{
    R"rx(^\s*#\s*include\s*([<"])([^>"]+)[>"])rx"};
  std::vector<offence> result;
  auto folder = folder_of(f.path);
  auto x = rooms.find(folder);
  if (x == rooms.end()) // a program, or a test: it wires what it wants
    return result;
  auto lines = lines_of(code_of(f.text, texts::kept));
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::smatch found;
    if (std::regex_search(lines[i], found, include)
        && !may_include(folder, x->second, found[2].str(), found[1] == "\""))
      result.push_back({f.path, i + 1,
                        folder + "/ may not include " + found[2].str()
                          + ": its line in CMakeLists.txt does not say so"});
  }
  return result;
}

std::vector<offence> check_mirrors(const source_file& f,
                                   const room_table& rooms) {
  // What is tested there is no room, but the tree, or the tests themselves.
  static const std::set<std::string> own{"mutants", "tidy"};
  static const std::string top = "tests/";
  if (!f.path.starts_with(top) || !f.path.ends_with("_test.cpp"))
    return {};
  auto folder = folder_of(f.path).substr(top.size());
  if (rooms.count(folder) != 0 || own.count(folder) != 0)
    return {};
  return {
    {f.path, 1,
     "tests of a room lie in tests/ROOM, and there is no room " + folder}};
}

std::vector<offence> check_rooms(const std::vector<source_file>& tree,
                                 const room_table& rooms) {
  std::vector<offence> result;
  for (const auto& f : tree) {
    auto folder = folder_of(f.path);
    auto top = folder.substr(0, folder.find('/'));
    auto is_code = f.path.size() > 4
                   && (f.path.substr(f.path.size() - 4) == ".cpp"
                       || f.path.substr(f.path.size() - 4) == ".hpp");
    if (!is_code || top == "tests" || rooms.count(folder) != 0
        || folder == "io/main" || f.path == "sim/main.cpp")
      continue;
    result.push_back({f.path, 1, "its folder is no room in CMakeLists.txt"});
  }
  std::map<std::string, std::size_t> files;
  for (const auto& f : tree)
    if (++files[folder_of(f.path)] == files_in_room_max + 1)
      result.push_back({f.path, 1,
                        "more than " + std::to_string(files_in_room_max)
                          + " files in a folder"});
  return result;
}

} // namespace orderly::tidy
