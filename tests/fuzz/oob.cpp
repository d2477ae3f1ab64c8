// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Whatever a helper prints and however it ends: the decoder answers, and never
// says "off" without the words for it.

#include "io/oob/decode.hpp"

#include <cstdint>
#include <cstdlib>

using namespace orderly;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  if (size < 2)
    return 0;
  io::oob::outcome what;
  auto verb = static_cast<power_verb>(data[0] & 3);
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
  if (got.state == power_state::off && !says("false"))
    std::abort();
  if (got.state == power_state::on && !says("true"))
    std::abort();
  return 0;
}
