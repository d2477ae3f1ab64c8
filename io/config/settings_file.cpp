// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/config/settings_file.hpp"

#include "io/config/loader.hpp"
#include "io/ownership/path.hpp"

#include <algorithm>
#include <filesystem>
#include <thread>
#include <utility>

#include <fmt/format.h>

namespace orderly::io {

namespace {

/// Why somebody else decides what is at the path; empty: nobody does.
std::string why_replaceable(const std::string& path) {
  if (path.empty())
    return {};
  auto folder = std::filesystem::absolute(path).parent_path();
  return doubt_way(folder).text;
}

} // namespace

// Settings name programs that run with our rights.
std::string why_not_trusted(const std::string& path) {
  auto itself = doubt_file(path);
  if (itself.error == 0 && itself.text.empty())
    itself = doubt_way(std::filesystem::absolute(path));
  if (itself.error != 0 || itself.text.empty())
    return {}; // that it cannot be read is told by whoever reads it
  return "the settings " + path
         + " are in the hands of others, who could have any program run: "
         + itself.text;
}

namespace {

bool sets_something(const std::string& text) {
  for (std::size_t at = 0; at < text.size();) {
    auto end = std::min(text.find('\n', at), text.size());
    auto first = text.find_first_not_of(" \t\r", at);
    // The head of a section sets nothing by itself.
    if (first < end && text[first] != '#' && text[first] != '[')
      return true;
    at = end + 1;
  }
  return false;
}

} // namespace

result<std::string> text_to_reload(const std::string& path) {
  constexpr int looks = 10;
  constexpr millis between_looks{100};
  auto text = settings_text(path);
  for (int i = 1; i < looks; ++i) {
    std::this_thread::sleep_for(between_looks);
    auto again = settings_text(path);
    auto same = text && again && *text == *again;
    text = std::move(again);
    if (same && sets_something(*text))
      return text;
  }
  if (!text)
    return text.why();
  if (!sets_something(*text))
    return fault{fault_kind::bad_input,
                 path
                   + " sets nothing; for the defaults of everything restart "
                     "the daemon"};
  return fault{fault_kind::bad_input,
               path + " is still being written; reload again once it is whole"};
}

std::vector<std::string> places_of_others(const settings& rules) {
  std::vector<std::string> result;
  for (const auto& [what, path] :
       {std::pair{"journal.path", rules.journal.path},
        std::pair{"http.socket", rules.http.socket},
        std::pair{"http.reader_socket", rules.http.reader_socket}})
    if (auto why = why_replaceable(path); !why.empty())
      result.push_back(fmt::format("{}: others could put another one in the "
                                   "place of {}, unless orderlyd is run by "
                                   "them: {}",
                                   what, path, why));
  return result;
}

} // namespace orderly::io
