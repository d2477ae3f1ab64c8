// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The autorepair machine under random events in a random world: whatever
// comes in whatever order, the laws hold. They are written here a second
// time, without the machine's own helpers.

#include "tests/policy/autorepair_lab.hpp"

#include <deque>
#include <random>

using namespace orderly;
using namespace orderly::autorepair;
using lab::tagged;

namespace {

bool is_repair(const submit& order) {
  return !order.ops.empty() && order.ops.front().kind != op_kind::tags_set
         && order.ops.front().kind != op_kind::tags_del;
}

int risk_of(op_kind kind) {
  if (kind == op_kind::replace_disks)
    return 0;
  return kind == op_kind::instance_migrate ? 1 : 2;
}

int risk_of(const std::string& type) {
  const std::vector<std::string> types{"fix-storage", "migrate", "failover",
                                       "reinstall"};
  auto i = std::find(types.begin(), types.end(), type);
  return i == types.end() ? -1 : static_cast<int>(i - types.begin());
}

/// The rest of `tag` after `ganeti:watcher:autorepair:KIND:`, up to `:`.
std::string type_in(const std::string& tag, const std::string& kind) {
  auto head = tagged(kind);
  if (tag.rfind(head, 0) != 0)
    return {};
  return tag.substr(head.size(), tag.find(':', head.size()) - head.size());
}

bool has_failure(const std::vector<std::string>& all) {
  return std::any_of(all.begin(), all.end(), [](const std::string& tag) {
    return tag.rfind(tagged("result:"), 0) == 0
           && tag.find(":failure:") != std::string::npos;
  });
}

/// Throws events at one machine and judges what it does.
class storm : public lab::world {
public:
  explicit storm(std::uint64_t seed) : dice_{seed} {
    limits.proof_max_age = minutes{10};
    past_.push_back(seen());
  }

  void turn() {
    now += millis{static_cast<std::int64_t>(1 + roll(20000))};
    if (roll(3) == 0)
      disturb();
    if (roll(2) == 0 || is_older_than_our_job())
      past_.push_back(seen());
    while (past_.size() > 3)
      past_.pop_front();
    // Pictures may be late, but never go back in time.
    if (past_.size() > 1 && roll(2) == 0)
      past_.pop_front();
    happen();
  }

  int submits = 0;
  int failovers = 0;
  int moves = 0;
  int fixes = 0;
  int failures = 0;
  int successes = 0;

private:
  std::uint64_t roll(std::uint64_t n) { return dice_() % n; }

  [[nodiscard]] bool is_older_than_our_job() const {
    return !under_way_ && past_.back().read_at <= ended_;
  }

  const facts& picture() const { return past_.front(); }

  void disturb() {
    auto& node = std::next(nodes.begin(), static_cast<long>(roll(4)))->second;
    switch (roll(14)) {
    case 0:
    case 1:
      node.offline = !node.offline;
      return;
    case 2:
      node.drained = !node.drained;
      return;
    case 3:
    case 4:
    case 5:
      prove(node.name);
      return;
    case 6:
      node.proved_down.reset();
      return;
    case 7:
      foreign_job = roll(3) == 0 ? std::optional<job_id>{7} : std::nullopt;
      return;
    case 8:
      limits.enabled = roll(8) != 0;
      return;
    case 9:
      cluster_tags = {tagged(random_type())};
      return;
    case 10:
      node.offline = node.drained = false;
      return;
    default:
      meddle();
    }
  }

  std::string random_type() {
    return std::vector<std::string>{"fix-storage", "migrate", "failover",
                                    "failover", "reinstall"}[roll(5)];
  }

  /// People and other tools change the tags of the instance.
  void meddle() {
    auto& all = record.tags;
    auto id = "ext" + std::to_string(roll(1000000));
    switch (roll(12)) {
    case 0:
      all.push_back(tagged("suspend:" + std::to_string(to_unix(now) + 60)));
      return;
    case 1:
      all.push_back(tagged("pending:" + random_type() + ":" + id + ":"
                           + std::to_string(to_unix(now)) + ":"));
      return;
    case 2:
      all.push_back("web:" + id);
      return;
    case 3:
      if (all.size() > 20)
        all.clear();
      return;
    case 4:
      all.push_back(tagged(random_type()));
      return;
    case 5:
      if (!all.empty())
        all.erase(all.begin() + static_cast<long>(roll(all.size())));
      return;
    default:
      std::erase_if(all,
                    [](const std::string& tag) { return has_failure({tag}); });
    }
  }

