// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// No text crashes the reader of auto-repair tags; what it reads can be
// written, and reading that gives the same again.

#include "actors/policy/tags.hpp"

#include "actors/policy/permission.hpp"

#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  using namespace orderly;
  std::string text{reinterpret_cast<const char*>(data), size};
  // Half of the inputs get past the prefix for certain.
  if (size % 2 == 0)
    text.insert(0, tags::prefix);
  constexpr instant now{seconds{1700000000}};
  if (describe(permission_of("i", {text}, "g", {}, {text}, now)).empty())
    std::abort();
  auto tag = tags::parse(text);
  if (!tag)
    return 0;
  if (text.compare(0, tags::prefix.size(), tags::prefix) != 0)
    std::abort();
  auto written = tags::format(*tag);
  if (text.size() <= tags::length_max && written.size() > tags::length_max)
    std::abort();
  auto again = tags::parse(written);
  if (!again || tags::format(*again) != written)
    std::abort();
  return 0;
}
