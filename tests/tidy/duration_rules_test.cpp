// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "tests/tidy/house_rules.hpp"

#include <catch2/catch.hpp>

namespace orderly::tidy_duration_rules_test {

using namespace tidy;

namespace {

std::size_t found(const std::string& line,
                  const std::string& path = "actors/node/node.cpp") {
  return check_durations({path, line + "\n"}).size();
}

} // namespace

TEST_CASE("a shell waits for nothing that has no name") {
  CHECK(found("  self->delayed_send(self, seconds{5}, tick{});") == 1);
  CHECK(found("  auto retry = now(self) + minutes{1};") == 1);
  CHECK(found("  return millis{50 + count};") == 1);
  CHECK(found("  millis pause{5000};") == 1);
  CHECK(found("  auto retry = now(self) + seconds(5);") == 1);
  CHECK(found("constexpr auto storm_pause = seconds{5};") == 0);
}

TEST_CASE("units, zero, and what policy is made of are no waits") {
  CHECK(found("  fmt::format(\"{} s\", age / seconds{1});") == 0);
  CHECK(found("  if (interval > millis{0})") == 0);
  CHECK(found("  r.grace = minutes{1};", "actors/policy/trust/trust.cpp") == 0);
  CHECK(found("  // as if after + seconds{5}") == 0);
}

TEST_CASE("nor does an actor of io or sim, or a thread there") {
  for (const auto* path : {"io/daemon/heart.cpp", "sim/lab/host.cpp"}) {
    CHECK(found("  self->delayed_send(self, millis{500}, tick{});", path) == 1);
    CHECK(found("  self->request(root, seconds(10), x)", path) == 1);
    CHECK(found("  self->request<high>(view,\n    seconds{10}, x)", path) == 1);
    CHECK(found("  std::this_thread::sleep_for(millis{5});", path) == 1);
    CHECK(found("  self->delayed_send(self, beat, tick{});", path) == 0);
    CHECK(found("  millis retry_max = seconds{30};", path) == 0);
    CHECK(found("  say(request(x), age / seconds{1});", path) == 0);
  }
}

TEST_CASE("a shell waits without end for nobody but the journal") {
  CHECK(found("  self->request(st.peers.jobs, caf::infinite, x)") == 1);
  CHECK(found("  self->request(journal_of(x), caf::infinite, x)") == 1);
  CHECK(found("  self->request(st.peers.jobs,\n    caf::infinite, x)") == 1);
  CHECK(found("  self->request(st.peers.journal, caf::infinite, x)") == 0);
  CHECK(found("  self->request(journal,\n    caf::infinite, x)") == 0);
  CHECK(found("  self->request(port, caf::infinite, x)", "io/oob/port.cpp")
        == 0);
}

} // namespace orderly::tidy_duration_rules_test
