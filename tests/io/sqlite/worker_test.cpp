// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The thread that does the journal's work.

#include "io/sqlite/worker.hpp"

#include <catch2/catch.hpp>

#include <functional>
#include <future>
#include <utility>
#include <vector>

namespace orderly::sqlite_worker_test {

using io::worker;

namespace {

/// Far more than any machine takes, and only spent where the rule is broken.
constexpr auto patience = std::chrono::minutes{1};

bool comes(std::promise<void>& event) {
  return event.get_future().wait_for(patience) == std::future_status::ready;
}

} // namespace

TEST_CASE("a worker does what it is given in order") {
  std::vector<int> done;
  std::promise<void> ended;
  worker w;
  for (auto i = 0; i < 3; ++i)
    w.post([&done, i] { done.push_back(i); });
  w.post([&ended] { ended.set_value(); });
  REQUIRE(comes(ended));
  CHECK(done == std::vector<int>{0, 1, 2});
}

TEST_CASE("a worker does its routine again and again") {
  auto times = 0;
  std::promise<void> thrice;
  worker w;
  w.each(std::chrono::milliseconds{5}, [&] {
    if (++times == 3)
      thrice.set_value();
  });
  CHECK(comes(thrice));
}

TEST_CASE("a worker that is never idle does its routine all the same") {
  std::promise<void> once;
  auto first = true;
  std::function<void()> busy;
  worker w;
  w.each(std::chrono::milliseconds{5}, [&] {
    if (std::exchange(first, false))
      once.set_value();
  });
  busy = [&] {
    if (first)
      w.post(busy);
  };
  w.post(busy);
  CHECK(comes(once));
}

} // namespace orderly::sqlite_worker_test
