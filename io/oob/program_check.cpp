// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/oob/program_check.hpp"

#include <cerrno>
#include <system_error>

#include <sys/stat.h>
#include <unistd.h>

namespace orderly::io::oob {

std::string why_not_runnable(const std::string& path) {
  if (path.empty())
    return "the node has no helper program: set its node parameter "
           "oob_program, or power.program here";
  if (path.front() != '/' || path.find('\0') != std::string::npos)
    return "the helper program " + path + " is not an absolute path";

  struct stat found {};

  if (::stat(path.c_str(), &found) != 0) {
    if (errno == ENOENT)
      return "the helper program " + path + " does not exist";
    return "the helper program " + path
           + " cannot be looked at: " + std::generic_category().message(errno);
  }
  if (!S_ISREG(found.st_mode))
    return "the helper program " + path + " is not a regular file";
  if ((found.st_mode & (S_IWGRP | S_IWOTH)) != 0)
    return "the helper program " + path
           + " is writable by its group or by others: run chmod go-w on it";
  if (::access(path.c_str(), X_OK) != 0)
    return "the helper program " + path
           + " is not executable for us: run chmod +x on it";
  return {};
}

} // namespace orderly::io::oob
