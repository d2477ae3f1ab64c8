// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "sim/faults/coverage.hpp"

#include "messages/standing.hpp"
#include "sim/faults/faults.hpp"

#include <algorithm>
#include <array>
#include <sstream>

namespace orderly::sim {

namespace {

struct phase {
  const char* code; ///< of the journal
  bool is_calm;     ///< nothing goes on about it
};

constexpr std::array<phase, 10> node_phases{{{"disabled", true},
                                             {"ineligible", true},
                                             {"available", true},
                                             {"suspect", false},
                                             {"checking", false},
                                             {"degraded", false},
                                             {"recovering", false},
                                             {"recovered", false},
                                             {"fencing", false},
                                             {"fenced", false}}};

constexpr std::array<phase, 4> instance_phases{{{"healthy", true},
                                                {"needs-repair", false},
                                                {"pending", false},
                                                {"failed", false}}};

/// Null: the code tells of something else.
template <class Phases>
const phase* phase_of(const Phases& all, const std::string& code) {
  auto i = std::find_if(all.begin(), all.end(),
                        [&](const phase& x) { return code == x.code; });
  return i == all.end() ? nullptr : &*i;
}

/// "power NODE off|on" as one sort for each choice.
std::vector<fault_sort> sorts_in(const std::string& help) {
  std::istringstream in{help};
  fault_sort base;
  std::string rest;
  for (std::string word; in >> word;) {
    auto open = rest.empty() && base.object.empty();
    auto capital = word[0] >= 'A' && word[0] <= 'Z';
    if (open && capital && word != "PERMILLE")
      base.object = word.substr(0, word.find('['));
    else if (open && !capital && word.find('|') == std::string::npos
             && word[0] != 'x')
      base.verb += (base.verb.empty() ? "" : " ") + word;
    else
      rest += (rest.empty() ? "" : " ") + word;
  }
  std::vector<fault_sort> result;
  std::istringstream choices{rest};
  for (std::string part; std::getline(choices, part, '|');) {
    auto choice = part.substr(0, part.find(' '));
    if (choice.empty() || choice[0] < 'a' || choice == "xFACTOR")
      continue;
    base.choice = choice;
    base.name = base.verb + " " + choice;
    result.push_back(base);
  }
  if (result.empty()) {
    base.name = base.verb;
    result.push_back(base);
  }
  return result;
}

/// "orderly power off" of a command line; its words go into `words`.
std::string command_of(const std::string& text,
                       std::vector<std::string>& words) {
  std::istringstream in{text};
  for (std::string word; in >> word;)
    words.push_back(word);
  std::string result;
  std::size_t most = words.size() > 1 && words[1] == "power" ? 3 : 2;
  for (std::size_t i = 0; i < words.size() && i < most; ++i)
    result += (i == 0 ? "" : " ") + words[i];
  return result;
}

} // namespace

void onlooker::entry(const journal_entry& e, instant now) {
  if (e.kind != entry_kind::decision)
    return;
  std::string name;
  if (split_object(e.object, "node", name)) {
    if (const auto* x = phase_of(node_phases, e.code))
      enter({e.object, "node " + e.code, now, never, x->is_calm});
  } else if (split_object(e.object, "instance", name)) {
    if (const auto* x = phase_of(instance_phases, e.code))
      enter({e.object, "instance " + e.code, now, never, x->is_calm});
  }
}

void onlooker::enter(stay next) {
  auto [i, first] = last_.emplace(next.object, stays_.size());
  if (!first) {
    auto& before = stays_[i->second];
    if (before.state == next.state)
      return;
    before.to = next.from;
    i->second = stays_.size();
  }
  stays_.push_back(std::move(next));
}

const std::string* onlooker::state_of(const object_id& object) const {
  auto i = last_.find(object);
  return i == last_.end() ? nullptr : &stays_[i->second].state;
}

void onlooker::fault(const std::string& text) {
  if (text.starts_with("orderly ")) {
    std::vector<std::string> words;
    auto what = command_of(text, words);
    for (const auto& word : words)
      if (const auto* x = state_of("node:" + word))
        met_.emplace(*x, what);
    return;
  }
  const auto* sort = sort_of(text);
  if (sort == nullptr)
    return;
  auto order = parse_fault(text);
  auto object = order->object.substr(0, order->object.find('@'));
  if (sort->object.empty() || object == "all") {
    for (const auto& [name, index] : last_)
      if (!stays_[index].is_calm)
        met_.emplace(stays_[index].state, sort->name);
    return;
  }
  for (const auto* kind : {"", "node:", "instance:"})
    if (const auto* x = state_of(kind + object))
      met_.emplace(*x, sort->name);
}

const std::vector<fault_sort>& fault_sorts() {
  static const std::vector<fault_sort> all = [] {
    std::vector<fault_sort> result;
    for (const auto& line : fault_help())
      for (auto& x : sorts_in(line))
        result.push_back(std::move(x));
    return result;
  }();
  return all;
}

const fault_sort* sort_of(const std::string& fault) {
  auto order = parse_fault(fault);
  if (!order)
    return nullptr;
  for (const auto& x : fault_sorts())
    if (x.verb == order->verb && x.choice == order->what)
      return &x;
  return nullptr;
}

bool can_concern(const fault_sort& sort, const object_id& object) {
  return sort.object.empty()
         || (sort.object == "NODE" && object.starts_with("node:"))
         || (sort.object == "NAME" && object.starts_with("instance:"));
}

std::vector<state_and_fault> all_pairs() {
  std::vector<state_and_fault> result;
  auto add = [&](const char* kind, const auto& phases, const fault_sort& x) {
    for (const auto& in : phases)
      if (!x.object.empty() || !in.is_calm)
        result.emplace_back(std::string{kind} + in.code, x.name);
  };
  for (const auto& x : fault_sorts()) {
    auto any = x.object.empty();
    if (any || x.object == "NODE")
      add("node ", node_phases, x);
    if (any || x.object == "NAME")
      add("instance ", instance_phases, x);
  }
  return result;
}

} // namespace orderly::sim
