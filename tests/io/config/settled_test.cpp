// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What a reload leaves as it is.

#include "io/config/settled.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

namespace orderly::io::config_settled_test {

TEST_CASE("each settled key is one of the settings, and is kept") {
  settings in_force;
  settings read;
  for (auto& x : knobs(read)) {
    if (auto* text = std::get_if<std::string*>(&x.value))
      **text += "/other";
    else if (auto* number = std::get_if<std::uint16_t*>(&x.value))
      **number = static_cast<std::uint16_t>(**number + 1);
    else if (auto* count = std::get_if<std::uint32_t*>(&x.value))
      ++**count;
    else if (auto* span = std::get_if<millis*>(&x.value))
      **span += seconds{1};
  }
  auto changed = keep_settled(read, in_force);
  auto keys = settled_keys();
  std::sort(changed.begin(), changed.end());
  CHECK(std::equal(changed.begin(), changed.end(), keys.begin(), keys.end()));
  CHECK(read.journal.path == in_force.journal.path);
  CHECK(read.host_ha.daemon_port == in_force.host_ha.daemon_port);
  CHECK(read.journal.queued_max == in_force.journal.queued_max);
  CHECK(read.leader.own_node == in_force.leader.own_node);
  CHECK(read.power.program != in_force.power.program);
  CHECK(keep_settled(read, in_force).empty());
}

TEST_CASE("whoever waits for a helper waits for as long as the runner takes") {
  settings in_force;
  in_force.power.kill_delay = minutes{1};
  settings read;
  read.power.kill_delay = millis{500};
  read.power.concurrency = in_force.power.concurrency + 1;
  read.power.queued_max = in_force.power.queued_max + 1;
  read.power.command_timeout = in_force.power.command_timeout + seconds{1};
  auto changed = keep_settled(read, in_force);
  std::vector<std::string> runners{"power.concurrency", "power.kill_delay",
                                   "power.queued_max"};
  std::sort(changed.begin(), changed.end());
  CHECK(changed == runners);
  CHECK(read.power.kill_delay == in_force.power.kill_delay);
  CHECK(read.power.concurrency == in_force.power.concurrency);
  CHECK(read.power.queued_max == in_force.power.queued_max);
  // This one goes along with each request.
  CHECK(read.power.command_timeout != in_force.power.command_timeout);
}

TEST_CASE("settings that contradict what stays are told from those that do "
          "not") {
  settings in_force;
  in_force.host_ha.enabled = false;
  in_force.host_ha.daemon_port = in_force.host_ha.monitor_port = 0;
  settings read;
  read.host_ha.enabled = true;
  CHECK(contradictions(read).empty());
  CHECK(keep_settled(read, in_force).size() == 2);
  CHECK_FALSE(contradictions(read).empty());
}

} // namespace orderly::io::config_settled_test
