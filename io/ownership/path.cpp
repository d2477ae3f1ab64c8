// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/ownership/path.hpp"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <deque>

#include <sys/stat.h>
#include <unistd.h>

namespace orderly::io {

namespace {

/// As many links as the kernel follows.
constexpr int links_max = 40;

std::string why_not_owned(const struct stat& found) {
  auto us = ::geteuid();
  if (found.st_uid == 0 || found.st_uid == us)
    return {};
  return " belongs to uid " + std::to_string(found.st_uid)
         + ": it must belong to root or to uid " + std::to_string(us)
         + "; run chown root on it";
}

std::string why_not_closed(const struct stat& found) {
  if ((found.st_mode & (S_IWGRP | S_IWOTH)) == 0)
    return {};
  return " is writable by its group or by others: run chmod go-w on it";
}

/// In a sticky folder only the owners of things can replace them.
std::string why_not_safe(const struct stat& folder) {
  if (auto why = why_not_owned(folder); !why.empty())
    return why;
  auto sticky = folder.st_uid == 0 && (folder.st_mode & S_ISVTX) != 0;
  return sticky ? std::string{} : why_not_closed(folder);
}

/// Follows a path as the kernel does, and looks at each step of it.
class walk {
public:
  explicit walk(const std::string& path) { put_before(path); }

  /// Why somebody else could put another file there; empty: nobody can.
  path_doubt why_replaceable() {
    auto why = look_at("/");
    while (why.error == 0 && why.text.empty() && !steps_.empty())
      why = step();
    return why;
  }

private:
  void put_before(const std::string& path) {
    std::deque<std::string> names;
    for (std::size_t from = 0; from < path.size();) {
      auto to = std::min(path.find('/', from), path.size());
      names.push_back(path.substr(from, to - from));
      from = to + 1;
    }
    steps_.insert(steps_.begin(), names.begin(), names.end());
  }

  path_doubt step() {
    auto name = steps_.front();
    steps_.pop_front();
    if (name.empty() || name == ".")
      return {};
    if (name == "..") { // where we are is no link
      at_.resize(at_.empty() ? 0 : at_.find_last_of('/'));
      return {};
    }
    return look_at(at_ + "/" + name);
  }

  path_doubt look_at(const std::string& place) {
    struct stat found {};

    if (::lstat(place.c_str(), &found) != 0)
      return {errno, {}};
    std::string why;
    if (S_ISLNK(found.st_mode))
      why = why_not_owned(found);
    else if (S_ISDIR(found.st_mode))
      why = why_not_safe(found);
    if (!why.empty())
      return {0, place + why};
    if (S_ISLNK(found.st_mode))
      return follow(place);
    at_ = place == "/" ? "" : place;
    return {};
  }

  path_doubt follow(const std::string& link) {
    char target[PATH_MAX];
    auto size = ::readlink(link.c_str(), target, sizeof target);
    if (size < 0)
      return {errno, {}};
    if (++links_ > links_max)
      return {ELOOP, {}};
    std::string to(target, static_cast<std::size_t>(size));
    if (!to.empty() && to.front() == '/')
      at_.clear();
    put_before(to);
    return {};
  }

  std::deque<std::string> steps_; ///< names still to go
  std::string at_;                ///< where that is; empty: the root
  int links_ = 0;
};

} // namespace

path_doubt doubt_file(const std::string& path) {
  struct stat found {};

  if (::stat(path.c_str(), &found) != 0)
    return {errno, {}};
  if (!S_ISREG(found.st_mode))
    return {0, path + " is not a file: it must be a regular one"};
  if (auto why = why_not_closed(found); !why.empty())
    return {0, path + why};
  if (auto why = why_not_owned(found); !why.empty())
    return {0, path + why};
  return {};
}

path_doubt doubt_way(const std::string& path) {
  return walk{path}.why_replaceable();
}

} // namespace orderly::io
