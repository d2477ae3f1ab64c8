// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// How a drill is written down again, as it would be read.

#include "sim/lab/drill.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace orderly::sim {

std::string render_span(millis span) {
  auto ms = span.count();
  if (ms % 1000 != 0)
    return fmt::format("{}ms", ms);
  auto s = ms / 1000;
  if (s % 3600 == 0 && s > 0)
    return fmt::format("{}h", s / 3600);
  if (s % 60 == 0 && s > 0)
    return fmt::format("{}m", s / 60);
  return s > 60 ? fmt::format("{}m{}s", s / 60, s % 60) : fmt::format("{}s", s);
}

std::string write_head(const drill& d) {
  std::string text;
  for (const auto& line : d.head)
    text += line + "\n";
  text += fmt::format("world {}\nseed {}\n", d.world, d.seed);
  if (!d.config.empty())
    text += fmt::format("config {}\n", d.config);
  for (const auto& [key, value] : d.sets)
    text += fmt::format("set {} {}\n", key, value);
  for (const auto& [object, programs] : d.levels)
    text += fmt::format("levels {} = {}\n", object, fmt::join(programs, " "));
  for (const auto& [group, own] : d.groups)
    for (const auto& one : own)
      text += fmt::format("group {} {}\n", group, one);
  for (const auto& e : d.events)
    text += fmt::format("at {} {}\n", render_span(e.at), e.fault);
  for (const auto& x : d.triggers) {
    auto after
      = x.after > millis{0} ? "after " + render_span(x.after) + " " : "";
    auto nth = x.nth > 1 ? fmt::format("nth {} ", x.nth) : std::string{};
    text += fmt::format("upon {} {} {}{}{}\n", x.code, x.object, nth, after,
                        x.fault);
  }
  return text + fmt::format("run {}\n", render_span(d.length));
}

std::string render_drill(const drill& d, const std::string& transcript) {
  return d.text + "----\n" + transcript;
}

} // namespace orderly::sim
