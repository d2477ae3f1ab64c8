// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/json/errand_json.hpp"
#include "io/json/strict_reader.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace orderly::io::http {

namespace {

using nlohmann::json;

constexpr std::size_t program_bytes_max = 4096;
constexpr std::size_t ha_provider_bytes_max = 255;
constexpr std::array verbs{power_verb::on, power_verb::off, power_verb::cycle,
                           power_verb::status, power_verb::health};
constexpr std::array ha_actions{ha_action::list,      ha_action::providers,
                                ha_action::configure, ha_action::enable,
                                ha_action::disable,   ha_action::settings};
constexpr std::array setting_actions{setting_action::list, setting_action::set,
                                     setting_action::unset};
constexpr std::size_t setting_bytes_max = 128; ///< of key and value each
constexpr std::array ha_scopes{ha_scope::nodes, ha_scope::group,
                               ha_scope::cluster};

/// False: the word is none of these.
template <class T, std::size_t Size>
bool word_into(const std::string& word, const std::array<T, Size>& all,
               T& into) {
  auto i = std::find_if(all.begin(), all.end(),
                        [&](T x) { return word == to_string(x); });
  if (i != all.end())
    into = *i;
  return i != all.end();
}

json render_what(const power_errand& x) {
  return {{"power",
           {{"command", to_string(x.verb)},
            {"nodes", x.nodes},
            {"mark_offline", x.mark_offline},
            {"auto_promote", x.auto_promote},
            {"bare", x.bare},
            {"time_limit_ms", x.time_limit.count()},
            {"power_delay_ms", x.power_delay.count()}}}};
}

json render_what(const modify_errand& x) {
  json inner{{"node", x.node}, {"auto_promote", x.auto_promote}};
  if (x.powered)
    inner["powered"] = *x.powered;
  if (x.offline)
    inner["offline"] = *x.offline;
  if (x.program)
    inner["oob_program"] = *x.program;
  return json::object({{"modify", std::move(inner)}});
}

json render_what(const info_errand& x) {
  return json::object({{"info", json::object({{"nodes", x.nodes}})}});
}

json render_what(const epo_errand& x) {
  return {{"epo",
           {{"on", x.on},
            {"groups", x.groups},
            {"all", x.all},
            {"names", x.names},
            {"time_limit_ms", x.time_limit.count()},
            {"shutdown_timeout_ms", x.shutdown_timeout.count()},
            {"power_delay_ms", x.power_delay.count()}}}};
}

json render_what(const verify_errand&) {
  return json::object({{"verify", json::object()}});
}

json render_what(const confirm_errand& x) {
  return json::object(
    {{"confirm_off",
      json::object({{"node", x.node}, {"ignore_silence", x.ignore_silence}})}});
}

json render_what(const ha_errand& x) {
  return json::object({{"ha",
                        {{"action", to_string(x.action)},
                         {"scope", to_string(x.scope)},
                         {"names", x.names},
                         {"provider", x.provider}}}});
}

json render_what(const setting_errand& x) {
  return json::object(
    {{"setting",
      {{"action", to_string(x.action)}, {"key", x.key}, {"value", x.value}}}});
}

void read_what(strict_reader& in, power_errand& x) {
  std::string command;
  in.read("command", command, 32);
  if (!word_into(command, verbs, x.verb))
    in.complain("command", "must be power-on, power-off, power-cycle, "
                           "power-status or health");
  in.read_names("nodes", x.nodes, errand_names_max);
  in.read("mark_offline", x.mark_offline);
  in.read("auto_promote", x.auto_promote);
  in.read("bare", x.bare);
  in.read("time_limit_ms", x.time_limit, millis{500}, hours{1});
  in.read("power_delay_ms", x.power_delay, millis{1}, hours{1});
}

void read_what(strict_reader& in, modify_errand& x) {
  in.read_name("node", x.node);
  in.read("powered", x.powered);
  in.read("offline", x.offline);
  in.read("oob_program", x.program, program_bytes_max);
  in.read("auto_promote", x.auto_promote);
}

void read_what(strict_reader& in, info_errand& x) {
  in.read_names("nodes", x.nodes, errand_names_max);
}

void read_what(strict_reader& in, epo_errand& x) {
  in.read("on", x.on);
  in.read("groups", x.groups);
  in.read("all", x.all);
  in.read_names("names", x.names, errand_names_max);
  in.read("time_limit_ms", x.time_limit, millis{500}, hours{1});
  in.read("shutdown_timeout_ms", x.shutdown_timeout, seconds{1}, hours{24});
  in.read("power_delay_ms", x.power_delay, millis{1}, hours{1});
}

void read_what(strict_reader&, verify_errand&) {
  // It has nothing to say.
}

void read_what(strict_reader& in, confirm_errand& x) {
  in.read_name("node", x.node);
  in.read("ignore_silence", x.ignore_silence);
}

void read_what(strict_reader& in, ha_errand& x) {
  std::string action;
  std::string scope = to_string(x.scope);
  in.read("action", action, 32);
  in.read("scope", scope, 32);
  if (!word_into(action, ha_actions, x.action))
    in.complain("action", "must be list, providers, configure, enable, "
                          "disable or settings");
  if (!word_into(scope, ha_scopes, x.scope))
    in.complain("scope", "must be nodes, group or cluster");
  in.read_names("names", x.names, errand_names_max);
  in.read("provider", x.provider, ha_provider_bytes_max);
}

void read_what(strict_reader& in, setting_errand& x) {
  std::string action;
  in.read("action", action, 32);
  if (!word_into(action, setting_actions, x.action))
    in.complain("action", "must be list, set or unset");
  in.read("key", x.key, setting_bytes_max);
  in.read("value", x.value, setting_bytes_max);
}

/// Reads the member `name` as a `What`, if it is there; how often it was.
template <class What>
int read_if(strict_reader& from, const char* name, errand_request& into,
            std::string& wrong) {
  const auto* inner = from.member(name);
  if (inner == nullptr)
    return 0;
  strict_reader in{*inner, from.place_of(name)};
  What x;
  if (inner->is_object())
    read_what(in, x);
  if (wrong.empty())
    wrong = in.wrong();
  into.what = std::move(x);
  return 1;
}

} // namespace

