// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/htools/groups/told_moves.hpp"

#include "io/htools/formats/fields.hpp"
#include "io/htools/formats/json_value.hpp"
#include "io/htools/whatif/names.hpp"

#include <fmt/format.h>

namespace orderly::io::htools {

using namespace planning;

namespace {

/// More are not listed one by one in a sentence.
constexpr std::size_t most_listed = 8;

std::string json_nodes(const cluster& c, place where) {
  auto node = [&](int n) { return json_text(c.nodes[at(n)].name); };
  return "[" + node(where.primary)
         + (where.secondary < 0 ? "" : "," + node(where.secondary)) + "]";
}

template <class T>
std::vector<std::string> names_in(const std::vector<T>& all,
                                  const std::vector<int>& chosen) {
  std::vector<std::string> result;
  for (auto k : chosen)
    result.push_back(all[at(k)].name);
  return result;
}

std::string json_names(std::vector<std::string> all) {
  for (auto& x : all)
    x = json_text(x);
  return "[" + join(all, ',') + "]";
}

std::string word_names(std::vector<std::string> all) {
  auto more = all.size() > most_listed ? all.size() - most_listed : 0;
  all.resize(all.size() - more);
  auto result = fmt::format("{}", fmt::join(all, ", "));
  return more == 0 ? result : fmt::format("{} and {} more", result, more);
}

} // namespace

std::string moves_summary(const told_moves& x, const whatif_choice& link) {
  return fmt::format(
    "{} move{} in {} round{}, {:.1f} GiB to copy, at least {} with a link of "
    "{} a node",
    x.steps.size(), x.steps.size() == 1 ? "" : "s", x.rounds.count,
    x.rounds.count == 1 ? "" : "s", static_cast<double>(x.moved.copied) / 1024,
    duration_text(seconds_for(x.moved.busiest, link.link_bits)),
    link.link_text);
}

std::string moves_lines(const cluster& c, const told_moves& x) {
  auto suffix = common_suffix(c);
  auto node = [&](int n) { return shown_name(c.nodes[at(n)].name, suffix); };
  auto shown = [&](place where) {
    return where.secondary < 0
             ? node(where.primary)
             : node(where.primary) + ":" + node(where.secondary);
  };
  std::string result;
  for (std::size_t k = 0; k < x.steps.size(); ++k) {
    const auto& s = x.steps[k];
    result
      += fmt::format("  round {}: {} {} => {}\n", x.rounds.of[k] + 1,
                     shown_name(c.instances[at(s.what.instance)].name, suffix),
                     shown(s.from), shown(s.to));
  }
  return result;
}

std::string moves_members(const cluster& c, const told_moves& x,
                          const whatif_choice& link) {
  std::vector<std::string> items;
  for (std::size_t k = 0; k < x.steps.size(); ++k) {
    const auto& s = x.steps[k];
    items.push_back(fmt::format(
      "{{\"round\":{},\"instance\":{},\"from\":{},\"to\":{}}}",
      x.rounds.of[k] + 1, json_text(c.instances[at(s.what.instance)].name),
      json_nodes(c, s.from), json_nodes(c, s.to)));
  }
  return fmt::format(
    "\"moves\":[{}],\"rounds\":{},\"most_moves\":{},\"copied_mib\":{},"
    "\"busiest_mib\":{},\"least_seconds\":{}",
    join(items, ','), x.rounds.count, x.rounds.most_moves, x.moved.copied,
    x.moved.busiest, json_number(seconds_for(x.moved.busiest, link.link_bits)));
}

std::string group_list(const cluster& c, const std::vector<int>& groups) {
  return json_names(names_in(c.groups, groups));
}

std::string instance_list(const cluster& c, const std::vector<int>& instances) {
  return json_names(names_in(c.instances, instances));
}

std::string group_words(const cluster& c, const std::vector<int>& groups) {
  return word_names(names_in(c.groups, groups));
}

std::string instance_words(const cluster& c,
                           const std::vector<int>& instances) {
  auto names = names_in(c.instances, instances);
  auto suffix = common_suffix(c);
  for (auto& x : names)
    x = shown_name(x, suffix);
  return word_names(std::move(names));
}

} // namespace orderly::io::htools
