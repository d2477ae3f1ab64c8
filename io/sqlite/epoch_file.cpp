// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/sqlite/epoch_file.hpp"

#include "io/files/small_file.hpp"
#include "io/sqlite/schema.hpp"

#include <charconv>
#include <stdexcept>
#include <string_view>
#include <system_error>

namespace orderly::io {

std::int64_t read_epoch(const std::string& path) {
  constexpr std::size_t most = 64;
  auto found = read_small(path, most);
  if (!found && found.why().kind == fault_kind::not_found)
    return 0;
  if (!found)
    throw std::runtime_error(found.why().text);
  std::string_view text{*found};
  while (!text.empty() && (text.back() == '\n' || text.back() == ' '))
    text.remove_suffix(1);
  std::int64_t epoch = 0;
  const auto* end = text.data() + text.size();
  auto [stop, error] = std::from_chars(text.data(), end, epoch);
  if (text.empty() || error != std::errc{} || stop != end || epoch < 0)
    throw std::runtime_error(path
                             + " should hold one number and does not; "
                               "remove it if the journal is the newest");
  return epoch;
}

void write_epoch(const std::string& path, std::int64_t epoch) {
  if (auto trouble = write_small(path, std::to_string(epoch) + "\n");
      !trouble.empty())
    throw refusal{fault_kind::io, trouble};
}

} // namespace orderly::io
