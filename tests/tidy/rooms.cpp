// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "tests/tidy/rooms.hpp"

#include <cctype>
#include <sstream>

namespace orderly::tidy {

room_table read_rooms(std::string_view cmake) {
  constexpr std::string_view opening = "\norderly_room(";
  room_table result;
  std::string text{cmake};
  for (auto at = text.find(opening); at != std::string::npos;
       at = text.find(opening, at + 1)) {
    auto from = at + opening.size();
    std::istringstream words{text.substr(from, text.find(')', from) - from)};
    std::string folder;
    words >> folder;
    auto& x = result[folder];
    std::set<std::string>* list = nullptr;
    for (std::string word; words >> word;) {
      if (word == "USES")
        list = &x.uses;
      else if (word == "LIBS")
        list = &x.libs;
      else if (list)
        list->insert(word);
    }
  }
  return result;
}

} // namespace orderly::tidy
