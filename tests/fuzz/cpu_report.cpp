// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Whatever a monitor sends: its report is refused with a sentence, or gives a
// number of busy CPUs that a machine can have.

#include "io/model/cpu_report.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  auto got = orderly::io::model::read_cpu_report(
    {reinterpret_cast<const char*>(data), size});
  if (!got && got.why().text.empty())
    std::abort();
  if (got && !(std::isfinite(*got) && *got >= 0 && *got <= 1e6))
    std::abort();
  return 0;
}
