// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// A JSON text as values whose members stand in the order of the text, which is
// the order in which Ganeti numbers nodes and instances. Reading is strict and
// bounded. read_request.cpp and luxi_source.cpp read by it.

#pragma once

#include "messages/result.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace orderly::io::htools {

struct json_value {
  enum class is { null, boolean, whole, real, text, list, object };

  is kind = is::null;
  bool yes = false;
  std::int64_t whole = 0;
  double real = 0;
  std::string text;
  std::vector<json_value> items;  ///< of a list, or values of an object
  std::vector<std::string> names; ///< of the members of an object

  /// The first member with that name; nothing if there is none.
  const json_value* member(std::string_view name) const;
};

/// `file` is only named in faults. Texts longer than 256 MiB are refused, and
/// those of which io/json/extent.hpp says so. Members named `unread` are left
/// out.
result<json_value> read_json(std::string_view text, const std::string& file,
                             std::string_view unread = {});

/// As JSON writes it, with its quotes.
std::string json_text(std::string_view text);

/// As JSON writes it; null for what is no number.
std::string json_number(double x);

/// A list; `write` gives the JSON of an element.
template <class T, class Write>
std::string json_list(const std::vector<T>& all, Write write) {
  std::string result = "[";
  const char* mark = "";
  for (const auto& x : all) {
    result += mark + write(x);
    mark = ",";
  }
  return result + "]";
}

/// An object of which members are asked for by name and kind; the first that
/// is missing or of another kind is the fault.
class json_reader {
public:
  json_reader(const json_value& object, std::string what);

  bool has(std::string_view name) const;

  std::string text(std::string_view name);
  std::int64_t whole(std::string_view name);
  double number(std::string_view name);
  bool flag(std::string_view name);
  std::vector<std::string> texts(std::string_view name);
  /// A member that is an object or a list; an empty one after a fault.
  const json_value& object(std::string_view name);
  const json_value& list(std::string_view name);

  void complain(const std::string& about);

  const std::optional<fault>& trouble() const { return fault_; }

private:
  /// What a type is called by the reference, whose words scripts look for, and
  /// by us.
  struct type_words {
    const char* haskell;
    const char* ours;
  };

  const json_value* need(std::string_view name, json_value::is kind,
                         const type_words& words);

  const json_value& object_;
  std::string what_;
  std::optional<fault> fault_;
};

} // namespace orderly::io::htools
