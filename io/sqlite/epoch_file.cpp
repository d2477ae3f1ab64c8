// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/sqlite/epoch_file.hpp"

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <system_error>

#include <fcntl.h>
#include <unistd.h>

namespace orderly::io {

namespace {

[[noreturn]] void fail(const std::string& doing) {
  throw std::system_error(errno, std::generic_category(), doing);
}

void sync(const std::string& path, int flags) {
  auto descriptor = ::open(path.c_str(), flags | O_CLOEXEC);
  if (descriptor < 0)
    fail("cannot open " + path);
  auto synced = ::fsync(descriptor) == 0;
  ::close(descriptor);
  if (!synced)
    fail("cannot sync " + path);
}

} // namespace

std::int64_t read_epoch(const std::string& path) {
  std::ifstream in{path};
  if (!in)
    return 0;
  std::string text;
  in >> text;
  std::int64_t epoch = 0;
  const auto* end = text.data() + text.size();
  auto [stop, error] = std::from_chars(text.data(), end, epoch);
  if (text.empty() || error != std::errc{} || stop != end || epoch < 0)
    throw std::runtime_error(path
                             + " should hold one number and does not; "
                               "remove it if the journal is the newest");
  return epoch;
}

void write_epoch(const std::string& path, std::int64_t epoch) {
  auto fresh = path + ".new";
  {
    std::ofstream out{fresh, std::ios::trunc};
    out << epoch << '\n';
    out.flush();
    if (!out)
      fail("cannot write " + fresh);
  }
  sync(fresh, O_WRONLY);
  if (std::rename(fresh.c_str(), path.c_str()) != 0)
    fail("cannot rename " + fresh);
  auto folder = std::filesystem::path{path}.parent_path();
  sync(folder.empty() ? "." : folder.string(), O_RDONLY | O_DIRECTORY);
}

} // namespace orderly::io
