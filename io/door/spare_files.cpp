// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/door/spare_files.hpp"

#include <fcntl.h>
#include <unistd.h>

namespace orderly::io::http {

spare_files::~spare_files() {
  for (auto file : kept_)
    ::close(file);
}

bool spare_files::give() {
  if (kept_.empty())
    return false;
  ::close(kept_.back());
  kept_.pop_back();
  return true;
}

void spare_files::refill() {
  while (kept_.size() < wanted_) {
    auto file = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (file < 0)
      return;
    kept_.push_back(file);
  }
}

} // namespace orderly::io::http
