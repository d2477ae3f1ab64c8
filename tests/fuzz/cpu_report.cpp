// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Whatever a monitor sends: its report is refused with a sentence, or gives a
// number of busy CPUs that a machine can have.

#include "io/htools/monitors/cpu_report.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  using namespace orderly::io::htools;
  std::string_view text{reinterpret_cast<const char*>(data), size};
  auto got = read_cpu_report(text);
  if (!got && got.why().text.empty())
    std::abort();
  auto is_fit = [](double x) { return std::isfinite(x) && x >= 0 && x <= 1e6; };
  if (got && !is_fit(*got))
    std::abort();
  if (auto loads = read_xen_report(text))
    for (const auto& [name, load] : *loads)
      if (!is_fit(load))
        std::abort();
  return 0;
}
