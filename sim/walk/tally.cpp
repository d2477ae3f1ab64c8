// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "sim/walk/tally.hpp"

#include "actors/node/node.hpp"
#include "sim/walk/specified.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace orderly::sim::walking {

namespace {

std::size_t place(ha_phase x) {
  return static_cast<std::size_t>(x);
}

template <class Visit>
void for_all_pairs(Visit visit) {
  for (std::size_t p = 0; p < phases; ++p)
    for (std::size_t i = 0; i < inputs; ++i)
      visit(static_cast<ha_phase>(p), static_cast<input>(i));
}

std::string pair_name(ha_phase in, input what) {
  return fmt::format("{}: {}", to_string(in), to_string(what));
}

std::string name_of_edge(const host_ha::edge& x) {
  return name_of(x.from ? to_string(*x.from) : "any", x.event, x.to);
}

} // namespace

std::string name_of(const std::string& from, std::string_view by, ha_phase to) {
  return fmt::format("{} -- {} --> {}", from, by, to_string(to));
}

tally::tally(tally_rules rules) : rules_(rules), changes_(rules.table.size()) {
  // nop
}

void tally::count(const machine_step& step) {
  ++events_;
  auto from = step.from.phase;
  auto to = step.answer.next.phase;
  ++pairs_.at(place(from)).at(static_cast<std::size_t>(kind_of(step.event)));
  if (from != to)
    judge_change(step, to);
  else if (auto name = name_of_stay(step); !name.empty())
    judge_guard(step, name);
}

void tally::note(std::string why) {
  if (std::find(wrong_.begin(), wrong_.end(), why) == wrong_.end())
    wrong_.push_back(std::move(why));
}

/// The row that permits the step says when it does.
void tally::judge_guard(const machine_step& step, std::string_view name) {
  auto from = step.from.phase;
  auto to = step.answer.next.phase;
  const auto* row = specified(from, name, to);
  if (row != nullptr && !row->holds({step, rules_.by}))
    note(fmt::format("{} was taken by '{}', and this did not hold: {}",
                     name_of(to_string(from), name, to),
                     to_string(kind_of(step.event)), row->condition));
}

void tally::judge_change(const machine_step& step, ha_phase to) {
  auto from = step.from.phase;
  std::string_view name
    = name_of_transition(step.from, step.event, step.answer.next);
  auto fits = [&](const host_ha::edge& x) {
    return (!x.from || *x.from == from) && x.event == name && x.to == to;
  };
  auto found = std::find_if(rules_.table.begin(), rules_.table.end(), fits);
  auto text = name_of(to_string(from), name, to);
  auto is_specified = specified(from, name, to) != nullptr;
  if (found == rules_.table.end())
    note(text + " is not in the table of the code");
  else if (!found->ours && !is_specified)
    note(text + " is not in the table of the specification, and not ours");
  else if (found->ours && is_specified)
    note(text + " is called ours, and is in the specification");
  if (found != rules_.table.end())
    ++changes_[static_cast<std::size_t>(found - rules_.table.begin())];
  judge_guard(step, name);
}

std::uint64_t tally::count_of(ha_phase in, input what) const {
  return pairs_.at(place(in)).at(static_cast<std::size_t>(what));
}

std::vector<met> tally::told(bool late) const {
  std::vector<met> all;
  for_all_pairs([&](ha_phase in, input what) {
    if (comes_late(in, what) == late && !why_never(in, what))
      all.push_back({pair_name(in, what), count_of(in, what)});
  });
  std::stable_sort(all.begin(), all.end(), [](const met& a, const met& b) {
    return a.count > b.count;
  });
  return all;
}

std::vector<met> tally::pairs() const {
  return told(false);
}

std::vector<met> tally::late() const {
  return told(true);
}

std::vector<met> tally::changes() const {
  std::vector<met> all;
  for (std::size_t i = 0; i < changes_.size(); ++i)
    all.push_back({name_of_edge(rules_.table[i]), changes_[i]});
  return all;
}

std::vector<met> tally::never() const {
  std::vector<met> all;
  for_all_pairs([&](ha_phase in, input what) {
    if (const auto* why = why_never(in, what))
      all.push_back(
        {fmt::format("{} ({})", pair_name(in, what), why), count_of(in, what)});
  });
  return all;
}

std::vector<std::string> tally::wrong() const {
  auto all = wrong_;
  for (const auto& x : never())
    if (x.count > 0)
      all.push_back("met, though it cannot be: " + x.what);
  auto rare
    = [&](const std::vector<met>& of, const char* kind, std::uint64_t least) {
        for (const auto& x : of)
          if (x.count < least)
            all.push_back(fmt::format("{} {} was met {} times, not {}", kind,
                                      x.what, x.count, least));
      };
  rare(pairs(), "the pair", rules_.least);
  // What comes of a pair takes a story, and some of these are rare.
  rare(changes(), "the change", std::min<std::uint64_t>(rules_.least, 1));
  return all;
}

} // namespace orderly::sim::walking
