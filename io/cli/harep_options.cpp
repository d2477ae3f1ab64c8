// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/cli/harep_options.hpp"

#include "io/cli/option_table.hpp"

#include <cctype>
#include <charconv>
#include <cmath>
#include <string_view>

#include <fmt/format.h>

namespace orderly {

namespace {

option_table all_options(const std::string& luxi, const std::string& daemon) {
  using enum takes;
  return {
    {'L', "luxi", maybe, "SOCKET",
     "collect data via Luxi, optionally using the given SOCKET path [" + luxi
       + "]",
     "file", false},
    {0, "job-delay", value, "SECONDS",
     "insert this much delay before the execution of repair jobs to allow the "
     "tool to continue processing instances [10]",
     "float", false},
    {0, "reason", value, "REASON", "The reason to pass to the submitted jobs",
     "none", false},
    {0, "dry-run", nothing, "",
     "do not execute any commands and just report what would be done", "none",
     false},
    {0, "output", value, "FORM", "text, or json for programs [text]",
     "choices=text,json", true},
    {0, "timeout", value, "SECONDS",
     "give the pass up after that; what was begun stays under way [600]",
     "float", true},
    {0, "journal", value, "FILE",
     "keep what was decided there instead of in memory", "file", true},
    {0, "socket", value, "SOCKET",
     "where to ask whether an orderlyd repairs the cluster already [" + daemon
       + "]",
     "file", true},
    {0, "force", nothing, "",
     "act even if an orderlyd repairs the cluster, or cannot be asked", "none",
     true},
    {'V', "version", nothing, "", "show the version of the program", "none",
     false},
    {'h', "help", nothing, "", "show help", "none", false},
    {0, "help-completion", nothing, "", "show completion info", "none", false},
  };
}

constexpr const char* examples = R"(
One pass over the cluster: finishes what earlier passes began, sends the jobs
for what the auto-repair tags allow, writes the tags, counts the instances.

Examples:
  orderly harep --dry-run
  orderly harep -L --job-delay=5 --reason 'rack 7 lost power'
  orderly harep --output=json | jq '.instances[] | select(.state != "healthy")'
  */5 * * * * root orderly harep -L >/dev/null    (in /etc/cron.d)

Exit codes: 0 the pass is done, whatever it found; 1 it is not, and why is on
stderr; 2 wrong usage.
)";

std::string usage(const option_table& table, const std::string& version) {
  return fmt::format("harep (orderly) version {}\nUsage: harep [OPTION...]\n{}",
                     version, option_lines(table));
}

std::string completion(const option_table& table) {
  std::string text;
  for (const auto& x : table)
    text += (x.letter != 0 ? fmt::format("-{},", x.letter) : "") + "--" + x.name
            + " " + x.completion + "\n";
  return text;
}

/// What is left of `text` behind a number, as the original reads numbers.
std::string_view behind_number(std::string_view text) {
  auto digits = [](std::string_view& t) {
    std::size_t n = 0;
    while (n < t.size() && std::isdigit(static_cast<unsigned char>(t[n])) != 0)
      ++n;
    t.remove_prefix(n);
    return n > 0;
  };
  auto rest = text;
  if (!rest.empty() && rest.front() == '-')
    rest.remove_prefix(1);
  if (!digits(rest))
    return text;
  if (auto t = rest; !t.empty() && t.front() == '.') {
    t.remove_prefix(1);
    if (digits(t))
      rest = t;
  }
  if (auto t = rest; !t.empty() && (t.front() == 'e' || t.front() == 'E')) {
    t.remove_prefix(1);
    if (!t.empty() && (t.front() == '-' || t.front() == '+'))
      t.remove_prefix(1);
    if (digits(t))
      rest = t;
  }
  return rest;
}

/// Longer than that nobody waits, and it fits into every clock of ours.
constexpr double seconds_max = 86400.0 * 30;

/// Seconds out of `text`, or what is wrong with it.
std::string read_seconds(const std::string& what, const std::string& text,
                         double& into) {
  auto rest = behind_number(text);
  if (rest.size() == text.size())
    return fmt::format("{}: cannot parse string '{}'", what, text);
  if (!rest.empty())
    return fmt::format("{}: leftover characters when parsing '{}': '{}'", what,
                       text, rest);
  double number = 0;
  auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  if (read.ec != std::errc{} || !(number >= 0) || number > seconds_max)
    return fmt::format("{}: '{}' is not between 0 and {} seconds", what, text,
                       seconds_max);
  into = number;
  return {};
}

/// Puts one option into `o`; what is wrong with its value, or nothing.
std::string apply(const given_option& x, harep_options& o) {
  const auto& name = x.what->name;
  auto value = x.argument.value_or("");
  if (name == "luxi")
    o.luxi_socket = value;
  else if (name == "job-delay")
    return read_seconds("job delay", value, o.job_delay_s);
  else if (name == "reason" && !value.empty())
    o.reason = value;
  else if (name == "dry-run")
    o.dry_run = true;
  else if (name == "journal")
    o.journal = value;
  else if (name == "socket")
    o.daemon_socket = value;
  else if (name == "force")
    o.force = true;
  else if (name == "timeout") {
    double s = 0;
    auto wrong = read_seconds("timeout", value, s);
    o.limit = millis{std::llround(s * 1000)};
    return wrong;
  } else if (name == "output") {
    o.json = value == "json";
    if (value != "json" && value != "text")
      return fmt::format("output: '{}' is neither text nor json", value);
  }
  return {};
}

} // namespace

harep_command parse_harep(const std::vector<std::string>& args,
                          const std::string& version,
                          const std::string& luxi_default,
                          const std::string& daemon_default) {
  auto table = all_options(luxi_default, daemon_default);
  auto parts = taken_apart{args, table};
  if (!parts.errors.empty())
    return {std::nullopt, 2,
            fmt::format("Command line error: {}\n{}", parts.errors,
                        usage(table, version))};
  harep_options o;
  o.reason = fmt::format("harep (orderly) {} called", version);
  o.daemon_socket = daemon_default;
  for (const auto& x : parts.found)
    if (auto wrong = apply(x, o); !wrong.empty())
      return {std::nullopt, 1,
              fmt::format("Error while parsing command line arguments:\n{}\n",
                          wrong)};
  if (parts.has("help"))
    return {std::nullopt, 0, usage(table, version) + examples};
  if (parts.has("version"))
    return {std::nullopt, 0,
            fmt::format("harep (orderly) version {}\n", version)};
  if (parts.has("help-completion"))
    return {std::nullopt, 0, completion(table)};
  if (!parts.others.empty())
    return {std::nullopt, 1,
            "Error: this program doesn't take any arguments.\n"};
  return {std::move(o), 0, {}};
}

} // namespace orderly
