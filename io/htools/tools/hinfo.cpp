// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/htools/formats/fields.hpp"
#include "io/htools/formats/json_value.hpp"
#include "io/htools/tools/tables.hpp"
#include "io/htools/tools/tools.hpp"
#include "io/htools/tools/totals.hpp"

#include <fmt/format.h>

namespace orderly::io::htools {

namespace {

using namespace planning;

struct group_line {
  std::string name;
  int nodes = 0;
  int instances = 0;
  bad_items bad;
  double score = 0;
};

class hinfo_run {
public:
  hinfo_run(const tool_options& o, tool_output to, cluster c)
    : o_(o),
      to_(to),
      c_(std::move(c)),
      suffix_(common_suffix(c_)),
      p_(c_, std::nullopt, o.build) {
    // nop
  }

  int all() {
    if (o_.json)
      return json();
    say("Loaded cluster tags: {}\n", join(c_.tags, ','));
    say("Loaded {} node{}, {} instance{}, {} node group{}\n", c_.nodes.size(),
        c_.nodes.size() == 1 ? "" : "s", c_.instances.size(),
        c_.instances.size() == 1 ? "" : "s", c_.groups.size(),
        c_.groups.size() == 1 ? "" : "s");
    if (o_.verbose > 2 && !suffix_.empty())
      say("Note: Stripping common suffix of '{}' from names\n", suffix_);
    if (o_.verbose > 1) {
      show_split();
      say("Node group information:\n{}", group_table());
    }
    say("Cluster is N+1 {}\n", bad_of(p_).nodes > 0 ? "unhappy" : "happy");
    if (o_.print_instances)
      fmt::print(to_.err, "\nInstances instance map:\n{}", instance_table(p_));
    if (o_.node_fields)
      fmt::print(to_.err, "\nCluster status:\n{}\n",
                 node_table(p_, *o_.node_fields, suffix_));
    say("Cluster coefficients:\n{}", score_table(p_));
    say("Cluster score: {}\n", fixed_decimal(exact_score(p_), 8));
    return 0;
  }

private:
  template <class... Ts>
  void say(fmt::format_string<Ts...> text, Ts&&... xs) {
    fmt::print(to_.out, text, std::forward<Ts>(xs)...);
  }

  void show_split() {
    auto split = split_instances(c_);
    if (split.empty()) {
      say("No split instances found\n");
      return;
    }
    say("Found instances belonging to multiple node groups:\n");
    for (auto i : split)
      say("  {}\n", c_.instances[static_cast<std::size_t>(i)].name);
  }

  std::vector<group_line> groups() const {
    std::vector<group_line> result;
    for (std::size_t g = 0; g < c_.groups.size(); ++g) {
      placement p{c_, static_cast<int>(g), o_.build};
      if (p.node_count() == 0)
        continue;
      result.push_back({c_.groups[g].name, p.node_count(), p.instance_count(),
                        bad_of(p), exact_score(p)});
    }
    return result;
  }

  std::string group_table() const {
    std::vector<std::vector<std::string>> rows{{"Group", "Nodes", "Instances",
                                                "Bad_Nodes", "Bad_Instances",
                                                "N+1", "Score"}};
    for (const auto& g : groups())
      rows.push_back(
        {g.name, std::to_string(g.nodes), std::to_string(g.instances),
         std::to_string(g.bad.nodes), std::to_string(g.bad.instances),
         g.bad.nodes == 0 ? "True" : "False", fixed_decimal(g.score, 8)});
    std::string result;
    auto text = layout(rows, {true, false, false, false, false, true, false});
    for (auto line :
         split(std::string_view{text}.substr(0, text.size() - 1), '\n'))
      result += "  " + std::string{line} + '\n';
    return result;
  }

  int json() {
    std::vector<std::string> lines;
    for (const auto& g : groups())
      lines.push_back(fmt::format(
        "{{\"name\":{},\"nodes\":{},\"instances\":{},\"bad_nodes\":{},"
        "\"bad_instances\":{},\"score\":{}}}",
        json_text(g.name), g.nodes, g.instances, g.bad.nodes, g.bad.instances,
        json_number(g.score)));
    std::vector<std::string> terms;
    for (const auto& x : score_lines(p_))
      terms.push_back(fmt::format("{}:{{\"value\":{},\"weight\":{}}}",
                                  json_text(x.name), json_number(x.value),
                                  json_number(x.weight)));
    auto bad = bad_of(p_);
    say("{{\"nodes\":{},\"instances\":{},\"bad_nodes\":{},\"bad_instances\":{},"
        "\"score\":{},\"terms\":{{{}}},\"groups\":[{}]}}\n",
        c_.nodes.size(), c_.instances.size(), bad.nodes, bad.instances,
        json_number(exact_score(p_)), join(terms, ','), join(lines, ','));
    return 0;
  }

  const tool_options& o_;
  tool_output to_;
  cluster c_;
  std::string suffix_;
  placement p_;
};

} // namespace

int run_hinfo(const tool_options& o, tool_output to) {
  auto c = load_for(o, to);
  if (!c)
    return 1;
  return hinfo_run{o, to, std::move(*c)}.all();
}

} // namespace orderly::io::htools
