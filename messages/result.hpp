// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// A value or the reason why there is none. Used inside io and loaders; policy
// has no failures and actors answer with fields of their replies.

#pragma once

#include <string>
#include <utility>
#include <variant>

namespace orderly {

enum class fault_kind {
  bad_input,       ///< outside data that breaks its format
  not_found,       ///< the named thing does not exist
  refused,         ///< the other side said no
  unreachable,     ///< nobody answered there
  timed_out,       ///< the deadline passed
  unknown_outcome, ///< it may or may not have happened: look before retrying
  io,              ///< the operating system said no
  version,         ///< written by something that we do not understand
  internal,        ///< our own mistake
};

inline const char* to_string(fault_kind kind) {
  switch (kind) {
  case fault_kind::bad_input:
    return "bad input";
  case fault_kind::not_found:
    return "not found";
  case fault_kind::refused:
    return "refused";
  case fault_kind::unreachable:
    return "unreachable";
  case fault_kind::timed_out:
    return "timed out";
  case fault_kind::unknown_outcome:
    return "outcome unknown";
  case fault_kind::io:
    return "input/output error";
  case fault_kind::version:
    return "unknown version";
  case fault_kind::internal:
    return "internal error";
  }
  return "?";
}

struct fault {
  fault_kind kind = fault_kind::internal;
  std::string text; ///< a sentence for people; names the thing and the place
};

template <class T>
class [[nodiscard]] result {
public:
  result(T value) : content_(std::in_place_index<0>, std::move(value)) {
    // nop
  }

  result(fault why) : content_(std::in_place_index<1>, std::move(why)) {
    // nop
  }

  [[nodiscard]] bool ok() const { return content_.index() == 0; }

  explicit operator bool() const { return ok(); }

  T& operator*() { return std::get<0>(content_); }

  const T& operator*() const { return std::get<0>(content_); }

  T* operator->() { return &std::get<0>(content_); }

  const T* operator->() const { return &std::get<0>(content_); }

  [[nodiscard]] const fault& why() const { return std::get<1>(content_); }

private:
  std::variant<T, fault> content_;
};

} // namespace orderly
