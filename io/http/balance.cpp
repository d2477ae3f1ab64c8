// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/http/balance.hpp"

#include "io/http/answers.hpp"
#include "io/http/instance_names.hpp"
#include "io/http/orders.hpp"
#include "io/json/balance_json.hpp"

#include <nlohmann/json.hpp>

namespace orderly::io::http {

namespace {

std::function<void(result<balance_sheet>)> sheet_to(const reply& done) {
  return [done](result<balance_sheet> got) {
    done(got ? json_response(render(*got)) : fault_response(got.why()));
  };
}

} // namespace

void order_plan(const call& x, const backend& to, const route_rules& rules) {
  if (turned_away(x, rules))
    return;
  auto names = read_explained(x.from.body);
  if (!names)
    return x.done(bad_request(names.why().text));
  auto ask = [done = x.done, balance = to.balance](balance_query q) {
    q.plan_now = true;
    balance(std::move(q), sheet_to(done));
  };
  if (names->empty())
    return ask({});
  auto then = [done = x.done, names = *names, ask](result<view_answer> got) {
    if (!got)
      return done(fault_response(got.why()));
    balance_query q;
    for (const auto& name : names) {
      const auto* row = only_one(name, got->instances);
      if (row == nullptr)
        return done(no_instance(name, got->instances));
      q.explained.insert(row->name);
    }
    ask(std::move(q));
  };
  to.ask(view_query{view_subject::instances, "", 1, 0}, std::move(then));
}

} // namespace orderly::io::http
