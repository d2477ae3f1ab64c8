// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/power/denials.hpp"

#include "actors/power/levels.hpp"
#include "messages/codes.hpp"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

namespace orderly::oob_parts {

namespace {

constexpr millis told_again = hours{24};

} // namespace

bool is_told(const denial_map& told, const node_name& node, instant at) {
  auto i = told.find(node);
  return i != told.end() && at - i->second < told_again;
}

journal_entry denial_entry(const power_request& asked, const std::string& text,
                           instant at) {
  fields state;
  state.put("at", at);
  journal_entry entry;
  entry.at = at;
  entry.kind = entry_kind::alert;
  entry.object = node_object(asked.node);
  entry.code = codes::auth_error;
  entry.why
    = fmt::format("The controller of node {} refuses the user or the password "
                  "that {} has for it: the node can be neither reset nor "
                  "fenced; correct them ({})",
                  asked.node, asked.program, text);
  entry.state = std::move(state);
  entry.state_key = denial_prefix + asked.node;
  return entry;
}

denial_map denials_from(const std::map<std::string, fields>& states,
                        instant now) {
  constexpr std::string_view prefix = denial_prefix;
  denial_map result;
  for (const auto& [key, f] : states)
    if (auto at = f.when("at"); key.starts_with(prefix) && at != never)
      result.emplace(key.substr(prefix.size()), std::min(at, now));
  return result;
}

namespace {

void tell_now(self_ptr self, const power_request& asked,
              const std::string& text) {
  auto& st = self->state;
  auto at = now(self, st.ctx);
  if (is_told(st.denials, asked.node, at))
    return;
  st.denials[asked.node] = at;
  record(self, st.journal, denial_entry(asked, text, at));
}

} // namespace

/// Of most nodes nothing is kept: what may be is asked for when it matters.
void tell_denial(self_ptr self, const power_request& asked,
                 const std::string& text) {
  if (self->state.denials.count(asked.node) != 0) {
    tell_now(self, asked, text);
    return;
  }
  self
    ->request(self->state.journal, caf::infinite,
              recall{denial_prefix + asked.node, false})
    .then(
      [self, asked, text](const recalled& before) {
        auto& st = self->state;
        st.denials.merge(denials_from(before.states, now(self, st.ctx)));
        tell_now(self, asked, text);
      },
      [](const caf::error&) {
        // The journal is gone and so, any moment, are we.
      });
}

} // namespace orderly::oob_parts
