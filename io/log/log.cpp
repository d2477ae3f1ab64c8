// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/log/log.hpp"

#include "io/json/escape.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <mutex>
#include <string_view>
#include <thread>

#include <fmt/chrono.h>
#include <fmt/core.h>
#include <spdlog/async.h>
#include <spdlog/sinks/base_sink.h>
#include <spdlog/spdlog.h>
#include <sys/stat.h>
#include <unistd.h>

namespace orderly::io {

namespace {

/// The priorities of sd-daemon(3).
int priority(spdlog::level::level_enum level) {
  switch (level) {
  case spdlog::level::critical:
    return 2;
  case spdlog::level::err:
    return 3;
  case spdlog::level::warn:
    return 4;
  case spdlog::level::info:
    return 6;
  default:
    return 7;
  }
}

/// Most of what is true needs less: an order about a thousand nodes.
constexpr std::size_t line_max = 16'384;

class line_formatter : public spdlog::formatter {
public:
  explicit line_formatter(bool journald) : journald_(journald) {
    // nop
  }

  void format(const spdlog::details::log_msg& msg,
              spdlog::memory_buf_t& out) override {
    if (journald_)
      fmt::format_to(std::back_inserter(out), "<{}>", priority(msg.level));
    else
      put_time(msg, out);
    put(std::string_view{msg.payload.data(), msg.payload.size()}, out);
    out.push_back('\n');
  }

  [[nodiscard]] std::unique_ptr<spdlog::formatter> clone() const override {
    return std::make_unique<line_formatter>(journald_);
  }

private:
  static void put_time(const spdlog::details::log_msg& msg,
                       spdlog::memory_buf_t& out) {
    auto t = std::chrono::floor<millis>(msg.time);
    auto ms = t.time_since_epoch().count() % 1000;
    auto level = spdlog::level::to_string_view(msg.level);
    fmt::format_to(std::back_inserter(out), "{:%Y-%m-%dT%H:%M:%S}.{:03}Z {} ",
                   fmt::gmtime(std::chrono::system_clock::to_time_t(t)), ms,
                   std::string_view{level.data(), level.size()});
  }

  /// Whatever strangers say is in it, no line is a screen's command, or fills
  /// the disk.
  static void put(std::string_view text, spdlog::memory_buf_t& out) {
    auto size = text.size();
    auto cut = size > line_max;
    text = text.substr(0, line_max);
    while (!text.empty()) {
      auto bad = http::control_size(text);
      for (auto byte : text.substr(0, bad))
        fmt::format_to(std::back_inserter(out), "\\x{:02x}",
                       static_cast<unsigned char>(byte));
      if (bad == 0)
        out.push_back(text.front());
      text.remove_prefix(std::max<std::size_t>(bad, 1));
    }
    if (cut)
      fmt::format_to(std::back_inserter(out), "... ({} bytes)", size);
  }

  bool journald_;
};

/// True if standard error is the stream that journald gave us, and was not
/// redirected since.
bool journald_reads() {
  auto stream = std::getenv("JOURNAL_STREAM");

  struct stat s {};

  return stream && ::fstat(STDERR_FILENO, &s) == 0
         && stream == fmt::format("{}:{}", s.st_dev, s.st_ino);
}

/// Lines that wait for a reader; the oldest are lost. What one of them holds is
/// bounded by whoever says it: a row of the journal by 32 KiB.
constexpr std::size_t lines_max = 2048;

/// How long the end waits for whoever reads the log.
constexpr auto end_patience = seconds{2};

/// Never destroyed: its thread would be waited for.
auto& writer = *new std::shared_ptr<spdlog::details::thread_pool>;

/// Counts the flushes, for only what was asked before one is known to be there.
std::atomic<std::uint64_t> flushes = 0;

/// On the writer's thread, which alone waits for whoever reads standard error.
class patient_sink : public spdlog::sinks::base_sink<std::mutex> {
public:
  /// `own`: the pool, which ends after its thread.
  explicit patient_sink(spdlog::details::thread_pool* own) : own_(own) {
    // nop
  }

protected:
  void sink_it_(const spdlog::details::log_msg& msg) override {
    spdlog::memory_buf_t line;
    formatter_->format(msg, line);
    std::fwrite(line.data(), 1, line.size(), stderr);
    auto lost = own_->overrun_counter();
    if (lost != lost_)
      fmt::print(stderr,
                 "{} lines of the log were lost: its reader was too "
                 "slow\n",
                 lost - lost_);
    lost_ = lost;
  }

  void flush_() override {
    std::fflush(stderr);
    ++flushes;
  }

private:
  spdlog::details::thread_pool* own_;
  std::size_t lost_ = 0;
};

} // namespace

void start_log(const std::string& level) {
  auto before = std::move(writer); // it ends once its lines are written
  writer = std::make_shared<spdlog::details::thread_pool>(lines_max, 1);
  auto logger = std::make_shared<spdlog::async_logger>(
    "orderly", std::make_shared<patient_sink>(writer.get()), writer,
    spdlog::async_overflow_policy::overrun_oldest);
  logger->set_formatter(log_formatter(journald_reads()));
  spdlog::set_default_logger(std::move(logger));
  set_log_level(level);
}

void end_log() {
  auto until = std::chrono::steady_clock::now() + end_patience;
  constexpr millis between_looks{5};
  auto before = flushes.load();
  spdlog::default_logger()->flush();
  while (writer && flushes == before
         && std::chrono::steady_clock::now() < until)
    std::this_thread::sleep_for(between_looks);
}

void set_log_level(const std::string& level) {
  auto known = spdlog::level::from_str(level);
  // spdlog takes what it does not know for `off`.
  if (known == spdlog::level::off && level != "off")
    known = spdlog::level::info;
  spdlog::set_level(known);
}

std::unique_ptr<spdlog::formatter> log_formatter(bool journald) {
  return std::make_unique<line_formatter>(journald);
}

std::string log_line(const journal_entry& e) {
  auto line = e.object.empty() ? std::string{"orderly"} : e.object;
  if (!e.incident.empty())
    line += " [" + e.incident + "]";
  if (!e.code.empty())
    line += " " + e.code;
  if (!e.why.empty())
    line += ": " + e.why;
  return line;
}

void log_entry(const journal_entry& e) {
  switch (e.kind) {
  case entry_kind::alert:
    spdlog::warn("{}", log_line(e));
    return;
  case entry_kind::note:
    spdlog::debug("{}", log_line(e));
    return;
  case entry_kind::decision:
  case entry_kind::intent:
  case entry_kind::outcome:
    spdlog::info("{}", log_line(e));
    return;
  }
}

} // namespace orderly::io
