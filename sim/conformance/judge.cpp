// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "sim/conformance/judge.hpp"

#include "sim/conformance/keys.hpp"
#include "sim/conformance/match.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace orderly::sim::conformance {

namespace {

using differences = std::vector<difference>;
using tag_lists = std::map<std::string, std::vector<std::string>>;

std::vector<std::string> texts(const json& x) {
  std::vector<std::string> result;
  for (const auto& one : x.is_array() ? x : json::array({x}))
    result.push_back(one.is_string() ? one.get<std::string>() : shown(one));
  return result;
}

/// `group:g1` has two names.
std::string object_name(const std::string& text) {
  std::string name;
  if (split_object(text, "nodegroup", name))
    return "group:" + name;
  return text.starts_with("cluster:") ? "cluster" : text;
}

/// Of the objects that are there; `judge_names` tells of the others.
tag_lists tag_lists_of(const json& expect, const char* key,
                       const outcome& got) {
  tag_lists result;
  auto x = expect.value(key, json::object());
  if (x.is_object())
    for (const auto& [object, tags] : x.items())
      if (auto name = object_name(object); got.tags.count(name) != 0)
        result[name] = texts(tags);
  return result;
}

/// A name that is misspelt must not pass for one without tags.
void judge_names(const json& expect, const outcome& got, differences& into) {
  for (auto* key :
       {"tags", "tags_contain", "tags_none_match", "tags_all_match"}) {
    auto wanted = expect.value(key, json::object());
    if (!wanted.is_object()) {
      into.push_back({key, "an object of lists", shown(wanted)});
      continue;
    }
    for (const auto& [object, tags] : wanted.items())
      if (got.tags.count(object_name(object)) == 0)
        into.push_back({fmt::format("{} {}", key, object), shown(tags),
                        "there is no such object"});
  }
}

// --- jobs ------------------------------------------------------------------

bool is_wait(const json& op) {
  return op.is_object() && op.value("OP_ID", "") == "OP_TEST_DELAY";
}

bool same_job(const json& wanted, const sent_job& got) {
  auto ops = json::array();
  for (const auto& op : wanted.value("ops", json::array()))
    if (!is_wait(op))
      ops.push_back(op);
  if (ops.size() != got.ops.size())
    return false;
  for (std::size_t i = 0; i < ops.size(); ++i)
    if (!same_op(ops[i], got.ops[i]))
      return false;
  return true;
}

/// Pairs expected jobs with those that were sent, and goes on with the ids
/// of the labels filled in.
bool pair_jobs(const json& wanted, std::size_t i, std::vector<sent_job>& left,
               const blanks& with, const next_step& then) {
  if (i == wanted.size()) {
    auto mine = with;
    return left.empty() && then(mine);
  }
  for (std::size_t k = 0; k < left.size(); ++k) {
    if (!same_job(wanted[i], left[k]))
      continue;
    auto mine = with;
    auto taken = left[k];
    if (auto label = wanted[i].value("label", ""); !label.empty())
      mine.filled[label] = std::to_string(taken.id);
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(k));
    auto good = pair_jobs(wanted, i + 1, left, mine, then);
    left.insert(left.begin() + static_cast<std::ptrdiff_t>(k), taken);
    if (good)
      return true;
  }
  return false;
}

std::string shown_jobs(const std::vector<sent_job>& jobs) {
  auto all = json::array();
  for (const auto& job : jobs)
    all.push_back({{"id", job.id}, {"ops", job.ops}});
  return shown(all);
}

// --- tags ------------------------------------------------------------------

using tags_left
  = std::vector<std::tuple<std::string, std::vector<std::string>, bool>>;

/// Pairs the lists of all objects, one after the other.
bool pair_lists(const json& expect, const tags_left& lists, std::size_t i,
                const outcome& got, const blanks& with, std::size_t& reached) {
  reached = std::max(reached, i);
  if (i == lists.size()) {
    auto mine = with;
    return pair_incidents(expect, got, mine);
  }
  const auto& [object, patterns, all] = lists[i];
  return pair_up(patterns, got.tags.at(object), all, with, [&](blanks& next) {
    return pair_lists(expect, lists, i + 1, got, next, reached);
  });
}

void judge_globs(const json& expect, const outcome& got, const blanks& start,
                 differences& into) {
  for (auto* key : {"tags_none_match", "tags_all_match"}) {
    auto none = std::string{key} == "tags_none_match";
    for (const auto& [object, globs] : tag_lists_of(expect, key, got))
      for (const auto& tag : got.tags.at(object)) {
        auto hit = std::any_of(globs.begin(), globs.end(),
                               [&](const std::string& glob) {
                                 auto mine = start;
                                 return fits(glob, tag, mine, true);
                               });
        if (hit == none)
          into.push_back(
            {fmt::format("{} {}", key, object), shown(globs), tag});
      }
  }
}

blanks blanks_for(const outcome& got) {
  blanks x;
  x.old_ids = got.old_ids;
  x.began = got.runs.began;
  x.ended = got.runs.ended;
  return x;
}

