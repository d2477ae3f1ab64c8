// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Words of the console as bytes and back, as a wire would have them; what the
// tests and the fuzz target share.

#pragma once

#include "messages/protocol/console_wire.hpp"

#include <caf/binary_deserializer.hpp>
#include <caf/binary_serializer.hpp>

#include <string>
#include <vector>

namespace orderly::test {

/// Calls `what` with an empty word of each kind; returns how many there are.
template <class What>
std::size_t with_each_word(What what) {
  std::size_t count = 0;
  auto call = [&](auto word) {
    ++count;
    what(std::move(word));
  };
  call(console_ask<console_look>{});
  call(console_ask<pause_order>{});
  call(console_ask<repair_request>{});
  call(console_ask<console_errand>{});
  call(console_ask<errand_list>{});
  call(console_ask<balance_query>{});
  call(console_ask<event_order>{});
  call(console_reply<console_scene>{});
  call(console_reply<pause_answer>{});
  call(console_reply<repair_answer>{});
  call(console_reply<errand_sheet>{});
  call(console_reply<errand_list_answer>{});
  call(console_reply<balance_sheet>{});
  call(console_reply<event_order_answer>{});
  return count;
}

template <class Word>
std::string to_bytes(Word& x) {
  std::vector<char> bytes;
  caf::binary_serializer to{nullptr, bytes};
  if (to(x))
    return {};
  return {bytes.begin(), bytes.end()};
}

/// Empty if it was read, all of it; else the reason why not.
template <class Word>
std::string from_bytes(const std::string& bytes, Word& into) {
  caf::binary_deserializer from{nullptr, bytes.data(), bytes.size()};
  if (auto trouble = from(into))
    return caf::to_string(trouble);
  return from.remaining() == 0 ? "" : "some bytes are left";
}

} // namespace orderly::test
