// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The outer shape of LUXI replies: the envelope, its several forms of errors,
// and the tables that queries give. Pure; whatever bytes come in, a value or
// a fault with a sentence goes out. Used by the decoders.

#pragma once

#include "messages/result.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace orderly::io {

using json = nlohmann::json;

/// What stands under `result` if the reply says success. Otherwise refused,
/// with Ganeti's words; not_found if the queue does not know a job; bad_input
/// if this is no reply at all.
result<json> open_reply(std::string_view text);

/// As one line of text; bytes that are no UTF-8, which JSON cannot hold, are
/// replaced.
std::string in_json(const json& x);

/// Ganeti's way to write an error, as a sentence: a plain text, or a list of
/// the exception's name and its arguments.
std::string error_text(const json& error);

/// The first error among the results of a job's opcodes, given their statuses;
/// later ones follow from it. Empty: none, or they are no lists.
std::string first_error(const json& statuses, const json& results);

/// The rows of a Query's result.
result<json> open_table(std::string_view text);

/// Reads the cells of one row in the order in which the fields were asked
/// for. The first thing that is wrong is kept; later reads then give empty
/// values.
class row_reader {
public:
  /// `what` names the kind of thing, `fields` must outlive the reader.
  row_reader(const json& row, const std::vector<std::string>& fields,
             std::string_view what);

  std::string text();
  /// As text(), but empty if Ganeti has no value there.
  std::string text_or_none();
  bool flag();
  bool flag_or(bool fallback);
  std::int64_t number_or(std::int64_t fallback);
  std::uint64_t id();
  std::vector<std::string> texts();
  /// Whole numbers from zero on; empty if Ganeti has no value there.
  std::vector<std::int64_t> sizes_or_none();
  /// The next cell whatever it holds; null if there is no value.
  const json& anything();

  [[nodiscard]] bool ok() const { return trouble_.empty(); }

  [[nodiscard]] fault why() const;

private:
  /// The value of the next cell; null if Ganeti has none.
  const json* next(bool required);
  void complain(std::string text);

  const json& row_;
  const std::vector<std::string>& fields_;
  std::string what_;
  std::size_t at_ = 0;
  std::string trouble_;
};

} // namespace orderly::io
