// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The autorepair machine fed with whatever the bytes say: tags, states of
// nodes, answers, ends of jobs, restarts. Whatever comes, it says why, starts
// nothing while it must not, and writes only tags that can be read again.

#include "actors/policy/repair/autorepair.hpp"
#include "actors/policy/repair/token.hpp"
#include "tests/fuzz/drawing.hpp"

#include <map>
#include <set>

namespace {

using namespace orderly;
using namespace orderly::autorepair;
using namespace orderly::fuzz;

class trial {
public:
  explicit trial(bytes in) : in_(in) {
    for (const auto* name : {"n1", "n2", "n3", "n4"}) {
      nodes_[name].name = name;
      nodes_[name].known = true;
    }
    record_.name = "i1";
    record_.primary = "n1";
    record_.disks = in_.below(2) == 0
                      ? disk_template::drbd
                      : static_cast<disk_template>(in_.below(10));
    record_.os = "noop";
    record_.disks_mib = {1024};
    if (record_.disks == disk_template::drbd)
      record_.secondaries = {"n2"};
    rules_.enabled = true;
    rules_.retry_base = seconds{10};
    rules_.retry_max = minutes{5};
    rules_.proof_max_age = hours{1};
    rules_.allocator = "hail";
    rules_.offline_vouches = in_.below(2) == 0;
    rules_.name_nodes = in_.below(2) == 0;
    rules_.single_pass = in_.below(4) == 1;
    rules_.tokens = !rules_.single_pass && in_.below(2) == 1;
    rules_.job_delay = seconds{in_.below(4) == 1 ? 10 : 0};
    cluster_tags_ = {std::string{tags::prefix} + "reinstall"};
    for (auto dead = in_.below(3); dead > 0; --dead) {
      auto& node = nodes_["n" + std::to_string(dead)];
      node.offline = true;
      node.proved_down
        = proof{node.name, proof_level::power_status, "off", now_};
    }
    before_ = seen();
  }

  void run() {
    for (int events = 0; events < 300 && !in_.done(); ++events) {
      now_ += millis{1 + static_cast<std::int64_t>(in_.below(256)) * 200};
      turn();
    }
  }

private:
  void turn() {
    switch (in_.below(24)) {
    case 1:
    case 2:
      return change_node();
    case 3:
    case 4:
      return change_tags(record_.tags);
    case 5:
      return change_tags(in_.once_in(2) ? group_tags_ : cluster_tags_);
    case 6:
      return change_more();
    case 7:
      return restart();
    case 8:
      return feed(job_started{news(job_phase::submitted)});
    case 9:
      return end_job(static_cast<job_phase>(in_.below(4)),
                     static_cast<job_status>(in_.below(8)));
    case 10:
      return answer(false);
    case 11:
      return answer(true);
    case 12:
      return look();
    default:
      return go_on();
    }
  }

  /// What comes next if nothing goes wrong.
  void go_on() {
    switch (machine_.stage) {
    case stage::idle:
      return look();
    case stage::permitting:
      return answer(true);
    default:
      if (machine_.job == 0)
        return feed(job_started{news(job_phase::submitted)});
      return end_job(job_phase::ended, job_status::success);
    }
  }

  void look() {
    auto f = picture();
    auto fresh = in_.once_in(8) ? "" : "id" + std::to_string(++ids_);
    feed_with(f, looked{f, fresh});
  }

  void answer(bool granted) {
    auto f = picture();
    feed_with(f, permit_answered{f, granted, "storm", now_ + seconds{5}});
  }

  void change_node() {
    auto& node = nodes_["n" + std::to_string(1 + in_.below(4))];
    switch (in_.below(7)) {
    case 0:
    case 1:
      node.offline = !node.offline;
      return;
    case 2:
      node.drained = !node.drained;
      return;
    case 3:
      node.vm_capable = !node.vm_capable;
      return;
    case 4:
      node.known = !node.known;
      return;
    case 5:
      node.power_control = !node.power_control;
      return;
    default:
      node.proved_down
        = proof{node.name, proof_level::power_status, "off", now_};
    }
  }

