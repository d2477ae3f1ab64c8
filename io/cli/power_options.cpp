// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/cli/power_options.hpp"

#include "actors/policy/settings/power_levels.hpp"
#include "io/cli/ha_options.hpp"
#include "io/cli/option_table.hpp"
#include "io/cli/power_pages.hpp"
#include "io/cli/power_values.hpp"
#include "io/cli/setting_options.hpp"
#include "messages/ascii.hpp"
#include "messages/nearest.hpp"

#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>

namespace orderly::power {

namespace {

constexpr std::size_t reason_bytes_max = 1000;
constexpr std::uint32_t count_max = 1'000'000;
constexpr std::array power_words{"on", "off", "cycle", "status"};

/// Names without doubles, in the order given.
mistake read_names(const std::vector<std::string>& typed,
                   std::vector<std::string>& into) {
  std::set<std::string> seen;
  for (const auto& name : typed) {
    if (is_blank(name))
      return no_name();
    if (seen.insert(name).second)
      into.push_back(name);
  }
  return {};
}

/// Of what is about one node and no other.
mistake one_node(const std::vector<std::string>& typed) {
  if (typed.size() != 1)
    return refused("Please name exactly one node");
  return is_blank(typed.front()) ? no_name() : mistake{};
}

mistake take_power(std::vector<std::string> words, values& v,
                   errand_request& into) {
  power_errand x;
  std::string known = "on, off, cycle, status";
  if (words.empty())
    return senseless("what to do is missing: one of " + known);
  auto action = words.front();
  words.erase(words.begin());
  auto i = std::find(power_words.begin(), power_words.end(), action);
  if (i == power_words.end())
    return senseless(fmt::format("there is no 'power {}', it must be one of {}",
                                 action, known));
  x.verb = static_cast<power_verb>(i - power_words.begin());
  x.mark_offline = !v.has("ignore-status");
  x.auto_promote = v.has("auto-promote");
  x.time_limit = v.span("oob-timeout", 0.5, 3600).value_or(millis{});
  x.power_delay = v.span("power-delay", 0, 3600).value_or(x.power_delay);
  if (auto bad = read_names(words, x.nodes))
    return bad;
  if (x.nodes.empty() && !is_reading(x.verb))
    return refused("Please provide at least one node for this command");
  into.what = std::move(x);
  return {};
}

mistake take_health(const std::vector<std::string>& words, values& v,
                    errand_request& into) {
  power_errand x;
  x.verb = power_verb::health;
  x.time_limit = v.span("oob-timeout", 0.5, 3600).value_or(millis{});
  auto bad = read_names(words, x.nodes);
  into.what = std::move(x);
  return bad;
}

mistake take_info(const std::vector<std::string>& words, values&,
                  errand_request& into) {
  info_errand x;
  auto bad = read_names(words, x.nodes);
  into.what = std::move(x);
  return bad;
}

/// One thing by two names; a second opinion about it is a mistake.
template <class T>
std::optional<T> either(values& v, const char* name, std::optional<T> one,
                        const char* other_name, std::optional<T> other) {
  if (one && other && *one != *other)
    v.complain(fmt::format("--{} and --{} contradict each other; give one",
                           name, other_name));
  return one ? std::move(one) : std::move(other);
}

/// `oob_program=PATH` of `--node-parameters`.
std::optional<std::string> program_parameter(values& v) {
  const auto* typed = v.text("node-parameters");
  if (typed == nullptr)
    return std::nullopt;
  constexpr std::string_view key = "oob_program=";
  if (!typed->starts_with(key) || typed->find(',') != std::string::npos) {
    v.complain(fmt::format("--node-parameters: '{}' must be oob_program=PATH; "
                           "for other parameters use gnt-node",
                           *typed));
    return std::nullopt;
  }
  return typed->substr(key.size());
}

mistake take_modify(const std::vector<std::string>& words, values& v,
                    errand_request& into) {
  if (auto bad = one_node(words))
    return bad;
  modify_errand x;
  x.node = words.front();
  x.powered = either(v, "powered", v.flag("powered"), "node-powered",
                     v.flag("node-powered"));
  x.offline = v.flag("offline");
  auto program = v.text("oob-program");
  x.program
    = either(v, "oob-program",
             program == nullptr ? std::nullopt : std::optional{*program},
             "node-parameters", program_parameter(v));
  x.auto_promote = v.has("auto-promote");
  if (!v.wrong && !x.powered && !x.offline && !x.program)
    return refused("Please give at least one of the parameters: --powered, "
                   "--offline, --oob-program");
  if (auto bad = x.program ? why_no_program(*x.program) : ""; !bad.empty())
    return refused("--oob-program: " + bad);
  into.what = std::move(x);
  return {};
}

mistake take_epo(const std::vector<std::string>& words, values& v,
                 errand_request& into) {
  epo_errand x;
  x.on = v.has("on");
  x.groups = v.has("groups");
  x.all = v.has("all");
  x.time_limit = v.span("oob-timeout", 0.5, 3600).value_or(millis{});
  x.shutdown_timeout = v.span("shutdown-timeout", 1, 86400).value_or(millis{});
  x.power_delay = v.span("power-delay", 0, 3600).value_or(x.power_delay);
  if (auto bad = read_names(words, x.names))
    return bad;
  if (x.groups && x.all)
    return refused("Only one of --groups or --all are allowed");
  if (x.all && !x.names.empty())
    return refused("Arguments in combination with --all are not allowed");
  if (!x.all && x.names.empty())
    return refused(fmt::format("Please provide at least one {} for this "
                               "command, or --all for the whole cluster",
                               x.groups ? "node group" : "node"));
  into.what = std::move(x);
  return {};
}

mistake take_verify(const std::vector<std::string>& words, values&,
                    errand_request& into) {
  into.what = verify_errand{};
  return words.empty() ? mistake{}
                       : senseless("verify is about the whole cluster and "
                                   "takes no names");
}

mistake take_confirm(const std::vector<std::string>& words, values& v,
                     errand_request& into) {
  if (auto bad = one_node(words))
    return bad;
  const auto* why = v.text("reason");
  if (!v.wrong && (why == nullptr || is_blank(*why)))
    return refused("Please say by --reason how you know that the node is off");
  into.what = confirm_errand{words.front(), v.has("ignore-silence")};
  return {};
}

using taker
  = mistake (*)(const std::vector<std::string>&, values&, errand_request&);

taker taker_of(const std::string& page_name) {
  static const std::vector<std::pair<std::string, taker>> all{
    {"power", [](const std::vector<std::string>& words, values& v,
                 errand_request& x) { return take_power(words, v, x); }},
    {"health", take_health},
    {"node info", take_info},
    {"node modify", take_modify},
    {"epo", take_epo},
    {"verify", take_verify},
    {"confirm-off", take_confirm},
    {"ha", take_ha},
    {"cluster", take_cluster}};
  for (const auto& [name, take] : all)
    if (name == page_name)
      return take;
  return nullptr;
}

/// What all commands have.
void take_common(values& v, options& into) {
  into.yes = v.has("yes") || v.has("force");
  into.quiet = v.has("quiet");
  into.wanted.count = v.number("count", count_max);
  if (const auto* x = v.text("socket")) {
    into.socket = *x;
    if (is_blank(*x))
      v.complain("--socket is empty; is a variable of your shell unset?");
  }
  if (const auto* x = v.text("output")) {
    into.json = *x == "json";
    if (*x != "json" && *x != "text" && *x != "table")
      v.complain(fmt::format("--output: '{}' is neither text nor json", *x));
  }
  if (const auto* x = v.text("reason")) {
    into.wanted.reason = *x;
    if (x->size() > reason_bytes_max)
      v.complain(fmt::format("--reason has {} bytes, at most {} are kept",
                             x->size(), reason_bytes_max));
  }
  into.timeout = v.span("timeout", 0.1, 600);
}

/// "; did you mean --powered?" after an option that there is not.
std::string advice_on(const taken_apart& parts, const page& of) {
  if (parts.unknown.empty())
    return {};
  std::vector<std::string> known;
  for (const auto& x : of.options)
    known.push_back(x.name);
  auto near = nearest(parts.unknown.front(), known);
  return near.empty() ? "" : fmt::format("did you mean --{}?\n", near);
}

command leave(const std::string& name, const mistake& why) {
  command x;
  x.code = why.code;
  auto text = why.text;
  if (!text.empty() && text.back() != '\n')
    text += '\n';
  x.text = fmt::format("orderly {}: {}", name, text);
  if (why.code == 2)
    x.text += fmt::format("see 'orderly {} --help'\n", name);
  return x;
}

command read_page(const page& of, const std::vector<std::string>& args) {
  taken_apart parts{args, of.options};
  if (parts.has("help"))
    return {true, 0, help_text(of), {}};
  if (!parts.errors.empty())
    return leave(of.name, senseless(parts.errors + advice_on(parts, of)));
  command x;
  values v{parts};
  take_common(v, x.chosen);
  auto bad = taker_of(of.name)(parts.others, v, x.chosen.wanted);
  // What makes no sense at all goes before what is refused.
  if (v.wrong)
    return leave(of.name, v.wrong);
  return bad ? leave(of.name, bad) : x;
}

/// Behind `node` comes the word that says which command of it is meant.
command read_node(std::vector<std::string> args) {
  auto word = args.empty() ? std::string{} : args.front();
  if (word == "--help" || word == "-h")
    return {true,
            0,
            "Usage: orderly node info|modify ...\nsee 'orderly node info "
            "--help' and 'orderly node modify --help'\n",
            {}};
  for (const auto& x : pages()) {
    if (x.name != "node " + word)
      continue;
    args.erase(args.begin());
    return read_page(x, args);
  }
  return leave("node", senseless(fmt::format("there is no 'node {}', it must "
                                             "be info or modify",
                                             word)));
}

} // namespace

bool is_power_command(const std::string& first) {
  return first == "power-status"
         || std::any_of(pages().begin(), pages().end(), [&](const page& x) {
              return x.name.substr(0, x.name.find(' ')) == first;
            });
}

command read_command(const std::vector<std::string>& args) {
  if (args.empty())
    return leave("", senseless("no command is given"));
  std::vector<std::string> rest{args.begin() + 1, args.end()};
  if (args.front() == "node")
    return read_node(std::move(rest));
  auto name = args.front();
  if (name == "power-status") {
    name = "power";
    rest.insert(rest.begin(), "status");
  }
  for (const auto& x : pages())
    if (x.name == name)
      return read_page(x, rest);
  return leave(name, senseless("there is no such command"));
}

std::string overview() {
  std::size_t width = 0;
  for (const auto& x : pages())
    width = std::max(width, x.name.size());
  std::string text;
  for (const auto& x : pages())
    text += fmt::format("  {:<{}}  {}\n", x.name, width, x.summary);
  return text;
}

bool is_asked_about(const errand_request& x) {
  if (const auto* power = std::get_if<power_errand>(&x.what))
    return power->verb == power_verb::off || power->verb == power_verb::cycle;
  const auto* epo = std::get_if<epo_errand>(&x.what);
  return epo != nullptr && !epo->on;
}

} // namespace orderly::power
