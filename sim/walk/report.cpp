// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What a walk has met, for people and for programs.

#include "sim/walk/walk.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <ostream>

#include <fmt/format.h>

namespace orderly::sim::walking {

namespace {

using json = nlohmann::ordered_json;

json rows(const std::vector<met>& all) {
  auto result = json::array();
  for (const auto& x : all)
    result.push_back({{"what", x.what}, {"count", x.count}});
  return result;
}

void print(std::ostream& out, const char* title, const std::vector<met>& all) {
  out << title << '\n';
  for (const auto& x : all)
    out << fmt::format("{:>9}  {}\n", x.count, x.what);
}

std::size_t count_met(const std::vector<met>& all) {
  return static_cast<std::size_t>(std::count_if(
    all.begin(), all.end(), [](const met& x) { return x.count > 0; }));
}

} // namespace

int report(const tally& all, const walk_wish& what, bool as_json,
           std::ostream& out) {
  auto wrong = all.wrong();
  auto pairs = all.pairs();
  auto late = all.late();
  auto code = wrong.empty() ? 0 : 1;
  if (as_json) {
    out << json{{"seed", what.seed},
                {"events", all.events()},
                {"pairs", rows(pairs)},
                {"late", rows(late)},
                {"changes", rows(all.changes())},
                {"never", rows(all.never())},
                {"wrong", wrong}}
             .dump(1)
        << '\n';
    return code;
  }
  print(out, "Told in which state, and how often:", pairs);
  print(out, "Answers to questions of a state that was left:", late);
  print(out, "Changes of the table:", all.changes());
  out << "Never told, and why:\n";
  for (const auto& x : all.never())
    out << "           " << x.what << '\n';
  for (const auto& x : wrong)
    out << "wrong: " << x << '\n';
  out << fmt::format("seed {}: {} events; {} of {} pairs of state and event "
                     "met, {} of {} late answers; {} wrong\n",
                     what.seed, all.events(), count_met(pairs), pairs.size(),
                     count_met(late), late.size(), wrong.size());
  return code;
}

} // namespace orderly::sim::walking
