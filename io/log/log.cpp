// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/log/log.hpp"

#include <cstdlib>
#include <iterator>
#include <string_view>

#include <fmt/chrono.h>
#include <fmt/core.h>
#include <spdlog/sinks/stdout_sinks.h>
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
    for (std::size_t i = 0; i < text.size(); ++i) {
      auto byte = static_cast<unsigned char>(text[i]);
      // Terminals take U+0080 to U+009F for control characters, too.
      auto next = i + 1 < text.size() ? static_cast<unsigned char>(text[i + 1])
                                      : std::uint8_t{0};
      auto c1 = byte == 0xc2 && next >= 0x80 && next < 0xa0;
      if (byte < 0x20 || byte == 0x7f || c1)
        fmt::format_to(std::back_inserter(out), "\\x{:02x}", byte);
      else
        out.push_back(text[i]);
      if (c1)
        fmt::format_to(std::back_inserter(out), "\\x{:02x}",
                       static_cast<unsigned char>(text[++i]));
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

} // namespace

void start_log(const std::string& level) {
  auto sink = std::make_shared<spdlog::sinks::stderr_sink_mt>();
  auto logger = std::make_shared<spdlog::logger>("orderly", std::move(sink));
  logger->set_formatter(log_formatter(journald_reads()));
  logger->flush_on(spdlog::level::trace);
  spdlog::set_default_logger(std::move(logger));
  set_log_level(level);
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
