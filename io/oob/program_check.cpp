// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/oob/program_check.hpp"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <deque>
#include <system_error>

#include <sys/stat.h>
#include <unistd.h>

namespace orderly::io::oob {

namespace {

/// As many links as the kernel follows.
constexpr int links_max = 40;

std::string why_not_found(const std::string& path, int error) {
  return "error stating out of band helper: " + path + ": "
         + std::generic_category().message(error)
         + "; install it, or set oob_program to another path";
}

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
  explicit walk(const std::string& path) : path_{path} { put_before(path); }

  /// Why somebody else could put another file there; empty: nobody can.
  std::string why_replaceable() {
    auto why = look_at("/");
    while (why.empty() && !steps_.empty())
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

  std::string step() {
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

  std::string look_at(const std::string& place) {
    struct stat found {};

    if (::lstat(place.c_str(), &found) != 0)
      return why_not_found(path_, errno);
    std::string why;
    if (S_ISLNK(found.st_mode))
      why = why_not_owned(found);
    else if (S_ISDIR(found.st_mode))
      why = why_not_safe(found);
    if (!why.empty())
      return "out of band helper " + path_ + " could be replaced: " + place
             + why;
    if (S_ISLNK(found.st_mode))
      return follow(place);
    at_ = place == "/" ? "" : place;
    return {};
  }

  std::string follow(const std::string& link) {
    char target[PATH_MAX];
    auto size = ::readlink(link.c_str(), target, sizeof target);
    if (size < 0)
      return why_not_found(path_, errno);
    if (++links_ > links_max)
      return why_not_found(path_, ELOOP);
    std::string to(target, static_cast<std::size_t>(size));
    if (!to.empty() && to.front() == '/')
      at_.clear();
    put_before(to);
    return {};
  }

  const std::string& path_;
  std::deque<std::string> steps_; ///< names still to go
  std::string at_;                ///< where that is; empty: the root
  int links_ = 0;
};

} // namespace

std::string why_not_runnable(const std::string& path) {
  if (path.empty())
    return "the node has no helper program: set its node parameter "
           "oob_program, or power.program here";
  auto helper = "out of band helper " + path;
  if (path.front() != '/' || path.find('\0') != std::string::npos)
    return helper + " is not an absolute path: set oob_program to one";

  struct stat found {};

  if (::stat(path.c_str(), &found) != 0)
    return why_not_found(path, errno);
  if (!S_ISREG(found.st_mode))
    return helper + " is not a file: it must be a regular one";
  if (auto why = why_not_closed(found); !why.empty())
    return helper + why;
  if (auto why = why_not_owned(found); !why.empty())
    return helper + why;
  if (::access(path.c_str(), X_OK) != 0)
    return helper + " is not executable for us: run chmod +x on it";
  return walk{path}.why_replaceable();
}

} // namespace orderly::io::oob
