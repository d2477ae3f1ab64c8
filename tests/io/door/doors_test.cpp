// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// How doors open, and who comes in.

#include "io/door/listen.hpp"
#include "io/door/spare_files.hpp"
#include "tests/io/http/site.hpp"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <mutex>
#include <thread>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>

namespace orderly::door_doors_test {

using namespace orderly::test;
using namespace orderly::io::http;
using io::http::request;

namespace {

handler greet() {
  return [](request, reply done) { done({}); };
}

/// What is told of doors, from whichever thread.
class news {
public:
  std::function<void(const door_standing&)> ear() {
    return [this](const door_standing& x) {
      std::lock_guard guard{mutex_};
      all_.push_back(x);
    };
  }

  std::vector<door_standing> all() {
    std::lock_guard guard{mutex_};
    return all_;
  }

  /// Waits until so many were told.
  bool wait(std::size_t count) {
    return holds_soon([&] { return all().size() >= count; });
  }

private:
  std::mutex mutex_;
  std::vector<door_standing> all_;
};

server_rules prompt(news& to) {
  server_rules x;
  x.retry_first = millis{20};
  x.retry_max = millis{100};
  x.news = to.ear();
  return x;
}

bool serves(std::uint16_t port) {
  raw_client x{port};
  x.send(get("/"));
  return starts_with(x.answer(), "HTTP/1.1 200");
}

bool serves(const std::string& path) {
  raw_client x{path};
  x.send(get("/"));
  return starts_with(x.answer(), "HTTP/1.1 200");
}

/// The descriptors that this process has open.
struct file_numbers {
  std::size_t count = 0;
  rlim_t highest = 0;
};

file_numbers open_files() {
  file_numbers x;
  for (const auto& file :
       std::filesystem::directory_iterator{"/proc/self/fd"}) {
    auto number = std::stoul(file.path().filename().string());
    x.highest = std::max<rlim_t>(x.highest, number);
    ++x.count;
  }
  return x;
}

limits few(std::uint32_t all, std::uint32_t of_one) {
  limits x;
  x.connections_max = all;
  x.connections_per_peer_max = of_one;
  return x;
}

sockaddr_un unix_address(const std::string& path) {
  sockaddr_un at{};
  at.sun_family = AF_UNIX;
  std::strncpy(at.sun_path, path.c_str(), sizeof(at.sun_path) - 1);
  return at;
}

/// A socket that has that place, and does not listen yet.
int bound_at(const std::string& path) {
  auto at = unix_address(path);
  auto fd = ::socket(AF_UNIX, SOCK_STREAM, 0);
  REQUIRE(::bind(fd, reinterpret_cast<sockaddr*>(&at), sizeof(at)) == 0);
  return fd;
}

} // namespace

TEST_CASE("a door whose place is taken is told, tried again, and opens") {
  auto squatter = listen_tcp("127.0.0.1", 0);
  REQUIRE(squatter);
  io::loop on;
  news heard;
  auto rules = prompt(heard);
  rules.port = port_of(*squatter);
  auto up = server::start(on, rules, greet());
  REQUIRE(up);
  REQUIRE(heard.all().size() == 1);
  CHECK_FALSE(heard.all()[0].open);
  CHECK(heard.all()[0].kind == door_kind::tcp);
  CHECK(contains(heard.all()[0].trouble, "Address already in use"));
  CHECK(contains(heard.all()[0].trouble, "http.port"));
  std::this_thread::sleep_for(millis{150});
  CHECK(heard.all().size() == 1); // the same trouble is told once
  ::close(*squatter);
  REQUIRE(heard.wait(2));
  CHECK(heard.all()[1].open);
  CHECK(serves(rules.port));
}

TEST_CASE("one door that is shut keeps no other from opening") {
  scratch_folder folder;
  auto squatter = listen_tcp("127.0.0.1", 0);
  REQUIRE(squatter);
  io::loop on;
  news heard;
  auto rules = prompt(heard);
  rules.port = port_of(*squatter);
  rules.socket = folder.path("run/s");
  auto up = server::start(on, rules, greet());
  REQUIRE(up);
  CHECK(serves(rules.socket));
  ::close(*squatter);
}

TEST_CASE("an address that is none will never be one, and is refused") {
  io::loop on;
  news heard;
  auto rules = prompt(heard);
  rules.address = "node one";
  auto up = server::start(on, rules, greet());
  REQUIRE_FALSE(up);
  CHECK(contains(up.why().text, "'node one' is no IP address"));
}

TEST_CASE("who listens at the place of a socket and takes nobody in keeps "
          "nobody waiting") {
  scratch_folder folder;
  io::loop on;
  news heard;
  auto rules = prompt(heard);
  rules.address = "";
  rules.socket = folder.path("s");
  auto at = unix_address(rules.socket);
  auto deaf = bound_at(rules.socket);
  REQUIRE(::listen(deaf, 0) == 0);
  std::vector<int> queue;
  for (auto e = 0; e == 0 && queue.size() < 100;) {
    queue.push_back(::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0));
    e = ::connect(queue.back(), reinterpret_cast<sockaddr*>(&at), sizeof(at));
  }
  auto door = server::start(on, rules, greet());
  REQUIRE(door);
  REQUIRE(heard.wait(1));
  CHECK(contains(heard.all()[0].trouble, "another program listens there"));
  for (auto fd : queue)
    ::close(fd);
  ::close(deaf);
}

