// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/policy/repair/token.hpp"

#include "actors/policy/repair/moves.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace orderly::autorepair {

namespace {

constexpr std::string_view prefix = "orderly:token:";
constexpr std::string_view void_prefix = "orderly:void:";
constexpr std::string_view unbegun_prefix = "orderly:unbegun:";

} // namespace

std::string token_text(const incident_id& repair, std::uint32_t number) {
  return fmt::format("{}{}:{}", prefix, repair, number);
}

std::string void_text(const incident_id& repair, std::uint32_t number) {
  return fmt::format("{}{}:{}", void_prefix, repair, number);
}

bool is_void_mark(std::string_view tag) {
  return tag.starts_with(void_prefix);
}

std::string unbegun_text(const incident_id& repair) {
  return fmt::format("{}{}", unbegun_prefix, repair);
}

bool is_unbegun_mark(std::string_view tag) {
  return tag.starts_with(unbegun_prefix);
}

bool is_token(std::string_view tag) {
  return tag.starts_with(prefix);
}

bool is_token_of(std::string_view tag, const incident_id& repair) {
  return tag.starts_with(fmt::format("{}{}:", prefix, repair));
}

incident_id repair_of_token(std::string_view token) {
  token.remove_prefix(std::min(token.size(), std::string_view{prefix}.size()));
  return incident_id{token.substr(0, token.rfind(':'))};
}

std::string own_token(const state& s) {
  return s.token == token_state::none ? std::string{}
                                      : token_text(s.repair, s.token_number);
}

std::string draw_token(state& s) {
  s.token = token_state::none;
  s.token_number = s.step + 1; // that of the tag job; no other has it
  return token_text(s.repair, s.token_number);
}

bool only_removes_tokens(const std::vector<opcode>& ops) {
  return !ops.empty()
         && std::all_of(ops.begin(), ops.end(), [](const opcode& op) {
              auto sets = op.kind == op_kind::tags_set;
              return (sets || op.kind == op_kind::tags_del)
                     && std::all_of(op.tags.begin(), op.tags.end(),
                                    sets ? is_void_mark : is_token);
            });
}

void take_token(state& s, const std::vector<opcode>& written) {
  auto text = token_text(s.repair, s.token_number);
  for (const auto& op : written)
    if (op.kind == op_kind::tags_set
        && std::find(op.tags.begin(), op.tags.end(), text) != op.tags.end())
      s.token = token_state::standing;
}

opcode spend_token(const state& s, const instance_name& name,
                   std::vector<std::string> more) {
  more.insert(more.begin(), own_token(s));
  return tag_job(name, {}, std::move(more), tag_order::removes_first).front();
}

} // namespace orderly::autorepair
