// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/search/health.hpp"
#include "io/htools/formats/fields.hpp"
#include "io/htools/formats/json_value.hpp"
#include "io/htools/tools/hbal_load.hpp"
#include "io/htools/tools/tools.hpp"

#include <deque>

#include <fmt/format.h>

namespace orderly::io::htools {

namespace {

using namespace planning;

struct group_state {
  int group = -1;
  placement nodes;
  std::optional<global_n1> n1;
  health before;
  health after;
};

/// A count of health, with the words for it.
struct count_line {
  const char* key;
  const char* text;
  std::int64_t health::*count;
};

constexpr std::array<count_line, 5> count_lines{
  {{"N1_FAIL", "Nodes not N+1 happy", &health::short_nodes},
   {"CONFLICT_TAGS", "Nodes with conflicting instances",
    &health::conflicted_nodes},
   {"OFFLINE_PRI", "Instances having the primary node offline",
    &health::offline_primaries},
   {"OFFLINE_SEC", "Instances having a secondary node offline",
    &health::offline_secondaries},
   {"GN1_FAIL", "Nodes not directly evacuateable", &health::unlosable_nodes}}};

class hcheck_run {
public:
  hcheck_run(const tool_options& o, tool_output to, cluster c)
    : o_(o), to_(to), c_(std::move(c)) {
    copy_from_all(c_); // it judges as the reference does, and moves nothing
    for (std::size_t g = 0; g < c_.groups.size(); ++g) {
      placement p{c_, static_cast<int>(g), o.build};
      if (p.node_count() == 0)
        continue;
      groups_.push_back({static_cast<int>(g), std::move(p), {}, {}, {}});
      auto& x = groups_.back();
      if (o.capacity_checks)
        x.n1.emplace(x.nodes);
      x.before = x.after = health_of(x.nodes, n1_of(x));
      before_ += x.before;
    }
  }

  int all() {
    auto bad = before_.is_bad();
    auto balances = bad && o_.simulation;
    if (balances)
      for (auto& x : groups_) {
        if (x.before.score >= o_.rules.min_score)
          mend(x.nodes, n1_of(x), o_.rules);
        x.after = health_of(x.nodes, n1_of(x));
      }
    for (const auto& x : groups_)
      after_ += x.after;
    if (o_.json)
      show_json();
    else if (o_.machine_readable)
      show_keys();
    else if (o_.verbose > 0)
      show_text(balances);
    return balances ? 1 : 0;
  }

private:
  template <class... Ts>
  void say(fmt::format_string<Ts...> text, Ts&&... xs) {
    fmt::print(to_.out, text, std::forward<Ts>(xs)...);
  }

  static global_n1* n1_of(group_state& x) { return x.n1 ? &*x.n1 : nullptr; }

  bool is_shown(const count_line& l) const {
    return o_.capacity_checks || l.count != &health::unlosable_nodes;
  }

  const node_group& group(const group_state& x) const {
    return c_.groups[static_cast<std::size_t>(x.group)];
  }

  void show_keys() {
    for (std::size_t g = 0; g < c_.groups.size(); ++g)
      say("HCHECK_GROUP_UUID_{}={}\n", g, shell_word(c_.groups[g].uuid));
    auto keys
      = [&](const char* when, const std::string& what, const health& h) {
          for (const auto& l : count_lines)
            if (is_shown(l))
              say("HCHECK_{}_{}_{}={}\n", when, what, l.key, h.*l.count);
        };
    for (auto final : {false, true}) {
      const auto* when = final ? "FINAL" : "INIT";
      for (const auto& x : groups_) {
        const auto& h = final ? x.after : x.before;
        keys(when, fmt::format("GROUP_{}", x.group), h);
        say("HCHECK_{}_GROUP_{}_SCORE={}\n", when, x.group,
            fixed_decimal(h.score, 8));
      }
      const auto& all = final ? after_ : before_;
      keys(when, "CLUSTER", all);
      say("HCHECK_{}_CLUSTER_NEED_REBALANCE={}\n", when, all.is_bad() ? 1 : 0);
    }
    say("HCHECK_OK=1\n");
  }

  void show_text(bool balances) {
    say("{}\n", !o_.simulation ? "Running in no-simulation mode."
                : balances     ? "Cluster needs rebalancing."
                               : "No need to rebalance cluster, no problems "
                                 "found.");
    show_part("initially", before_, &group_state::before);
    if (balances)
      show_part("after rebalancing", after_, &group_state::after);
  }

  void show_part(const char* when, const health& all,
                 health group_state::*part) {
    auto counts = [&](const health& h) {
      for (const auto& l : count_lines)
        if (is_shown(l))
          say("    {}: {}\n", l.text, h.*l.count);
    };
    for (const auto& x : groups_) {
      say("\nStatistics for group {} {}\n", group(x).name, when);
      counts(x.*part);
      say("    Group score: {}\n", fixed_decimal((x.*part).score, 8));
    }
    say("\nCluster statistics {}\n", when);
    counts(all);
    say("    Cluster is not healthy: {}\n", all.is_bad() ? "True" : "False");
  }

  std::string json_of(const health& h) const {
    std::string result;
    for (const auto& l : count_lines)
      if (is_shown(l))
        result += fmt::format("\"{}\":{},", l.key, h.*l.count);
    return result + fmt::format("\"bad\":{}", h.is_bad());
  }

  void show_json() {
    std::vector<std::string> lines;
    for (const auto& x : groups_)
      lines.push_back(
        fmt::format("{{\"name\":{},\"uuid\":{},\"initial\":{{{},\"score\":{}}},"
                    "\"final\":{{{},\"score\":{}}}}}",
                    json_text(group(x).name), json_text(group(x).uuid),
                    json_of(x.before), json_number(x.before.score),
                    json_of(x.after), json_number(x.after.score)));
    say("{{\"groups\":[{}],\"initial\":{{{}}},\"final\":{{{}}}}}\n",
        join(lines, ','), json_of(before_), json_of(after_));
  }

  const tool_options& o_;
  tool_output to_;
  cluster c_;
  std::deque<group_state> groups_; ///< global_n1 keeps their addresses
  health before_;
  health after_;
};

} // namespace

int run_hcheck(const tool_options& o, tool_output to) {
  auto c = load_for(o, to);
  if (!c)
    return 1;
  return hcheck_run{o, to, std::move(*c)}.all();
}

} // namespace orderly::io::htools
