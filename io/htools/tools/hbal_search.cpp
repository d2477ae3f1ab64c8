// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/htools/tools/hbal_search.hpp"

#include "actors/planning/search/better.hpp"
#include "actors/planning/search/job_sets.hpp"
#include "actors/planning/search/scan.hpp"
#include "io/htools/formats/fields.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace orderly::io::htools {

namespace {

using namespace planning;
using clock = std::chrono::steady_clock;

double seconds_since(clock::time_point begin) {
  return std::chrono::duration<double>(clock::now() - begin).count();
}

/// One line that is written over and over, and wiped in the end.
class progress_line {
public:
  progress_line(clock::time_point begin, tool_output to)
    : begin_(begin), err_(to.err), shown_(to.terminal) {
    // nop
  }

  progress_line(const progress_line&) = delete;
  progress_line& operator=(const progress_line&) = delete;

  ~progress_line() {
    if (last_ > 0)
      fmt::print(err_, "\r{:60}\r", "");
  }

  void show(const fast_progress& x) {
    if (!shown_)
      return;
    auto now = seconds_since(begin_);
    constexpr auto patience = 2.0;
    constexpr auto pause = 0.2;
    if (now < patience || now - last_ < pause)
      return;
    last_ = now;
    fmt::print(err_, "\r  {} moves, score {}, {:.0f} s", x.moves,
               fixed_decimal(x.score, 8), now);
    std::fflush(err_);
  }

private:
  clock::time_point begin_;
  std::FILE* err_;
  bool shown_;
  double last_ = 0;
};

} // namespace

searched search_moves(placement& p, const tool_options& o,
                      clock::time_point begin, tool_output to,
                      const std::function<void(const step&)>& on_step) {
  searched result;
  progress_line line{begin, to};
  // What is found must still be put in order and printed.
  constexpr auto part_to_search = 0.8;
  auto exact = o.search.kind == search_kind::exact;
  auto part = exact ? 1.0 : part_to_search;
  auto is_over = [&] {
    return o.search.deadline_seconds
           && seconds_since(begin) > part * *o.search.deadline_seconds;
  };
  result.exact = exact;
  if (!exact) {
    auto fast = o.search.fast;
    fast.is_over = is_over;
    fast.on_progress = [&](const fast_progress& x) { line.show(x); };
    better_rules both{fast};
    both.exact_effort_max
      = std::min(both.exact_effort_max,
                 o.search.effort_max.value_or(both.exact_effort_max));
    auto x = o.search.kind == search_kind::fast
               ? balance_fast(p, o.rules, fast)
               : balance_better(p, o.rules, both).plan;
    result.found = std::move(x.found);
    result.cut = x.cut;
    for (const auto& s : result.found.steps)
      on_step(s);
    return result;
  }
  scan all{p};
  auto best = [&](const placement& now, score_board& board,
                  const search_rules& rules) -> std::optional<candidate> {
    result.cut = is_over();
    if (result.cut)
      return std::nullopt;
    return all.best(now, board, rules);
  };
  int made = 0;
  result.found = balance(p, o.rules, best, [&](const step& s) {
    line.show({s.score, ++made});
    on_step(s);
  });
  return result;
}

std::vector<std::vector<std::size_t>> sets_of(const searched& x) {
  return x.exact ? job_sets(x.found.steps) : job_waves(x.found.steps);
}

double cost_rate(const placement& p, const tool_options& o) {
  if (o.search.kind == search_kind::exact)
    return 0;
  return cost_rate_of(p, o.search.fast);
}

} // namespace orderly::io::htools