json render(const errand_request& x) {
  auto all
    = std::visit([](const auto& what) { return render_what(what); }, x.what);
  all["reason"] = x.reason;
  all["dry"] = x.dry;
  if (x.count)
    all["count"] = *x.count;
  return all;
}

result<errand_request> read_errand_request(const std::string& body) {
  auto parsed = parse_strictly(body);
  if (!parsed)
    return parsed.why();
  errand_request x;
  std::string wrong;
  strict_reader in{*parsed, ""};
  auto found = read_if<power_errand>(in, "power", x, wrong)
               + read_if<modify_errand>(in, "modify", x, wrong)
               + read_if<info_errand>(in, "info", x, wrong)
               + read_if<epo_errand>(in, "epo", x, wrong)
               + read_if<verify_errand>(in, "verify", x, wrong)
               + read_if<confirm_errand>(in, "confirm_off", x, wrong)
               + read_if<ha_errand>(in, "ha", x, wrong)
               + read_if<setting_errand>(in, "setting", x, wrong);
  in.read("reason", x.reason, errand_reason_max);
  in.read("dry", x.dry);
  in.read("count", x.count, 1, errand_count_max);
  if (wrong.empty())
    wrong = in.wrong();
  if (wrong.empty() && found != 1)
    wrong = fmt::format("there must be one of power, modify, info, epo, "
                        "verify, confirm_off, ha, setting, and there are {}",
                        found);
  if (!wrong.empty())
    return fault{fault_kind::bad_input, "the body cannot be taken: " + wrong};
  return x;
}

} // namespace orderly::io::http
