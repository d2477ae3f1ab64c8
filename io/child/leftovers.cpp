// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/child/leftovers.hpp"

#include "io/files/descriptor.hpp"
#include "messages/time.hpp"

#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace orderly::io::child {

namespace {

constexpr std::string_view mark_name = "ORDERLY_HELPER=";

/// Of this process: whichever runner started them.
struct register_of_helpers {
  std::mutex mutex;
  std::map<pid_t, std::string> running;
  std::atomic<std::uint64_t> marks = 0;
};

register_of_helpers& helpers() {
  static register_of_helpers all;
  return all;
}

struct proc_entry {
  pid_t pid = -1;
  pid_t parent = -1;
  bool ended = false;
};

/// A mark is among the first variables of a helper; its children may have
/// more before it. Any process may have megabytes of them.
constexpr std::size_t read_max = 65536;

/// The begin of that file. Empty if it cannot be read: its process may go
/// meanwhile, which is an error of the read and not of the file.
std::string read(const std::string& path) {
  descriptor from{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  std::string all;
  std::array<char, 4096> part{};
  while (all.size() < read_max) {
    auto n = ::read(from.get(), part.data(), part.size());
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      return n == 0 ? all : std::string{};
    all.append(part.data(), static_cast<std::size_t>(n));
  }
  return all;
}

/// Of its folder, and not of what is in it: that is root's where a process
/// hides what it does.
bool is_of_our_user(pid_t pid) {
  struct stat x {};

  return ::stat(("/proc/" + std::to_string(pid)).c_str(), &x) == 0
         && x.st_uid == ::geteuid();
}

/// The mark of a process, empty if it has none.
std::string mark_of(pid_t pid) {
  auto all = read("/proc/" + std::to_string(pid) + "/environ");
  for (std::size_t from = 0; from < all.size();) {
    auto to = std::min(all.find('\0', from), all.size());
    std::string_view one{all.data() + from, to - from};
    if (one.substr(0, mark_name.size()) == mark_name)
      return std::string{one};
    from = to + 1;
  }
  return {};
}

std::optional<proc_entry> look_at(const std::string& number) {
  proc_entry x;
  auto [end, e]
    = std::from_chars(number.data(), number.data() + number.size(), x.pid);
  if (e != std::errc{} || *end != '\0')
    return std::nullopt;
  // "PID (NAME) STATE PARENT ...", and the name may hold anything.
  auto text = read("/proc/" + number + "/stat");
  auto at = text.rfind(')');
  if (at == std::string::npos || at + 4 >= text.size())
    return std::nullopt;
  x.ended = text[at + 2] == 'Z' || text[at + 2] == 'X';
  std::from_chars(text.data() + at + 4, text.data() + text.size(), x.parent);
  return x;
}

template <class Take>
void each_process(Take take) {
  std::error_code e;
  for (std::filesystem::directory_iterator at{"/proc", e}, end; !e && at != end;
       at.increment(e))
    if (auto x = look_at(at->path().filename().string()))
      take(*x);
}

} // namespace

leftovers::leftovers(std::string scope, bool alone)
  : scope_(std::string{mark_name} + std::move(scope) + "#"), alone_(alone) {
  // nop
}

void leftovers::adopt() const {
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
}

std::string leftovers::next_mark() const {
  return scope_ + std::to_string(::getpid()) + "."
         + std::to_string(++helpers().marks);
}

void leftovers::enter(pid_t leader, const std::string& mark) {
  auto& all = helpers();
  std::lock_guard guard{all.mutex};
  all.running[leader] = mark;
}

void leftovers::leave(pid_t leader) {
  auto& all = helpers();
  std::lock_guard guard{all.mutex};
  all.running.erase(leader);
}

unsigned leftovers::end_earlier() const {
  unsigned count = 0;
  auto ours = scope_ + std::to_string(::getpid()) + ".";
  each_process([&](const proc_entry& x) {
    if (x.pid == ::getpid() || x.ended)
      return;
    auto mark = is_of_our_user(x.pid) ? mark_of(x.pid) : std::string{};
    if (mark.rfind(scope_, 0) == 0 && mark.rfind(ours, 0) != 0
        && ::kill(x.pid, SIGKILL) == 0)
      ++count;
  });
  return count;
}

unsigned leftovers::end_orphans() {
  auto& all = helpers();
  std::lock_guard guard{all.mutex};
  std::set<std::string> at_work;
  for (const auto& [pid, mark] : all.running)
    at_work.insert(mark);
  unsigned count = 0;
  auto ours = scope_ + std::to_string(::getpid()) + ".";
  each_process([&](const proc_entry& x) {
    auto child = x.parent == ::getpid();
    if (x.pid == ::getpid() || all.running.count(x.pid) != 0)
      return;
    if (x.ended) { // and has no mark any more
      if (child && (alone_ || condemned_.count(x.pid) != 0)
          && ::waitpid(x.pid, nullptr, WNOHANG) == x.pid)
        condemned_.erase(x.pid);
      return;
    }
    if (!child && !is_of_our_user(x.pid))
      return; // whoever likes can bear a mark
    auto mark = mark_of(x.pid);
    auto known = mark.rfind(child ? mark_name : ours, 0) == 0;
    if (known ? at_work.count(mark) != 0 : !child || !alone_)
      return;
    if (::kill(x.pid, SIGKILL) == 0)
      ++count;
    if (child)
      condemned_.insert(x.pid);
  });
  return count;
}

void leftovers::end_all() {
  constexpr seconds patience{4};
  constexpr millis pause{20};
  auto until = std::chrono::steady_clock::now() + patience;
  auto calm = 0; // whoever has just lost its parent comes to us in a moment
  while (calm < 2 && std::chrono::steady_clock::now() < until) {
    calm = end_orphans() == 0 ? calm + 1 : 0;
    std::this_thread::sleep_for(pause);
  }
}

} // namespace orderly::io::child
