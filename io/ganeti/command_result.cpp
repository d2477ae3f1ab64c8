// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/ganeti/command_result.hpp"

namespace orderly::io {

namespace {

using nlohmann::json;

/// The end of a text is where a program says why it fails.
std::string end_of(const std::string& text) {
  constexpr std::size_t most = 4096;
  return text.size() > most ? "..." + text.substr(text.size() - most) : text;
}

/// A pair a node: whether it ended well, and what it said.
bool has_failed(const json& of_node) {
  return of_node.is_array() && of_node.size() == 2 && of_node[0] == false
         && of_node[1].is_string();
}

} // namespace

std::optional<std::string> command_failure(const json& results) {
  if (!results.is_array())
    return std::nullopt;
  for (const auto& of_opcode : results)
    if (of_opcode.is_array())
      for (const auto& of_node : of_opcode)
        if (has_failed(of_node))
          return end_of(of_node[1].get<std::string>());
  return std::nullopt;
}

} // namespace orderly::io
