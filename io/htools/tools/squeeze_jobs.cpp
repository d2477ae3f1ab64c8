// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/htools/tools/squeeze_jobs.hpp"

#include "io/htools/formats/fields.hpp"
#include "io/htools/formats/json_value.hpp"

#include <fmt/format.h>

namespace orderly::io::htools {

namespace {

using namespace planning;

/// Between two attempts to bring nodes back that were switched on.
constexpr std::chrono::seconds pause_of_start{15};

class node_jobs {
public:
  node_jobs(const cluster& c, const std::string& meta) : c_(c), meta_(meta) {
    // nop
  }

  std::string name(int n) const { return json_text(c_.nodes[at(n)].name); }

  std::string offline(int n, bool yes) const {
    return fmt::format("{{\"OP_ID\":\"OP_NODE_SET_PARAMS\",\"node_name\":{},"
                       "\"force\":false,\"offline\":{},\"auto_promote\":false"
                       "{}}}",
                       name(n), yes, meta_);
  }

  /// Never of no nodes: Ganeti takes that for all of them.
  std::string power(const std::vector<int>& nodes, const char* command) const {
    std::vector<std::string> names;
    for (auto n : nodes)
      names.push_back(name(n));
    return fmt::format("{{\"OP_ID\":\"OP_OOB_COMMAND\",\"node_names\":[{}],"
                       "\"command\":\"{}\",\"timeout\":60,"
                       "\"ignore_status\":false,\"power_delay\":2{}}}",
                       join(names, ','), command, meta_);
  }

  std::string tag(int n, const char* id) const {
    return fmt::format("{{\"OP_ID\":\"{}\",\"kind\":\"node\",\"tags\":[{}],"
                       "\"name\":{}{}}}",
                       id, json_text(standby_auto), name(n), meta_);
  }

  std::string about(const std::vector<int>& nodes, const char* what) const {
    std::vector<std::string> names;
    for (auto n : nodes)
      names.push_back(c_.nodes[at(n)].name);
    return what + join(names, ',');
  }

private:
  const cluster& c_;
  const std::string& meta_;
};

} // namespace

squeeze_sets sets_of(const placement& p, const told_squeeze& x,
                     const std::string& meta) {
  node_jobs jobs{*p.source, meta};
  squeeze_sets result;
  if (!x.on.empty()) {
    result.power_on.push_back({{jobs.about(x.on, "power of "),
                                "[" + jobs.power(x.on, "power-on") + "]"}});
    move_set back;
    for (auto n : x.on)
      back.push_back(
        {jobs.about({n}, "return of "), "[" + jobs.offline(n, false) + "]"});
    result.back.push_back(std::move(back));
  }
  move_set tags;
  for (auto n : nodes_to_untag(*p.source, x))
    tags.push_back(
      {jobs.about({n}, "tags of "), "[" + jobs.tag(n, "OP_TAGS_DEL") + "]"});
  if (!tags.empty())
    result.rest.push_back(std::move(tags));
  for (auto& set : move_sets(p, x.steps, x.sets, meta))
    result.rest.push_back(std::move(set));
  if (x.off.empty())
    return result;
  move_set off;
  std::vector<std::string> codes;
  for (auto n : x.off) {
    off.push_back(
      {jobs.about({n}, "tags of "), "[" + jobs.tag(n, "OP_TAGS_SET") + "]"});
    codes.push_back(jobs.offline(n, true));
  }
  result.off.push_back(std::move(off));
  codes.push_back(jobs.power(x.off, "power-off"));
  result.off.push_back(
    {{jobs.about(x.off, "power of "), "[" + join(codes, ',') + "]"}});
  return result;
}

std::string run_squeeze(const std::string& socket, const squeeze_sets& sets,
                        const run_watch& watch, std::chrono::seconds starting,
                        const std::function<std::string()>& occupied) {
  auto quiet = watch;
  quiet.about.clear();
  auto wrong = run_sets(socket, sets.power_on, quiet);
  for (auto tried = std::chrono::seconds{0}; wrong.empty();
       tried += pause_of_start) {
    wrong = run_sets(socket, sets.back, quiet);
    if (wrong.empty() || tried >= starting || watch.is_stop_wanted())
      break;
    watch.say("The nodes have not started yet; trying again.\n");
    watch.pause(pause_of_start);
    wrong.clear();
  }
  if (!wrong.empty())
    return wrong;
  wrong = run_sets(socket, sets.rest, quiet);
  for (const auto& set : sets.off) {
    if (!wrong.empty())
      break;
    wrong = occupied();
    if (wrong.empty())
      wrong = run_sets(socket, {set}, quiet);
  }
  return wrong;
}

} // namespace orderly::io::htools
