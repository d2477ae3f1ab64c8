// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/http/errands.hpp"

#include "io/http/answers.hpp"
#include "io/http/call.hpp"
#include "io/http/orders.hpp"
#include "io/json/errand_json.hpp"
#include "io/json/escape.hpp"

#include <nlohmann/json.hpp>

#include <fmt/format.h>

namespace orderly::io::http {

namespace {

using nlohmann::json;

constexpr std::size_t id_bytes_max = 100;

response refusal_response(const errand_sheet& x) {
  auto kind = x.refusal_kind;
  if (kind == refused_for::usage)
    return bad_request(x.refusal);
  if (kind == refused_for::not_found)
    return error_response(404, "not-found", x.refusal);
  return error_response(409, "refused", x.refusal);
}

response no_errand(const std::string& id) {
  return error_response(404, "not-found",
                        fmt::format("there is no errand '{}'; 'orderly "
                                    "errands' lists those that there are",
                                    one_line(id)));
}

/// Hands the sheet on as the answer to `x`.
std::function<void(result<errand_sheet>)> sheet_to(const call& x,
                                                   const std::string& id) {
  return [done = x.done, id](result<errand_sheet> got) {
    if (!got)
      return done(fault_response(got.why()));
    if (!got->found)
      return done(no_errand(id));
    if (!got->refusal.empty())
      return done(refusal_response(*got));
    done(json_response(render(*got)));
  };
}

/// Answers what cannot be the id of an errand; true if that was so.
bool is_no_id(const call& x) {
  auto bad = x.rest.empty() || x.rest.size() > id_bytes_max;
  if (bad)
    x.done(no_errand(x.rest.substr(0, id_bytes_max)));
  return bad;
}

} // namespace

void order_errand(const call& x, const backend& to, const route_rules& rules) {
  if (turned_away(x, rules))
    return;
  auto wanted = read_errand_request(x.from.body);
  if (!wanted)
    return x.done(bad_request(wanted.why().text));
  wanted->who = peer_name(x.from.uid);
  to.errand(std::move(*wanted), sheet_to(x, ""));
}

void list_ha(const call& x, const backend& to, const route_rules& rules) {
  if (turned_away(x, rules))
    return;
  errand_request wanted;
  wanted.what = ha_errand{};
  wanted.who = peer_name(x.from.uid);
  to.errand(std::move(wanted), sheet_to(x, ""));
}

void order_ha(const call& x, const backend& to, const route_rules& rules) {
  if (turned_away(x, rules))
    return;
  auto wanted = read_errand_request(x.from.body);
  if (!wanted)
    return x.done(bad_request(wanted.why().text));
  if (!std::holds_alternative<ha_errand>(wanted->what))
    return x.done(bad_request("the body must be about \"ha\"; for errands "
                              "there is /2/errands"));
  wanted->who = peer_name(x.from.uid);
  to.errand(std::move(*wanted), sheet_to(x, ""));
}

void list_errands(const call& x, const backend& to, const route_rules& rules) {
  if (turned_away(x, rules))
    return;
  to.errands([done = x.done](result<errand_list_answer> got) {
    if (!got)
      return done(fault_response(got.why()));
    auto list = json::array();
    for (const auto& sheet : got->errands)
      list.push_back(render(sheet));
    done(json_response(json::object({{"errands", std::move(list)}})));
  });
}

void show_errand(const call& x, const backend& to, const route_rules& rules) {
  if (!turned_away(x, rules) && !is_no_id(x))
    to.errand(errand_query{x.rest}, sheet_to(x, x.rest));
}

void order_stop(const call& x, const backend& to, const route_rules& rules) {
  if (turned_away(x, rules) || is_no_id(x))
    return;
  if (!x.from.body.empty())
    return x.done(bad_request("a stop takes no body"));
  to.errand(errand_stop{x.rest, peer_name(x.from.uid)}, sheet_to(x, x.rest));
}

} // namespace orderly::io::http
