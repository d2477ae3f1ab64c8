// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/cluster/errands.hpp"

#include "actors/policy/base/backoff.hpp"
#include "actors/policy/base/intents.hpp"
#include "actors/policy/repair/permission.hpp"
#include "actors/shell/patience.hpp"
#include "messages/codes.hpp"

#include <utility>

#include <fmt/format.h>

namespace orderly {

namespace {

constexpr const char* owner = "cluster";

bool acts(const settings& s) {
  return s.autorepair.enabled && s.autorepair.mode == repair_mode::act;
}

job_order order_of(cluster_self self, intent_id intent, opcode op,
                   std::string why) {
  auto rules = self->state.ctx->rules();
  job_order order;
  order.intent = std::move(intent);
  order.owner = owner;
  order.ops = {std::move(op)};
  order.why = std::move(why);
  order.deadline = rules->cluster.job_deadline;
  order.send_before
    = now(self, self->state.ctx) + rules->cluster.picture_max_age;
  return order;
}

void send_order(cluster_self self, job_order order) {
  self->send(self->state.peers.jobs, std::move(order),
             caf::actor_cast<job_client>(self));
}

// --- expired suspensions -----------------------------------------------------

void remove_from(cluster_self self, tag_kind kind, const std::string& name,
                 const std::vector<std::string>& tags) {
  auto& st = self->state;
  auto at = now(self, st.ctx);
  auto expired = expired_suspends(tags, at);
  auto i = st.removals.find(name);
  if (expired.empty()) {
    if (i != st.removals.end() && i->second.intent.empty())
      st.removals.erase(i);
    return;
  }
  auto& x = st.removals[name];
  if (!x.intent.empty() || at < x.not_before)
    return;
  x.intent = fmt::format("expired/{}/{}", st.rolls.uuid(), name);
  opcode op;
  op.kind = op_kind::tags_del;
  op.tags_on = kind;
  op.tag_object = name;
  op.tags = std::move(expired);
  send_order(self, order_of(self, x.intent, std::move(op),
                            "removes suspensions that are over"));
}

// --- mirrors -----------------------------------------------------------------

/// The suspects, those whose actors wait for news, and the next ones in the
/// order of names.
std::vector<instance_name> next_mirrors(cluster_state& st) {
  auto most = st.mirror_batch;
  std::vector<instance_name> result;
  auto add = [&](const instance_name& name) {
    const auto* record = find_record(st.picture->instances, name);
    if (record != nullptr && can_be_asked(st, *record)
        && st.mirrors_mute.count(name) == 0 && result.size() < most / 2
        && std::find(result.begin(), result.end(), name) == result.end())
      result.push_back(name);
  };
  for (const auto& [name, x] : st.mirrors)
    if (!x.fault.empty())
      add(name);
  for (const auto& name : st.attentive)
    add(name);
  st.mirrors_wait = result.size() >= most / 2;
  const auto& all = st.picture->instances;
  auto i = std::upper_bound(
    all.begin(), all.end(), st.mirror_asked,
    [](const instance_name& name, const auto& x) { return name < x.name; });
  for (; i != all.end() && result.size() < most; ++i) {
    st.mirror_asked = i->name;
    if (can_be_asked(st, *i) && st.mirrors_mute.count(i->name) == 0
        && std::find(result.begin(), result.end(), i->name) == result.end())
      result.push_back(i->name);
  }
  if (i == all.end())
    st.mirror_asked.clear();
  return result;
}

/// A suspect is asked again so soon.
constexpr auto suspect_pause = seconds{30};

void take_mirrors(cluster_self self, const std::vector<instance_name>& asked,
                  instant at, const mirrors_answer& answer) {
  auto& st = self->state;
  if (!answer.answered || !st.picture)
    return;
  for (const auto& name : asked) {
    const auto* record = find_record(st.picture->instances, name);
    // What is gone by now may have been gone when it was asked.
    if (record == nullptr || !can_be_asked(st, *record))
      continue;
    auto i = answer.faults.find(name);
    auto faulty = i != answer.faults.end();
    if (!faulty && answer.well.count(name) == 0)
      continue; // who was silent said nothing
    auto& x = st.mirrors[name];
    auto news = faulty || !x.fault.empty() || st.attentive.count(name) != 0;
    x.seen = faulty ? x.seen + 1 : 0;
    x.fault = faulty ? i->second : std::vector<disk_fault>{};
    x.at = at;
    if (news)
      send_facts(self, *record);
  }
}

/// One question an interval, because Ganeti holds locks while it answers; the
/// suspects are asked more often, and those that found no place in a question.
millis mirror_pause(const cluster_state& st) {
  constexpr auto least = seconds{5};
  auto pause
    = std::max<millis>(least, st.ctx->rules()->autorepair.mirror_interval);
  auto suspects
    = std::any_of(st.mirrors.begin(), st.mirrors.end(),
                  [](const auto& kv) { return !kv.second.fault.empty(); });
  auto behind = st.mirrors_wait || st.mirror_batch < mirror_batch_max;
  return suspects || behind ? std::min<millis>(pause, suspect_pause) : pause;
}

} // namespace

void remove_expired(cluster_self self) {
  auto& st = self->state;
  if (!acts(*st.ctx->rules()))
    return;
  remove_from(self, tag_kind::cluster, "", st.picture->tags);
  for (const auto& group : st.picture->groups)
    remove_from(self, tag_kind::group, group.name, group.tags);
}

void removal_job(cluster_self self, const job_event& e) {
  auto& st = self->state;
  auto i
    = std::find_if(st.removals.begin(), st.removals.end(), [&](const auto& kv) {
        return kv.second.intent == e.intent;
      });
  if (i == st.removals.end() || e.phase == job_phase::submitted)
    return;
  auto& x = i->second;
  x.intent.clear();
  auto at = now(self, st.ctx);
  auto good = e.phase == job_phase::ended && e.status == job_status::success;
  auto rules = st.ctx->rules();
  x.failures = good ? 0 : x.failures + 1;
  // The next reading shows whether they are gone.
  x.not_before = good ? at + seconds{2}
                      : at
                          + backoff(rules->autorepair.retry_base,
                                    rules->autorepair.retry_max, x.failures);
  self->send(caf::actor_cast<cluster_actor>(self), attention{});
}

std::uint32_t removals(const cluster_state& st) {
  return static_cast<std::uint32_t>(
    std::count_if(st.removals.begin(), st.removals.end(),
                  [](const auto& kv) { return !kv.second.intent.empty(); }));
}

namespace {

/// Their question was not answered: perhaps for one of them.
void narrow(cluster_self self, const std::vector<instance_name>& names,
            const instance_name& before, instant at) {
  auto& st = self->state;
  if (names.size() > 1 || st.failures > 0)
    st.mirror_asked = before;
  if (st.failures > 0)
    return; // the cluster answers nothing: none of them has to do with it
  if (names.size() > 1) {
    st.mirror_batch = names.size() / 2;
  } else {
    auto interval = st.ctx->rules()->autorepair.mirror_interval;
    st.mirrors_mute[names.front()]
      = at + std::max<millis>(minutes{1}, interval);
    st.mirror_batch = mirror_batch_max;
  }
}

void look_again_after(cluster_self self, millis pause) {
  self->state.next_mirrors.set(self, pause, mirror_tick);
}

} // namespace

void look_at_mirrors(cluster_self self) {
  auto& st = self->state;
  auto rules = st.ctx->rules();
  look_again_after(self, mirror_pause(st));
  // Also while auto-repair is off: when it is switched on it must know.
  if (rules->autorepair.mirror_interval == millis{0} || !st.picture
      || st.asking_mirrors)
    return;
  auto before = st.mirror_asked;
  std::erase_if(st.mirrors_mute, [at = now(self, st.ctx)](const auto& kv) {
    return at >= kv.second;
  });
  auto names = next_mirrors(st);
  if (names.empty())
    return;
  st.asking_mirrors = true;
  auto limit = rules->cluster.poll_timeout;
  auto at = now(self, st.ctx);
  self->request(st.port, limit + patience::slack, read_mirrors{names, limit})
    .then(
      [self, names, at, before](const mirrors_answer& answer) {
        auto& state = self->state;
        state.asking_mirrors = false;
        if (answer.answered)
          state.mirror_batch
            = std::min(mirror_batch_max, 2 * state.mirror_batch);
        else
          narrow(self, names, before, at);
        take_mirrors(self, names, at, answer);
        // What this answer says is what the next question waits for.
        look_again_after(self,
                         answer.answered ? mirror_pause(state) : seconds{5});
      },
      [self](const caf::error&) { self->state.asking_mirrors = false; });
}

caf::result<room_answer> room(cluster_self self, const room_question& what) {
  auto& st = self->state;
  auto rules = st.ctx->rules();
  auto promise = self->make_response_promise<room_answer>();
  room_answer none;
  const auto* x
    = st.picture ? find_record(st.picture->instances, what.instance) : nullptr;
  const auto* home
    = x != nullptr ? find_record(st.picture->nodes, x->primary) : nullptr;
  if (home == nullptr) {
    none.text = "instance " + what.instance + " is not known";
    promise.deliver(none);
    return promise;
  }
  auto own = x->secondaries;
  own.push_back(x->primary);
  auto spare = [own](room_answer answer) {
    std::erase_if(answer.nodes, [&](const node_room& node) {
      return std::find(own.begin(), own.end(), node.name) != own.end();
    });
    return answer;
  };
  auto at = now(self, st.ctx);
  auto group = home->group;
  auto known = st.rooms.find(group);
  if (known != st.rooms.end()
      && at - known->second.at < rules->autorepair.room_max_age / 2) {
    promise.deliver(spare(known->second.answer));
    return promise;
  }
  read_room question;
  question.time_limit = rules->cluster.poll_timeout;
  for (const auto& node : st.picture->nodes)
    if (node.group == group && may_take(st, node))
      question.nodes.push_back(node.name);
  auto limit = question.time_limit + patience::slack;
  self->request(st.port, limit, std::move(question))
    .then(
      [self, promise, spare, group, at](const room_answer& answer) mutable {
        if (answer.answered)
          self->state.rooms[group] = {answer, at};
        promise.deliver(spare(answer));
      },
      [promise, none](const caf::error&) mutable {
        none.text = "the cluster port did not answer";
        promise.deliver(none);
      });
  return promise;
}

caf::result<repair_answer> ask_repair(cluster_self self,
                                      const repair_request& what) {
  auto& st = self->state;
  auto type = tags::repair_type_from(what.type);
  const auto* x
    = st.picture ? find_record(st.picture->instances, what.instance) : nullptr;
  if (!st.picture)
    return repair_answer{false, "", "the cluster was not read yet"};
  if (x == nullptr)
    return repair_answer{false, "",
                         fmt::format("there is no instance {}", what.instance)};
  if (!type)
    return repair_answer{
      false, "",
      fmt::format("'{}' is no repair type; it must be fix-storage, migrate, "
                  "failover or reinstall",
                  what.type)};
  if (auto text = failed_before(*x); !text.empty())
    return repair_answer{false, "", std::move(text)};
  tags::pending wanted{*type, st.rolls.uuid(), now(self, st.ctx), {}};
  opcode op;
  op.kind = op_kind::tags_set;
  op.tag_object = what.instance;
  op.tags = {tags::format(wanted)};
  auto order = order_of(
    self, asked_intent(wanted.id), std::move(op),
    fmt::format("{} asks for a {}", what.who, tags::to_string(*type)));
  order.incident = wanted.id;
  cluster_state::asked_repair asked;
  asked.repair = wanted.id;
  asked.instance = what.instance;
  asked.text = acts(*st.ctx->rules())
                 ? "it is repaired as soon as it may be"
                 : "auto-repair is not on here: nothing follows until it is";
  asked.promise = self->make_response_promise<repair_answer>();
  auto promise = asked.promise;
  st.asked_repairs.emplace(order.intent, std::move(asked));
  auto entry = entry_about(self, st.ctx, instance_object(what.instance),
                           entry_kind::decision, codes::asked, order.why);
  entry.incident = wanted.id;
  record(self, st.peers.journal, {std::move(entry)},
         [self, order = std::move(order)] { send_order(self, order); });
  return promise;
}

void repair_job(cluster_self self, const job_event& e) {
  auto& all = self->state.asked_repairs;
  auto i = all.find(e.intent);
  if (i == all.end())
    return;
  auto& x = i->second;
  repair_answer answer{true, x.repair, {}};
  if (e.phase == job_phase::submitted) {
    answer.text
      = fmt::format("job {} writes the pending tag; {}", e.id, x.text);
  } else if (e.phase == job_phase::ended && e.status == job_status::success) {
    answer.text = "the pending tag is written; " + x.text;
  } else {
    answer.accepted = false;
    answer.text = fmt::format("the pending tag could not be written: {}",
                              e.text.empty() ? to_string(e.status) : e.text);
  }
  x.promise.deliver(std::move(answer));
  all.erase(i);
}

} // namespace orderly