/// Jobs and tags together: the labels of the jobs are blanks of the tags.
void judge_deeds(const json& expect, const outcome& got, differences& into) {
  tags_left lists;
  for (const auto& [object, tags] : tag_lists_of(expect, "tags", got))
    lists.emplace_back(object, tags, true);
  for (const auto& [object, tags] : tag_lists_of(expect, "tags_contain", got))
    lists.emplace_back(object, tags, false);
  auto start = blanks_for(got);
  std::size_t reached = 0;
  auto paired = false;
  auto then = [&](blanks& with) {
    paired = true;
    return pair_lists(expect, lists, 0, got, with, reached);
  };
  auto good = false;
  if (expect.contains("jobs")) {
    auto left = got.jobs;
    good = expect["jobs"].is_array()
           && pair_jobs(expect["jobs"], 0, left, start, then);
    if (!paired)
      into.push_back({"jobs", shown(expect["jobs"]), shown_jobs(got.jobs)});
  }
  // Without its jobs to go by, a label may be any number.
  if (!paired)
    good = then(start);
  if (!good && reached == lists.size()) {
    into.push_back({"incidents", shown(expect.value("incidents", json{})),
                    shown(got.incidents)});
  } else if (!good) {
    const auto& [object, tags, all]
      = lists[std::min(reached, lists.size() - 1)];
    into.push_back({fmt::format("{} {}", all ? "tags" : "tags_contain", object),
                    shown(tags), shown(got.tags.at(object))});
  }
  judge_globs(expect, got, start, into);
}

// --- the rest ----------------------------------------------------------------

void judge_text(const json& expect, const char* key, const std::string& got,
                bool wanted, differences& into) {
  auto i = expect.find(key);
  if (i == expect.end())
    return;
  for (const auto& part : texts(*i))
    if ((got.find(part) != std::string::npos) != wanted)
      into.push_back({key, part, got});
}

void judge_states(const json& expect, const outcome& got, differences& into) {
  auto wanted = expect.value("states", json::object());
  for (const auto& [name, state] : wanted.items()) {
    auto i = got.runs.states.find(name);
    auto is = i == got.runs.states.end() ? "(not counted)" : i->second;
    if (state != is)
      into.push_back({"states " + name, shown(state), is});
  }
}

void judge_ops(const json& expect, const outcome& got, differences& into) {
  auto sent = [&](const json& wanted) {
    return std::any_of(got.jobs.begin(), got.jobs.end(), [&](const auto& job) {
      return std::any_of(job.ops.begin(), job.ops.end(),
                         [&](const json& op) { return same_op(wanted, op); });
    });
  };
  for (auto* key : {"must_ops", "forbid_ops"})
    for (const auto& op : expect.value(key, json::array()))
      if (sent(op) != (std::string{key} == "must_ops"))
        into.push_back({key, shown(op), shown_jobs(got.jobs)});
}

void judge_keys(const json& expect, differences& into) {
  static const std::set<std::string> known{"exit",
                                           "tags",
                                           "tags_contain",
                                           "tags_none_match",
                                           "tags_all_match",
                                           "jobs",
                                           "states",
                                           "stderr_contains",
                                           "output_contains",
                                           "output_lacks",
                                           "stdout_contains",
                                           "must_ops",
                                           "forbid_ops",
                                           "note"};
  auto all = known;
  all.insert(event_keys().begin(), event_keys().end());
  refuse_others(expect, all, into);
}

} // namespace

void refuse_others(const json& expect, const std::set<std::string>& known,
                   differences& into) {
  for (const auto& [key, value] : expect.items())
    if (known.count(key) == 0)
      into.push_back({"key \"" + key + "\" of expect", shown(value),
                      "this runner does not understand it"});
}

tag_lists comparable_tags(const cluster_record& x) {
  tag_lists result;
  auto add
    = [&](const std::string& object, const std::vector<std::string>& tags) {
        auto& mine = result[object];
        for (const auto& tag : tags)
          if (tag.starts_with("ganeti:watcher:autorepair:")
              || tag.starts_with("maintd:"))
            mine.push_back(tag);
      };
  add("cluster", x.tags);
  for (const auto& one : x.groups)
    add("group:" + one.name, one.tags);
  for (const auto& one : x.nodes)
    add(node_object(one.name), one.tags);
  for (const auto& one : x.instances)
    add(instance_object(one.name), one.tags);
  return result;
}

std::vector<difference> judge(const json& expect, const outcome& got) {
  differences result;
  judge_keys(expect, result);
  judge_events(expect, got, result);
  judge_names(expect, got, result);
  if (auto i = expect.find("exit"); i != expect.end() && *i != got.runs.code)
    result.push_back({"exit", shown(*i), std::to_string(got.runs.code)});
  judge_deeds(expect, got, result);
  judge_states(expect, got, result);
  judge_ops(expect, got, result);
  auto all = got.runs.out + got.runs.err;
  judge_text(expect, "stderr_contains", got.runs.err, true, result);
  judge_text(expect, "stdout_contains", got.runs.out, true, result);
  judge_text(expect, "output_contains", all, true, result);
  judge_text(expect, "output_lacks", all, false, result);
  return result;
}

} // namespace orderly::sim::conformance
