// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "messages/cluster.hpp"
#include "messages/fields.hpp"
#include "messages/job.hpp"
#include "messages/standing.hpp"

#include <catch2/catch.hpp>

namespace orderly::messages_words_test {

TEST_CASE("fields give back what was put, and a fallback for the rest") {
  fields f;
  f.put("name", "node1");
  f.put("count", std::int64_t{-7});
  f.put("at", from_ms(1234567890123));
  CHECK(f.text("name") == "node1");
  CHECK(f.number("count") == -7);
  CHECK(f.when("at") == from_ms(1234567890123));
  CHECK(f.text("nothing").empty());
  CHECK(f.number("name", 5) == 5);
  CHECK(f.when("nothing") == never);
}

TEST_CASE("a number with anything behind it is no number") {
  fields f;
  f.put("count", "12x");
  CHECK(f.number("count", 3) == 3);
}

TEST_CASE("an intent is found again in its reason trail") {
  auto text = trail_text("n-node3-17", "n-node3-17/4-power-off");
  CHECK(intent_in_trail(text) == "n-node3-17/4-power-off");
  CHECK(intent_in_trail("gnt:user " + text + " more")
        == "n-node3-17/4-power-off");
  CHECK(intent_in_trail("harep called").empty());
}

TEST_CASE("every name of a disk template is read back as that template") {
  for (auto x :
       {disk_template::diskless, disk_template::file, disk_template::sharedfile,
        disk_template::plain, disk_template::blockdev, disk_template::drbd,
        disk_template::rbd, disk_template::ext, disk_template::gluster})
    CHECK(disk_template_from(to_string(x)) == x);
  CHECK(disk_template_from("floppy") == disk_template::unknown);
}

TEST_CASE("every name of a host-HA phase is read back as that phase") {
  for (auto x : {ha_phase::disabled, ha_phase::ineligible, ha_phase::available,
                 ha_phase::suspect, ha_phase::checking, ha_phase::degraded,
                 ha_phase::recovering, ha_phase::recovered, ha_phase::fencing,
                 ha_phase::fenced})
    CHECK(ha_phase_from(to_string(x), ha_phase::disabled) == x);
  CHECK(ha_phase_from("dreaming", ha_phase::available) == ha_phase::available);
}

TEST_CASE("only the last four job states are final") {
  for (auto x : {job_status::queued, job_status::waiting, job_status::canceling,
                 job_status::running})
    CHECK_FALSE(is_final(x));
  for (auto x : {job_status::canceled, job_status::success, job_status::error,
                 job_status::lost})
    CHECK(is_final(x));
}

TEST_CASE("a tag is told without Ganeti's prefix and with a short id") {
  opcode op;
  op.kind = op_kind::tags_set;
  op.tag_object = "web1";
  op.tags = {"ganeti:watcher:autorepair:pending:failover:"
             "7b024887-cc50-49a4-bdc3-cb72b4ee03a3:1767225732:"};
  CHECK(describe(op) == "tag web1 with pending:failover:7b024887:1767225732:");
}

} // namespace orderly::messages_words_test
