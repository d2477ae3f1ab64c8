// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Whatever a diagnose command prints and a stranger seals: what is passed on is
// JSON with a known status, a failure is Ok to old readers only, and no
// envelope is believed that was not made with the key.

#include "io/node_agent/diagnosis.hpp"

#include "io/report/envelope.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <cstdlib>

using namespace orderly;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  io::child::outcome what;
  what.exit_code = 0;
  what.out.assign(reinterpret_cast<const char*>(data), size);
  auto got = io::node_agent::read_diagnosis(what);
  auto x = nlohmann::json::parse(got.data, nullptr, false);
  if (!x.is_object() || !x.contains("status") || !x["status"].is_string())
    std::abort();
  auto status = x["status"].get<std::string>();
  if (status != "Ok" && status != "live-repair" && status != "evacuate"
      && status != "evacuate-failover")
    std::abort();
  if (!got.probe_error.empty() && (status != "Ok" || x.size() != 2))
    std::abort();
  io::report::expectation wanted;
  wanted.salt = "0123456789abcdef";
  wanted.keys = {"secret"};
  if (std::holds_alternative<io::report::believed>(
        io::report::open(what.out, wanted)))
    std::abort();
  return 0;
}