  void change_tags(texts& all) {
    if (in_.below(3) == 0 && !all.empty())
      all.erase(all.begin()
                + static_cast<std::ptrdiff_t>(in_.below(all.size())));
    else if (auto tag = draw_tag(in_); !has(all, tag))
      all.push_back(std::move(tag));
  }

  void change_more() {
    switch (in_.below(8)) {
    case 0:
      foreign_job_ = in_.once_in(2) ? std::optional<job_id>{7} : std::nullopt;
      return;
    case 1:
      rules_.enabled = !rules_.enabled;
      return;
    case 2:
      rules_.observe = !rules_.observe;
      return;
    case 3:
      mirror_fault_.assign(in_.once_in(2) ? 1 : 0, {"disk/0", false, "n2"});
      return;
    case 4:
      has_room_ = !has_room_;
      return;
    case 5:
      record_.admin = static_cast<admin_state>(in_.below(3));
      return;
    case 6:
      before_ = seen();
      return;
    default:
      now_ += hours{in_.below(20)};
    }
  }

  [[nodiscard]] facts seen() {
    facts f;
    f.instance = record_;
    f.primary = nodes_[record_.primary];
    for (const auto& name : record_.secondaries)
      f.secondaries.push_back(nodes_[name]);
    f.group = "g1";
    f.group_tags = group_tags_;
    f.cluster_tags = cluster_tags_;
    f.foreign_job = foreign_job_;
    f.mirror_fault = mirror_fault_;
    f.mirror_read_at = now_;
    room_view room;
    room.answered = has_room_;
    for (const auto& [name, node] : nodes_) {
      if (node.offline || node.drained || name == record_.primary
          || has(record_.secondaries, name))
        continue;
      ++f.spare_nodes;
      room.nodes.push_back({name, 4096, 4096});
    }
    f.room = room;
    for (auto id : machine_.asked) {
      job_standing standing;
      standing.id = id;
      standing.status = static_cast<job_status>(id % 8);
      f.jobs[id] = standing;
    }
    f.read_at = now_;
    return f;
  }

  /// Mostly the newest, sometimes one from before.
  facts picture() { return in_.once_in(6) ? before_ : seen(); }

  job_event news(job_phase p) {
    job_event e;
    e.intent = in_.once_in(8) ? "x/1-failover" : machine_.intent;
    e.phase = p;
    e.id = p == job_phase::refused ? 0 : ++jobs_;
    e.at = now_;
    return e;
  }

  void end_job(job_phase p, job_status status) {
    auto e = news(p);
    e.status = status;
    if (machine_.job != 0)
      e.id = machine_.job;
    auto f = picture();
    if (status == job_status::success || in_.once_in(4))
      for (const auto& op : machine_.ops)
        execute(op);
    feed_with(f, job_ended{e, f});
  }

  void execute(const opcode& op) {
    auto room = seen().room->nodes;
    auto onto = !op.target.empty() ? op.target
                : room.empty()     ? record_.primary
                                   : room.front().name;
    auto mirrored = !record_.secondaries.empty();
    switch (op.kind) {
    case op_kind::tags_set:
      for (const auto& tag : op.tags)
        if (!has(record_.tags, tag))
          record_.tags.push_back(tag);
      return;
    case op_kind::tags_del:
      for (const auto& tag : op.tags)
        std::erase(record_.tags, tag);
      return;
    case op_kind::instance_failover:
    case op_kind::instance_migrate:
      std::swap(record_.primary, mirrored ? record_.secondaries.front() : onto);
      return;
    case op_kind::replace_disks:
      if (mirrored)
        record_.secondaries = {onto};
      return;
    case op_kind::recreate_disks:
      record_.primary = op.nodes.empty() ? onto : op.nodes.front();
      if (mirrored)
        record_.secondaries = {op.nodes.size() > 1 ? op.nodes[1]
                               : room.size() > 1   ? room[1].name
                                                   : onto};
      return;
    default:
      return;
    }
  }

