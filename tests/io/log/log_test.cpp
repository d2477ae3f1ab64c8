// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/log/log.hpp"

#include <catch2/catch.hpp>

#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <thread>

#include <spdlog/sinks/ostream_sink.h>
#include <spdlog/spdlog.h>
#include <sys/stat.h>
#include <unistd.h>

namespace orderly::log_test {

using namespace orderly::io;

namespace {

std::string formatted(bool journald, spdlog::level::level_enum level,
                      const std::string& text) {
  auto at = spdlog::log_clock::time_point{millis{1706702400123}};
  spdlog::details::log_msg msg{at, {}, "orderly", level, text};
  spdlog::memory_buf_t out;
  log_formatter(journald)->format(msg, out);
  return {out.data(), out.size()};
}

journal_entry entry(entry_kind kind) {
  journal_entry e;
  e.kind = kind;
  e.object = "node:n1";
  e.incident = "n-7";
  e.code = "suspect";
  e.why = "no witness saw it for 30 s.";
  return e;
}

/// What is logged at `level` while `work` runs.
template <class Work>
std::string logged(const std::string& level, Work work) {
  std::ostringstream out;
  auto sink = std::make_shared<spdlog::sinks::ostream_sink_mt>(out);
  auto before = spdlog::default_logger();
  auto logger = std::make_shared<spdlog::logger>("test", std::move(sink));
  logger->set_formatter(log_formatter(true));
  spdlog::set_default_logger(logger);
  set_log_level(level);
  work();
  spdlog::set_default_logger(before);
  set_log_level("info");
  return out.str();
}

/// What arrives on standard error while `work` runs; `work` gets the name
/// that journald would give to that stream.
template <class Work>
std::string on_stderr(Work work) {
  auto file = std::tmpfile();
  REQUIRE(file);
  auto before = ::dup(STDERR_FILENO);
  REQUIRE(::dup2(::fileno(file), STDERR_FILENO) == STDERR_FILENO);

  struct stat s {};

  REQUIRE(::fstat(STDERR_FILENO, &s) == 0);
  work(std::to_string(s.st_dev) + ":" + std::to_string(s.st_ino));
  ::dup2(before, STDERR_FILENO);
  ::close(before);
  std::rewind(file);
  char buffer[512];
  auto size = std::fread(buffer, 1, sizeof buffer, file);
  std::fclose(file);
  return {buffer, size};
}

} // namespace

TEST_CASE("log lines begin with an RFC 3339 time in UTC and the level") {
  CHECK(formatted(false, spdlog::level::info, "hello")
        == "2024-01-31T12:00:00.123Z info hello\n");
  CHECK(formatted(false, spdlog::level::warn, "hello")
        == "2024-01-31T12:00:00.123Z warning hello\n");
}

TEST_CASE("for journald log lines begin with a priority and bear no time") {
  CHECK(formatted(true, spdlog::level::critical, "x") == "<2>x\n");
  CHECK(formatted(true, spdlog::level::err, "x") == "<3>x\n");
  CHECK(formatted(true, spdlog::level::warn, "x") == "<4>x\n");
  CHECK(formatted(true, spdlog::level::info, "x") == "<6>x\n");
  CHECK(formatted(true, spdlog::level::debug, "x") == "<7>x\n");
}

TEST_CASE("a message stays one line, whatever it carries") {
  CHECK(formatted(true, spdlog::level::info, "a\n<2>b\x1b[2J\t")
        == "<6>a\\x0a<2>b\\x1b[2J\\x09\n");
  CHECK(formatted(true, spdlog::level::info, "kn\xc3\xb6t")
        == "<6>kn\xc3\xb6t\n");
}

TEST_CASE("the line of an entry names object, incident, code and reason") {
  CHECK(log_line(entry(entry_kind::decision))
        == "node:n1 [n-7] suspect: no witness saw it for 30 s.");
  journal_entry bare;
  bare.code = "started";
  CHECK(log_line(bare) == "orderly started");
}

TEST_CASE("alerts are warnings, notes are for debugging") {
  auto all = logged("debug", [] {
    for (auto kind : {entry_kind::alert, entry_kind::note, entry_kind::intent})
      log_entry(entry(kind));
  });
  std::string line = "node:n1 [n-7] suspect: no witness saw it for 30 s.\n";
  CHECK(all == "<4>" + line + "<7>" + line + "<6>" + line);
}

TEST_CASE("the level decides what is logged, an unknown one means info") {
  auto both = [] {
    spdlog::info("shown");
    spdlog::debug("hidden");
  };
  CHECK(logged("info", both) == "<6>shown\n");
  CHECK(logged("loud", both) == "<6>shown\n");
  CHECK(logged("off", both).empty());
  CHECK(logged("warn", both).empty());
}

TEST_CASE("who reads the log and hangs keeps nobody waiting") {
  auto before = spdlog::default_logger();
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  auto kept = ::dup(STDERR_FILENO);
  REQUIRE(::dup2(ends[1], STDERR_FILENO) == STDERR_FILENO);
  start_log("info");
  auto start = std::chrono::steady_clock::now();
  const std::string line(10'000, 'x');
  for (int i = 0; i < 5'000; ++i)
    spdlog::info(line);
  end_log(); // it gives up
  auto took = std::chrono::steady_clock::now() - start;
  CHECK(took > seconds{1});
  CHECK(took < seconds{60});
  // It reads again: what is lost is counted.
  std::string all;
  std::thread reader{[&] {
    char some[65'536];
    for (ssize_t got = 1; got > 0;) {
      got = ::read(ends[0], some, sizeof some);
      all.append(some, got > 0 ? static_cast<std::size_t>(got) : 0);
    }
  }};
  end_log();
  ::dup2(kept, STDERR_FILENO);
  ::close(kept);
  ::close(ends[1]);
  start_log("info"); // the former writer ends
  reader.join();
  ::close(ends[0]);
  spdlog::set_default_logger(before);
  CHECK(all.find("lines of the log were lost") != std::string::npos);
}

TEST_CASE("no line is longer than a screen takes, or commands it") {
  CHECK(formatted(true, spdlog::level::info,
                  "a\xc2\x9b"
                  "31mb \xc2\xa0\xc3\xa4")
        == "<6>a\\xc2\\x9b31mb \xc2\xa0\xc3\xa4\n");
  CHECK(formatted(true, spdlog::level::info,
                  "a\xe2\x80\xae"
                  "b \xe2\x82\xac \xe2\x80")
        == "<6>a\\xe2\\x80\\xaeb \xe2\x82\xac \xe2\x80\n");
  auto line = formatted(true, spdlog::level::info, std::string(20'000, 'x'));
  CHECK(line.size() < 16'500);
  CHECK(line.find("... (20000 bytes)\n") != std::string::npos);
}

TEST_CASE("journald's form is used only while journald reads") {
  auto before = spdlog::default_logger();
  auto out = on_stderr([](const std::string& stream) {
    setenv("JOURNAL_STREAM", stream.c_str(), 1);
    start_log("info");
    spdlog::info("to journald");
    setenv("JOURNAL_STREAM", "1:1", 1);
    start_log("info");
    spdlog::info("to a file");
    unsetenv("JOURNAL_STREAM");
    start_log("error");
    spdlog::warn("to nobody");
    spdlog::error("also to a file");
    end_log();
  });
  spdlog::set_default_logger(before);
  set_log_level("info");
  CHECK(out.substr(0, 15) == "<6>to journald\n");
  auto rest = out.substr(15);
  CHECK(rest.find("Z info to a file\n") == 23);
  CHECK(rest.find("Z error also to a file\n") != std::string::npos);
  CHECK(rest.find("nobody") == std::string::npos);
}

} // namespace orderly::log_test
