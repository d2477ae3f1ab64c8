// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Whatever a client sends: it is refused with a reason, or it is a request
// within all bounds that reads the same once more. And every errand survives
// being written and read.

#include "io/json/errand_json.hpp"
#include "io/json/render.hpp"
#include "tests/fuzz/errand_drawing.hpp"

#include <nlohmann/json.hpp>

namespace {

using namespace orderly;
using namespace orderly::fuzz;
using namespace orderly::io::http;

void take_anything(const std::string& body) {
  auto got = read_errand_request(body);
  if (!got) {
    demand(got.why().kind == fault_kind::bad_input && !got.why().text.empty());
    return;
  }
  demand(got->who.empty() && got->reason.size() <= errand_reason_max);
  demand(!got->count || (*got->count >= 1 && *got->count <= errand_count_max));
  if (const auto* x = std::get_if<power_errand>(&got->what))
    demand(x->nodes.size() <= errand_names_max && !has(x->nodes, "")
           && x->time_limit <= hours{1} && x->power_delay <= hours{1});
  auto again = read_errand_request(to_text(render(*got)));
  demand(again.ok() && same(*got, *again));
}

void write_and_read(bytes in) {
  errand_drawing draw{in};
  auto wanted = draw.request();
  auto got = read_errand_request(to_text(render(wanted)));
  demand(got.ok() && same(wanted, *got));
  auto sheet = draw.sheet();
  auto text = to_text(render(sheet));
  auto back = read_errand_sheet(nlohmann::json::parse(text, nullptr, false));
  demand(back.ok() && same(sheet, *back));
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  std::string text{reinterpret_cast<const char*>(data), size};
  take_anything(text);
  auto parsed = nlohmann::json::parse(text, nullptr, false);
  if (!parsed.is_discarded())
    (void)read_errand_sheet(parsed);
  write_and_read(bytes{data, size});
  return 0;
}
