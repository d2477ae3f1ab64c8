// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// No text crashes the reader of settings, every problem is one line, and
// settings that were read survive being written and read again.

#include "io/config/loader.hpp"

#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  using namespace orderly::io;
  std::string_view text{reinterpret_cast<const char*>(data), size};
  auto loaded = read_settings(text, "fuzz.toml");
  for (auto& p : loaded.problems)
    if (to_string(p).find('\n') != std::string::npos)
      std::abort();
  if (!loaded.problems.empty())
    return 0;
  auto written = render_settings(loaded.values);
  auto again = read_settings(written, "written.toml");
  if (!again.problems.empty() || render_settings(again.values) != written)
    std::abort();
  return 0;
}
