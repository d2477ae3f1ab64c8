// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/sqlite/lock_file.hpp"

#include "io/sqlite/checksum.hpp"

#include <cerrno>
#include <charconv>
#include <optional>
#include <system_error>

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/file.h>
#include <unistd.h>

namespace orderly::io {

namespace {

/// A disk that is full, broken or not to be written. A folder that is not there
/// or not ours is a mistake in the settings.
bool is_of_the_disk(int error) {
  return error == ENOSPC || error == EDQUOT || error == EROFS || error == EIO;
}

/// A line is a number and its checksum.
constexpr ssize_t digits = 20;
constexpr ssize_t line_size = 30;

constexpr off_t first_line = 0;
constexpr off_t second_line = line_size;
constexpr off_t third_line = 2 * line_size;
constexpr off_t fourth_line = 3 * line_size;

bool write_line(int descriptor, off_t place, std::int64_t number) {
  auto text
    = fmt::format("{:020} {:08x}\n", number, checksum{}.add(number).value());
  return ::pwrite(descriptor, text.data(), line_size, place) == line_size;
}

/// None if no number of ours is there.
std::optional<std::int64_t> read_number(int descriptor, off_t place) {
  char text[line_size];
  if (::pread(descriptor, text, line_size, place) != line_size)
    return std::nullopt;
  std::int64_t number = 0;
  std::int64_t sum = 0;
  auto first = std::from_chars(text, text + digits, number);
  auto second
    = std::from_chars(text + digits + 1, text + line_size - 1, sum, 16);
  auto good = first.ec == std::errc{} && second.ec == std::errc{} && number >= 0
              && sum == checksum{}.add(number).value();
  return good ? std::optional{number} : std::nullopt;
}

std::int64_t read_line(int descriptor, off_t place) {
  return read_number(descriptor, place).value_or(0);
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
}

lock_file::~lock_file() {
  if (descriptor_ >= 0)
    ::close(descriptor_);
}

bool lock_file::note(std::uint64_t seq, bool durable) const {
  return write_line(descriptor_, first_line, static_cast<std::int64_t>(seq))
         && (!durable || ::fdatasync(descriptor_) == 0);
}

std::uint64_t lock_file::noted() const {
  return static_cast<std::uint64_t>(read_line(descriptor_, first_line));
}

void lock_file::note_duty(const known_time& x) const {
  write_line(descriptor_, second_line, x.time);
  write_line(descriptor_, third_line, x.uptime);
  write_line(descriptor_, fourth_line, x.boot);
}

bool lock_file::notes_duty() const {
  return read_number(descriptor_, second_line).has_value();
}

known_time lock_file::noted_duty() const {
  return {read_line(descriptor_, second_line),
          read_line(descriptor_, third_line),
          read_line(descriptor_, fourth_line)};
}

} // namespace orderly::io
