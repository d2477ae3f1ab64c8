// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/oob/program_check.hpp"

#include "io/child/launch.hpp"
#include "io/ownership/path.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string_view>
#include <system_error>
#include <vector>

#include <unistd.h>

namespace orderly::io::oob {

namespace {

std::string why_not_found(const std::string& path, int error) {
  return "error stating out of band helper: " + path + ": "
         + std::generic_category().message(error)
         + "; install it, or set oob_program to another path";
}

/// A file that is run must be in nobody else's hands, and nor may its place.
std::string why_not_safe(const std::string& what, const std::string& path) {
  auto itself = doubt_file(path);
  if (itself.error != 0)
    return why_not_found(path, itself.error);
  if (!itself.text.empty())
    return what + " " + itself.text;
  if (::access(path.c_str(), X_OK) != 0)
    return what + " " + path + " is not executable for us: run chmod +x on it";
  auto way = doubt_way(path);
  if (way.error != 0)
    return why_not_found(path, way.error);
  if (!way.text.empty())
    return what + " " + path + " could be replaced: " + way.text;
  return {};
}

/// The words behind `#!` at the begin of a file; none: it is no script.
std::vector<std::string> interpreter_of(const std::string& path) {
  constexpr std::size_t line_max = 255; // the kernel reads no more
  std::ifstream in{path, std::ios::binary};
  std::string line(line_max, '\0');
  in.read(line.data(), static_cast<std::streamsize>(line.size()));
  line.resize(static_cast<std::size_t>(in.gcount()));
  line.resize(std::min(line.find('\n'), line.size()));
  std::vector<std::string> words;
  if (line.rfind("#!", 0) == 0) {
    std::istringstream rest{line.substr(2)};
    for (std::string word; rest >> word;)
      words.push_back(word);
  }
  return words;
}

/// Where env(1) finds `name` for a helper, whose PATH is ours.
std::string found_by_env(const std::string& name) {
  if (name.find('/') != std::string::npos)
    return name;
  std::istringstream folders{child::helper_path};
  for (std::string folder; std::getline(folders, folder, ':');)
    if (auto path = folder + "/" + name; ::access(path.c_str(), X_OK) == 0)
      return path;
  return name;
}

/// Neither blanks nor what env(1) would take for quotes, escapes, variables.
constexpr std::string_view word_letters
  = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_+-";

bool is_plain_option(std::string_view word) {
  return word.front() == '-'
         && word.find_first_not_of(word_letters) == std::string_view::npos;
}

bool is_plain_program(std::string_view word) {
  auto more = std::string{word_letters} + "./";
  return word.front() != '-'
         && word.find_first_not_of(more) == std::string_view::npos;
}

/// The word of its first line that is neither the interpreter nor a plain
/// option: it is run as well, or says where to look for what is.
std::string why_not_told(const std::string& path, const std::string& word) {
  return "out of band helper " + path + " begins with '#!', and there '" + word
         + "' is no plain option: let it name the path of its interpreter and "
           "options such as -e, and nothing else";
}

/// Which program really runs: the interpreter runs with our rights as well.
std::string why_not_interpreted(const std::string& path, int depth) {
  constexpr int depth_max = 4; // as the kernel does
  auto words = interpreter_of(path);
  if (words.empty())
    return {};
  if (depth > depth_max)
    return "out of band helper " + path + " has interpreters of interpreters";
  auto what = "the interpreter of " + path + ",";
  auto next = words.front();
  if (next.front() != '/')
    return what + " " + next + ", is not an absolute path";
  if (auto why = why_not_safe(what, next); !why.empty())
    return why;
  auto name = next.substr(next.find_last_of('/') + 1);
  auto i = words.begin() + 1;
  if (name == "env") {
    if (i != words.end() && *i == "-S")
      ++i;
    if (i == words.end())
      return what + " env, is told no program";
    if (!is_plain_program(*i))
      return why_not_told(path, *i);
    next = found_by_env(*i++);
    if (next.front() != '/')
      return what + " " + next + ", is not found";
    if (auto why = why_not_safe(what, next); !why.empty())
      return why;
  }
  i = std::find_if_not(i, words.end(), is_plain_option);
  if (i != words.end())
    return why_not_told(path, *i);
  return why_not_interpreted(next, depth + 1);
}

} // namespace

std::string why_not_runnable(const std::string& path) {
  if (path.empty())
    return "the node has no helper program: set its node parameter "
           "oob_program, or power.program here";
  if (path.front() != '/' || path.find('\0') != std::string::npos)
    return "out of band helper " + path
           + " is not an absolute path: set oob_program to one";
  if (auto why = why_not_safe("out of band helper", path); !why.empty())
    return why;
  return why_not_interpreted(path, 1);
}

} // namespace orderly::io::oob
