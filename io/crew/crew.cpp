// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/crew/crew.hpp"

#include <array>
#include <cerrno>
#include <cstdio>
#include <vector>

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

namespace orderly::io {

namespace {

struct worker {
  pid_t pid = -1;
  int from = -1; ///< what it reports; -1: no more
  std::string text;
};

/// All of it, or this process has nobody to report to any more and ends.
void write_all(int to, const std::string& text) {
  std::size_t done = 0;
  while (done < text.size()) {
    auto count = write(to, text.data() + done, text.size() - done);
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      _exit(1);
    done += static_cast<std::size_t>(count);
  }
}

worker begin(unsigned number,
             const std::function<void(unsigned, const report&)>& work,
             const std::vector<worker>& others) {
  worker x;
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0)
    return x;
  x.pid = fork();
  if (x.pid == 0) {
    close(ends[0]);
    for (const auto& other : others)
      close(other.from);
    work(number, [to = ends[1]](const std::string& line) {
      write_all(to, line + "\n");
    });
    std::fflush(nullptr);
    _exit(0);
  }
  close(ends[1]);
  if (x.pid < 0)
    close(ends[0]);
  else
    x.from = ends[0];
  return x;
}

/// Takes what has come; full lines go to `heard`.
void listen(worker& x, unsigned number,
            const std::function<void(unsigned, const std::string&)>& heard) {
  std::array<char, 4096> part{};
  auto count = read(x.from, part.data(), part.size());
  if (count < 0 && errno == EINTR)
    return;
  if (count <= 0) {
    close(x.from);
    x.from = -1;
    return;
  }
  x.text.append(part.data(), static_cast<std::size_t>(count));
  for (auto end = x.text.find('\n'); end != std::string::npos;
       end = x.text.find('\n')) {
    heard(number, x.text.substr(0, end));
    x.text.erase(0, end + 1);
  }
}

} // namespace

unsigned crew_of_all() {
  auto count = sysconf(_SC_NPROCESSORS_ONLN);
  return count > 0 ? static_cast<unsigned>(count) : 1;
}

bool run_crew(
  unsigned workers,
  const std::function<void(unsigned worker, const report& tell)>& work,
  const std::function<void(unsigned worker, const std::string& line)>& heard,
  const std::function<void()>& passed) {
  // What is still to be printed would be printed by every fork.
  std::fflush(nullptr);
  std::vector<worker> crew;
  for (unsigned i = 0; i < workers; ++i)
    crew.push_back(begin(i, work, crew));
  for (;;) {
    std::vector<pollfd> open;
    for (const auto& x : crew)
      open.push_back({x.from, POLLIN, 0});
    auto any = false;
    for (const auto& x : crew)
      any = any || x.from >= 0;
    if (!any)
      break;
    poll(open.data(), open.size(), 1000);
    for (unsigned i = 0; i < crew.size(); ++i)
      if (open[i].fd >= 0 && open[i].revents != 0)
        listen(crew[i], i, heard);
    passed();
  }
  auto good = true;
  for (const auto& x : crew) {
    int status = 0;
    good
      = x.pid > 0 && waitpid(x.pid, &status, 0) == x.pid && status == 0 && good;
  }
  return good;
}

} // namespace orderly::io
