// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/child/launch.hpp"

#include "io/files/descriptor.hpp"

#include <cerrno>
#include <csignal>
#include <exception>
#include <vector>

#include <boost/asio/connect_pipe.hpp>
#include <boost/asio/writable_pipe.hpp>
#include <boost/process/v2.hpp>
#include <fcntl.h>
#include <linux/close_range.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace orderly::io::child {

namespace {

namespace process = boost::process::v2;
using boost::system::error_code;

error_code last_error() {
  return {errno, boost::system::system_category()};
}

/// Runs in the child, between fork and exec.
struct clean_room {
  pid_t parent;
  int shared_file; ///< that stays open; -1: none

  template <class Path>
  error_code on_exec_setup(process::posix::default_launcher&, const Path&,
                           const char* const*) {
    // Boost 1.81 closes only what lies above its own error pipe.
    if (::close_range(3, ~0U, CLOSE_RANGE_CLOEXEC) != 0)
      return last_error();
    if (shared_file >= 0 && ::fcntl(shared_file, F_SETFD, 0) != 0)
      return last_error();
    // Nobody would hear what comes of it. Its own children are found by their
    // marks, by the next of us.
    if (::prctl(PR_SET_PDEATHSIG, SIGKILL) != 0)
      return last_error();
    if (::getppid() != parent)
      ::_exit(127);
    if (::setpgid(0, 0) != 0 || ::chdir("/") != 0)
      return last_error();
    for (int number = 1; number < NSIG; ++number)
      ::signal(number, SIG_DFL); // fails for KILL, STOP: they are default
    sigset_t none;
    ::sigemptyset(&none);
    if (::sigprocmask(SIG_SETMASK, &none, nullptr) != 0)
      return last_error();
    return {};
  }

  /// Boost would go on with `exit`, that is, run our own exit handlers in the
  /// child. Variadic, because it tests for one more argument than it passes.
  template <class... Ts>
  void on_exec_error(Ts&&...) {
    ::_exit(127);
  }
};

void end_and_reap(pid_t pid) {
  if (pid <= 0)
    return;
  ::kill(-pid, SIGKILL);
  ::kill(pid, SIGKILL);
  while (::waitpid(pid, nullptr, 0) == -1 && errno == EINTR) {
    // again
  }
}

/// A file in memory that nobody else can reach, with `text` to be read; -1: it
/// could not be made.
int held_in_memory(const std::string& text) {
  descriptor file{::memfd_create("input", MFD_CLOEXEC)};
  for (std::size_t done = 0; file.get() >= 0 && done < text.size();) {
    auto n = ::write(file.get(), text.data() + done, text.size() - done);
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      return -1;
    done += static_cast<std::size_t>(n);
  }
  if (file.get() >= 0 && ::lseek(file.get(), 0, SEEK_SET) != 0)
    return -1;
  return file.release();
}

fault cannot_start(const command& what, const std::string& why) {
  return {fault_kind::io, "cannot start " + what.program + ": " + why};
}

} // namespace

result<launched> launcher::start(const command& what, const std::string& mark) {
  error_code failure;
  boost::asio::readable_pipe out{loop_};
  boost::asio::readable_pipe err{loop_};
  boost::asio::writable_pipe out_end{loop_};
  boost::asio::writable_pipe err_end{loop_};
  boost::asio::connect_pipe(out, out_end, failure);
  if (!failure)
    boost::asio::connect_pipe(err, err_end, failure);
  if (failure)
    return cannot_start(what, failure.message());
  descriptor input{what.input.empty()
                     ? ::open("/dev/null", O_RDONLY | O_CLOEXEC)
                     : held_in_memory(what.input)};
  if (input.get() < 0)
    return cannot_start(what, "its input: " + last_error().message());
  auto ourselves = ::getpid();
  process::posix::default_launcher starter;
  auto path = std::string{"PATH="} + helper_path;
  std::vector<const char*> environment;
  if (!what.bare)
    environment = {mark.c_str(), path.c_str(), "LANG=C"};
  for (const auto& variable : what.variables)
    environment.push_back(variable.c_str());
  environment.push_back(nullptr);
  starter.env = environment.data();
  if (what.shared_file >= 0)
    starter.fd_whitelist.push_back(what.shared_file);
  try {
    auto child
      = starter(forks_.get_executor(), failure,
                process::filesystem::path{what.program}, what.arguments,
                process::process_stdio{input.get(), out_end.native_handle(),
                                       err_end.native_handle()},
                clean_room{ourselves, what.shared_file});
    // Only the pid is kept: the handle's own wait trusts a first readiness,
    // which a descriptor number in its second life may report too early.
    child.detach();
  } catch (const std::exception& problem) {
    if (::getpid() != ourselves)
      ::_exit(127);
    end_and_reap(starter.pid);
    return cannot_start(what, problem.what());
  }
  if (failure) {
    end_and_reap(starter.pid); // Boost leaves a failed child unreaped
    return cannot_start(what, failure.message());
  }
  auto leader = static_cast<int>(::syscall(SYS_pidfd_open, starter.pid, 0));
  if (leader == -1) {
    auto why = last_error().message();
    end_and_reap(starter.pid);
    return cannot_start(what, why);
  }
  return launched{starter.pid,
                  boost::asio::posix::stream_descriptor{loop_, leader},
                  std::move(out), std::move(err)};
}

} // namespace orderly::io::child
