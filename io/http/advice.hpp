// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The advice for outside systems: what is wrong with which instance, what it
// takes, what is permitted, what will be done and on what evidence. The keys
// are documented in docs/operations.md and stay.

#pragma once

#include "actors/policy/foresight/forecast.hpp"
#include "messages/result.hpp"
#include "messages/view.hpp"

#include <nlohmann/json_fwd.hpp>

#include <map>
#include <string>

namespace orderly::io::http {

using foresight::forecast;

/// Which instances are wanted. An empty text means any.
struct advice_query {
  bool all = false;    ///< also those that are simply healthy
  std::string phase;   ///< of the instance
  std::string needed;  ///< repair type, `none` if it is broken and none helps
  std::string outlook; ///< as `to_string` spells it
  std::string after;   ///< only names after this one
  std::uint32_t limit = 500;
};

inline constexpr std::uint32_t advice_max = 2000;

/// Decisions that are read to find those of the instances listed.
inline constexpr std::uint32_t advice_decisions_max = 5000;

/// From the query of a request; fails as `bad_input`.
result<advice_query>
read_advice_query(const std::map<std::string, std::string>& query);

/// `all` has status, nodes, instances and decisions.
nlohmann::json render_advice(const view_answer& all, const advice_query& q);

/// Adds `outlook` and `advice` to a rendered instance.
void put_forecast(nlohmann::json& into, const forecast& x);

/// One instance with all that is known of it; `found` is the answer to
/// `explain` about it.
nlohmann::json render_explained(const view_answer& found);

} // namespace orderly::io::http
