// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/config/duration.hpp"
#include "io/config/loader.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include <fmt/format.h>

namespace orderly::io {

namespace {

/// A TOML basic string.
std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\')
      out += '\\';
    out += c;
  }
  return out + "\"";
}

using program_table = std::map<std::string, std::vector<std::string>>;

/// One line a key; an example where there is none.
std::string spell(const std::string& name, const program_table& table) {
  if (table.empty() && name == "host_ha.groups")
    return "#\n"
           "# \"rack7\" = [\"degraded_period = 30s\", "
           "\"kvm.ha.recover.failure.threshold = 2\"]\n";
  if (table.empty())
    return "#\n"
           "# \"node1.example.com\" = [\"cluster\", \"/opt/pdu/oob-pdu\"]\n"
           "# \"group:rack2\" = [\"/usr/lib/orderly/helpers/oob-redfish\"]\n"
           "# \"*\" = [\"cluster\"]\n";
  std::string out;
  for (const auto& [key, programs] : table) {
    std::vector<std::string> all;
    for (const auto& program : programs)
      all.push_back(quoted(program));
    out += fmt::format("{} = [{}]\n", quoted(key), fmt::join(all, ", "));
  }
  return out;
}

struct spell_value {
  const knob& k;

  std::string operator()(const chosen& x) const {
    return quoted(k.choices[x.get()]);
  }

  std::string operator()(const bool* x) const { return *x ? "true" : "false"; }

  std::string operator()(const millis* x) const {
    return quoted(spell_duration(*x));
  }

  std::string operator()(const std::string* x) const { return quoted(*x); }

  /// Has a form of its own.
  std::string operator()(const program_table*) const { return {}; }

  template <class Number>
  std::string operator()(const Number* x) const {
    auto text = fmt::format("{}", *x);
    bool whole = text.find_first_not_of("-0123456789") == std::string::npos;
    if (std::is_floating_point_v<Number> && whole)
      text += ".0";
    return text;
  }
};

/// The bounds of `k` for people, or empty if it has none.
std::string bounds(const knob& k) {
  if (!k.choices.empty())
    return fmt::format("one of {}", fmt::join(k.choices, ", "));
  if (std::holds_alternative<bool*>(k.value)
      || std::holds_alternative<std::string*>(k.value)
      || std::holds_alternative<program_table*>(k.value))
    return {};
  auto spelled = [&k](double x) {
    if (std::holds_alternative<millis*>(k.value))
      return spell_duration(millis{std::llround(x * 1000)});
    return std::holds_alternative<double*>(k.value)
             ? fmt::format("{}", x)
             : fmt::format("{}", std::llround(x));
  };
  auto timed = std::holds_alternative<millis*>(k.value);
  auto unit = timed || k.unit.empty() ? "" : " " + k.unit;
  return fmt::format("{} to {}{}", spelled(k.least), spelled(k.most), unit);
}

/// `text` as comment lines of at most 79 columns.
std::string comment(const std::string& text) {
  constexpr std::size_t width = 77;
  std::string out;
  std::string line;
  auto flush = [&] {
    if (!line.empty())
      out += "# " + line + "\n";
    line.clear();
  };
  for (std::size_t at = 0; at < text.size();) {
    auto end = std::min(text.find(' ', at), text.size());
    auto word = text.substr(at, end - at);
    if (!line.empty() && line.size() + 1 + word.size() > width)
      flush();
    line += (line.empty() ? "" : " ") + word;
    at = end + 1;
  }
  flush();
  return out;
}

constexpr const char* preamble
  = "# Settings of orderlyd, every knob by name. Durations are strings like "
    "\"500ms\",\n"
    "# \"10s\", \"5m\" or \"24h\"; a plain number means seconds. A key that is "
    "left out\n"
    "# has its default; an unknown key is an error. Ten of the keys may be "
    "set\n"
    "# for the cluster, whoever is its master, and that goes before this "
    "file:\n"
    "# 'orderly cluster settings' lists them.\n";

} // namespace

std::string render_settings(settings s) {
  return render_knobs(preamble, knobs(s));
}

std::string render_knobs(std::string out, std::vector<knob> all) {
  std::string last;
  for (auto& k : all) {
    auto dot = k.key.rfind('.');
    auto section = dot == std::string::npos ? "" : k.key.substr(0, dot);
    auto name = dot == std::string::npos ? k.key : k.key.substr(dot + 1);
    auto* const* table = std::get_if<program_table*>(&k.value);
    if (table)
      section = k.key;
    out += '\n';
    if (section != last)
      out += fmt::format("[{}]\n\n", section);
    last = section;
    auto range = bounds(k);
    out += comment(range.empty() ? k.help : k.help + " (" + range + ")");
    if (table)
      out += spell(k.key, **table);
    else
      out
        += fmt::format("{} = {}\n", name, std::visit(spell_value{k}, k.value));
  }
  return out;
}

} // namespace orderly::io
