// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Whatever a stranger sends to an agent as an order: none is believed that was
// not made with the key, and what can be read comes back as it was written.

#include "io/report/order.hpp"

#include <cstdint>
#include <cstdlib>

using namespace orderly;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  std::string text{reinterpret_cast<const char*>(data), size};
  if (io::report::open_order(text, {"secret"}, "n1", instant{}))
    std::abort();
  auto order = io::report::read_order_text(text);
  if (!order)
    return 0;
  auto again = io::report::read_order_text(io::report::order_text(*order));
  if (!again || !(*again == *order))
    std::abort();
  return 0;
}
