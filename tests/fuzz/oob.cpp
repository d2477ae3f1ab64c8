// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Whatever a helper prints and however it ends: the decoder answers, never
// says "off" without the words for it, and passes on no sensor whose status
// is none or whose name would spoil a terminal.

#include "io/oob/decode.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>

using namespace orderly;

namespace {

bool is_sound(const health_item& x) {
  for (auto c : x.item)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F)
      return false;
  return x.item.size() <= 203
         && (x.status == "OK" || x.status == "WARNING" || x.status == "CRITICAL"
             || x.status == "UNKNOWN");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  if (size < 2)
    return 0;
  io::child::outcome what;
  auto verb = (data[0] & 128) != 0 ? power_verb::health
                                   : static_cast<power_verb>(data[0] & 3);
  what.timed_out = (data[0] & 4) != 0;
  what.out_truncated = (data[0] & 8) != 0;
  what.exit_code = (data[0] & 16) != 0 ? data[1] : 0;
  what.signal = (data[0] & 32) != 0 ? data[1] : 0;
  std::string text{reinterpret_cast<const char*>(data + 2), size - 2};
  what.out = text;
  what.err = text;
  if ((data[0] & 64) != 0)
    what.refused = text;
  auto got = io::oob::decode("node", verb, what);
  auto says = [&text](const char* word) {
    // Escapes can spell the key, but nothing else can spell the value.
    return text.find(word) != std::string::npos;
  };
  if (got.done != got.text.empty() || got.text.size() > 4096 + size)
    std::abort();
  if (got.state != power_state::unknown
      && (!got.done || verb != power_verb::status))
    std::abort();
  if (!got.items.empty() && (!got.done || verb != power_verb::health))
    std::abort();
  if (!std::all_of(got.items.begin(), got.items.end(), is_sound))
    std::abort();
  if (got.items.size() > size / 10) // ["",""], with a status of two letters
    std::abort();
  if (got.state == power_state::off && !says("false"))
    std::abort();
  if (got.state == power_state::on && !says("true"))
    std::abort();
  return 0;
}
