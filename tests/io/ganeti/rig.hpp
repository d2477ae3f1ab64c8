// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Both ports to Ganeti before a fake luxid that answers out of a book.

#pragma once

#include "io/ganeti/port.hpp"
#include "io/loop/loop.hpp"
#include "tests/io/ganeti/fake_luxid.hpp"
#include "tests/io/ganeti/samples.hpp"

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/scoped_actor.hpp>

#include <atomic>
#include <functional>
#include <map>
#include <mutex>
#include <optional>

namespace orderly::test {

/// Which reply a request gets: the first key that it contains decides.
class luxi_book {
public:
  luxi_book() {
    set("[\"node\"", luxi_sample("nodes"));
    set("[\"instance\"", luxi_sample("instances"));
    set("[\"group\"", luxi_sample("groups"));
    set("\"ops\"]", luxi_sample("jobs-unfinished"));
    set("QueryConfigValues", luxi_sample("config"));
    set("QueryTags", luxi_sample("tags"));
  }

  void set(const std::string& key, const std::string& text) {
    set(key, reply(text));
  }

  void set(const std::string& key, reaction what) {
    std::lock_guard guard{mutex_};
    pages_[key] = std::move(what);
  }

  /// What reacts before the book is opened; nothing: look it up.
  void
  set_first(std::function<std::optional<reaction>(const std::string&)> what) {
    std::lock_guard guard{mutex_};
    first_ = std::move(what);
  }

  reaction look_up(const std::string& request) {
    std::lock_guard guard{mutex_};
    if (first_)
      if (auto what = first_(request))
        return *what;
    for (const auto& [key, what] : pages_)
      if (request.find(key) != std::string::npos)
        return what;
    return {{}, true, 0, millis{0}};
  }

private:
  std::mutex mutex_;
  std::map<std::string, reaction> pages_;
  std::function<std::optional<reaction>(const std::string&)> first_;
};

inline const reaction hang_up{{}, true, 0, millis{0}};

struct luxi_rig {
  std::mutex mutex;
  std::vector<std::string> words; ///< what the port said of the cluster
  std::atomic<millis> poll_timeout{millis{500}};
  luxi_book replies;
  fake_luxid luxid{[this](const std::string& x) { return replies.look_up(x); }};
  io::loop where;
  caf::actor_system_config config;
  caf::actor_system system{config};
  io::ganeti_ports ports = io::spawn_ganeti_ports(
    system, where, rules(),
    [this](const std::string& word) {
      std::lock_guard guard{mutex};
      words.push_back(word);
    },
    [this] { return poll_timeout.load(); });

  settings rules() {
    settings s;
    s.cluster.luxi_socket = luxid.path();
    s.leader.own_node = "node1";
    return s;
  }

  ~luxi_rig() {
    caf::anon_send_exit(ports.cluster, caf::exit_reason::user_shutdown);
    caf::anon_send_exit(ports.jobs, caf::exit_reason::user_shutdown);
  }

  template <class Answer, class Port, class Word>
  Answer ask(const Port& port, Word word) {
    caf::scoped_actor self{system};
    Answer result;
    auto came = false;
    self->request(port, seconds{20}, std::move(word))
      .receive(
        [&](const Answer& x) {
          result = x;
          came = true;
        },
        [](const caf::error&) {});
    REQUIRE(came);
    return result;
  }

  std::vector<std::string> told() {
    std::lock_guard guard{mutex};
    return words;
  }

  cluster_answer read() {
    return ask<cluster_answer>(ports.cluster, read_cluster{seconds{5}});
  }

  job_state watch(job_id id, job_status known) {
    return ask<job_state>(ports.jobs, job_watch{id, known, seconds{1}});
  }

  submit_answer submit(const instance_name& instance,
                       std::string allocator = {}) {
    opcode op;
    op.kind = op_kind::instance_failover;
    op.instance = instance;
    op.allocator = std::move(allocator);
    return ask<submit_answer>(
      ports.jobs, job_submission{{{{op}, trail_text("c", "t"), {}}}});
  }
};

} // namespace orderly::test