  void restart() {
    machine_ = from_fields(to_fields(machine_));
    auto f = seen();
    auto before = machine_;
    take(before, resume(machine_, f, rules_, now_), nullptr);
  }

  void feed_with(const facts& f, const event& e) {
    auto before = machine_;
    take(before, step(before, e, rules_, now_), &f);
  }

  void feed(const event& e) {
    auto before = machine_;
    take(before, step(before, e, rules_, now_), nullptr);
  }

  void take(const state& before, const verdict& v, const facts* shown) {
    demand(from_fields(to_fields(v.next)) == v.next);
    machine_ = v.next;
    for (const auto& action : v.actions)
      if (const auto* order = std::get_if<submit>(&action))
        judge(before, *order, shown);
    auto told = standing(machine_, seen(), rules_, now_);
    demand(!told.why.empty() && !told.permission.empty());
  }

  void judge(const state& before, const submit& order, const facts* shown) {
    demand(!order.intent.empty());
    for (const auto& op : order.ops)
      if (op.kind == op_kind::tags_set || op.kind == op_kind::tags_del)
        judge_tags(op);
    // The same again: after a restart, or because nothing was heard of it.
    if (!intents_.insert(order.intent).second || shown == nullptr
        || order.intent == before.intent)
      return;
    demand(!order.why.empty());
    demand(rules_.enabled && !rules_.observe);
    demand(!shown->foreign_job);
    auto may = permission_of("i1", shown->instance.tags, "g1",
                             shown->group_tags, shown->cluster_tags, now_);
    auto suspended = may.what == permission::verdict::suspended;
    for (const auto& op : order.ops)
      judge(op, *shown, suspended);
  }

  /// A token, or a mark of one.
  static bool is_of_token(const std::string& text) {
    return is_token(text) || is_void_mark(text) || is_unbegun_mark(text);
  }

  void judge_tags(const opcode& op) {
    demand(op.tag_object == "i1" && op.tags_on == tag_kind::instance);
    demand(!op.tags.empty() && op.tags.size() < 4096);
    for (const auto& text : op.tags) {
      if (is_of_token(text)) {
        demand(rules_.tokens && text.size() <= tags::length_max);
        continue;
      }
      auto tag = tags::parse(text);
      demand(tag.has_value());
      demand(!std::holds_alternative<tags::policy>(*tag));
      if (op.kind == op_kind::tags_del)
        continue;
      demand(text.size() <= tags::length_max && tags::format(*tag) == text);
      demand(!std::holds_alternative<tags::suspend>(*tag));
    }
  }

  void judge(const opcode& op, const facts& shown, bool suspended) {
    if (op.kind == op_kind::tags_del) {
      for (const auto& text : op.tags) {
        if (is_of_token(text))
          continue;
        auto tag = tags::parse(text);
        const auto* x = std::get_if<tags::suspend>(&*tag);
        demand(x == nullptr || (x->until && *x->until <= now_));
      }
      return;
    }
    demand(!suspended);
    if (op.kind == op_kind::tags_set)
      return;
    for (const auto& text : shown.instance.tags) {
      auto tag = tags::parse(text);
      const auto* end = tag ? std::get_if<tags::result>(&*tag) : nullptr;
      demand(end == nullptr || end->outcome != tags::repair_result::failure);
    }
    if (op.kind == op_kind::instance_failover)
      demand(shown.primary.offline);
    if (op.kind == op_kind::recreate_disks
        || op.kind == op_kind::instance_reinstall) {
      demand(shown.primary.offline);
      for (const auto& mirror : shown.secondaries)
        demand(mirror.offline);
    }
  }

  bytes in_;
  std::map<node_name, node_view> nodes_;
  instance_record record_;
  texts group_tags_;
  texts cluster_tags_;
  std::optional<job_id> foreign_job_;
  std::vector<disk_fault> mirror_fault_;
  bool has_room_ = true;
  rules rules_;
  instant now_{seconds{1700000000}};
  facts before_;
  state machine_;
  std::set<intent_id> intents_;
  job_id jobs_ = 100;
  int ids_ = 0;
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  trial{bytes{data, size}}.run();
  return 0;
}
