// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/http/orders.hpp"

#include "actors/policy/foresight/forecast.hpp"
#include "io/http/answers.hpp"
#include "io/http/call.hpp"
#include "io/http/instance_names.hpp"
#include "io/json/strict_reader.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <optional>

#include <fmt/format.h>

namespace orderly::io::http {

namespace {

using nlohmann::json;

constexpr size_t text_bytes_max = 1000;
constexpr std::array types{repair_type::fix_storage, repair_type::migrate,
                           repair_type::failover, repair_type::reinstall};

const repair_type* type_named(const std::string& word) {
  const auto* i = std::find_if(types.begin(), types.end(),
                               [&](auto x) { return word == to_string(x); });
  return i == types.end() ? nullptr : i;
}

/// The member `name` of the JSON object `body`, which must have no other;
/// empty if it is not there.
result<std::string> only_member(const std::string& body, const char* name) {
  auto x = parse_strictly(body);
  if (!x)
    return x.why();
  std::string value;
  strict_reader in{*x, ""};
  in.read(name, value, text_bytes_max);
  if (auto wrong = in.wrong(); !wrong.empty())
    return fault{fault_kind::bad_input, "the body cannot be taken: " + wrong};
  return value;
}

/// The answer to a body that names no repair type, or nothing.
std::optional<response> bad_type(const result<std::string>& type) {
  std::vector<const char*> words;
  for (auto x : types)
    words.push_back(to_string(x));
  auto known = fmt::format("{}", fmt::join(words, ", "));
  if (!type || type->empty())
    return bad_request(
      fmt::format("{}; it must be a JSON object like "
                  "{{\"type\": \"failover\"}}; types are {}",
                  type ? "the body names no type" : type.why().text, known));
  if (type_named(*type) == nullptr)
    return bad_request(fmt::format(
      "there is no repair type '{}', it must be one of {}", *type, known));
  return std::nullopt;
}

/// Who acts on a tag that is written where auto-repair is not in force.
std::string who_acts(const status_row& s) {
  if (s.autorepair_mode == repair_mode::observe)
    return "auto-repair only observes here (autorepair.mode): the pending tag "
           "is written, but acted on only by another tool, or once the mode is "
           "\"act\"";
  if (s.autorepair_mode == repair_mode::off)
    return "auto-repair is off here (autorepair.enabled): the pending tag is "
           "written, but acted on only by another tool, such as a run of "
           "'orderly harep', or once it is on";
  return {};
}

response repair_response(const result<repair_answer>& got,
                         const repair_request& wanted, const status_row& s) {
  if (!got)
    return fault_response(got.why());
  if (!got->accepted)
    return error_response(409, "refused", got->text);
  return json_response({{"done", true},
                        {"instance", wanted.instance},
                        {"type", to_string(wanted.type)},
                        {"repair", got->repair},
                        {"text", got->text},
                        {"autorepair_mode", to_string(s.autorepair_mode)},
                        {"note", who_acts(s)}});
}

} // namespace

bool turned_away(const call& x, const route_rules& rules) {
  if (!x.from.local) {
    x.done(error_response(
      403, "forbidden",
      fmt::format("'{}' works over the unix socket of orderlyd only; use "
                  "the command 'orderly' on the machine where it runs",
                  x.to.path)));
    return true;
  }
  if (!may_order(x.from, rules.own_uid)) {
    x.done(error_response(
      403, "forbidden",
      fmt::format("{} may not do that, only root and the user of orderlyd may",
                  peer_name(x.from.uid))));
    return true;
  }
  return false;
}

void order_pause(const call& x, const backend& to, const route_rules& rules,
                 bool pause) {
  if (turned_away(x, rules))
    return;
  auto reason = x.from.body.empty() ? result<std::string>{std::string{}}
                                    : only_member(x.from.body, "reason");
  if (!reason)
    return x.done(bad_request(
      fmt::format("{}; it must be empty or a JSON object like "
                  "{{\"reason\": \"why\"}} with at most {} bytes of reason",
                  reason.why().text, text_bytes_max)));
  to.pause({pause, peer_name(x.from.uid), *reason},
           [done = x.done](result<pause_answer> got) {
             if (!got)
               return done(fault_response(got.why()));
             if (!got->done)
               return done(error_response(409, "refused", got->text));
             done(json_response({{"done", true}, {"text", got->text}}));
           });
}

void order_repair(const call& x, const backend& to, const route_rules& rules) {
  if (turned_away(x, rules))
    return;
  auto type = only_member(x.from.body, "type");
  if (auto bad = bad_type(type))
    return x.done(*bad);
  auto then = [done = x.done, repair = to.repair, name = x.rest,
               type = *type_named(*type),
               who = peer_name(x.from.uid)](result<view_answer> got) {
    if (!got)
      return done(fault_response(got.why()));
    const auto& s = got->status;
    if (!in_force(s.right_to_act, s.now))
      return done(error_response(
        409, "no-right-to-act",
        fmt::format("nothing was done: {}; ask the orderlyd on the master{}",
                    foresight::hold_text(s),
                    s.master.empty() ? "" : ", " + s.master)));
    const auto* row = only_one(name, got->instances);
    if (row == nullptr)
      return done(no_instance(name, got->instances));
    repair_request wanted{row->name, type, who};
    repair(wanted, [done, wanted, s](result<repair_answer> answer) {
      done(repair_response(answer, wanted, s));
    });
  };
  to.ask(view_query{view_subject::instances, "", 1, 0}, std::move(then));
}

} // namespace orderly::io::http
