// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/limits/limits.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <exception>
#include <new>
#include <string_view>
#include <system_error>

#include <fmt/format.h>
#include <malloc.h>
#include <sys/resource.h>
#include <unistd.h>

namespace orderly::io {

namespace {

/// Who comes from outside takes no more of the open files than one in so many.
constexpr rlim_t files_share = 4;

/// With fewer the doors, journal, probes or commands do not fit.
constexpr rlim_t files_min = 32;

std::string_view program = "this program";

/// One huge answer would have the allocator keep what others are made of, too,
/// and keep it for good.
void give_memory_back() {
  ::mallopt(M_MMAP_THRESHOLD, 4 << 20);
  ::mallopt(M_TRIM_THRESHOLD, 8 << 20);
}

constexpr int exit_lack = 1;
constexpr std::size_t one_page = 4096;

constexpr std::string_view raise_memory
  = "MemoryMax= and LimitAS= of its unit, or 'ulimit -v'";
constexpr std::string_view raise_threads
  = "TasksMax=, MemoryMax= and LimitAS= of its unit, or 'ulimit -u' and "
    "'ulimit -v'";

std::atomic<bool> memory_lacked{false};

std::terminate_handler earlier = nullptr;

[[noreturn]] void no_memory() {
  memory_lacked = true;
  throw std::bad_alloc{};
}

/// Makes nothing, for there is nothing to make it of.
[[noreturn]] void end_for_lack(std::string_view of, std::string_view raise) {
  for (auto text :
       {program, std::string_view{" ends, for there is not enough "}, of,
        std::string_view{": raise "}, raise,
        std::string_view{". What was acknowledged is on disk and goes on with "
                         "the next start\n"}})
    if (::write(STDERR_FILENO, text.data(), text.size()) < 0)
      break;
  std::_Exit(exit_lack);
}

[[noreturn]] void end_by_exception() {
  end_if_it_was_a_lack();
  // There may have been none left for the exception itself.
  if (!std::current_exception() && std::malloc(one_page) == nullptr)
    end_for_lack("memory", raise_memory);
  // A mistake of ours, which is told as ever.
  earlier();
  std::abort();
}

} // namespace

std::string word_on_memory() {
  return memory_lacked
           ? fmt::format("; memory was short: raise {}", raise_memory)
           : "";
}

void end_if_it_was_a_lack() {
  try {
    if (auto what = std::current_exception())
      std::rethrow_exception(what);
  } catch (const std::bad_alloc&) {
    end_for_lack("memory", raise_memory);
  } catch (const std::system_error& e) {
    // A thread needs address space, and a place among the processes.
    if (e.code() == std::errc::resource_unavailable_try_again)
      end_for_lack("memory or room for its threads", raise_threads);
  } catch (...) {
    return; // it lacked nothing of that
  }
}

unsigned share_of_files(unsigned most) {
  rlimit files{};
  if (getrlimit(RLIMIT_NOFILE, &files) != 0)
    return most;
  return static_cast<unsigned>(
    std::min<rlim_t>(most, files.rlim_cur / files_share));
}

std::string settle_limits(std::string_view name) {
  program = name;
  give_memory_back();
  std::set_new_handler(no_memory);
  earlier = std::set_terminate(end_by_exception);
  rlimit files{};
  if (getrlimit(RLIMIT_NOFILE, &files) != 0)
    return {};
  // Many probes at once need many sockets.
  files.rlim_cur = files.rlim_max;
  setrlimit(RLIMIT_NOFILE, &files);
  if (files.rlim_max >= files_min)
    return {};
  return fmt::format("{} may open {} files, and needs {} at least: raise "
                     "LimitNOFILE= of its unit, or 'ulimit -n'",
                     program, files.rlim_max, files_min);
}

} // namespace orderly::io
