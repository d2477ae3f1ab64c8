// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/report/order.hpp"

#include "io/json/distinct_keys.hpp"
#include "io/report/digest.hpp"
#include "io/report/envelope.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

#include <fmt/format.h>

namespace orderly::io::report {

namespace {

using nlohmann::json;

fault bad(std::string why) {
  return {fault_kind::bad_input, "the order " + std::move(why)};
}

std::string code_of(std::string_view key, std::string_view text) {
  return hmac_hex(hash::sha256, key, text);
}

/// An order is flat; what is nested in it is a text.
constexpr int order_depth_max = 4;

/// What is cut, and what has a key twice, is no order.
result<json> object_in(std::string_view text) {
  auto x = parse_distinct(text, order_depth_max);
  if (!x)
    return bad(fmt::format("cannot be taken: {}", x.why().text));
  if (!x->is_object())
    return bad("cannot be taken: it is no JSON object");
  return x;
}

/// The text member of that name; nullptr: there is none.
const std::string* text_in(const json& x, const char* name) {
  auto i = x.find(name);
  return i != x.end() && i->is_string() ? i->get_ptr<const std::string*>()
                                        : nullptr;
}

} // namespace

std::string order_text(const repair_order& what) {
  return json{{"node", what.node_uuid}, {"intent", what.intent},
              {"event", what.event},    {"command", what.command},
              {"object", what.object},  {"time_ms", to_ms(what.time)}}
    .dump(-1, ' ', false, json::error_handler_t::replace);
}

result<repair_order> read_order_text(std::string_view text) {
  if (text.size() > order_max)
    return bad("is too large");
  auto x = object_in(text);
  if (!x)
    return x.why();
  repair_order order;
  const std::pair<const char*, std::string*> wanted[]
    = {{"node", &order.node_uuid},
       {"intent", &order.intent},
       {"event", &order.event},
       {"command", &order.command},
       {"object", &order.object}};
  for (const auto& [name, place] : wanted) {
    const auto* found = text_in(*x, name);
    if (found == nullptr)
      return bad(fmt::format("has no text '{}'", name));
    *place = *found;
  }
  auto time = x->find("time_ms");
  constexpr std::uint64_t ms_max = std::uint64_t{1} << 53;
  if (time == x->end() || !time->is_number_unsigned()
      || time->get<std::uint64_t>() > ms_max)
    return bad("has no time");
  order.time = instant{millis{time->get<std::int64_t>()}};
  if (order.intent.empty() || order.event.empty() || order.command.empty())
    return bad("names no intent, event or command");
  return order;
}

std::string seal_order(const repair_order& what, std::string_view cluster_key) {
  auto text = order_text(what);
  auto code = code_of(cluster_key, text);
  return json{{"msg", std::move(text)}, {"hmac-sha256", std::move(code)}}.dump(
    -1, ' ', false, json::error_handler_t::replace);
}

result<repair_order> open_order(std::string_view envelope,
                                const std::vector<std::string>& keys,
                                const std::string& node_uuid, instant now) {
  if (envelope.size() > order_max)
    return bad("is too large");
  auto x = object_in(envelope);
  if (!x)
    return x.why();
  const auto* text = text_in(*x, "msg");
  const auto* code = text_in(*x, "hmac-sha256");
  if (text == nullptr || code == nullptr)
    return bad("has no texts 'msg' and 'hmac-sha256'");
  auto signs
    = [&](const std::string& key) { return same(code_of(key, *text), *code); };
  if (!std::any_of(keys.begin(), keys.end(), signs))
    return bad("is not signed with the cluster's key (hmac.key)");
  auto order = read_order_text(*text);
  if (!order)
    return order;
  if (order->node_uuid != node_uuid)
    return bad("is for another node");
  if (order->time > now + clock_slack || now > order->time + clock_slack)
    return bad("is old, or clocks are more than 5 minutes apart");
  return order;
}

} // namespace orderly::io::report
