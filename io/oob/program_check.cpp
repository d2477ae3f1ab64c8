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
  auto helper = "out of band helper " + path;
  if (path.front() != '/' || path.find('\0') != std::string::npos)
    return helper + " is not an absolute path: set oob_program to one";

  struct stat found {};

  if (::stat(path.c_str(), &found) != 0)
    return "error stating out of band helper: " + path + ": "
           + std::generic_category().message(errno)
           + "; install it, or set oob_program to another path";
  if (!S_ISREG(found.st_mode))
    return helper + " is not a file: it must be a regular one";
  if ((found.st_mode & (S_IWGRP | S_IWOTH)) != 0)
    return helper
           + " is writable by its group or by others: run chmod go-w on it";
  if (::access(path.c_str(), X_OK) != 0)
    return helper + " is not executable for us: run chmod +x on it";
  return {};
}

} // namespace orderly::io::oob
