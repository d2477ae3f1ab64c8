// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/sqlite/lock_file.hpp"

#include "io/sqlite/checksum.hpp"

#include <cerrno>
#include <charconv>
#include <system_error>

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace orderly::io {

namespace {

/// A disk that is full, broken or not to be written. A folder that is not there
/// or not ours is a mistake in the settings.
bool is_of_the_disk(int error) {
  return error == ENOSPC || error == EDQUOT || error == EROFS || error == EIO;
}

} // namespace

lock_file::lock_file(const std::string& path) {
  auto reason = [] { return std::generic_category().message(errno); };
  descriptor_
    = ::open(path.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (descriptor_ < 0 && is_of_the_disk(errno))
    kind_ = fault_kind::io;
  if (descriptor_ < 0)
    text_ = "cannot open " + path + ": " + reason()
            + "; does the folder exist and may we write it?";
  else if (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0)
    text_ = errno == EWOULDBLOCK ? path
                                     + " is held by another process; only "
                                       "one orderlyd may use a journal"
                                 : "cannot lock " + path + ": " + reason();
  struct stat x {};
  // One that was made just now says nothing.
  if (taken() && ::fstat(descriptor_, &x) == 0 && x.st_size > 0)
    touched_before_ = std::int64_t{x.st_mtim.tv_sec} * 1000;
}

void lock_file::touch() const {
  ::futimens(descriptor_, nullptr);
}

lock_file::~lock_file() {
  if (descriptor_ >= 0)
    ::close(descriptor_);
}

bool lock_file::note(std::uint64_t seq, bool durable) const {
  auto number = static_cast<std::int64_t>(seq);
  auto text
    = fmt::format("{:020} {:08x}\n", number, checksum{}.add(number).value());
  auto size = static_cast<ssize_t>(text.size());
  return ::pwrite(descriptor_, text.data(), text.size(), 0) == size
         && (!durable || ::fdatasync(descriptor_) == 0);
}

std::uint64_t lock_file::noted() const {
  constexpr std::size_t size = 30;
  char text[size];
  if (::pread(descriptor_, text, size, 0) != static_cast<ssize_t>(size))
    return 0;
  std::int64_t number = 0;
  std::int64_t sum = 0;
  constexpr std::size_t digits = 20;
  auto first = std::from_chars(text, text + digits, number);
  auto second = std::from_chars(text + digits + 1, text + size - 1, sum, 16);
  auto good = first.ec == std::errc{} && second.ec == std::errc{} && number > 0
              && sum == checksum{}.add(number).value();
  return good ? static_cast<std::uint64_t>(number) : 0;
}

} // namespace orderly::io
