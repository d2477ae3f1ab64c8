// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Whatever a stranger sends to an agent as an order: none is believed that was
// not made with the key, what can be read comes back as it was written, and
// what has a key twice cannot be read.

#include "io/report/order.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <cstdlib>

using namespace orderly;
using nlohmann::json;

namespace {

/// Counts keys as they come, where a value keeps one of each name.
class key_counter : public nlohmann::json_sax<json> {
public:
  std::size_t seen = 0;

  bool null() override { return true; }

  bool boolean(bool) override { return true; }

  bool number_integer(number_integer_t) override { return true; }

  bool number_unsigned(number_unsigned_t) override { return true; }

  bool number_float(number_float_t, const string_t&) override { return true; }

  bool string(string_t&) override { return true; }

  bool binary(binary_t&) override { return true; }

  bool start_object(std::size_t) override { return true; }

  bool key(string_t&) override { return ++seen > 0; }

  bool end_object() override { return true; }

  bool start_array(std::size_t) override { return true; }

  bool end_array() override { return true; }

  bool parse_error(std::size_t, const std::string&,
                   const nlohmann::detail::exception&) override {
    return false;
  }
};

std::size_t keys_in(const json& x) {
  std::size_t n = x.is_object() ? x.size() : 0;
  for (const auto& part : x)
    if (part.is_structured())
      n += keys_in(part);
  return n;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  std::string text{reinterpret_cast<const char*>(data), size};
  if (io::report::open_order(text, {"secret"}, "n1", instant{}))
    std::abort();
  auto order = io::report::read_order_text(text);
  if (!order)
    return 0;
  key_counter counter;
  if (!json::sax_parse(text, &counter)
      || counter.seen != keys_in(json::parse(text)))
    std::abort();
  auto again = io::report::read_order_text(io::report::order_text(*order));
  if (!again || !(*again == *order))
    std::abort();
  return 0;
}
