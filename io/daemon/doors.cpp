// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/daemon/doors.hpp"

#include "io/door/listen.hpp"
#include "io/limits/limits.hpp"
#include "messages/ascii.hpp"

#include <array>
#include <sstream>

#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

namespace orderly {

namespace {

/// So far do readers stand back for nodes, as nice(1) counts.
constexpr int reader_niceness = 5;

/// Names of this machine and of our own node, and those from the settings.
std::vector<std::string> own_names(const settings& rules) {
  std::vector<std::string> result;
  auto add = [&](const std::string& name) {
    if (!name.empty())
      result.push_back(lowered(name));
  };
  std::array<char, 256> host{};
  if (::gethostname(host.data(), host.size() - 1) == 0)
    add(host.data());
  add(rules.leader.own_node);
  std::istringstream more{rules.http.hosts};
  for (std::string name; more >> name;)
    add(name);
  return result;
}

std::shared_ptr<const io::http::audience> audience_of(const settings& rules) {
  auto x = std::make_shared<io::http::audience>();
  x->show_all = rules.http.shown == shown_to_all::all;
  x->hosts = own_names(rules);
  return x;
}

} // namespace

std::string exposure_of(const settings& rules) {
  if (io::http::is_loopback(rules.http.address))
    return {};
  return fmt::format("http.address is {}: everybody who reaches this machine "
                     "may read {} there, and nothing is encrypted; 127.0.0.1 "
                     "is for this machine only",
                     rules.http.address,
                     rules.http.shown == shown_to_all::all
                       ? "all that orderlyd knows, reasons and names of "
                         "persons included (http.public is \"all\")"
                       : "status, metrics and health");
}

doors::doors(const settings& rules, std::vector<int> inherited,
             std::shared_ptr<alerts> tells, std::shared_ptr<free_room> room)
  : rules_(rules),
    inherited_(std::move(inherited)),
    alerts_(std::move(tells)),
    room_(std::move(room)),
    kitchen_({"kitchen", 2 * reader_niceness,
              [this](const std::string& why) { hear_failure(why); }}),
    loop_({"doors", reader_niceness,
           [this](const std::string& why) { hear_failure(why); }}) {
  way_->more_metrics = [this] { return metrics(); };
}

std::string doors::open() {
  io::http::server_rules serve;
  serve.address = rules_.http.address;
  serve.port = rules_.http.port;
  serve.socket = rules_.http.socket;
  serve.reader_socket = rules_.http.reader_socket;
  serve.reader_group = rules_.http.reader_group;
  serve.inherited = inherited_;
  serve.bounds.connections_max
    = io::share_of_files(rules_.http.connections_max);
  serve.bounds.connections_per_peer_max = rules_.http.connections_per_peer_max;
  serve.bounds.request_timeout = rules_.http.request_timeout;
  serve.news = [this](const io::http::door_standing& x) { hear(x); };
  serve.failed = [this](const std::string& why) { hear_failure(why); };
  io::http::route_rules routes;
  routes.reading_max_age
    = [this] { return in_force()->cluster.picture_max_age; };
  routes.own_uid = ::geteuid();
  audience_ = audience_of(rules_);
  routes.audience_now = [this] { return audience_now(); };
  routes.heavy_max = rules_.http.heavy_max;
  auto made = io::http::server::start(
    loop_, serve,
    io::http::make_routes(loop_, kitchen_, gate_way::backend_of(way_), routes));
  if (!made)
    return made.why().text;
  server_ = std::move(*made);
  return {};
}

void doors::connect(gate_actor gate, context_ptr ctx) {
  {
    std::lock_guard guard{mutex_};
    ctx_ = ctx;
  }
  way_->open(std::move(gate), std::move(ctx));
}

settings_ptr doors::in_force() const {
  std::lock_guard guard{mutex_};
  return ctx_ ? ctx_->rules() : std::make_shared<const settings>(rules_);
}

std::shared_ptr<const io::http::audience> doors::audience_now() {
  std::lock_guard guard{mutex_};
  auto rules = ctx_ ? ctx_->rules() : nullptr;
  if (rules && rules != heeded_) {
    heeded_ = rules;
    audience_ = audience_of(*rules);
  }
  return audience_;
}

void doors::close() {
  server_.reset();
  loop_.stop();
  kitchen_.stop();
}

std::string doors::places() const {
  return fmt::format("http://{}:{}/ and {}", rules_.http.address,
                     server_ ? server_->port() : 0, rules_.http.socket);
}

void doors::hear(const io::http::door_standing& x) {
  {
    std::lock_guard guard{mutex_};
    auto [i, is_new] = open_.insert_or_assign(x.kind, x.open);
    if (is_new && x.open)
      return; // as it should be
  }
  if (x.open)
    spdlog::info("the door {} is open now", x.place);
  else
    alerts_->raise({"http", "door-closed",
                    fmt::format("{}. It is tried again and again; whoever has "
                                "that place may answer in our name",
                                x.trouble)});
}

void doors::hear_failure(const std::string& why) {
  std::uint64_t count = 0;
  {
    std::lock_guard guard{mutex_};
    count = ++failures_;
  }
  // The first ones, and every so often: a stranger must not fill the log.
  if (count <= 10 || count % 1000 == 0)
    spdlog::error("an exception ended a session, the {}th: {}", count, why);
}

std::string doors::metrics() const {
  std::string text;
  auto add = [&](const char* name, const char* type, const char* help) {
    text += fmt::format("# HELP {} {}\n# TYPE {} {}\n", name, help, name, type);
  };
  std::lock_guard guard{mutex_};
  add("orderly_door_open", "gauge", "1 if that way in is open.");
  for (const auto& [kind, is_open] : open_)
    text += fmt::format("orderly_door_open{{door=\"{}\"}} {}\n",
                        to_string(kind), is_open ? 1 : 0);
  add("orderly_http_failures_total", "counter",
      "Sessions of readers that ended by an exception.");
  text += fmt::format("orderly_http_failures_total {}\n", failures_);
  if (auto room = room_->load(); room >= 0) {
    add("orderly_journal_free_bytes", "gauge",
        "Free room on the journal's disk.");
    text += fmt::format("orderly_journal_free_bytes {}\n", room);
  }
  return text;
}

} // namespace orderly
