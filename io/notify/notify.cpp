// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/notify/notify.hpp"

#include <cstdint>
#include <ctime>
#include <string>

#include <systemd/sd-daemon.h>

namespace orderly::io {

namespace {

bool notify(const std::string& news) {
  return sd_notify(0, news.c_str()) > 0;
}

} // namespace

bool notify_ready() {
  return notify("READY=1");
}

bool notify_status(std::string_view text) {
  std::string news = "STATUS=";
  // A line break would begin another variable, such as MAINPID.
  for (char c : text)
    news += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? ' ' : c;
  return notify(news);
}

bool notify_reloading() {
  // systemd orders this against its SIGHUP by the monotonic clock.
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  auto usec = static_cast<std::int64_t>(now.tv_sec) * 1000000
              + static_cast<std::int64_t>(now.tv_nsec) / 1000;
  return notify("RELOADING=1\nMONOTONIC_USEC=" + std::to_string(usec));
}

bool notify_stopping() {
  return notify("STOPPING=1");
}

bool notify_watchdog() {
  return notify("WATCHDOG=1");
}

std::vector<int> inherited_sockets() {
  std::vector<int> result;
  auto count = sd_listen_fds(1);
  for (int i = 0; i < count; ++i)
    result.push_back(SD_LISTEN_FDS_START + i);
  return result;
}

std::optional<millis> watchdog_interval() {
  std::uint64_t usec = 0;
  if (sd_watchdog_enabled(0, &usec) <= 0)
    return std::nullopt;
  return millis{static_cast<std::int64_t>(usec / 1000)};
}

} // namespace orderly::io
