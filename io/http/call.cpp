// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/http/call.hpp"

#include <array>

#include <pwd.h>

namespace orderly::io::http {

std::string peer_name(std::uint32_t uid) {
  std::array<char, 4096> room{};
  passwd entry{};
  passwd* found = nullptr;
  if (::getpwuid_r(uid, &entry, room.data(), room.size(), &found) == 0
      && found != nullptr)
    return found->pw_name;
  return "uid " + std::to_string(uid);
}

} // namespace orderly::io::http