  void happen() {
    switch (roll(under_way_ ? 9 : 5)) {
    case 0:
    case 1:
      return feed(looked{picture(), "id" + std::to_string(++ids_)});
    case 2: {
      auto granted = roll(4) != 0;
      return feed(
        permit_answered{picture(), granted, "storm", now + seconds{5}});
    }
    case 3:
      return feed(odd_event());
    case 4:
      return restart();
    case 5: {
      job_event e = event_of(job_phase::submitted);
      return feed(job_started{e});
    }
    default:
      return end_job();
    }
  }

  job_event event_of(job_phase p) {
    job_event e;
    e.intent = under_way_->intent;
    e.phase = p;
    e.id = job_;
    e.at = now;
    return e;
  }

  event odd_event() {
    job_event e;
    e.intent = roll(2) == 0 ? "" : "id1/1-failover";
    if (under_way_ && e.intent == under_way_->intent)
      e.intent += "x";
    e.phase = static_cast<job_phase>(roll(4));
    e.status = static_cast<job_status>(roll(8));
    e.id = roll(3);
    if (roll(2) == 0)
      return job_started{e};
    return job_ended{e, picture()};
  }

  void end_job() {
    auto e = event_of(job_phase::ended);
    auto order = *under_way_;
    auto luck = roll(10);
    if (luck < 7) {
      e.status = execute(order.ops) ? job_status::success : job_status::error;
    } else if (luck == 7) {
      e.phase = job_phase::refused;
      e.id = 0;
    } else if (luck == 8) {
      e.phase = job_phase::overdue;
      if (roll(2) == 0)
        execute(order.ops);
    } else {
      e.status = job_status::error;
    }
    under_way_.reset();
    ended_ = now;
    feed(job_ended{e, picture()});
  }

  void restart() {
    machine_ = from_fields(to_fields(machine_));
    if (machine_.stage == stage::idle || roll(4) != 0)
      return;
    past_ = {seen()}; // the first picture of a new life is a new one
    auto before = machine_;
    judge(before, resume(machine_, picture(), limits, now), nullptr, true);
  }

  void feed(const event& e) {
    auto before = machine_;
    judge(before, step(before, e, limits, now), &e, false);
  }

  void judge(const state& before, const verdict& v, const event* e,
             bool restarted) {
    REQUIRE(from_fields(to_fields(v.next)) == v.next);
    machine_ = v.next;
    // After a restart a step may be given up before it was sent.
    auto gave_up
      = v.next.stage == stage::idle && before.stage == stage::repairing;
    if (under_way_ && gave_up) {
      under_way_.reset();
      ended_ = now;
    }
    for (const auto& action : v.actions)
      if (const auto* order = std::get_if<submit>(&action))
        judge_order(before, *order, e, restarted);
      else if (std::holds_alternative<ask_permit>(action) && !restarted
               && before.stage != stage::repairing)
        REQUIRE(limits.enabled);
    judge_failed(before, v.next);
    if (under_way_ && v.next.stage == stage::idle)
      under_way_.reset(); // a tag job that was given up after a restart
  }

  void judge_order(const state& before, const submit& order, const event* e,
                   bool restarted) {
    ++submits;
    CAPTURE(order.intent, order.why);
    // One intent at a time; only a restart names one again.
    auto again = restarted || before.stage == stage::repairing;
    if (again && order.intent == before.intent) {
      if (before.job == 0)
        judge_repair(order);
      return;
    }
    REQUIRE_FALSE(under_way_);
    REQUIRE(intents_.insert(order.intent).second);
    REQUIRE_FALSE(order.why.empty());
    REQUIRE(limits.enabled);
    REQUIRE_FALSE(picture().foreign_job);
    if (is_repair(order)) {
      REQUIRE(e != nullptr);
      const auto* answer = std::get_if<permit_answered>(e);
      REQUIRE(answer != nullptr);
      REQUIRE(answer->granted);
      REQUIRE(before.stage == stage::permitting);
      judge_repair(order);
    } else {
      judge_tags(order);
    }
    judge_suspension();
    under_way_ = order;
    job_ = 1000 + static_cast<job_id>(intents_.size());
  }

