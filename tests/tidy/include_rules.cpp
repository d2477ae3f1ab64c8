// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "tests/tidy/house_rules.hpp"
#include "tests/tidy/reading.hpp"

#include <algorithm>
#include <regex>
#include <set>

namespace orderly::tidy {

namespace {

/// The rooms of docs/ARCHITECTURE.md, by what they may include.
enum class room {
  words,
  protocol,
  settings, ///< actors/policy/settings.hpp, the one policy header for all
  policy,
  numbers, ///< actors/planning/cluster.hpp, the one planning header for sim
  planning,
  shells,
  verdict, ///< io/agent/verdict: what checks mean, also for those of sim
  io,
  htools, ///< io/htools: formats of planning
  model,  ///< io/model: the live model port
  sim,
  probe,   ///< sim/port_probe.cpp: its checks are weighed as the live ones are
  program, ///< wires whatever it wants
  free,    ///< tests, and nothing of ours
};

const char* name_of(room x) {
  switch (x) {
  case room::words:
    return "the words in messages/";
  case room::protocol:
    return "the protocols in messages/";
  case room::settings:
  case room::policy:
    return "actors/policy/";
  case room::numbers:
  case room::planning:
    return "actors/planning/";
  case room::shells:
    return "actors/";
  case room::verdict:
    return "io/agent/verdict";
  case room::io:
    return "io/";
  case room::htools:
    return "io/htools/";
  case room::model:
    return "io/model/";
  case room::sim:
  case room::probe:
    return "sim/";
  case room::program:
  case room::free:
    return "a program";
  }
  return "?";
}

room room_of(const std::string& path) {
  static const std::regex protocol{"messages/(ports|roles|type_ids)\\.hpp"};
  static const std::regex programs{
    "io/main/.*|"
    "sim/"
    "(drill|swarm|hunt|around|main|bench|bench_evaluate|"
    "lab|host|person|clockwork|"
    "trial|reaction|conformance\\w*)\\.[ch]pp"};
  auto begins = [&](const char* with) { return path.rfind(with, 0) == 0; };
  if (std::regex_match(path, programs))
    return room::program;
  if (std::regex_match(path, protocol))
    return room::protocol;
  if (begins("messages/"))
    return room::words;
  if (path == "actors/policy/settings.hpp")
    return room::settings;
  if (begins("actors/policy/"))
    return room::policy;
  if (path == "actors/planning/cluster.hpp")
    return room::numbers;
  if (begins("actors/planning/"))
    return room::planning;
  if (begins("actors/"))
    return room::shells;
  if (begins("io/agent/verdict."))
    return room::verdict;
  if (begins("io/htools/"))
    return room::htools;
  if (begins("io/model/"))
    return room::model;
  if (begins("io/"))
    return room::io;
  if (path == "sim/port_probe.cpp")
    return room::probe;
  if (begins("sim/"))
    return room::sim;
  return room::free;
}

bool may_include(room from, room what) {
  using set = std::set<room>;
  switch (from) {
  case room::words:
    return set{room::words}.count(what) != 0;
  case room::protocol:
    return set{room::words, room::protocol}.count(what) != 0;
  case room::settings:
  case room::policy:
    return set{room::words, room::settings, room::policy}.count(what) != 0;
  case room::numbers:
  case room::planning:
    return set{room::words, room::numbers, room::planning}.count(what) != 0;
  case room::shells:
    return set{room::words,   room::protocol, room::settings, room::policy,
               room::numbers, room::planning, room::shells}
             .count(what)
           != 0;
  case room::verdict:
    return set{room::words, room::settings, room::verdict}.count(what) != 0;
  case room::io:
    return set{room::words, room::protocol, room::settings, room::verdict,
               room::io}
             .count(what)
           != 0;
  case room::htools:
    return set{room::words, room::numbers, room::planning, room::htools}.count(
             what)
           != 0;
  case room::model:
    return set{room::words,   room::protocol, room::settings,
               room::numbers, room::htools,   room::model}
             .count(what)
           != 0;
  case room::sim:
    return set{room::words, room::protocol, room::settings, room::numbers,
               room::sim}
             .count(what)
           != 0;
  case room::probe:
    return what == room::verdict || may_include(room::sim, what);
  case room::program:
  case room::free:
    return true;
  }
  return false;
}

/// Libraries beside std.
bool may_use(room from, const std::string& header) {
  auto of = header.substr(0, header.find('/'));
  switch (from) {
  case room::words:
  case room::numbers:
  case room::planning:
  case room::verdict:
    return false;
  case room::protocol:
    return of == "caf";
  case room::settings:
  case room::policy:
    return of == "fmt";
  case room::shells:
  case room::sim:
  case room::probe:
    return of == "caf" || of == "fmt";
  case room::htools: // files, JSON, and the socket of LUXI
    return of != "caf";
  case room::io:
  case room::model:
  case room::program:
  case room::free:
    return true;
  }
  return false;
}

/// Parts of std that bring clocks, dice, threads, files or hash order.
bool is_std_for(room from, const std::string& header) {
  static const std::set<std::string> impure{
    "random",  "unordered_map", "unordered_set",
    "fstream", "filesystem",    "iostream",
    "thread",  "future",        "condition_variable",
    "ctime"};
  static const std::set<std::string> shared{"atomic", "mutex", "shared_mutex"};
  if (from == room::io || from == room::htools || from == room::model
      || from == room::program || from == room::free)
    return true;
  if (from == room::planning || from == room::numbers)
    return header == "thread" || impure.count(header) == 0;
  if (from == room::words || from == room::policy || from == room::settings
      || from == room::verdict)
    return impure.count(header) == 0 && shared.count(header) == 0;
  return impure.count(header) == 0;
}

} // namespace

std::vector<offence> check_includes(const source_file& f) {
  static const std::regex include{
    R"rx(^\s*#\s*include\s*([<"])([^>"]+)[>"])rx"};
  static const std::regex of_std{"[a-z_0-9]+"};
  std::vector<offence> result;
  auto from = room_of(f.path);
  auto lines = lines_of(code_of(f.text, texts::kept));
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::smatch found;
    if (!std::regex_search(lines[i], found, include))
      continue;
    auto header = found[2].str();
    auto good = found[1] == "\"" ? may_include(from, room_of(header))
                : std::regex_match(header, of_std) ? is_std_for(from, header)
                                                   : may_use(from, header);
    if (!good)
      result.push_back(
        {f.path, i + 1,
         std::string{name_of(from)} + " may not include " + header});
  }
  return result;
}

} // namespace orderly::tidy
