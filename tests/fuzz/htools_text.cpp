// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// No bytes crash the reader of the htools text format; a cluster that it
// takes survives being written and read again, and can be placed and scored.
// Every second input is put behind the sections of a good cluster, so that the
// later sections are reached.

#include "actors/planning/score/score.hpp"
#include "io/htools/formats/read_text.hpp"
#include "io/htools/formats/write_text.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

namespace {

using namespace orderly;

void demand(bool holds) {
  if (!holds)
    std::abort();
}

constexpr const char* start = "g|u|preferred||\n\n"
                              "n1|9000|500|8500|90000|90000|8|M|u|4|t:a|N\n"
                              "n2|9000|500|8500|90000|90000|8|N|u|4|t:b|N\n\n";

void check(const std::string& text) {
  auto c = io::htools::read_text(text, "input");
  if (!c) {
    demand(!c.why().text.empty());
    return;
  }
  auto written = io::htools::write_text(*c);
  auto again = io::htools::read_text(written, "written");
  demand(again.ok());
  demand(again->instances.size() == c->instances.size());
  if (c->groups.empty() || c->nodes.size() > 64)
    return;
  planning::placement p{*c, 0, {}};
  auto board = planning::score_board{p}.score();
  auto score = planning::exact_score(p);
  demand(board == score || (board != board && score != score));
  (void)planning::lowest_score(p);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  std::string text{reinterpret_cast<const char*>(data), size};
  if (!text.empty() && text.front() % 2 == 0)
    text = start + text.substr(1);
  check(text);
  planning::cluster load;
  load.instances.emplace_back();
  (void)io::htools::read_load(text, "load", load);
  return 0;
}
