// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The machine's table against what the machine does, and against the words in
// docs/policies/autorepair.md.

#include "tests/actors/policy/repair/lab.hpp"
#include "tests/actors/policy/repair/storm.hpp"

#include <cstdlib>
#include <fstream>
#include <functional>
#include <sstream>

namespace orderly::repair_table_test {

using namespace orderly::autorepair;
using namespace orderly::autorepair::lab;

namespace {

const std::string old_suspend = tagged("suspend:1600000000");
const std::string failure_tag
  = tagged("result:failover:" + id2 + ":1600000000:failure:");

std::string pending_of(const std::string& type, const std::string& jobs) {
  return tagged("pending:" + type + ":" + id1 + ":1699990000:" + jobs);
}

rig well() {
  rig b;
  b.run();
  return b;
}

/// Its primary is dead and nobody allows anything.
rig needy() {
  rig b;
  b.kill("n1");
  b.run();
  return b;
}

/// With a pending tag whose job runs.
rig waiting(const std::string& type) {
  rig b;
  b.record.tags = {pending_of(type, "101")};
  b.jobs[101] = {101, job_status::running, never};
  b.run();
  return b;
}

/// Its mirror is lost and there is no other node.
rig without_room() {
  rig b;
  b.cluster_tags = {tagged("fix-storage")};
  b.nodes["n2"].offline = true;
  b.nodes["n3"].drained = b.nodes["n4"].drained = true;
  b.run();
  return b;
}

rig failed_before() {
  rig b;
  b.record.tags = {failure_tag};
  b.run();
  return b;
}

/// A step that was tried until one try is left, and that try runs.
rig last_try() {
  auto b = fixing();
  for (int i = 0; i < 2; ++i) {
    b.end_job(job_phase::ended, job_status::error);
    b.now += hours{1};
    b.run(false);
  }
  return b;
}

rig refused_twice() {
  auto b = asking(false);
  for (int i = 0; i < 2; ++i) {
    b.answer_permit(true);
    b.end_job(job_phase::refused, job_status::lost);
    b.now += hours{1};
    b.look();
  }
  return b;
}

/// An unwritten failure.
rig failed_in_suspension() {
  auto b = failing_over();
  b.record.tags.push_back(tagged("suspend"));
  b.end_job(job_phase::ended, job_status::error);
  b.run();
  return b;
}

rig tried_once() {
  auto b = fixing();
  b.end_job(job_phase::ended, job_status::error);
  b.run();
  return b;
}

struct scenario {
  const char* from;
  const char* when;
  std::function<rig()> before;
  std::function<void(rig&)> change;
};

void die(rig& b) {
  b.kill("n1");
}

void allow(rig& b, const std::string& type) {
  b.cluster_tags = {tagged(type)};
}

void tag(rig& b, const std::string& text) {
  b.record.tags.push_back(text);
}

void end_101(rig& b, job_status how) {
  b.jobs[101] = {101, how, b.now};
}

std::vector<scenario> from_healthy() {
  return {
    {"healthy", "broken, and may not be repaired now", well, die},
    {"healthy", "broken, permission too weak", well,
     [](auto& b) {
       die(b);
       allow(b, "migrate");
     }},
    {"healthy", "broken, allowed, permitted", well,
     [](auto& b) {
       die(b);
       allow(b, "failover");
     }},
    {"healthy", "broken, allowed, no room", well,
     [](auto& b) {
       allow(b, "fix-storage");
       b.nodes["n2"].offline = true;
       b.nodes["n3"].drained = b.nodes["n4"].drained = true;
     }},
    {"healthy", "somebody's pending tag appears", well,
     [](auto& b) {
       die(b);
       tag(b, pending_of("failover", ""));
     }},
    {"healthy", "somebody's failure tag appears", well,
     [](auto& b) { tag(b, failure_tag); }},
    {"healthy", "tags are over", well, [](auto& b) { tag(b, old_suspend); }},
  };
}

std::vector<scenario> from_needs_repair() {
  return {
    {"needs-repair", "in order again", needy,
     [](auto& b) { b.nodes["n1"].offline = false; }},
    {"needs-repair", "in order again, tags are over",
     [] {
       auto b = well();
       die(b);
       allow(b, "migrate");
       b.run();
       return b;
     },
     [](auto& b) { b.nodes["n1"].offline = false; }},
    {"needs-repair", "permission too weak", needy,
     [](auto& b) { allow(b, "migrate"); }},
    {"needs-repair", "tags are over", needy,
     [](auto& b) { tag(b, old_suspend); }},
    {"needs-repair", "allowed and permitted by now", needy,
     [](auto& b) { allow(b, "failover"); }},
    {"needs-repair", "somebody's pending tag appears", needy,
     [](auto& b) { tag(b, pending_of("failover", "")); }},
    {"needs-repair", "somebody's failure tag appears", needy,
     [](auto& b) { tag(b, failure_tag); }},
    {"needs-repair", "the queue refused the job too often", refused_twice,
     [](auto& b) {
       b.answer_permit(true);
       b.end_job(job_phase::refused, job_status::lost);
     }},
  };
}

std::vector<scenario> from_pending() {
  return {
    {"pending", "jobs have ended, in order", [] { return waiting("failover"); },
     [](auto& b) { end_101(b, job_status::success); }},
    {"pending", "next step allowed, or tried again, or jobs noted", tried_once,
     [](auto& b) { b.now += hours{1}; }},
    {"pending", "next step riskier than its type",
     [] { return waiting("migrate"); },
     [](auto& b) {
       die(b);
       end_101(b, job_status::success);
     }},
    {"pending", "a job failed, and no other try is allowed",
     [] { return waiting("failover"); },
     [](auto& b) {
       die(b);
       end_101(b, job_status::error);
     }},
    {"pending", "a job failed, its tag must be seen first", last_try,
     [](auto& b) {
       b.tag_ops.clear();
       b.end_job(job_phase::ended, job_status::error);
       b.foreign_job = 7; // so that it goes no further
     }},
    {"pending", "tags are over", without_room,
     [](auto& b) { tag(b, old_suspend); }},
    {"pending", "its tag was removed, broken", without_room,
     [](auto& b) {
       b.record.tags.clear();
       b.cluster_tags.clear();
     }},
    {"pending", "its tag was removed, in order", without_room,
     [](auto& b) {
       b.record.tags.clear();
       b.nodes["n2"].offline = false;
       b.now += seconds{1};
       b.heard = {{}, true, b.now};
     }},
    {"pending", "somebody's failure tag appears", without_room,
     [](auto& b) { tag(b, failure_tag); }},
  };
}

std::vector<scenario> from_failed() {
  return {
    {"failed", "the result could be written", failed_in_suspension,
     [](auto& b) { std::erase(b.record.tags, tagged("suspend")); }},
    {"failed", "not written, and nobody acts any more", failed_in_suspension,
     [](auto& b) { b.limits.observe = true; }},
    {"failed", "tags are over", failed_before,
     [](auto& b) { tag(b, old_suspend); }},
    {"failed", "the tag was removed, broken", failed_before,
     [](auto& b) {
       b.record.tags.clear();
       die(b);
     }},
    {"failed", "the tag was removed, in order", failed_before,
     [](auto& b) { b.record.tags.clear(); }},
    {"failed", "the tag was removed, others are pending", failed_before,
     [](auto& b) {
       b.record.tags = {pending_of("failover", "")};
       die(b);
     }},
  };
}

/// Without what goes along with everything.
std::string join(std::set<std::string> kinds) {
  if (kinds.size() > 1)
    kinds.erase("removed");
  std::string text;
  for (const auto& kind : kinds)
    text += (text.empty() ? "" : ", ") + kind;
  return text.empty() ? "none" : text;
}

std::string move_text(const std::string& from, const std::string& to,
                      const std::set<std::string>& written) {
  return from + " -> " + to + ": " + join(written);
}

/// The rows, and what two rows make that follow each other.
std::set<std::string> possible_moves() {
  std::set<std::string> result;
  for (const auto& a : transitions()) {
    std::set<std::string> first{a.tags};
    first.erase("none");
    result.insert(move_text(a.from, a.to, first));
    for (const auto& b : transitions()) {
      auto both = first;
      if (b.tags != std::string{"none"})
        both.insert(b.tags);
      if (std::string{a.to} == b.from)
        result.insert(move_text(a.from, b.to, both));
    }
  }
  return result;
}

std::string written_by(const rig& b) {
  std::set<std::string> kinds;
  for (const auto& op : b.tag_ops) {
    if (op.kind == op_kind::tags_del)
      kinds.insert("removed");
    else
      for (const auto& text : op.tags)
        kinds.insert(is_pending(text) ? "pending" : part_of(text, 4));
  }
  return join(kinds);
}

std::string slurp(const std::string& path) {
  std::ifstream in{path};
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

} // namespace

TEST_CASE("every row of the table is what the machine does") {
  std::vector<scenario> all;
  for (const auto& part :
       {from_healthy(), from_needs_repair(), from_pending(), from_failed()})
    all.insert(all.end(), part.begin(), part.end());
  REQUIRE(all.size() == transitions().size());
  for (const auto& row : transitions()) {
    INFO(row.from << ": " << row.when);
    auto i = std::find_if(all.begin(), all.end(), [&](const auto& x) {
      return std::string{x.from} == row.from && std::string{x.when} == row.when;
    });
    REQUIRE(i != all.end());
    auto b = i->before();
    CHECK(to_string(b.machine.phase) == std::string{row.from});
    b.tag_ops.clear();
    i->change(b);
    b.run(false);
    CHECK(to_string(b.machine.phase) == std::string{row.to});
    CHECK(written_by(b) == row.tags);
  }
}

TEST_CASE("whatever happens, the machine moves by rows of the table") {
  auto possible = possible_moves();
  std::set<std::string> seen;
  for (std::uint64_t seed = 1000; seed < 1040; ++seed) {
    storm s{seed};
    for (int i = 0; i < 1000; ++i)
      s.turn();
    for (const auto& m : s.moves)
      seen.insert(move_text(to_string(m.from), to_string(m.to), m.written));
  }
  for (const auto& move : seen) {
    INFO(move);
    CHECK(possible.count(move) == 1);
  }
  CHECK(seen.size() > 15);
  CHECK(possible.count("healthy -> failed: success") == 0);
}

TEST_CASE("the documentation holds the table as it is built") {
  const std::string path
    = std::string{ORDERLY_SOURCE_DIR} + "/docs/policies/autorepair.md";
  const std::string begin = "<!-- table: begin -->\n";
  const std::string end = "<!-- table: end -->\n";
  auto text = slurp(path);
  auto from = text.find(begin);
  auto to = text.find(end);
  REQUIRE(from != std::string::npos);
  REQUIRE(to != std::string::npos);
  from += begin.size();
  if (std::getenv("ORDERLY_REWRITE") != nullptr) {
    text.replace(from, to - from, transition_diagram());
    std::ofstream{path} << text;
    to = text.find(end);
  }
  INFO("set ORDERLY_REWRITE=1 to have it rewritten");
  CHECK(text.substr(from, to - from) == transition_diagram());
}

} // namespace orderly::repair_table_test
