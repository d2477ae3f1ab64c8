// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// No bytes crash the reader of the htools text format; a cluster that it
// takes survives being written and read again, can be placed and scored, and
// of a small one hspace and hbal print what they find.
// Every second input is put behind the sections of a good cluster, so that the
// later sections are reached.

#include "actors/planning/score/score.hpp"
#include "io/htools/formats/text.hpp"
#include "io/htools/tools/tools.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

namespace {

using namespace orderly;

void demand(bool holds) {
  if (!holds)
    std::abort();
}

constexpr const char* start = "g|u|preferred||\n\n"
                              "n1|9000|500|8500|90000|90000|8|M|u|4|t:a|N\n"
                              "n2|9000|500|8500|90000|90000|8|N|u|4|t:b|N\n\n";

/// What the tools print of the text, each with few steps; they read files only.
void print(const std::string& text) {
  using namespace io::htools;
  static const auto file = ::memfd_create("cluster", MFD_CLOEXEC);
  static const auto path = fmt::format("/proc/self/fd/{}", file);
  static auto* const nowhere = std::fopen("/dev/null", "w");
  demand(file >= 0 && nowhere != nullptr);
  demand(::ftruncate(file, 0) == 0);
  demand(::pwrite(file, text.data(), text.size(), 0)
         == static_cast<ssize_t>(text.size()));
  auto run = [&](tool of, std::vector<std::string> words) {
    words.insert(words.end(), {"-l", "2", "-p", "-t", path});
    auto code = run_tool(of, words, {nowhere, nowhere});
    demand(code == 0 || code == 1);
  };
  run(tool::hspace, {"--machine-readable"});
  run(tool::hspace, {"-v", "-v", "-v"});
  run(tool::hbal, {"--search=exact", "-C", "-v", "-v", "-v"});
}

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
  // A search costs a hundred times what reading does, and of more nodes more.
  auto one_of_many = std::hash<std::string>{}(text) % 256 == 0;
  if (one_of_many && c->nodes.size() <= 16 && c->instances.size() <= 64)
    print(text);
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
