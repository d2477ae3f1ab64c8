// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Orders that were sent and never answered.

#include "tests/io/console/person.hpp"

#include <atomic>
#include <cstring>
#include <thread>

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace orderly::console_lost_answer_test {

using namespace orderly::test;

namespace {

enum class loss {
  cut,      ///< reads it, and closes
  slam,     ///< closes with all of it unread
  half,     ///< ends in the middle of its answer
  silence,  ///< says nothing
  no_answer ///< says that no answer came in time
};

/// Takes connections at a socket and gives no whole answer.
class loser {
public:
  explicit loser(loss how) : how_(how) {
    sockaddr_un at{};
    at.sun_family = AF_UNIX;
    std::strncpy(at.sun_path, path().c_str(), sizeof(at.sun_path) - 1);
    fd_ = ::socket(AF_UNIX, SOCK_STREAM, 0);
    REQUIRE(::bind(fd_, reinterpret_cast<sockaddr*>(&at), sizeof(at)) == 0);
    REQUIRE(::listen(fd_, 8) == 0);
    server_ = std::thread{[this] { serve(); }};
  }

  ~loser() {
    stopping_ = true;
    server_.join();
    ::close(fd_);
  }

  loser(const loser&) = delete;
  loser& operator=(const loser&) = delete;

  [[nodiscard]] std::string path() const { return folder_.path("s"); }

private:
  bool is_readable(int fd) const {
    pollfd x{fd, POLLIN, 0};
    while (!stopping_)
      if (::poll(&x, 1, 20) == 1)
        return true;
    return false;
  }

  void serve() {
    while (is_readable(fd_)) {
      auto client = ::accept(fd_, nullptr, nullptr);
      if (client < 0)
        continue;
      is_readable(client);
      lose(client);
      ::close(client);
    }
  }

  void lose(int client) {
    std::string request(65536, '\0');
    if (how_ != loss::slam
        && ::recv(client, request.data(), request.size(), 0) < 0)
      return;
    if (how_ == loss::half)
      say(client, "HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{\"done\":");
    if (how_ == loss::no_answer)
      say(client, "HTTP/1.1 504 X\r\nContent-Length: 2\r\n\r\n{}");
    // Until whoever asks has had enough of it.
    if (how_ == loss::silence)
      is_readable(client);
  }

  static void say(int client, const std::string& text) {
    ::send(client, text.data(), text.size(), MSG_NOSIGNAL);
  }

  loss how_;
  scratch_folder folder_;
  int fd_ = -1;
  std::atomic<bool> stopping_{false};
  std::thread server_;
};

struct order {
  std::vector<const char*> words;
  std::string look;
};

} // namespace

TEST_CASE("an order that was sent and not answered is not told as failed") {
  auto how = GENERATE(loss::cut, loss::slam, loss::half, loss::silence,
                      loss::no_answer);
  loser at{how};
  for (const order& x :
       {order{{"--timeout", "0.3", "pause"}, "'orderly status'"},
        order{{"--timeout", "0.3", "resume"}, "'orderly status'"},
        order{{"--timeout", "0.3", "repair", "web1", "--type", "failover"},
              "'orderly explain web1'"},
        order{{"--timeout", "0.3", "errand", "power-12", "--stop"},
              "'orderly errand power-12'"},
        order{{"--timeout", "0.3", "cancel", "u1"}, "'orderly incident u1'"}}) {
    INFO(x.words[2]);
    auto end = orderly_cli(at.path(), x.words);
    CHECK(end.code == exit_timed_out);
    CHECK(end.out.empty());
    CHECK(contains(end.err, "whether the order holds is not known: look with "
                              + x.look + " before you give it again"));
  }
  person bob;
  auto power = bob.type_at(at.path(),
                           {"power", "off", "n1", "--yes", "--timeout", "0.3"});
  CHECK(power.code == exit_timed_out);
  CHECK(contains(power.err, "look with 'orderly errands' before"));
}

TEST_CASE("who only asks is told what went wrong, as before") {
  loser at{loss::cut};
  auto read = orderly_cli(at.path(), {"nodes"});
  CHECK(read.code == exit_failed);
  CHECK(contains(read.err, "the answer is no HTTP"));
  // What is shown before the question is none either.
  person bob;
  auto dry = bob.type_at(at.path(), {"power", "off", "n1"});
  CHECK(dry.code == exit_failed);
  CHECK_FALSE(contains(dry.err, "whether the order holds"));
  CHECK(bob.questions.empty());
}

TEST_CASE("an order that never left is not one whose end nobody knows") {
  scratch_folder folder;
  auto x = orderly_cli(folder.path("none"), {"pause"});
  CHECK(x.code == exit_unreachable);
  CHECK_FALSE(contains(x.err, "whether the order holds"));
}

TEST_CASE("what the daemon does not know itself has the same code") {
  site at;
  at.actors.desk = [](const errand_word&) -> result<errand_sheet> {
    return fault{fault_kind::unknown_outcome, "it may or may not be taken"};
  };
  person bob;
  auto x = bob.type(at, {"power", "on", "n1"});
  CHECK(x.code == exit_timed_out);
  CHECK(x.err == "orderly: it may or may not be taken\n");
}

} // namespace orderly::console_lost_answer_test
