// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/files/small_file.hpp"

#include "io/files/descriptor.hpp"

#include <cerrno>
#include <cstdio>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace orderly::io {

namespace {

/// What changes when the file does; empty: there is none.
std::string mark_of(const std::string& path) {
  struct stat x {};

  if (::stat(path.c_str(), &x) != 0)
    return fmt::format("missing {}", errno);
  return fmt::format("{} {} {} {}.{} {}.{}", x.st_dev, x.st_ino, x.st_size,
                     x.st_mtim.tv_sec, x.st_mtim.tv_nsec, x.st_ctim.tv_sec,
                     x.st_ctim.tv_nsec);
}

bool write_all(int to, const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    auto n = ::write(to, text.data() + done, text.size() - done);
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      return false;
    done += static_cast<std::size_t>(n);
  }
  return ::fsync(to) == 0;
}

} // namespace

result<std::string> read_small(const std::string& path, std::size_t most) {
  // Whoever put a pipe there must not have us wait.
  descriptor from{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};

  struct stat found {};

  if (from.get() < 0 || ::fstat(from.get(), &found) != 0)
    return fault{errno == ENOENT ? fault_kind::not_found : fault_kind::io,
                 fmt::format("cannot read {}: {}", path, system_text())};
  if (!S_ISREG(found.st_mode))
    return fault{fault_kind::bad_input,
                 fmt::format("cannot read {}: it is no regular file", path)};
  std::string text(most + 1, '\0');
  std::size_t size = 0;
  while (size < text.size()) {
    auto n = ::read(from.get(), text.data() + size, text.size() - size);
    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0)
      return fault{fault_kind::io,
                   fmt::format("cannot read {}: {}", path, system_text())};
    if (n == 0)
      break;
    size += static_cast<std::size_t>(n);
  }
  if (size > most)
    return fault{fault_kind::bad_input,
                 fmt::format("{} is larger than {} KiB", path, most / 1024)};
  text.resize(size);
  return text;
}

std::string write_small(const std::string& path, const std::string& text) {
  auto fresh = path + ".new";
  ::unlink(fresh.c_str()); // of a life that ended in the middle
  auto good = false;
  {
    descriptor to{::open(fresh.c_str(),
                         O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                         0600)};
    good = to.get() >= 0 && write_all(to.get(), text);
  }
  if (!good || ::rename(fresh.c_str(), path.c_str()) != 0)
    return fmt::format("cannot write {}: {}", path, system_text());
  auto slash = path.rfind('/');
  auto folder = slash == std::string::npos ? "."
                : slash == 0               ? "/"
                                           : path.substr(0, slash);
  descriptor at{::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
  if (at.get() < 0 || ::fsync(at.get()) != 0)
    return fmt::format("cannot be sure that {} is on the disk: {}", path,
                       system_text());
  return {};
}

bool watched_file::look() {
  auto mark = mark_of(path_);
  if (mark == mark_)
    return false;
  // Taken before it is read: what comes in between is seen the next time.
  mark_ = std::move(mark);
  now_ = read_small(path_);
  if (!now_ && now_.why().kind != fault_kind::not_found)
    mark_.clear(); // what kept it from being read may pass: once more
  return true;
}

} // namespace orderly::io
