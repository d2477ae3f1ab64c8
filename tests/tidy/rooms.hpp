// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The table of rooms: which folder may include which, and which libraries. It
// is read from CMakeLists.txt, where it also says what is linked.

#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

namespace orderly::tidy {

struct room {
  std::set<std::string> uses; ///< folders
  std::set<std::string> libs; ///< CMake's names of libraries
};

/// By folder.
using room_table = std::map<std::string, room>;

/// The lines `orderly_room(FOLDER USES ... LIBS ...)` of a CMake file.
room_table read_rooms(std::string_view cmake);

} // namespace orderly::tidy
