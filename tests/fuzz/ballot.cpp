// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Whatever a node daemon answers to the question for the master: a name comes
// only of an answer that gives one, and all else is told.

#include "io/node_reports/vote.hpp"

#include <cstdint>
#include <cstdlib>

using namespace orderly;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  std::string body{reinterpret_cast<const char*>(data), size};
  auto got = io::node_reports::read_ballot(body);
  if (!got && got.why().text.empty())
    std::abort();
  if (got && body.find("true") == std::string::npos)
    std::abort();
  return 0;
}
