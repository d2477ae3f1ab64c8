// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Who reads after somebody for whom there was no memory is answered.

#include "tests/io/http/site.hpp"

#include <atomic>
#include <chrono>
#include <memory>
#include <new>
#include <thread>
#include <vector>

namespace orderly::http_lost_steps_test {

using namespace orderly::test;
using orderly::io::http::scene_ptr;

namespace {

constexpr millis lost_after{100};

/// Steps throw so many times.
struct short_of_memory {
  short_of_memory() {
    auto to = actors.backend();
    auto scene = to.source.scene;
    to.source.scene
      = [this, scene](std::function<void(result<scene_ptr>)> then) {
          fail(scenes);
          scene(then);
        };
    to.source.more_metrics = [this] {
      fail(metrics);
      return std::string{"# more\n"};
    };
    to.source.lost_after = lost_after;
    io::http::route_rules rules;
    rules.own_uid = ::geteuid();
    rules.audience_now = io::http::always({true, {"x"}});
    io::http::limits bounds;
    bounds.request_timeout = lost_after;
    auto handle = io::http::make_routes(on, on, std::move(to), rules);
    up = std::make_unique<site>(
      bounds, [this, handle](io::http::request x, io::http::reply done) {
        on.post([handle, x = std::move(x), done = std::move(done)] {
          handle(x, done);
        });
      });
  }

  static void fail(std::atomic<int>& times) {
    if (times > 0) {
      --times;
      throw std::bad_alloc{};
    }
  }

  bool answers(const std::string& target) {
    return starts_with(up->once(get(target)), "HTTP/1.1 200");
  }

  /// In the end, if not at once.
  bool comes_back(const std::string& target) {
    auto end = std::chrono::steady_clock::now() + seconds{10};
    while (!answers(target)) {
      if (std::chrono::steady_clock::now() > end)
        return false;
      std::this_thread::sleep_for(lost_after / 10);
    }
    return true;
  }

  fake_actors actors;
  std::atomic<int> scenes = 0;
  std::atomic<int> metrics = 0;
  io::loop on; ///< all but `up` is used on its thread
  std::unique_ptr<site> up;
};

} // namespace

TEST_CASE("a document that could not be made is made for who asks next") {
  short_of_memory at;
  at.metrics = 1;
  CHECK_FALSE(at.answers("/metrics"));
  CHECK(at.metrics == 0);
  CHECK(at.comes_back("/metrics"));
}

TEST_CASE("a question to the view that was lost is asked again") {
  for (const auto* target : {"/2/status", "/2/explain/web1"}) {
    short_of_memory at;
    at.scenes = 3;
    CHECK_FALSE(at.answers(target));
    CHECK(at.comes_back(target));
    CHECK(at.scenes == 0);
  }
}

TEST_CASE("questions that were lost take no places of later ones") {
  short_of_memory at;
  at.scenes = 1000000;
  std::vector<std::unique_ptr<raw_client>> crowd;
  for (int i = 0; i < 100; ++i) {
    if (i % 40 == 0)
      crowd.clear();
    crowd.push_back(std::make_unique<raw_client>(at.up->port()));
    crowd.back()->send(get("/2/explain/web" + std::to_string(i)));
  }
  for (auto& x : crowd)
    x->answer();
  CHECK_FALSE(at.answers("/2/explain/web1"));
  at.scenes = 0;
  CHECK(at.comes_back("/2/explain/web1"));
}

} // namespace orderly::http_lost_steps_test