  /// Proof, offline flag and permission, in what the machine was shown.
  void judge_repair(const submit& order) {
    if (!is_repair(order))
      return;
    REQUIRE(order.ops.size() == 1);
    const auto& kind = order.ops.front().kind;
    const auto& shown = picture();
    failovers += kind == op_kind::instance_failover ? 1 : 0;
    moves += kind == op_kind::instance_migrate ? 1 : 0;
    fixes += kind == op_kind::replace_disks ? 1 : 0;
    if (kind == op_kind::instance_failover) {
      REQUIRE(shown.primary.offline);
      const auto& proved = shown.primary.proved_down;
      REQUIRE(proved);
      REQUIRE(proved->node == shown.instance.primary);
      REQUIRE(now - proved->at <= limits.proof_max_age);
    }
    int allowed = -1;
    for (const auto& tag : shown.instance.tags)
      allowed = std::max(allowed, risk_of(type_in(tag, "pending:")));
    // A tag of ours that the picture is too old to show.
    if (shown.read_at <= ended_)
      allowed = std::max(allowed, risk_of(type_in(written_, "pending:")));
    REQUIRE(allowed >= risk_of(kind));
    REQUIRE_FALSE(has_failure(shown.instance.tags));
  }

  void judge_suspension() {
    for (const auto& tag : picture().instance.tags) {
      auto until = type_in(tag, "suspend:");
      if (!until.empty())
        REQUIRE(std::stoll(until) * 1000 <= to_ms(now));
    }
  }

  void judge_tags(const submit& order) {
    for (const auto& op : order.ops) {
      REQUIRE(op.tag_object == record.name);
      for (const auto& tag : op.tags) {
        REQUIRE(tag.size() <= tags::length_max);
        auto ours = !type_in(tag, "pending:").empty()
                    || !type_in(tag, "result:").empty();
        if (op.kind == op_kind::tags_del)
          REQUIRE((ours || !type_in(tag, "suspend:").empty()));
        else
          REQUIRE(ours);
        failures += has_failure({tag}) && op.kind == op_kind::tags_set ? 1 : 0;
        successes += tag.find(":success:") != std::string::npos ? 1 : 0;
        // The new text stands before the old one goes.
        REQUIRE_FALSE(has_failure({op.kind == op_kind::tags_del ? tag : ""}));
      }
    }
    if (order.ops.front().kind == op_kind::tags_set)
      written_ = order.ops.front().tags.front();
  }

  /// Failed is left only when the failure tag is not there.
  void judge_failed(const state& before, const state& after) {
    if (before.phase != phase::failed || after.phase == phase::failed)
      return;
    REQUIRE(before.stage == stage::idle);
    REQUIRE(before.repair.empty());
    REQUIRE_FALSE(has_failure(picture().instance.tags));
  }

  std::mt19937_64 dice_;
  std::deque<facts> past_;
  state machine_;
  std::optional<submit> under_way_;
  std::set<intent_id> intents_;
  std::string written_;
  job_id job_ = 0;
  instant ended_;
  int ids_ = 0;
};

} // namespace

TEST_CASE("100,000 random events break none of the laws of auto-repair") {
  int failovers = 0;
  int moves = 0;
  int fixes = 0;
  int failures = 0;
  int successes = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    CAPTURE(seed);
    storm s{seed};
    if (seed % 3 == 0) {
      s.record.disks = disk_template::rbd;
      s.record.secondaries.clear();
    }
    for (int i = 0; i < 1000; ++i)
      s.turn();
    failovers += s.failovers;
    moves += s.moves;
    fixes += s.fixes;
    failures += s.failures;
    successes += s.successes;
  }
  // The storm must get somewhere, or it would prove nothing.
  CHECK(failovers > 100);
  CHECK(moves > 20);
  CHECK(fixes > 100);
  CHECK(failures > 20);
  CHECK(successes > 50);
}
