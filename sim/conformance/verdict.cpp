// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// How scenarios about power control are judged. Which calls of a helper count
// is told in docs/adr/0022: orderly reads back what it switches, where the
// original does not, and what it reads for itself is nobody's command.

#include "sim/conformance/keys.hpp"
#include "sim/conformance/power.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

namespace orderly::sim::conformance {

namespace {

using differences = std::vector<difference>;

json parts(const json& x) {
  return x.is_array() ? x : json::array({x});
}

std::string text_of(const json& x) {
  return x.is_string() ? x.get<std::string>() : shown(x);
}

// --- texts -------------------------------------------------------------------

std::string story(const power_outcome& got, bool notes) {
  std::string all;
  for (const auto& x : got.remarks)
    all += x + "\n";
  for (const auto& x : got.entries)
    if (notes || x.kind != entry_kind::note)
      all += x.why + "\n";
  return all;
}

std::string job_log(const power_outcome& got) {
  auto all = got.out + got.err + story(got, false);
  for (const auto& x : got.job_texts)
    all += x + "\n";
  return all;
}

void judge_texts(const json& expect, const power_outcome& got,
                 differences& into) {
  auto look = [&](const char* key, const std::string& in, bool wanted) {
    for (const auto& part : parts(expect.value(key, json::array()))) {
      auto text = text_of(part);
      if ((in.find(text) != std::string::npos) != wanted)
        into.push_back({key, text, in});
    }
  };
  look("stdout_contains", got.out, true);
  look("stdout_lacks", got.out, false);
  look("stderr_contains", got.err, true);
  look("stderr_lacks", got.err, false);
  look("output_contains", job_log(got), true);
  look("output_lacks", job_log(got), false);
  look("log_contains", story(got, true), true);
  look("log_lacks", story(got, true), false);
  look("error_contains", got.job_error, true);
}

// --- calls -------------------------------------------------------------------

json call_of(const helper_call& x) {
  return {x.program, to_string(x.verb), x.node};
}

bool is_reading_call(const json& x) {
  return x.is_array() && x.size() == 3
         && (x[1] == to_string(power_verb::status)
             || x[1] == to_string(power_verb::health));
}

/// "*" is anything; fewer parts than there are leave the rest open.
bool same_call(const json& wanted, const json& got) {
  if (!wanted.is_array() || wanted.size() > got.size())
    return false;
  for (std::size_t i = 0; i < wanted.size(); ++i)
    if (wanted[i] != "*" && wanted[i] != got[i])
      return false;
  return true;
}

json calls_like(const json& all, bool readings) {
  auto result = json::array();
  for (const auto& x : all)
    if (is_reading_call(x) == readings)
      result.push_back(x);
  return result;
}

bool has_call(const json& all, const json& wanted) {
  return std::any_of(all.begin(), all.end(),
                     [&](const json& x) { return same_call(wanted, x); });
}

/// Controllers are read side by side, so that the order says nothing.
json sorted(json x) {
  std::sort(x.begin(), x.end());
  return x;
}

void judge_calls(const json& expect, const power_outcome& got,
                 differences& into) {
  auto all = json::array();
  for (const auto& x : got.calls)
    all.push_back(call_of(x));
  if (auto i = expect.find("helper_calls"); i != expect.end()) {
    auto readings = calls_like(*i, true);
    auto read = calls_like(all, true);
    auto good = calls_like(*i, false) == calls_like(all, false);
    if (got.is_reading)
      good = good && sorted(readings) == sorted(read);
    else
      good = good
             && std::all_of(readings.begin(), readings.end(),
                            [&](const json& x) { return has_call(read, x); });
    if (!good)
      into.push_back({"helper_calls", shown(*i), shown(all)});
  }
  for (const auto& x : expect.value("helper_calls_contain", json::array()))
    if (!has_call(all, x))
      into.push_back({"helper_calls_contain", shown(x), shown(all)});
  for (const auto& x : expect.value("helper_calls_lack", json::array()))
    if (has_call(all, x))
      into.push_back({"helper_calls_lack", shown(x), shown(all)});
}

/// Seconds from the end of each act to the beginning of the next one: a
/// number is the least, a list of two is least and most. Tenths count: ports
/// take their milliseconds.
void judge_pauses(const json& expect, const power_outcome& got,
                  differences& into) {
  auto i = expect.find("pauses_s");
  if (i == expect.end())
    return;
  std::vector<double> pauses;
  const helper_call* last = nullptr;
  for (const auto& x : got.calls) {
    if (is_reading(x.verb))
      continue;
    if (last != nullptr)
      pauses.push_back(
        std::round(static_cast<double>((x.began - last->ended).count()) / 100)
        / 10);
    last = &x;
  }
  auto good = i->is_array() && i->size() == pauses.size();
  for (std::size_t k = 0; good && k < pauses.size(); ++k) {
    const auto& bound = (*i)[k];
    auto least = bound.is_array() ? bound.at(0) : bound;
    good = least.is_number() && pauses[k] >= least.get<double>()
           && (!bound.is_array() || pauses[k] <= bound.at(1).get<double>());
  }
  if (!good)
    into.push_back({"pauses_s", shown(*i), shown(pauses)});
}

// --- deeds -------------------------------------------------------------------

std::set<std::string> objects_of(const json& op) {
  std::set<std::string> result;
  for (auto* key : {"instance_name", "node_name", "command"})
    if (auto text = op.value(key, ""); !text.empty())
      result.insert(text);
  for (const auto& node : op.value("node_names", json::array()))
    result.insert(text_of(node));
  return result;
}

/// `["OP_X", "i1"]`; every word after the first must be one of its objects.
bool is_step(const json& wanted, const json& op) {
  auto words = parts(wanted);
  if (words.empty() || op.value("OP_ID", "") != words[0])
    return false;
  auto names = objects_of(op);
  return std::all_of(words.begin() + 1, words.end(), [&](const json& x) {
    return x == "*" || names.count(text_of(x)) != 0;
  });
}

json all_ops(const power_outcome& got) {
  auto result = json::array();
  for (const auto& x : got.deeds)
    result.push_back(x.op);
  return result;
}

void judge_order(const json& expect, const power_outcome& got,
                 differences& into) {
  std::size_t at = 0;
  for (const auto& step : expect.value("op_order", json::array())) {
    while (at < got.deeds.size() && !is_step(step, got.deeds[at].op))
      ++at;
    if (at == got.deeds.size()) {
      into.push_back({"op_order", shown(expect["op_order"]),
                      fmt::format("{} is missing at its place in {}",
                                  shown(step), shown(all_ops(got)))});
      return;
    }
    ++at;
  }
}

/// What is expected to be false or nothing may be left out.
bool same_op(const json& wanted, const json& got) {
  if (!wanted.is_object())
    return got.value("OP_ID", "") == wanted;
  for (const auto& [key, value] : wanted.items()) {
    auto i = got.find(key);
    auto nothing = value.is_null() || value == false;
    if (i == got.end() ? !nothing : *i != value && !(nothing && i->is_null()))
      return false;
  }
  return true;
}

/// One a node, with nothing but what a call can be compared by.
json one_each(const json& op) {
  if (!op.is_object() || op.value("OP_ID", "") != "OP_OOB_COMMAND")
    return json::array({op});
  auto result = json::array();
  for (const auto& node : op.value("node_names", json::array()))
    result.push_back({{"OP_ID", "OP_OOB_COMMAND"},
                      {"command", op.value("command", json{})},
                      {"node_names", {node}}});
  return result;
}

/// What the original does inside of an OP_OOB_COMMAND, or not at all.
bool is_part_of_call(const deed& x, bool is_reading) {
  if (x.is_call)
    return !is_reading
           && (x.op["command"] == to_string(power_verb::status)
               || x.op["command"] == to_string(power_verb::health));
  return x.op.value("OP_ID", "") == "OP_NODE_SET_PARAMS"
         && x.op.contains("powered") && !x.op.contains("offline");
}

/// How opcodes are put together to jobs is our own business: Ganeti sends one
/// job where we send one a node. What is done is compared.
void judge_jobs(const json& expect, const power_outcome& got,
                differences& into) {
  auto i = expect.find("jobs");
  if (i == expect.end())
    return;
  auto left = got.deeds;
  auto good = i->is_array();
  auto take = [&](const json& wanted) {
    auto found = std::find_if(left.begin(), left.end(), [&](const deed& x) {
      return same_op(wanted, x.op);
    });
    if (found == left.end())
      return false;
    left.erase(found);
    return true;
  };
  for (const auto& job : good ? *i : json::array())
    for (const auto& op : job.value("ops", json::array()))
      for (const auto& one : one_each(op))
        good = good && take(one);
  good = good && std::all_of(left.begin(), left.end(), [&](const deed& x) {
           return is_part_of_call(x, got.is_reading);
         });
  if (!good)
    into.push_back({"jobs", shown(*i), shown(all_ops(got))});
}

void judge_ops(const json& expect, const power_outcome& got,
               differences& into) {
  for (auto* key : {"must_ops", "forbid_ops"})
    for (const auto& op : expect.value(key, json::array())) {
      auto there
        = std::any_of(got.deeds.begin(), got.deeds.end(),
                      [&](const deed& x) { return same_op(op, x.op); });
      if (there != (std::string{key} == "must_ops"))
        into.push_back({key, shown(op), shown(all_ops(got))});
    }
}

// --- what is left behind -----------------------------------------------------

json standing_of(const node_record& x, const power_outcome& got,
                 const lab_state& lab) {
  auto result = json{
    {"offline", x.offline},         {"drained", x.drained},
    {"vm_capable", x.vm_capable},   {"master_candidate", x.master_candidate},
    {"oob_program", x.oob_program}, {"is_on", lab.truth.node(x.name).powered}};
  if (auto i = got.powered.find(x.name); i != got.powered.end())
    result["powered"] = i->second;
  return result;
}

json standing_of(const instance_record& x, const lab_state& lab) {
  return {{"admin_state", to_string(x.admin)},
          {"primary", x.primary},
          {"running", !lab.truth.homes(x.name).empty()}};
}

/// `wanted` by name against `find`, which gives null if there is no such.
template <class Find>
void judge_things(const char* key, const json& expect, Find find,
                  differences& into) {
  auto all = expect.value(key, json::object());
  for (const auto& [name, wanted] : all.items()) {
    auto is = find(name);
    for (const auto& [what, value] : wanted.items())
      if (!is.contains(what) || is[what] != value)
        into.push_back(
          {fmt::format("{} {} {}", key, name, what), shown(value),
           is.contains(what) ? shown(is[what]) : "there is no such thing"});
  }
}

void judge_keys(const json& expect, differences& into) {
  static const std::set<std::string> known{"exit",
                                           "stdout_contains",
                                           "stdout_lacks",
                                           "stderr_lacks",
                                           "stderr_contains",
                                           "output_contains",
                                           "output_lacks",
                                           "log_contains",
                                           "log_lacks",
                                           "error_contains",
                                           "helper_calls",
                                           "helper_calls_contain",
                                           "nodes",
                                           "helper_calls_lack",
                                           "pauses_s",
                                           "op_order",
                                           "jobs",
                                           "must_ops",
                                           "forbid_ops",
                                           "instances",
                                           "job_status",
                                           "watcher_paused",
                                           "note"};
  refuse_others(expect, known, into);
}

} // namespace

std::vector<difference> judge_power(const json& expect,
                                    const power_outcome& got,
                                    const lab_state& lab) {
  differences result;
  judge_keys(expect, result);
  auto compare = [&](const char* key, const json& is) {
    auto i = expect.find(key);
    if (i != expect.end() && *i != is)
      result.push_back({key, shown(*i), shown(is)});
  };
  compare("exit", got.code);
  compare("job_status", got.job_status);
  compare("watcher_paused", got.watcher_paused);
  judge_texts(expect, got, result);
  judge_calls(expect, got, result);
  judge_pauses(expect, got, result);
  judge_order(expect, got, result);
  judge_jobs(expect, got, result);
  judge_ops(expect, got, result);
  auto node = [&](const std::string& name) {
    const auto* x = lab.cluster.node(name);
    return x == nullptr ? json::object() : standing_of(*x, got, lab);
  };
  auto instance = [&](const std::string& name) {
    const auto* x = lab.cluster.instance(name);
    return x == nullptr ? json::object() : standing_of(*x, lab);
  };
  judge_things("nodes", expect, node, result);
  judge_things("instances", expect, instance, result);
  return result;
}

} // namespace orderly::sim::conformance
