// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/node_agent/shelf.hpp"

#include <nlohmann/json.hpp>

#include <chrono>
#include <exception>
#include <utility>

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

namespace orderly::io::node_agent {

namespace {

using nlohmann::json;
using steady = std::chrono::steady_clock;

constexpr const char* not_yet = "it has not had its first look yet";

std::int64_t ms(steady::duration t) {
  return std::chrono::duration_cast<millis>(t).count();
}

} // namespace

struct shelf::row : std::enable_shared_from_this<row> {
  row(loop& on, std::unique_ptr<collector> x)
    : what(std::move(x)), timer(on.context()) {
    seen.data = R"({"status":"Ok","details":"not looked yet"})";
    seen.probe_error = not_yet;
  }

  /// Its own trouble is its own row's.
  void look() {
    looking = true;
    try {
      what->look([weak = weak_from_this()](sample x) {
        if (auto me = weak.lock())
          me->take(std::move(x));
      });
    } catch (const std::exception& e) {
      take(sample{seen.data, std::string{"the collector failed: "} + e.what()});
    }
  }

  void take(sample x) {
    seen = std::move(x);
    at = steady::now();
    stamp = std::chrono::system_clock::now();
    looking = false;
    look_after(std::exchange(soon, false) ? millis{0} : what->about().interval);
  }

  void take(const agent_settings& s) {
    if (!what->take(s))
      return;
    soon = looking;
    if (!looking)
      look_after(millis{0});
  }

  /// The time that was set before counts no more.
  void look_after(millis pause) {
    timer.expires_after(pause);
    timer.async_wait(
      [weak = weak_from_this()](const boost::system::error_code& e) {
        if (auto me = weak.lock(); me && !e && !me->looking)
          me->look();
      });
  }

  /// By hand, because `data` stays as it was spelled.
  [[nodiscard]] std::string text() const {
    const auto& about = what->about();
    auto ns = std::chrono::duration_cast<std::chrono::nanoseconds>(
                stamp.time_since_epoch())
                .count();
    json x{{"name", about.name},
           {"version", "orderly"},
           {"format_version", 1},
           {"timestamp", ns},
           {"category", about.category},
           {"kind", about.kind},
           {"age_ms", at ? json(ms(steady::now() - *at)) : json()},
           {"interval_ms", about.interval.count()}};
    if (!seen.probe_error.empty())
      x["probe_error"] = seen.probe_error;
    auto head = x.dump(-1, ' ', false, json::error_handler_t::replace);
    head.pop_back();
    return head + ",\"data\":" + seen.data + "}";
  }

  std::unique_ptr<collector> what;
  boost::asio::steady_timer timer;
  bool looking = false;
  bool soon = false; ///< the next look follows this one at once
  sample seen;
  std::optional<steady::time_point> at; ///< nothing: it never looked
  std::chrono::system_clock::time_point stamp;
};

shelf::shelf(loop& on) : on_(on) {
  // nop
}

shelf::~shelf() = default;

void shelf::add(std::unique_ptr<collector> x) {
  rows_.push_back(std::make_shared<row>(on_, std::move(x)));
  on_.post([me = rows_.back()] { me->look(); });
}

void shelf::take(const agent_settings& s) {
  for (const auto& x : rows_)
    x->take(s);
}

std::string shelf::list() const {
  auto all = json::array();
  for (const auto& x : rows_)
    all.push_back({x->what->about().name, x->what->about().category,
                   x->what->about().kind});
  return all.dump();
}

std::optional<std::string> shelf::report(const std::string& category,
                                         const std::string& name) const {
  for (const auto& x : rows_)
    if (x->what->about().name == name && x->what->about().category == category)
      return x->text();
  return std::nullopt;
}

std::string shelf::all() const {
  std::string text = "[";
  for (const auto& x : rows_)
    text += (text.size() > 1 ? "," : "") + x->text();
  return text + "]";
}

} // namespace orderly::io::node_agent
