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
  for (const auto* outside : {"io/", "sim/lab", "sim/swarm", "sim/bench",
                              "sim/commands", "sim/conformance"})
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
    {"zlib.h", "ZLIB::ZLIB"},
  };
  auto found = known.find(header.substr(0, header.find('/')));
  return found != known.end() ? found->second : std::string{};
}

/// What is neither std nor of a library in the table above: the kernel's and
/// the C library's.
bool is_of_system(const std::string& header) {
  static const std::set<std::string> folders{"arpa", "asm",     "linux",
                                             "net",  "netinet", "sys"};
  static const std::set<std::string> files{
    "dirent.h", "errno.h",   "fcntl.h",   "grp.h",   "malloc.h", "netdb.h",
    "poll.h",   "pthread.h", "pwd.h",     "sched.h", "signal.h", "spawn.h",
    "stdlib.h", "syslog.h",  "termios.h", "unistd.h"};
  auto slash = header.find('/');
  return slash == std::string::npos
           ? files.count(header) != 0
           : folders.count(header.substr(0, slash)) != 0;
}

/// Is the first folder of that path one of ours?
bool is_ours(const std::string& header, const room_table& rooms) {
  auto top = header.substr(0, header.find('/') + 1);
  return !top.empty()
         && (top == "tests/"
             || std::any_of(rooms.begin(), rooms.end(), [&](const auto& x) {
                  return (x.first + "/").starts_with(top);
                }));
}

bool may_include(const std::string& folder, const room& x,
                 const std::string& header, bool quoted,
                 const room_table& rooms) {
  static const std::regex of_std{"[a-z_0-9]+"};
  if (quoted)
    return folder_of(header) == folder || x.uses.count(folder_of(header)) != 0;
  // In angle brackets what is ours would not be seen as ours.
  if (is_ours(header, rooms))
    return false;
  if (std::regex_match(header, of_std))
    return is_std_for(world_of(folder), header);
  auto library = library_of(header);
  return library.empty()
           ? world_of(folder) == world::all && is_of_system(header)
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
        && !may_include(folder, x->second, found[2].str(), found[1] == "\"",
                        rooms))
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

std::vector<offence> check_furnished(const std::vector<std::string>& paths,
                                     const room_table& rooms) {
  // Tested by those of the rooms that use them; the reason stands beside it.
  static const std::map<std::string, const char*> tested_elsewhere{
    {"messages/protocol", "types only"},
    {"actors/planning/model", "numbers: tests/actors/planning/moves"},
    {"io/loop", "a thread: tests of the ports that run on it"},
    {"io/limits", "tests/programs/limits"},
    {"io/files", "tests/io/node_agent, tests/io/report"},
    {"io/htools/options", "tests/programs/htools"},
    {"io/htools/hail", "tests/programs/htools"},
    {"io/htools/whatif", "tests/programs/htools"},
    {"io/htools/groups", "tests/programs/htools"},
    {"io/harep", "tests/programs/harep.sh"},
    {"io/crew", "tests/conformance.cmake"},
    {"sim/state", "words: tests/sim/ports, tests/sim/world"},
    {"sim/commands", "tests/drills.cmake"},
    {"sim/bench", "what measures: ./dev bench"},
  };
  std::set<std::string> all{paths.begin(), paths.end()};
  std::set<std::string> tested;
  for (const auto& path : paths)
    if (path.starts_with("tests/") && path.ends_with("_test.cpp"))
      tested.insert(folder_of(path).substr(std::string{"tests/"}.size()));
  std::vector<offence> result;
  for (const auto& [folder, x] : rooms) {
    if (all.count(folder + "/README.md") == 0)
      result.push_back({folder, 1, "a room without a README"});
    auto excused = tested_elsewhere.count(folder) != 0;
    if (tested.count(folder) == 0 && !excused)
      result.push_back({folder, 1, "a room without tests"});
    if (tested.count(folder) != 0 && excused)
      result.push_back({folder, 1, "has tests by now: excuse it no more"});
  }
  return result;
}

} // namespace orderly::tidy
