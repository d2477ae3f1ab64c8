// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/ganeti/reply.hpp"

#include "io/json/distinct_keys.hpp"
#include "io/json/extent.hpp"

#include <algorithm>
#include <limits>

namespace orderly::io {

namespace {

constexpr std::size_t quoted_max = 120;

const json null_value;

/// How a query marks a cell (Ganeti's RS_* constants).
enum cell_status : std::int64_t {
  has_value = 0,
  unknown_field = 1,
};

std::string quoted(std::string_view text) {
  auto cut = text.size() > quoted_max;
  auto result = "'" + std::string{text.substr(0, quoted_max)} + "'";
  return cut ? result + " (cut)" : result;
}

fault bad_reply(std::string text) {
  return {fault_kind::bad_input,
          "luxid's reply is not understood: " + std::move(text)};
}

} // namespace

std::string in_json(const json& x) {
  return x.dump(-1, ' ', false, json::error_handler_t::replace);
}

std::string error_text(const json& error) {
  if (error.is_string())
    return error.get<std::string>();
  if (!error.is_array() || error.empty() || !error[0].is_string())
    return std::string{"an error that is written as "} + error.type_name();
  auto result = error[0].get<std::string>();
  if (error.size() < 2 || !error[1].is_array())
    return result;
  auto separator = ": ";
  for (const auto& argument : error[1]) {
    if (!argument.is_string())
      continue;
    // The second argument is Ganeti's class of the error.
    auto first = *separator == ':';
    result += first ? ": " + argument.get<std::string>()
                    : " (" + argument.get<std::string>() + ")";
    separator = " ";
  }
  return result;
}

std::string first_error(const json& statuses, const json& results) {
  if (!statuses.is_array() || !results.is_array())
    return {};
  auto n = std::min(statuses.size(), results.size());
  for (std::size_t i = 0; i < n; ++i)
    if (statuses[i] == "error")
      return error_text(results[i]);
  return {};
}

result<json> open_reply(std::string_view text) {
  if (auto why = why_too_much(text); !why.empty())
    return bad_reply(why + ": " + quoted(text));
  auto reply = parse_distinct(text, static_cast<int>(nesting_most));
  if (!reply)
    return bad_reply(reply.why().text + ": " + quoted(text));
  if (!reply->is_object())
    return bad_reply("no object in " + quoted(text));
  auto success = reply->find("success");
  auto content = reply->find("result");
  if (success == reply->end() || !success->is_boolean())
    return bad_reply("no truth value under 'success' in " + quoted(text));
  if (content == reply->end())
    return bad_reply("nothing under 'result' in " + quoted(text));
  if (success->get<bool>())
    return std::move(*content);
  auto lost
    = content->is_array() && !content->empty() && (*content)[0] == "JobLost";
  return fault{lost ? fault_kind::not_found : fault_kind::refused,
               error_text(*content)};
}

result<json> open_table(std::string_view text) {
  auto content = open_reply(text);
  if (!content)
    return content;
  if (!content->is_object())
    return bad_reply("a query gave no table: " + quoted(text));
  auto data = content->find("data");
  if (data == content->end() || !data->is_array())
    return bad_reply("a table has no list under 'data': " + quoted(text));
  return std::move(*data);
}

row_reader::row_reader(const json& row, const std::vector<std::string>& fields,
                       std::string_view what)
  : row_(row), fields_(fields), what_(what) {
  if (!row.is_array())
    complain("a row is no list");
  else if (row.size() != fields.size())
    complain("a row has " + std::to_string(row.size()) + " cells, asked for "
             + std::to_string(fields.size()));
}

void row_reader::complain(std::string text) {
  if (ok())
    trouble_ = "query of " + what_ + ": " + std::move(text);
}

fault row_reader::why() const {
  return bad_reply(trouble_);
}

const json* row_reader::next(bool required) {
  if (!ok() || at_ >= fields_.size())
    return nullptr;
  const auto& field = fields_[at_];
  const auto& cell = row_[at_];
  ++at_;
  if (!cell.is_array() || cell.size() != 2 || !cell[0].is_number_integer()) {
    complain("the cell of field '" + field
             + "' is no pair of status and value");
    return nullptr;
  }
  auto status = cell[0].get<std::int64_t>();
  if (status == has_value && !cell[1].is_null())
    return &cell[1];
  if (required)
    complain(status == unknown_field
               ? "this Ganeti has no field '" + field + "'"
               : "field '" + field + "' has no value, status "
                   + std::to_string(status));
  return nullptr;
}

std::string row_reader::text() {
  const auto* value = next(true);
  if (value == nullptr)
    return {};
  if (value->is_string() && !value->get_ref<const std::string&>().empty())
    return value->get<std::string>();
  complain("field '" + fields_[at_ - 1] + "' holds no text");
  return {};
}

std::string row_reader::text_or_none() {
  const auto* value = next(false);
  if (value == nullptr)
    return {};
  if (value->is_string())
    return value->get<std::string>();
  complain("field '" + fields_[at_ - 1] + "' holds no text");
  return {};
}

bool row_reader::flag() {
  const auto* value = next(true);
  if (value == nullptr)
    return false;
  if (value->is_boolean())
    return value->get<bool>();
  complain("field '" + fields_[at_ - 1] + "' holds no truth value");
  return false;
}

bool row_reader::flag_or(bool fallback) {
  const auto* value = next(false);
  if (value == nullptr)
    return fallback;
  if (value->is_boolean())
    return value->get<bool>();
  complain("field '" + fields_[at_ - 1] + "' holds no truth value");
  return fallback;
}

std::int64_t row_reader::number_or(std::int64_t fallback) {
  const auto* value = next(false);
  if (value == nullptr)
    return fallback;
  constexpr auto most = std::numeric_limits<std::int64_t>::max();
  if (value->is_number_unsigned()
      && value->get<std::uint64_t>() > static_cast<std::uint64_t>(most))
    complain("field '" + fields_[at_ - 1] + "' holds too large a number");
  else if (value->is_number_integer())
    return value->get<std::int64_t>();
  else
    complain("field '" + fields_[at_ - 1] + "' holds no whole number");
  return fallback;
}

std::uint64_t row_reader::id() {
  const auto* value = next(true);
  if (value == nullptr)
    return 0;
  if (value->is_number_unsigned())
    return value->get<std::uint64_t>();
  complain("field '" + fields_[at_ - 1] + "' holds no id");
  return 0;
}

std::vector<std::string> row_reader::texts() {
  const auto* value = next(true);
  if (value == nullptr)
    return {};
  auto is_text = [](const json& x) { return x.is_string(); };
  if (value->is_array() && std::all_of(value->begin(), value->end(), is_text))
    return value->get<std::vector<std::string>>();
  complain("field '" + fields_[at_ - 1] + "' holds no list of texts");
  return {};
}

std::vector<std::int64_t> row_reader::sizes_or_none() {
  const auto* value = next(false);
  if (value == nullptr)
    return {};
  // What is too large for us would turn negative.
  auto is_size = [](const json& x) {
    return x.is_number_integer() && x.get<std::int64_t>() >= 0;
  };
  if (value->is_array() && std::all_of(value->begin(), value->end(), is_size))
    return value->get<std::vector<std::int64_t>>();
  complain("field '" + fields_[at_ - 1] + "' holds no list of sizes");
  return {};
}

const json& row_reader::anything() {
  const auto* value = next(false);
  return value == nullptr ? null_value : *value;
}

} // namespace orderly::io
