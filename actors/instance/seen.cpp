// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/instance/seen.hpp"

#include "actors/instance/places.hpp"
#include "actors/policy/base/intents.hpp"
#include "actors/policy/settings/group_settings.hpp"
#include "actors/policy/settings/power_levels.hpp"
#include "actors/power/oob.hpp"
#include "messages/protocol/mirrors.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

namespace orderly {

namespace {

/// Its first check may be under way: had it found trouble, that was told.
bool is_unchecked(const settings& rules, const node_standing& x, instant at) {
  // A single pass asks nobody, and goes by the record alone.
  if (x.unchecked_since == never || rules.autorepair.single_pass)
    return false;
  auto first
    = 2 * (rules.host_ha.check_interval + longest_check_timeout(rules));
  return at - x.unchecked_since < first;
}

autorepair::node_view view_of(const settings& rules,
                              const instance_facts& facts,
                              const node_name& name, instant at) {
  autorepair::node_view v;
  v.name = name;
  for (const auto& record : facts.nodes) {
    if (record.name != name)
      continue;
    v.known = true;
    v.offline = record.offline;
    v.drained = record.drained;
    v.vm_capable = record.vm_capable;
    v.power_control = !power_levels(record, rules).empty();
  }
  if (auto i = facts.leaving.find(name); i != facts.leaving.end())
    v.leaving = i->second;
  if (auto i = facts.rising.find(name); i != facts.rising.end())
    v.rising = i->second;
  if (auto i = facts.standings.find(name); i != facts.standings.end()) {
    v.proved_down = i->second.proved_down;
    v.doubt = i->second.doubt;
    v.troubled = i->second.troubled;
    v.unheard = i->second.unheard_since != never;
    v.lives = i->second.answers || i->second.power == power_state::on;
    v.closed = i->second.closed;
    v.wanted_off = i->second.wanted_off;
    v.unchecked = is_unchecked(rules, i->second, at);
    v.fenced = i->second.phase == ha_phase::fenced;
  }
  return v;
}

/// What runs there may write, as far as is known: that we do not hear it says
/// nothing of that. What read off soon after it fell silent wrote nothing
/// since.
bool may_write(const node_standing& home) {
  auto off = home.proved_down || (home.quiet && home.unheard_since != never);
  return !off || !home.doubt.empty();
}

node_name mirror_of(const instance_facts& is) {
  const auto& x = is.record;
  auto mirrors = x.disks == disk_template::drbd && !x.secondaries.empty();
  return mirrors ? x.secondaries.front() : node_name{};
}

/// Since when mirror and home may not see each other either, if that lasts, or
/// may not have.
instant long_apart(const instance_facts& is, instant unlike, instant at) {
  auto since = instance_parts::apart_since(is);
  if (since != never)
    return at - since >= autorepair::apart_for ? since : never;
  return instance_parts::were_apart_since(is, unlike);
}

/// Until then a home that died before the answer is found silent.
instant judged_at(const settings& rules, const instance_facts& is) {
  return is.mirror_heard_at
         + 2 * (rules.host_ha.check_interval + longest_check_timeout(rules));
}

/// Was its home heard after the answer? Then what was faulty was so while it
/// ran, and not because its home was dying. Not known before it was asked.
std::optional<bool> was_heard_after(const settings& rules,
                                    const instance_facts& is, instant at) {
  auto home = is.standings.find(is.record.primary);
  if (home == is.standings.end())
    return false;
  if (home->second.unheard_since != never)
    return home->second.heard_at > is.mirror_heard_at;
  return at >= judged_at(rules, is) ? std::optional{true} : std::nullopt;
}

/// What counts against the copy. A repair of the mirror takes two answers that
/// say so; one is enough to hold a failover. What was still being written is
/// half written, whatever became of its source.
autorepair::mirror_news news_of_mirror(const settings& rules,
                                       const instance_facts& is, instant unlike,
                                       instant at) {
  autorepair::mirror_news news;
  auto lasts
    = is.mirror_seen >= mirror_standing::enough || only_syncs(is.mirror_fault);
  auto heard = was_heard_after(rules, is, at);
  news.pending = !lasts && !is.mirror_fault.empty() && !heard;
  if (lasts || heard.value_or(true))
    news.fault = is.mirror_fault;
  news.well = is.mirror_well;
  news.at = is.mirror_read_at;
  news.apart = long_apart(is, unlike, at);
  news.asked = rules.autorepair.mirror_interval > millis{0};
  return news;
}

/// Why nothing is to be put there any more, or empty.
std::string bad_place(const instance_facts& facts, const node_name& node) {
  if (auto i = facts.leaving.find(node); i != facts.leaving.end())
    return fmt::format("{} is about to go: {}", node, i->second);
  auto i = facts.unfit->find(node);
  return i == facts.unfit->end() ? std::string{} : i->second;
}

/// Which place that these name is none any more, and why; or empty. That of a
/// mirror goes without saying, and is looked at with the instance.
std::string bad_target(const instance_facts& facts,
                       const std::vector<opcode>& ops) {
  for (const auto& op : ops) {
    if (instance_parts::leaves_choice(op) && !facts.pickable.empty())
      return fmt::format("the cluster's allocator could pick {}, which is "
                         "about to go: {}",
                         facts.pickable, facts.leaving.at(facts.pickable));
    auto to = op.nodes;
    to.push_back(op.target);
    for (const auto& node : to)
      if (auto text = bad_place(facts, node); !text.empty())
        return text;
  }
  return {};
}

/// Its own nodes are looked at by themselves.
std::string bad_place_of(const running_job& job, const instance_facts& facts) {
  const auto& own = facts.record;
  for (const auto& node : job.nodes)
    if (node != own.primary
        && std::find(own.secondaries.begin(), own.secondaries.end(), node)
             == own.secondaries.end())
      if (auto text = bad_place(facts, node); !text.empty())
        return text;
  return {};
}

/// What was answered about room is good for that long. The job that is about to
/// leave was planned with it: how long its last looks take says nothing of
/// room, and the queue refuses what does not fit. Longer than controllers may
/// take to answer they do not last.
millis room_age_most(const instance_state& st, instant at) {
  auto rules = st.ctx->rules();
  auto most = rules->autorepair.room_max_age;
  auto looks = st.headed_at != never && st.headed == st.machine.intent;
  if (!looks)
    return most;
  auto since = std::chrono::duration_cast<millis>(at - st.headed_at);
  return most + std::min(since, power_patience(*rules));
}

/// It was marked down, and its home does not answer: there nothing can have
/// stopped it.
bool is_shut_unheard(const instance_facts& was, const instance_facts& is) {
  if (was.record.admin != admin_state::up || is.record.admin == admin_state::up)
    return false;
  auto i = is.standings.find(is.record.primary);
  auto marked
    = std::any_of(is.nodes.begin(), is.nodes.end(), [&](const auto& x) {
        return x.name == is.record.primary && x.offline;
      });
  return marked || (i != is.standings.end() && i->second.troubled);
}

} // namespace

void instance_parts::take(instance_state& st, instance_facts next) {
  auto mirror = mirror_of(next);
  st.shut_unheard = st.facts && is_shut_unheard(*st.facts, next);
  if (st.facts && mirror_of(*st.facts) != mirror)
    st.unlike = st.facts->read_at;
  else if (st.machine.bad_copy == mirror)
    st.unlike = never;
  st.facts = std::move(next);
}

instant instance_parts::were_apart_since(const instance_facts& is,
                                         instant unlike) {
  auto home = is.standings.find(is.record.primary);
  auto mirror = is.standings.find(mirror_of(is));
  if (unlike == never || is.record.admin != admin_state::up
      || home == is.standings.end() || mirror == is.standings.end())
    return never;
  const auto& again = mirror->second.heard_again;
  auto lasted = mirror->second.silence;
  if (again == never || again < unlike || is.mirror_read_at > again
      || lasted < autorepair::apart_for)
    return never;
  auto since = again - lasted;
  auto wrote = home->second.unheard_since == never
               || home->second.unheard_since > since || may_write(home->second);
  return wrote ? since : never;
}

instant instance_parts::apart_since(const instance_facts& is) {
  const auto& x = is.record;
  if (mirror_of(is).empty() || x.admin != admin_state::up)
    return never;
  auto home = is.standings.find(x.primary);
  auto mirror = is.standings.find(mirror_of(is));
  if (home == is.standings.end() || mirror == is.standings.end()
      || mirror->second.unheard_since == never)
    return never;
  // Both were silent when nobody watched: what the home did then is not known.
  auto since = mirror->second.unheard_since;
  auto missed = since < home->second.watched_since;
  return missed || may_write(home->second) ? since : never;
}

autorepair::rules instance_parts::rules_of(const settings& s) {
  autorepair::rules r;
  r.enabled = s.autorepair.enabled;
  r.observe = s.autorepair.mode == repair_mode::observe;
  r.offline_vouches = s.autorepair.offline_vouches;
  r.job_delay = s.autorepair.job_delay;
  r.name_nodes = s.autorepair.new_nodes == node_picker::named;
  r.allocator = s.cluster.allocator;
  r.single_pass = s.autorepair.single_pass;
  r.tokens = !r.single_pass;
  r.tries_max = s.autorepair.tries_max;
  r.retry_base = s.autorepair.retry_base;
  r.retry_max = s.autorepair.retry_max;
  r.proof_max_age = s.autorepair.proof_max_age;
  r.word_max_age = s.autorepair.word_max_age;
  r.picture_max_age = s.cluster.picture_max_age;
  r.job_deadline = s.cluster.job_deadline;
  return r;
}

namespace {

/// The live jobs for it: whose they are, and what they belong to.
void take_jobs(const instance_state& st, const instance_facts& facts,
               autorepair::facts& f) {
  for (const auto& job : facts.jobs) {
    auto intent = intent_in_trail(job.reason);
    const auto& m = st.machine;
    auto ours = !intent.empty()
                && (intent == m.intent || intent == m.note
                    || (intent == st.ended && job.id == st.ended_job));
    if (!ours && !f.foreign_job) {
      f.foreign_job = job.id;
      f.foreign_is_known = !intent.empty();
    }
    if (st.voided.count(intent) != 0)
      continue; // it ends at its token
    if (is_act(intent))
      f.trails.emplace_back(incident_in_trail(job.reason), job.id);
    if (auto act = act_of(intent); act && !ours)
      f.strays.push_back(
        {intent, job.id, *act, job.nodes, bad_place_of(job, facts)});
  }
}

} // namespace

void instance_parts::note_voided(instance_state& st,
                                 const autorepair::state& next) {
  constexpr std::size_t most = 16;
  const auto& before = st.machine;
  auto removed = before.unsure && before.token == autorepair::token_state::sent
                 && next.token == autorepair::token_state::none && !next.unsure
                 && !next.untraced;
  if (!removed || before.sought.empty())
    return;
  if (st.voided.size() >= most)
    st.voided.clear();
  st.voided.insert(before.sought);
}

autorepair::facts instance_parts::seen(const instance_state& st, instant at) {
  const auto& facts = *st.facts;
  auto rules = st.ctx->rules();
  autorepair::facts f;
  f.instance = facts.record;
  f.primary = view_of(*rules, facts, facts.record.primary, at);
  for (const auto& name : facts.record.secondaries)
    f.secondaries.push_back(view_of(*rules, facts, name, at));
  f.group = facts.group;
  f.group_tags = facts.group_tags;
  f.cluster_tags = facts.cluster_tags;
  f.ahead = st.ctx->ahead(at);
  f.held = facts.held;
  if (auto home = facts.standings.find(facts.record.primary);
      home != facts.standings.end())
    f.home_is_free = home->second.held.empty();
  f.shared = facts.shared;
  if (!st.headed.empty() && st.headed == st.machine.intent)
    f.leaving = bad_target(facts, st.heading);
  take_jobs(st, facts, f);
  auto last = st.ended.substr(0, st.ended.find('/'));
  if (last != st.machine.repair)
    f.over = last;
  f.jobs = st.earlier;
  f.traced = st.traced;
  f.traced_at = st.traced_at;
  if (!st.traced.empty())
    for (auto id : st.trailed)
      f.trails.emplace_back(st.traced, id);
  if (st.room && at - st.room_at <= room_age_most(st, at)) {
    f.room = st.room;
    std::erase_if(f.room->nodes, [&](const node_room& node) {
      return facts.leaving.count(node.name) != 0;
    });
  }
  if (facts.mirror_near && facts.mirror_seen >= mirror_standing::enough)
    f.mirror_fault = facts.mirror_fault;
  f.mirror_near = facts.mirror_near;
  f.mirror_syncs = facts.mirror_near && only_syncs(facts.mirror_fault);
  f.mirror_read_at = facts.mirror_read_at;
  f.read_at = facts.read_at;
  f.just_started = at - st.born < autorepair::proofs_reread;
  f.shut_unheard = st.shut_unheard;
  autorepair::recall_copy(st.machine,
                          news_of_mirror(*rules, *st.facts, st.unlike, at), f);
  f.spare_nodes = facts.spare_nodes;
  return f;
}

std::string instance_parts::doubts(const instance_state& st,
                                   const intent_id& intent, instant at) {
  if (!st.recovered || !st.facts)
    return "its actor has just been started";
  return autorepair::second_thoughts(st.machine, intent, seen(st, at),
                                     rules_of(*st.ctx->rules()), at);
}

instant instance_parts::next_look(const instance_state& st, instant at) {
  if (st.machine.due != never || !st.facts)
    return st.machine.due;
  auto ahead = st.ctx->ahead(at);
  auto ends = next_suspend_end(st.facts->record.tags, at - ahead);
  // How long the calendar is not trusted is a matter of minutes.
  constexpr millis calendar_pause = minutes{1};
  if (ahead > millis{0} && ends != never)
    ends = std::min(ends + ahead, at + calendar_pause);
  auto sooner = [&ends](instant when) {
    ends = ends == never ? when : std::min(ends, when);
  };
  auto rules = st.ctx->rules();
  if (news_of_mirror(*rules, *st.facts, st.unlike, at).pending)
    sooner(judged_at(*rules, *st.facts));
  auto apart = apart_since(*st.facts);
  if (apart != never && st.machine.copy_fault.empty())
    sooner(apart + autorepair::apart_for);
  return ends;
}

} // namespace orderly
