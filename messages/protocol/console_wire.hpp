// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// How the console's words cross a wire: inspectors and type ids for exactly
// these. What they wrap stays a word of this process (ADR 0005): CAF leaves
// such a word out, without a complaint, wherever an inspector names it, so that
// here all fields are walked by ourselves.
//
//   a word: format, then the fields in order, as `console_fields.hpp` has them

#pragma once

#include "messages/protocol/console_words.hpp"

#include <caf/deserializer.hpp>
#include <caf/error.hpp>
#include <caf/meta/type_name.hpp>
#include <caf/serializer.hpp>
#include <caf/type_id.hpp>

#include <cstdint>
#include <type_traits>

namespace orderly {

namespace wire {

/// Grows with each change of a field: a word of another format is an error,
/// and never guessed at.
inline constexpr std::uint8_t format = 6;

/// No list on a wire is longer.
inline constexpr std::size_t list_max = 1'000'000;

/// No time on a wire is farther from 1970, and no span longer: what is reckoned
/// with them does not overflow.
inline constexpr std::int64_t ms_max = std::int64_t{1} << 53;

/// A word on its way over a wire; its members are there for the words below,
/// and for no other.
template <class Word>
struct crossing {
  Word& word;

  caf::error save(caf::serializer& to);

  /// Fails, and never throws or crashes, whatever the bytes are. What was read
  /// by then is worth nothing.
  caf::error load(caf::deserializer& from);
};

template <class Word>
caf::error inspect(caf::serializer& to, crossing<Word>& x) {
  return x.save(to);
}

template <class Word>
caf::error inspect(caf::deserializer& from, crossing<Word>& x) {
  return x.load(from);
}

template <class T, class... Ts>
concept one_of = (std::is_same_v<T, Ts> || ...);

} // namespace wire

template <class T>
concept console_question
  = wire::one_of<T, console_look, pause_order, repair_request, console_errand,
                 errand_list, balance_query, event_order>;

template <class T>
concept console_answer
  = wire::one_of<T, console_scene, pause_answer, repair_answer, errand_sheet,
                 errand_list_answer, balance_sheet, event_order_answer>;

template <class Inspector, console_question Word>
typename Inspector::result_type inspect(Inspector& f, console_ask<Word>& x) {
  return f(caf::meta::type_name("console_ask"),
           wire::crossing<console_ask<Word>>{x});
}

template <class Inspector, console_answer Word>
typename Inspector::result_type inspect(Inspector& f, console_reply<Word>& x) {
  return f(caf::meta::type_name("console_reply"),
           wire::crossing<console_reply<Word>>{x});
}

} // namespace orderly

CAF_BEGIN_TYPE_ID_BLOCK(orderly_console, caf::first_custom_type_id)

  CAF_ADD_TYPE_ID(orderly_console,
                  (orderly::console_ask<orderly::console_look>))
  CAF_ADD_TYPE_ID(orderly_console, (orderly::console_ask<orderly::pause_order>))
  CAF_ADD_TYPE_ID(orderly_console,
                  (orderly::console_ask<orderly::repair_request>))
  CAF_ADD_TYPE_ID(orderly_console,
                  (orderly::console_ask<orderly::console_errand>))
  CAF_ADD_TYPE_ID(orderly_console, (orderly::console_ask<orderly::errand_list>))
  CAF_ADD_TYPE_ID(orderly_console,
                  (orderly::console_ask<orderly::balance_query>))
  CAF_ADD_TYPE_ID(orderly_console,
                  (orderly::console_reply<orderly::console_scene>))
  CAF_ADD_TYPE_ID(orderly_console,
                  (orderly::console_reply<orderly::pause_answer>))
  CAF_ADD_TYPE_ID(orderly_console,
                  (orderly::console_reply<orderly::repair_answer>))
  CAF_ADD_TYPE_ID(orderly_console,
                  (orderly::console_reply<orderly::errand_sheet>))
  CAF_ADD_TYPE_ID(orderly_console,
                  (orderly::console_reply<orderly::errand_list_answer>))
  CAF_ADD_TYPE_ID(orderly_console,
                  (orderly::console_reply<orderly::balance_sheet>))
  CAF_ADD_TYPE_ID(orderly_console, (orderly::console_ask<orderly::event_order>))
  CAF_ADD_TYPE_ID(orderly_console,
                  (orderly::console_reply<orderly::event_order_answer>))

CAF_END_TYPE_ID_BLOCK(orderly_console)
