// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/console/socket_variable.hpp"

#include "messages/blank.hpp"

#include <cstdlib>

namespace orderly::io::console {

std::optional<std::string> wrong_socket_variable() {
  const auto* text = std::getenv(socket_variable);
  if (text == nullptr || !is_blank(text))
    return std::nullopt;
  return std::string{socket_variable}
         + " is set and empty; give it the path of a socket, or unset it";
}

} // namespace orderly::io::console
