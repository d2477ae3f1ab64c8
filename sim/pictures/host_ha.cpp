// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "sim/pictures/host_ha.hpp"

#include "sim/pictures/layout.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

namespace orderly::sim::pictures {

namespace {

/// Of the font that is named below, as far as a layout has to know.
double width_of(const std::string& text) {
  constexpr std::string_view narrow = "fijlrtI";
  constexpr std::string_view broad = "mwMW";
  double wide = 0;
  for (auto letter : text) {
    auto big = letter >= 'A' && letter <= 'Z';
    if (narrow.find(letter) != std::string_view::npos)
      wide += 4.2;
    else if (broad.find(letter) != std::string_view::npos)
      wide += 10;
    else
      wide += big ? 7.6 : 6.8;
  }
  return wide;
}

/// Light and dark, each on a ground of its own: a page may have any.
constexpr const char* style = R"(<style>
.ground{fill:#ffffff}.box{fill:#f4f6f8;stroke:#30363d;stroke-width:1.5}
.any{fill:#ffffff;stroke:#6e7781;stroke-dasharray:2 2}
text{fill:#1f2328;font:11px "DejaVu Sans",Verdana,sans-serif}
.state{font-size:14px;font-weight:bold;text-anchor:middle}
.title{font-size:15px;font-weight:bold}
.name{paint-order:stroke;stroke:#ffffff;stroke-width:3px}.ours{font-style:italic}
.way{fill:none;stroke-width:1.5}.person{stroke-dasharray:7 4}
.well{stroke:#1a7f37;fill:#1a7f37}.doubt{stroke:#9a6700;fill:#9a6700}
.act{stroke:#0969da;fill:#0969da}.dead{stroke:#cf222e;fill:#cf222e}
.aside{stroke:#6e7781;fill:#6e7781}
.way.well,.way.doubt,.way.act,.way.dead,.way.aside{fill:none}
@media (prefers-color-scheme:dark){
.ground,.any{fill:#0d1117}.box{fill:#161b22;stroke:#c9d1d9}
text{fill:#e6edf3}.name{stroke:#0d1117}
.well{stroke:#3fb950;fill:#3fb950}.doubt{stroke:#d29922;fill:#d29922}
.act{stroke:#58a6ff;fill:#58a6ff}.dead{stroke:#ff7b72;fill:#ff7b72}
.aside{stroke:#8b949e;fill:#8b949e}}
</style>
)";

/// The colour of what leads there.
const char* colour(ha_phase to) {
  switch (to) {
  case ha_phase::available:
    return "well";
  case ha_phase::suspect:
  case ha_phase::degraded:
    return "doubt";
  case ha_phase::checking:
  case ha_phase::recovering:
  case ha_phase::recovered:
    return "act";
  case ha_phase::fencing:
  case ha_phase::fenced:
    return "dead";
  default:
    return "aside";
  }
}

bool is_by_person(std::string_view event) {
  constexpr std::array all{"Enabled", "Disabled", "OrderedOn", "PersonWish",
                           "OperatorWord"};
  return std::find(all.begin(), all.end(), event) != all.end();
}

std::string name_of(const host_ha::edge& x) {
  return fmt::format("{} -- {} --> {}", x.from ? to_string(*x.from) : "any",
                     x.event, to_string(x.to));
}

using edges = std::span<const host_ha::edge>;

const host_ha::edge* find(edges table, const std::optional<ha_phase>& from,
                          std::string_view event, ha_phase to) {
  auto i = std::find_if(table.begin(), table.end(), [&](const auto& x) {
    return x.from == from && x.event == event && x.to == to;
  });
  return i == table.end() ? nullptr : &*i;
}

bool is_drawn(const host_ha::edge& x) {
  auto all = wires();
  return std::any_of(all.begin(), all.end(), [&](const wire& w) {
    return w.to == x.to
           && std::any_of(w.events.begin(), w.events.end(),
                          [&](const char* event) { return x.event == event; })
           && std::any_of(w.taps.begin(), w.taps.end(),
                          [&](const tap& t) { return t.from == x.from; });
  });
}

/// The change that is not drawn, or the line that is none; empty: they fit.
std::string misfit(edges table) {
  for (const auto& x : table)
    if (!is_drawn(x))
      return name_of(x)
             + " has no place in the picture: give it one in "
               "sim/pictures/layout.cpp";
  for (const auto& w : wires())
    for (const auto& t : w.taps)
      for (const auto* event : w.events)
        if (find(table, t.from, event, w.to) == nullptr)
          return name_of({t.from, event, w.to, false})
                 + " is in the picture and not in the table: take it out of "
                   "sim/pictures/layout.cpp";
  return {};
}

/// A long name in two lines, by its words.
std::vector<std::string> fold(const std::string& name) {
  constexpr std::size_t long_name = 26;
  if (name.size() <= long_name)
    return {name};
  auto cut = std::string::npos;
  for (std::size_t i = 1; i + 1 < name.size(); ++i)
    if (name[i] >= 'A' && name[i] <= 'Z' && i <= name.size() / 2 + 2)
      cut = i;
  return {name.substr(0, cut), name.substr(cut)};
}

void add_labels(const wire& w, std::vector<label>& into) {
  std::vector<std::string> lines;
  for (const auto* event : w.events)
    for (auto& line : w.folded ? fold(event) : std::vector<std::string>{event})
      lines.push_back(std::move(line));
  auto y = w.text.y - line_height * static_cast<double>(lines.size() - 1);
  for (auto& line : lines) {
    auto wide = width_of(line);
    auto left = w.ends_here ? w.text.x - wide : w.text.x;
    into.push_back({std::move(line), left, left + wide, y});
    y += line_height;
  }
}

std::string line(const std::vector<point>& way, const char* marker,
                 const std::string& looks) {
  std::string points;
  for (const auto& p : way)
    points += fmt::format("{}{},{}", points.empty() ? "" : " ", p.x, p.y);
  return fmt::format("<polyline class=\"way {}\" points=\"{}\"{}/>\n", looks,
                     points, marker);
}

std::string draw(const wire& w, edges table) {
  std::string looks = colour(w.to);
  if (is_by_person(w.events.front()))
    looks += " person";
  std::string svg;
  for (const auto& t : w.taps)
    if (t.way.size() > 1) {
      svg += line(t.way, "", looks);
      svg += fmt::format("<circle class=\"{}\" cx=\"{}\" cy=\"{}\" "
                         "r=\"3\"/>\n",
                         colour(w.to), t.way.back().x, t.way.back().y);
    }
  svg += line(w.way,
              fmt::format(" marker-end=\"url(#{})\"", colour(w.to)).c_str(),
              looks);
  const auto* first = find(table, w.taps.front().from, w.events.front(), w.to);
  std::vector<label> all;
  add_labels(w, all);
  for (const auto& x : all)
    svg += fmt::format("<text class=\"name{}\" x=\"{}\" y=\"{}\"{}>{}</text>\n",
                       first->ours ? " ours" : "",
                       w.ends_here ? x.right : x.left, x.baseline,
                       w.ends_here ? " text-anchor=\"end\"" : "", x.text);
  return svg;
}

struct frame {
  double left;
  double top;
  double right;
  double bottom;
};

bool touch(const frame& a, const frame& b) {
  return a.left < b.right && b.left < a.right && a.top < b.bottom
         && b.top < a.bottom;
}

frame frame_of(const label& x) {
  constexpr double ascent = 9;
  constexpr double descent = 2;
  return {x.left, x.baseline - ascent, x.right, x.baseline + descent};
}

frame frame_of(const place& p) {
  return {p.middle.x - box_width / 2, p.middle.y - box_height / 2,
          p.middle.x + box_width / 2, p.middle.y + box_height / 2};
}

/// All lines are level or upright.
bool crosses(const std::vector<point>& way, const frame& x) {
  for (std::size_t i = 1; i < way.size(); ++i) {
    const auto& a = way[i - 1];
    const auto& b = way[i];
    if (touch({std::min(a.x, b.x) - 1, std::min(a.y, b.y) - 1,
               std::max(a.x, b.x) + 1, std::max(a.y, b.y) + 1},
              x))
      return true;
  }
  return false;
}

bool crosses(const wire& w, const frame& x) {
  return crosses(w.way, x)
         || std::any_of(w.taps.begin(), w.taps.end(),
                        [&x](const tap& t) { return crosses(t.way, x); });
}

std::string heads() {
  std::string svg = "<defs>\n";
  for (const auto* x : {"well", "doubt", "act", "dead", "aside"})
    svg += fmt::format(
      "<marker id=\"{0}\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" "
      "markerWidth=\"8\" markerHeight=\"8\" markerUnits=\"userSpaceOnUse\" "
      "orient=\"auto\"><path class=\"{0}\" stroke-width=\"0\" "
      "d=\"M0,0 L8,4 L0,8 z\"/></marker>\n",
      x);
  return svg + "</defs>\n";
}

std::string legend() {
  return R"(<text class="title" x="150" y="28">A node under host HA</text>
<polyline class="way aside" points="700,790 760,790"/>
<text x="770" y="794">the daemon's own checks, answers and waits</text>
<polyline class="way aside person" points="700,812 760,812"/>
<text x="770" y="816">a person's order, wish or switch</text>
<text class="ours" x="700" y="838">Slanted:</text>
<text x="770" y="838">a change that the CloudStack specification does not have</text>
<circle class="aside" cx="730" cy="856" r="3"/>
<text x="770" y="860">lines meet, and go on together; without a dot they only cross</text>
)";
}

} // namespace

std::vector<label> host_ha_labels() {
  std::vector<label> all;
  for (const auto& w : wires())
    add_labels(w, all);
  return all;
}

std::string what_is_covered(const std::vector<label>& all) {
  for (const auto& x : all) {
    for (const auto& p : places())
      if (touch(frame_of(x), frame_of(p)))
        return fmt::format("{} lies on {}", x.text, to_string(p.phase));
    for (const auto& y : all)
      if (&x != &y && touch(frame_of(x), frame_of(y)))
        return fmt::format("{} lies on {}", x.text, y.text);
    for (const auto& w : wires())
      if (crosses(w, frame_of(x)))
        return fmt::format("{} lies on the line of {}", x.text,
                           w.events.front());
    if (x.left < 0 || x.right > width || frame_of(x).bottom > height)
      return fmt::format("{} leaves the picture", x.text);
  }
  return {};
}

result<std::string> host_ha_states(edges table) {
  if (auto why = misfit(table); !why.empty())
    return fault{fault_kind::internal, why};
  auto svg = fmt::format(
    "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" "
    "width=\"{0}\" height=\"{1}\">\n<title>States of host HA, and what leads "
    "from one to another</title>\n{2}{3}"
    "<rect class=\"ground\" width=\"{0}\" height=\"{1}\" rx=\"8\"/>\n",
    width, height, style, heads());
  for (const auto& w : wires())
    svg += draw(w, table);
  for (const auto& p : places())
    svg += fmt::format(
      "<rect class=\"box\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" "
      "rx=\"8\"/>\n<text class=\"state\" x=\"{}\" y=\"{}\">{}</text>\n",
      p.middle.x - box_width / 2, p.middle.y - box_height / 2, box_width,
      box_height, p.middle.x, p.middle.y + 5, to_string(p.phase));
  for (const auto& p : any_others())
    svg += fmt::format(
      "<rect class=\"any\" x=\"{}\" y=\"{}\" width=\"88\" height=\"26\" "
      "rx=\"13\"/>\n<text text-anchor=\"middle\" x=\"{}\" y=\"{}\">any "
      "other</text>\n",
      p.x - 44, p.y - 13, p.x, p.y + 4);
  return svg + legend() + "</svg>\n";
}

} // namespace orderly::sim::pictures
