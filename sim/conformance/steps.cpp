// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What happens between the runs of a tool: the steps of a scenario's script
// that are not the tool's own doing.

#include "sim/conformance/stage.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

namespace orderly::sim::conformance {

namespace {

/// Jobs that do not end by themselves in this time are ended.
constexpr auto jobs_limit = minutes{10};

std::string text_of(const json& x, const char* key) {
  auto i = x.find(key);
  return i != x.end() && i->is_string() ? i->get<std::string>() : std::string{};
}

/// `instance:i1` under `object`, or a name under the kind itself; without
/// either it is the cluster.
std::pair<tag_kind, std::string> object_of(const json& what) {
  static const std::pair<const char*, tag_kind> kinds[]
    = {{"instance", tag_kind::instance},
       {"node", tag_kind::node},
       {"group", tag_kind::group},
       {"nodegroup", tag_kind::group}};
  auto object = text_of(what, "object");
  for (const auto& [word, kind] : kinds) {
    if (what.contains(word))
      return {kind, text_of(what, word)};
    std::string name;
    if (split_object(object, word, name))
      return {kind, name};
  }
  return {tag_kind::cluster, {}};
}

std::vector<std::string> texts_in(const json& what,
                                  std::initializer_list<const char*> keys) {
  std::vector<std::string> result;
  for (const auto* key : keys) {
    auto i = what.find(key);
    if (i == what.end())
      continue;
    for (const auto& one : i->is_array() ? *i : json::array({*i}))
      if (one.is_string())
        result.push_back(one.get<std::string>());
  }
  return result;
}

const std::vector<std::string>*
tags_on(const cluster_record& all, tag_kind kind, const std::string& name) {
  auto find = [&](const auto& records) -> const std::vector<std::string>* {
    for (const auto& x : records)
      if (x.name == name)
        return &x.tags;
    return nullptr;
  };
  switch (kind) {
  case tag_kind::cluster:
    return &all.tags;
  case tag_kind::group:
    return find(all.groups);
  case tag_kind::node:
    return find(all.nodes);
  case tag_kind::instance:
    break;
  }
  return find(all.instances);
}

/// `{U1}` and the like stand for anything.
std::string without_templates(const std::string& pattern) {
  std::string result;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    auto end = pattern[i] == '{' ? pattern.find('}', i) : std::string::npos;
    if (end == std::string::npos) {
      result += pattern[i];
    } else {
      result += '*';
      i = end;
    }
  }
  return result;
}

} // namespace

job_id stage::job_named(const json& what) const {
  if (what.is_number_integer())
    return what.get<job_id>();
  if (!what.is_string())
    return 0;
  auto text = what.get<std::string>();
  auto label = text.starts_with("{") && text.ends_with("}")
                 ? text.substr(1, text.size() - 2)
                 : text;
  auto is_label = label.starts_with("J");
  auto digits = is_label ? label.substr(1) : label;
  job_id number = 0;
  auto read
    = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (read.ec != std::errc{} || read.ptr != digits.data() + digits.size())
    return 0;
  if (!is_label)
    return number;
  auto all = sent();
  return number >= 1 && number <= all.size() ? all[number - 1].id : 0;
}

void stage::run_jobs() {
  auto& cluster = state_->cluster;
  auto natural = [&] {
    return std::any_of(cluster.open().begin(), cluster.open().end(),
                       [&](job_id id) { return placed_.count(id) == 0; });
  };
  auto end = now() + jobs_limit;
  while (natural() && now() < end)
    let_pass(millis{100});
  auto left = cluster.open();
  for (auto id : left)
    cluster.end_job(id, job_status::success);
}

std::string stage::finish_job(const json& what) {
  auto id = job_named(what.value("job", json{}));
  auto status = job_status_from(text_of(what, "status"));
  if (!status || !is_final(*status))
    return "key \"status\" is no end of a job";
  if (!state_->cluster.end_job(id, *status))
    return "key \"job\" names no job that goes on";
  return {};
}

std::string stage::change_tag(const json& what, bool add) {
  auto [kind, name] = object_of(what);
  auto& cluster = state_->cluster;
  const auto* found = tags_on(cluster.record(), kind, name);
  if (found == nullptr)
    return "it names an object that is not there";
  auto wanted = texts_in(what, {"tag", "tags", "match"});
  if (wanted.empty())
    return "key \"tag\" is missing";
  auto before = *found;
  for (const auto& pattern : wanted) {
    if (add) {
      cluster.set_tag(kind, name, pattern, true);
      continue;
    }
    auto gone = false;
    for (const auto& tag : before)
      if (tag == pattern || like(without_templates(pattern), tag))
        gone = cluster.set_tag(kind, name, tag, false) || gone;
    if (!gone)
      return fmt::format("there is no tag {}", pattern);
  }
  return {};
}

std::string stage::change_node(const json& what) {
  auto name = text_of(what, "node");
  auto& cluster = state_->cluster;
  if (cluster.node(name) == nullptr)
    return "key \"node\" names none";
  for (const auto& [key, value] : what.items()) {
    if (key == "step" || key == "node")
      continue;
    if (!value.is_boolean())
      return fmt::format("key \"{}\" is not understood", key);
    auto on = value.get<bool>();
    if (key == "offline") {
      cluster.set_offline(name, on);
      state_->truth.set_power(name, !on);
      if (!on) // it is there again once it has booted
        let_pass(world::boot_time + seconds{1});
    } else if (key == "drained") {
      cluster.set_drained(name, on);
    } else if (key == "full") {
      cluster.set_full(name, on);
    } else {
      return fmt::format("key \"{}\" is not understood", key);
    }
  }
  return {};
}

std::string stage::change_instance(const json& what) {
  auto name = text_of(what, "instance");
  for (auto x : {admin_state::up, admin_state::down, admin_state::offline})
    if (text_of(what, "admin_state") == to_string(x))
      return state_->cluster.set_admin(name, x) ? std::string{}
                                                : "key \"instance\" names none";
  return "key \"admin_state\" is missing";
}

std::string stage::step(const json& what) {
  json order = what.is_string() ? json{{"step", what}} : what;
  if (!order.is_object() || text_of(order, "step").empty())
    return fmt::format("step {} has no name", what.dump());
  auto name = text_of(order, "step");
  std::string wrong;
  if (name == "run-jobs")
    run_jobs();
  else if (name == "finish-job")
    wrong = finish_job(order);
  else if (name == "archive-job" || name == "archive")
    wrong = state_->cluster.archive(job_named(order.value("job", json{})))
              ? ""
              : "key \"job\" names no job that has ended";
  else if (name == "remove-tag" || name == "remove-tags")
    wrong = change_tag(order, false);
  else if (name == "add-tag" || name == "add-tags")
    wrong = change_tag(order, true);
  else if (name == "set-node")
    wrong = change_node(order);
  else if (name == "set-instance")
    wrong = change_instance(order);
  else if ((name == "advance" || name == "wait")
           && order.value("seconds", json{}).is_number_integer())
    let_pass(seconds{order["seconds"].get<std::int64_t>()});
  else
    wrong = "it is not understood";
  return wrong.empty() ? wrong
                       : fmt::format("step {}: {}", order.dump(), wrong);
}

} // namespace orderly::sim::conformance