TEST_CASE("a dead socket file is replaced, a living one and a file are not") {
  scratch_folder folder;
  io::loop on;
  news heard;
  auto rules = prompt(heard);
  rules.address = "";
  rules.socket = folder.path("s");
  // What a killed daemon leaves behind.
  ::close(bound_at(rules.socket));
  auto first = server::start(on, rules, greet());
  REQUIRE(first);
  CHECK((*first)->port() == 0);
  CHECK(serves(rules.socket));
  auto second = server::start(on, rules, greet());
  REQUIRE(second);
  REQUIRE(heard.wait(2));
  CHECK(contains(heard.all()[1].trouble, "another program listens there"));
  CHECK(serves(rules.socket));
  first->reset();
  REQUIRE(heard.wait(3)); // the second has its turn
  CHECK(heard.all()[2].open);
  CHECK(serves(rules.socket));
  second->reset();
  CHECK_FALSE(std::filesystem::exists(rules.socket));
  rules.socket = folder.path("plain");
  ::close(::creat(rules.socket.c_str(), 0600));
  auto third = server::start(on, rules, greet());
  REQUIRE(heard.wait(4));
  CHECK(contains(heard.all()[3].trouble, "something else than a socket"));
  CHECK(std::filesystem::exists(rules.socket));
}

TEST_CASE("a socket that somebody removed comes back") {
  scratch_folder folder;
  io::loop on;
  news heard;
  auto rules = prompt(heard);
  rules.socket = folder.path("s");
  auto up = server::start(on, rules, greet());
  REQUIRE(up);
  std::filesystem::remove(rules.socket);
  REQUIRE(holds_soon([&] { return std::filesystem::exists(rules.socket); }));
  CHECK(serves(rules.socket));
}

TEST_CASE("sockets that were opened for us are used, and not made anew") {
  scratch_folder folder;
  auto lent = listen_tcp("127.0.0.1", 0);
  auto path = folder.path("lent");
  auto lent_unix = listen_unix(path, {});
  REQUIRE(lent);
  REQUIRE(lent_unix);
  io::loop on;
  news heard;
  auto rules = prompt(heard);
  rules.port = port_of(*lent);
  rules.socket = path;
  rules.inherited = {*lent, *lent_unix};
  {
    auto up = server::start(on, rules, greet());
    REQUIRE(up);
    CHECK((*up)->port() == rules.port);
    CHECK(serves(rules.port));
    CHECK(serves(path));
  }
  CHECK(std::filesystem::exists(path)); // it is not ours
}

TEST_CASE("the readers' socket is for its group, and says so") {
  if (::geteuid() != 0)
    return; // only root gives files to other groups
  scratch_folder folder;
  io::loop on;
  news heard;
  auto rules = prompt(heard);
  rules.reader_socket = folder.path("run/readers");
  rules.reader_group = "daemon";
  request seen;
  auto up = server::start(on, rules, [&](request r, reply done) {
    seen = std::move(r);
    done({});
  });
  REQUIRE(up);

  struct stat found {};

  REQUIRE(::stat(rules.reader_socket.c_str(), &found) == 0);
  CHECK((found.st_mode & 0777) == 0660);
  CHECK(found.st_gid != 0);
  REQUIRE(::stat(folder.path("run").c_str(), &found) == 0);
  CHECK((found.st_mode & 0777) == 0755);
  CHECK(serves(rules.reader_socket));
  CHECK(seen.through == door_kind::readers);
  CHECK_FALSE(seen.local);
  rules.reader_socket = folder.path("other");
  rules.reader_group = "no-such-group";
  auto other = server::start(on, rules, greet());
  REQUIRE(heard.wait(3));
  CHECK(contains(heard.all().back().trouble, "no group 'no-such-group'"));
}

