// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/notify/notify.hpp"
#include "tests/support/scratch.hpp"

#include <catch2/catch.hpp>

#include <cstdlib>
#include <cstring>
#include <ctime>

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace orderly::notify_test {

using namespace orderly::io;

namespace {

/// A socket that listens as systemd does.
class service_manager {
public:
  service_manager() {
    auto path = folder_.path("notify");
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    REQUIRE(path.size() < sizeof address.sun_path);
    std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
    socket_ = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    REQUIRE(socket_ >= 0);
    REQUIRE(
      ::bind(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address)
      == 0);
    setenv("NOTIFY_SOCKET", path.c_str(), 1);
  }

  ~service_manager() {
    unsetenv("NOTIFY_SOCKET");
    ::close(socket_);
  }

  service_manager(const service_manager&) = delete;
  service_manager& operator=(const service_manager&) = delete;

  std::string heard() {
    char buffer[1024];
    auto n = ::recv(socket_, buffer, sizeof buffer, MSG_DONTWAIT);
    return n < 0 ? "nothing" : std::string(buffer, static_cast<size_t>(n));
  }

private:
  scratch_folder folder_;
  int socket_ = -1;
};

} // namespace

TEST_CASE("the service manager hears each piece of news by its name") {
  service_manager systemd;
  CHECK(notify_ready());
  CHECK(systemd.heard() == "READY=1");
  CHECK(notify_stopping());
  CHECK(systemd.heard() == "STOPPING=1");
  CHECK(notify_watchdog());
  CHECK(systemd.heard() == "WATCHDOG=1");
  CHECK(notify_status("master, 40 nodes"));
  CHECK(systemd.heard() == "STATUS=master, 40 nodes");
  CHECK(systemd.heard() == "nothing");
}

TEST_CASE("a reload is told with the monotonic time") {
  service_manager systemd;
  auto before = std::time(nullptr);
  CHECK(notify_reloading());
  auto heard = systemd.heard();
  auto start = std::string{"RELOADING=1\nMONOTONIC_USEC="};
  REQUIRE(heard.substr(0, start.size()) == start);
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  auto told = std::stoll(heard.substr(start.size())) / 1000000;
  CHECK(told <= now.tv_sec);
  CHECK(told >= now.tv_sec - (std::time(nullptr) - before) - 1);
}

TEST_CASE("a status text cannot smuggle in other news") {
  service_manager systemd;
  CHECK(notify_status("node a\nMAINPID=1"));
  CHECK(systemd.heard() == "STATUS=node a MAINPID=1");
}

TEST_CASE("without a service manager news are dropped") {
  unsetenv("NOTIFY_SOCKET");
  CHECK(!notify_ready());
  CHECK(!notify_status("x"));
  CHECK(!notify_reloading());
  CHECK(!notify_stopping());
  CHECK(!notify_watchdog());
}

TEST_CASE("the watchdog's interval is the one that systemd set for us") {
  unsetenv("WATCHDOG_PID");
  unsetenv("WATCHDOG_USEC");
  CHECK(!watchdog_interval());
  setenv("WATCHDOG_USEC", "30000000", 1);
  CHECK(watchdog_interval() == seconds{30});
  setenv("WATCHDOG_PID", std::to_string(getpid()).c_str(), 1);
  CHECK(watchdog_interval() == seconds{30});
  setenv("WATCHDOG_PID", "1", 1);
  CHECK(!watchdog_interval());
  setenv("WATCHDOG_USEC", "soon", 1);
  unsetenv("WATCHDOG_PID");
  CHECK(!watchdog_interval());
  unsetenv("WATCHDOG_USEC");
}

} // namespace orderly::notify_test
