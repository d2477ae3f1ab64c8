// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "sim/conformance/given.hpp"

#include "sim/conformance/keys.hpp"
#include "sim/lab/drill.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

namespace orderly::sim::conformance {

namespace {

using program_name = std::optional<std::string>;

/// Node parameters that have nothing to do with power.
taker program_into(program_name& to) {
  return [&to](const json& v) {
    std::string text;
    auto wrong = take_keys(v, "ndparams",
                           {{"oob_program", text_into(text)},
                            {"spindle_count", of_no_concern},
                            {"exclusive_storage", of_no_concern},
                            {"cpu_speed", of_no_concern},
                            {"ssh_port", of_no_concern}});
    if (wrong.empty() && v.contains("oob_program"))
      to = text;
    return wrong.empty();
  };
}

bool mode_into(const json& v, file_kind& to) {
  if (v.is_number_unsigned()) {
    to.mode = v.get<unsigned>();
    return true;
  }
  if (!v.is_string())
    return false;
  auto text = v.get<std::string>();
  const auto* end = text.data() + text.size();
  auto read = std::from_chars(text.data(), end, to.mode, 8);
  return read.ec == std::errc{} && read.ptr == end;
}

/// Words, or an object of conditions. False: neither.
bool kind_into(const json& v, file_kind& to) {
  auto not_executable = [&to] { to.mode &= ~0111U; };
  if (v.is_string()) {
    auto word = v.get<std::string>();
    if (word == "missing")
      to.exists = false;
    else if (word == "directory")
      to.regular = false;
    else if (word == "not-executable")
      not_executable();
    else
      return mode_into(v, to);
    return true;
  }
  auto executable = true;
  auto directory = false;
  auto missing = false;
  auto mode = [&to](const json& x) { return mode_into(x, to); };
  auto wrong = take_keys(v, "file",
                         {{"exists", flag_into(to.exists)},
                          {"missing", flag_into(missing)},
                          {"executable", flag_into(executable)},
                          {"regular", flag_into(to.regular)},
                          {"directory", flag_into(directory)},
                          {"mode", mode}});
  to.exists = to.exists && !missing;
  to.regular = to.regular && !directory;
  if (!executable)
    not_executable();
  return wrong.empty();
}

/// `helper_missing: true` is about all programs, a path or a list of paths
/// about those.
taker named_kind(power_given& to, const json& kind, bool when) {
  return [&to, kind, when](const json& v) {
    if (v.is_boolean())
      return v.get<bool>() != when || kind_into(kind, to.files[{}]);
    auto paths = v.is_array() ? v : json::array({v});
    return std::all_of(paths.begin(), paths.end(), [&](const json& path) {
      return path.is_string() && when
             && kind_into(kind, to.files[path.get<std::string>()]);
    });
  };
}

takers file_takers(power_given& to) {
  auto all = [&to](const json& v) { return kind_into(v, to.files[{}]); };
  auto mode = [&to](const json& v) { return mode_into(v, to.files[{}]); };
  auto by_path = [&to](const json& v) {
    return v.is_object()
           && std::all_of(v.items().begin(), v.items().end(),
                          [&](const auto& i) {
                            return kind_into(i.value(), to.files[i.key()]);
                          });
  };
  return {
    {"helper_missing", named_kind(to, "missing", true)},
    {"helper_exists", named_kind(to, "missing", false)},
    {"helper_executable", named_kind(to, "not-executable", false)},
    {"helper_not_executable", named_kind(to, "not-executable", true)},
    {"helper_is_directory", named_kind(to, "directory", true)},
    {"helper_mode", mode},
    {"helper_file", all},
    {"helper_files", by_path},
  };
}

bool reach_into(const json& v, power_given& to) {
  if (!v.is_object())
    return false;
  for (const auto& [node, at] : v.items()) {
    auto is_never = at.is_null() || at == false || at == "never" || at == -1;
    if (!is_never && !at.is_number_unsigned())
      return false;
    to.reachable_after[node]
      = is_never ? std::nullopt : std::optional{at.get<std::int64_t>()};
  }
  return true;
}

/// `power.levels` is an object of lists, every other setting a plain value.
bool settings_into(const json& v, settings& to) {
  if (!v.is_object())
    return false;
  for (const auto& [key, value] : v.items()) {
    if (key == "power.levels" && value.is_object()) {
      for (const auto& [whom, programs] : value.items())
        if (!texts_into(to.power.levels[whom])(programs))
          return false;
      continue;
    }
    auto text = value.is_string() ? value.get<std::string>() : value.dump();
    if (!set_knob(to, key, text).empty())
      return false;
  }
  return true;
}

settings without_automation() {
  settings s;
  s.host_ha.enabled = false;
  // Who only watches has no part in a scenario, and would be one more that
  // probes its nodes.
  s.host_ha.check_interval = hours{24};
  s.autorepair.enabled = false;
  s.power.rehearsal_interval = millis{0};
  return s;
}

/// What the machines of nodes are, of which the reader of worlds knows
/// nothing.
std::string take_machines(json& given, power_given& into) {
  auto nodes = given.find("nodes");
  if (nodes == given.end() || !nodes->is_array())
    return {};
  for (auto& one : *nodes) {
    auto i = one.find("is_on");
    if (i == one.end())
      continue;
    if (!flag_into(into.is_on[one.value("name", "")])(*i))
      return "given.nodes: key \"is_on\" cannot be " + shown(*i);
    one.erase("is_on");
  }
  return {};
}

/// The parameters of groups, of which the reader of worlds knows nothing.
std::string take_groups(json& given,
                        std::map<std::string, program_name>& into) {
  auto groups = given.find("groups");
  if (groups == given.end() || !groups->is_array())
    return {};
  for (auto& one : *groups) {
    auto i = one.find("ndparams");
    if (i == one.end())
      continue;
    if (!program_into(into[one.value("name", "")])(*i))
      return "given.groups: key \"ndparams\" cannot be " + shown(*i);
    one.erase("ndparams");
  }
  return {};
}

/// Takes the keys about power out of `given`.
std::string take_power(json& given, power_given& into, program_name& of_cluster,
                       std::map<std::string, program_name>& of_groups) {
  auto known = file_takers(into);
  known["cluster_ndparams"] = program_into(of_cluster);
  known["group_ndparams"] = [&](const json& v) {
    return v.is_object()
           && std::all_of(v.items().begin(), v.items().end(),
                          [&](const auto& i) {
                            return program_into(of_groups[i.key()])(i.value());
                          });
  };
  known["helper"] = [&](const json& v) {
    into.helper = v;
    return v.is_object();
  };
  known["job_fail"] = texts_into(into.job_fail);
  known["reachable_after"] = [&](const json& v) { return reach_into(v, into); };
  known["settings"]
    = [&](const json& v) { return settings_into(v, into.rules); };
  known["watcher"] = flag_into(into.watcher);
  auto mine = json::object();
  for (const auto& [key, value] : given.items())
    if (known.count(key) != 0)
      mine[key] = value;
  for (const auto& [key, value] : mine.items())
    given.erase(key);
  auto wrong = take_keys(mine, "given", known);
  if (wrong.empty())
    wrong = take_groups(given, of_groups);
  return wrong.empty() ? take_machines(given, into) : wrong;
}

/// What the nodes' own entries say of power.
std::string take_nodes(const json& given, power_given& into,
                       const program_name& of_cluster,
                       const std::map<std::string, program_name>& of_groups) {
  auto& nodes = into.world.plan.nodes;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const auto& x = given["nodes"][i];
    auto where = fmt::format("given.nodes[{}]: key ", i);
    auto powered = true;
    program_name own;
    if (x.contains("powered") && !flag_into(powered)(x["powered"]))
      return where + "\"powered\" is no flag";
    if (x.contains("ndparams") && !program_into(own)(x["ndparams"]))
      return where + "\"ndparams\" cannot be " + shown(x["ndparams"]);
    auto of_group = of_groups.find(nodes[i].group);
    if (!own && of_group != of_groups.end())
      own = of_group->second;
    nodes[i].program = own ? *own : of_cluster.value_or("");
    nodes[i].powered = powered;
  }
  return {};
}

} // namespace

result<power_given> read_power_given(const json& given) {
  power_given x;
  x.rules = without_automation();
  program_name of_cluster;
  std::map<std::string, program_name> of_groups;
  auto rest = given;
  auto wrong = take_power(rest, x, of_cluster, of_groups);
  if (wrong.empty()) {
    auto world = read_world(rest);
    if (!world)
      return world.why();
    x.world = std::move(*world);
    wrong = take_nodes(rest, x, of_cluster, of_groups);
  }
  helper_script script;
  if (wrong.empty())
    wrong = script.read(x.helper);
  if (!wrong.empty())
    return fault{fault_kind::bad_input, wrong};
  return x;
}

} // namespace orderly::sim::conformance