TEST_CASE("who says nothing loses the place to who asks") {
  site at{few(20, 20), greet()};
  std::vector<std::unique_ptr<raw_client>> silent;
  for (int i = 0; i < 60; ++i)
    silent.push_back(std::make_unique<raw_client>(at.port()));
  auto began = std::chrono::steady_clock::now();
  for (int i = 0; i < 20; ++i)
    CHECK(starts_with(at.once(get("/")), "HTTP/1.1 200"));
  CHECK(std::chrono::steady_clock::now() - began < seconds{30}); // of 60
}

TEST_CASE("who begins to ask and does not end loses the place too") {
  site at{few(20, 20), greet()};
  std::vector<std::unique_ptr<raw_client>> slow;
  for (int i = 0; i < 60; ++i) {
    slow.push_back(std::make_unique<raw_client>(at.port()));
    slow.back()->send("GET / HTTP/1.1\r\nHo");
  }
  for (int i = 0; i < 20; ++i)
    CHECK(starts_with(at.once(get("/")), "HTTP/1.1 200"));
}

TEST_CASE("when all are at work the next is told to come back") {
  std::vector<reply> open; // on the loop only
  std::atomic<int> at_work = 0;
  site at{few(3, 2), [&](request, reply done) {
            open.push_back(done);
            ++at_work;
          }};
  raw_client one{at.port()};
  raw_client two{at.port()};
  one.send(get("/"));
  two.send(get("/"));
  REQUIRE(holds_soon([&] { return at_work == 2; }));
  raw_client three{at.port()};
  auto all = three.rest();
  CHECK(starts_with(all, "HTTP/1.1 503"));
  CHECK(contains(all, "Retry-After"));
  raw_client other{at.socket()}; // another door, another share
  other.send(get("/"));
  REQUIRE(holds_soon([&] { return at_work == 3; }));
  at.on.post([&] {
    for (auto& done : open)
      done({});
  });
  CHECK(starts_with(one.answer(), "HTTP/1.1 200"));
  CHECK(starts_with(other.answer(), "HTTP/1.1 200"));
}

TEST_CASE("one user of this machine is one peer, whatever address it takes") {
  auto lent = listen_tcp("127.0.0.1", 0);
  REQUIRE(lent);
  auto name_from = [&](const char* address) {
    auto fd = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in from{};
    from.sin_family = AF_INET;
    from.sin_addr.s_addr = ::inet_addr(address);
    REQUIRE(::bind(fd, reinterpret_cast<sockaddr*>(&from), sizeof from) == 0);
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(port_of(*lent));
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    REQUIRE(::connect(fd, reinterpret_cast<sockaddr*>(&to), sizeof to) == 0);
    auto taken = ::accept(*lent, nullptr, nullptr);
    auto name = peer_of(taken, door_kind::tcp).name;
    ::close(taken);
    ::close(fd);
    return name;
  };
  CHECK(name_from("127.0.0.1") == name_from("127.9.8.7"));
  ::close(*lent);
}

TEST_CASE("orders come in when all file descriptors are in use") {
  site at{{}, greet()};
  auto idle = open_files().count;
  CHECK(starts_with(at.once(get("/")), "HTTP/1.1 200"));
  // What ends while all are in use would let the stranger in.
  REQUIRE(holds_soon([&] { return open_files().count <= idle; }));
  // The client's own, before there are none any more.
  raw_client person{at.socket(), raw_client::unconnected{}};
  raw_client stranger{at.port(), raw_client::unconnected{}};
  rlimit before{};
  REQUIRE(::getrlimit(RLIMIT_NOFILE, &before) == 0);
  // Above what the server keeps: a number beyond the limit is worth nothing
  // when it is given back.
  auto few_files = before;
  few_files.rlim_cur = open_files().highest + 1;
  REQUIRE(::setrlimit(RLIMIT_NOFILE, &few_files) == 0);
  std::vector<int> taken;
  for (int fd = 0; fd >= 0;)
    if (fd = ::open("/dev/null", O_RDONLY | O_CLOEXEC); fd >= 0)
      taken.push_back(fd);
  person.join();
  person.send(get("/"));
  auto said = person.answer_within(seconds{60});
  stranger.join();
  stranger.send(get("/"));
  auto unheard = stranger.answer_within(millis{300});
  for (auto fd : taken)
    ::close(fd);
  REQUIRE(::setrlimit(RLIMIT_NOFILE, &before) == 0);
  INFO(said);
  CHECK(starts_with(said, "HTTP/1.1 200"));
  CHECK(unheard.empty());
  // It was only late.
  CHECK(starts_with(stranger.answer_within(seconds{60}), "HTTP/1.1 200"));
}

} // namespace orderly::door_doors_test
