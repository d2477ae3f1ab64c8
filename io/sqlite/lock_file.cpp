// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/sqlite/lock_file.hpp"

#include <cerrno>
#include <system_error>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace orderly::io {

lock_file::lock_file(const std::string& path) {
  auto reason = [] { return std::generic_category().message(errno); };
  descriptor_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (descriptor_ < 0)
    text_ = "cannot open " + path + ": " + reason()
            + "; does the folder exist and may we write it?";
  else if (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0)
    text_ = errno == EWOULDBLOCK ? path
                                     + " is held by another process; only "
                                       "one orderlyd may use a journal"
                                 : "cannot lock " + path + ": " + reason();
}

lock_file::~lock_file() {
  if (descriptor_ >= 0)
    ::close(descriptor_);
}

} // namespace orderly::io
