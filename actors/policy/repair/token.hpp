// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The token of a step (ADR 0040): none is done twice. Even a migration would
// take a mirrored instance back, for it names no target. It is a tag of the
// instance, set in a job before the step. The step's job removes it right
// before its act, and Ganeti ends a job whose tag is not there. So whoever
// removes the token first, the step or we, has decided whether the step is
// carried out, however late luxid reads it.
//
//   none --- its tag job ended well ---> standing --- the step leaves ---> sent
//    ^                                      ^                               |
//    |                                      '------ it did not leave -------|
//    '-- the job ended; or its fate is unknown, and we removed the token ---'

#pragma once

#include "actors/policy/repair/autorepair.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace orderly::autorepair {

/// "orderly:token:ID:N": that of the Nth intent of a repair.
std::string token_text(const incident_id& repair, std::uint32_t number);

/// "orderly:void:ID:N": the mark of whoever removed that token before its step
/// had begun.
std::string void_text(const incident_id& repair, std::uint32_t number);

/// Is that such a mark?
bool is_void_mark(std::string_view tag);

/// "orderly:unbegun:ID": the mark of a repair whose pending tag came with its
/// first token, so that a next master knows, too, that this tag permits
/// nothing by itself. The first step removes it, with its token.
std::string unbegun_text(const incident_id& repair);

/// Is that such a mark?
bool is_unbegun_mark(std::string_view tag);

/// Is that the text of any repair's token?
bool is_token(std::string_view tag);

/// Is it one of that repair?
bool is_token_of(std::string_view tag, const incident_id& repair);

/// Whose token it is.
incident_id repair_of_token(std::string_view token);

/// The token of the current repair that counts, or empty.
std::string own_token(const state& s);

/// Takes a fresh number; the text that a tag job is to set.
std::string draw_token(state& s);

/// Does a job nothing but keep steps from being carried out, and say so?
bool only_removes_tokens(const std::vector<opcode>& ops);

/// The tags of a job were written: it stands, if it was among them.
void take_token(state& s, const std::vector<opcode>& written);

/// The opcode by which the step spends it, and what else it removes with it.
opcode spend_token(const state& s, const instance_name& name,
                   std::vector<std::string> more);

} // namespace orderly::autorepair
