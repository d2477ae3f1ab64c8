// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The autorepair state as a flat record and back, for the journal.

#include "actors/policy/repair/autorepair.hpp"
#include "actors/policy/repair/copy.hpp"
#include "actors/policy/repair/tag_fields.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <string_view>

#include <fmt/format.h>

namespace orderly::autorepair {

namespace {

constexpr std::array phases{phase::healthy, phase::needs_repair, phase::pending,
                            phase::failed};
constexpr std::array stages{stage::idle,   stage::tagging,   stage::permitting,
                            stage::arming, stage::repairing, stage::noting};
constexpr std::array act_kinds{act_kind::fence,       act_kind::reset,
                               act_kind::failover,    act_kind::migrate,
                               act_kind::fix_storage, act_kind::reinstall,
                               act_kind::record};

constexpr std::array kinds{op_kind::node_set_offline,
                           op_kind::node_set_drained,
                           op_kind::instance_failover,
                           op_kind::instance_migrate,
                           op_kind::replace_disks,
                           op_kind::instance_startup,
                           op_kind::instance_shutdown,
                           op_kind::recreate_disks,
                           op_kind::activate_disks,
                           op_kind::instance_reinstall,
                           op_kind::wait,
                           op_kind::tags_set,
                           op_kind::tags_del};

constexpr std::int64_t ops_max = 16;
constexpr std::int64_t tags_max = 4096; // Ganeti's limit on an object

template <class T, std::size_t N>
T named(const std::array<T, N>& all, const std::string& text, T fallback) {
  for (auto x : all)
    if (text == to_string(x))
      return x;
  return fallback;
}

std::string text_of(const std::vector<job_id>& jobs) {
  std::string result;
  for (auto id : jobs)
    result += (result.empty() ? "" : "+") + std::to_string(id);
  return result;
}

std::vector<job_id> jobs_of(std::string_view text) {
  std::vector<job_id> jobs;
  while (!text.empty()) {
    auto end = std::min(text.find('+'), text.size());
    job_id id = 0;
    auto part = text.substr(0, end);
    auto [last, error]
      = std::from_chars(part.data(), part.data() + part.size(), id);
    if (error == std::errc{} && last == part.data() + part.size())
      jobs.push_back(id);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return jobs;
}

job_id job_of(const std::string& text) {
  auto jobs = jobs_of(text);
  return jobs.empty() ? 0 : jobs.front();
}

void put_op(fields& f, const std::string& key, const opcode& op) {
  f.put(key, to_string(op.kind));
  f.put_known(key + ".node", op.node);
  f.put_known(key + ".instance", op.instance);
  f.put_known(key + ".target", op.target);
  if (op.flag)
    f.put(key + ".flag", std::int64_t{1});
  f.put(key + ".tags_on", static_cast<std::int64_t>(op.tags_on));
  f.put_known(key + ".tag_object", op.tag_object);
  f.put_known(key + ".allocator", op.allocator);
  if (op.span != millis{0})
    f.put(key + ".span", std::int64_t{op.span.count()});
  for (std::size_t i = 0; i < op.nodes.size(); ++i)
    f.put(key + ".node" + std::to_string(i), op.nodes[i]);
  for (std::size_t i = 0; i < op.tags.size(); ++i)
    f.put(key + ".tag" + std::to_string(i), op.tags[i]);
}

std::vector<std::string> listed(const fields& f, const std::string& key) {
  std::vector<std::string> result;
  for (std::int64_t i = 0; i < tags_max; ++i) {
    auto name = key + std::to_string(i);
    if (!f.has(name))
      break;
    result.push_back(f.text(name));
  }
  return result;
}

opcode op_of(const fields& f, const std::string& key) {
  opcode op;
  op.kind = named(kinds, f.text(key), op_kind::tags_set);
  op.node = f.text(key + ".node");
  op.instance = f.text(key + ".instance");
  op.target = f.text(key + ".target");
  op.flag = f.number(key + ".flag") != 0;
  auto on
    = f.number(key + ".tags_on", static_cast<std::int64_t>(tag_kind::instance));
  for (auto kind : {tag_kind::cluster, tag_kind::group, tag_kind::node})
    if (on == static_cast<std::int64_t>(kind))
      op.tags_on = kind;
  op.tag_object = f.text(key + ".tag_object");
  op.allocator = f.text(key + ".allocator");
  op.span = millis{f.number(key + ".span")};
  op.nodes = listed(f, key + ".node");
  op.tags = listed(f, key + ".tag");
  return op;
}

token_state token_of(const fields& f) {
  switch (f.number("token")) {
  case static_cast<int>(token_state::standing):
    return token_state::standing;
  case static_cast<int>(token_state::sent):
    return token_state::sent;
  default:
    return token_state::none;
  }
}

} // namespace

const char* to_string(stage x) {
  switch (x) {
  case stage::idle:
    return "idle";
  case stage::tagging:
    return "tagging";
  case stage::permitting:
    return "permitting";
  case stage::arming:
    return "arming";
  case stage::repairing:
    return "repairing";
  case stage::noting:
    return "noting";
  }
  return "?";
}

namespace {

void put_tries(fields& f, const state& s) {
  f.put_known("tag_tries", s.tag_tries);
  f.put_known("failed_at_home", s.failed_at_home);
  f.put_known("cut", s.cut);
  f.put_known("left_seen", s.left_seen);
}

/// An older journal does not tell its last job from one that made a copy.
void put_remade(fields& f, const state& s) {
  if (s.moved != never || s.remade != never)
    f.put("remade", s.remade);
}

instant remade_from(const fields& f) {
  return f.when(f.has("remade") ? "remade" : "moved");
}

/// What it waits for, and what a person was told of that.
void put_waits(fields& f, const state& s) {
  f.put_known("copy_told", s.copy_told);
  if (s.foreign != 0)
    f.put("foreign", static_cast<std::int64_t>(s.foreign));
  f.put_known("foreign_since", s.foreign_since);
  f.put_known("foreign_told", s.foreign_told);
  f.put_known("roomless_since", s.roomless_since);
  f.put_known("roomless_told", s.roomless_told);
  f.put_known("unsent", s.unsent);
  f.put_known("strange", fmt::format("{}", fmt::join(s.strange, ":")));
}

} // namespace

fields to_fields(const state& s) {
  fields f;
  f.put("phase", to_string(s.phase));
  f.put("stage", to_string(s.stage));
  f.put_known("repair", s.repair);
  f.put_known("left", s.left);
  f.put("type", tags::to_string(s.type));
  f.put_known("started", s.started);
  f.put_known("jobs", text_of(s.jobs));
  f.put_known("intent", s.intent);
  if (s.job != 0)
    f.put("job", std::to_string(s.job));
  for (std::size_t i = 0; i < s.ops.size(); ++i)
    put_op(f, "op" + std::to_string(i), s.ops[i]);
  f.put("act", to_string(s.act));
  f.put_known("from", s.from);
  f.put_known("onto", s.onto);
  f.put_known("beside", s.beside);
  f.put_known("untagged", s.untagged);
  f.put_known("wanted_up", s.wanted_up ? 1 + s.half_told : 0);
  f.put_known("mending", s.mending);
  f.put_known("turned_away", s.turned_away);
  f.put_known("taken", s.taken);
  f.put_known("withdrawn", s.withdrawn);
  f.put_known("tags_withdrawn", s.tags_withdrawn);
  f.put_known("untraced", s.untraced);
  f.put_known("halted", s.halted);
  f.put_known("unsure", s.unsure);
  f.put_known("revoked", s.revoked);
  f.put_known("young", s.young);
  f.put_known("wants_room", s.wants_room);
  f.put_known("room_tries", s.room_tries);
  f.put_known("asked", text_of(s.asked));
  f.put_known("called_off", text_of(s.called_off));
  f.put_known("note", s.note);
  f.put_known("note_text", s.note_text);
  f.put_known("step", s.step);
  f.put_known("token", static_cast<std::uint32_t>(s.token));
  f.put_known("token_number", s.token_number);
  f.put_known("sought", s.sought);
  f.put_known("armed_since", s.armed_since);
  f.put_known("traced_after", s.traced_after);
  f.put_known("tries", s.tries);
  f.put_known("tries_before", s.tries_before);
  if (s.act_before != act_kind::record)
    f.put("act_before", to_string(s.act_before));
  put_tries(f, s);
  f.put_known("moved", s.moved);
  put_remade(f, s);
  f.put_known("noted", s.noted);
  f.put_known("due", s.due);
  f.put_known("last_failed", s.last_failed);
  f.put_known("last_text", s.last_text);
  f.put_known("written", s.written);
  put_copy(f, s);
  put_waits(f, s);
  f.put_known("why", s.why);
  f.put_known("told", s.told);
  return f;
}

namespace {

void read_waits(state& s, const fields& f) {
  s.copy_told = f.number("copy_told") != 0;
  s.foreign = static_cast<job_id>(f.number("foreign"));
  s.foreign_since = f.when("foreign_since");
  s.foreign_told = f.number("foreign_told") != 0;
  s.roomless_since = f.when("roomless_since");
  s.roomless_told = f.number("roomless_told") != 0;
  s.unsent = f.count("unsent");
  auto strange = f.text("strange");
  if (!strange.empty())
    for (auto id : tags::split(strange, ':'))
      s.strange.emplace_back(id);
}

void read_ends(state& s, const fields& f) {
  s.moved = f.when("moved");
  s.remade = remade_from(f);
  s.noted = f.when("noted");
  s.due = f.when("due");
  s.cut = f.number("cut") != 0;
  s.left_seen = f.when("left_seen");
}

std::vector<opcode> ops_of(const fields& f) {
  std::vector<opcode> result;
  for (std::int64_t i = 0; i < ops_max; ++i) {
    auto key = "op" + std::to_string(i);
    if (!f.has(key))
      break;
    result.push_back(op_of(f, key));
  }
  return result;
}

} // namespace

state from_fields(const fields& f) {
  state s;
  s.phase = named(phases, f.text("phase"), s.phase);
  s.stage = named(stages, f.text("stage"), s.stage);
  s.repair = f.text("repair");
  s.left = f.text("left");
  s.type = tags::repair_type_from(f.text("type")).value_or(s.type);
  s.started = f.when("started");
  s.jobs = jobs_of(f.text("jobs"));
  s.intent = f.text("intent");
  s.job = job_of(f.text("job"));
  s.ops = ops_of(f);
  s.act = named(act_kinds, f.text("act"), s.act);
  s.from = f.text("from");
  s.onto = f.text("onto");
  s.beside = f.text("beside");
  s.untagged = f.number("untagged") != 0;
  s.wanted_up = f.number("wanted_up") != 0;
  s.half_told = f.number("wanted_up") > 1;
  s.mending = f.number("mending") != 0;
  s.turned_away = f.number("turned_away") != 0;
  s.taken = f.number("taken") != 0;
  s.withdrawn = f.number("withdrawn") != 0;
  s.tags_withdrawn = f.number("tags_withdrawn") != 0;
  s.untraced = f.number("untraced") != 0;
  s.halted = f.number("halted") != 0;
  s.unsure = f.number("unsure") != 0;
  s.revoked = f.number("revoked") != 0;
  s.young = f.text("young");
  s.wants_room = f.number("wants_room") != 0;
  s.room_tries = f.count("room_tries");
  s.asked = jobs_of(f.text("asked"));
  s.called_off = jobs_of(f.text("called_off"));
  s.note = f.text("note");
  s.note_text = f.text("note_text");
  s.step = f.count("step");
  s.token = token_of(f);
  s.token_number = f.count("token_number");
  s.sought = f.text("sought");
  s.armed_since = f.when("armed_since");
  s.traced_after = f.when("traced_after");
  s.tries = f.count("tries");
  s.tries_before = f.count("tries_before");
  s.act_before = named(act_kinds, f.text("act_before"), s.act_before);
  s.tag_tries = f.count("tag_tries");
  read_ends(s, f);
  s.last_failed = f.number("last_failed") != 0;
  s.failed_at_home = f.number("failed_at_home") != 0;
  s.last_text = f.text("last_text");
  s.written = f.text("written");
  read_copy(s, f);
  read_waits(s, f);
  s.why = f.text("why");
  s.told = f.text("told");
  return s;
}

// Of a repair nothing goes along: its intents and jobs name the instance, what
// the queue is asked for would not be found, and a job that was written down
// would be sent for a name that is no more, or is another's. Its tag stays on
// the instance, and is taken over from there like that of another daemon. A
// person is told anew, since what was told names what nobody finds any more.
fields nameless_fields(const state& s) {
  fields f;
  put_copy(f, s);
  // That one was mended since.
  if ((!s.bad_copy.empty() || !s.home_fault.empty()) && !s.last_failed)
    f.put_known("remade", s.remade);
  return f;
}

state nameless_from(const fields& f) {
  state s;
  read_copy(s, f);
  s.remade = remade_from(f);
  return s;
}

void date(state& s, const rules& r, instant now) {
  auto ahead = std::max<millis>(s.started - now, millis{0});
  for (auto* t :
       {&s.moved, &s.remade, &s.noted, &s.copy_since, &s.copy_last,
        &s.foreign_since, &s.roomless_since, &s.home_fault.since,
        &s.home_fault.last, &s.armed_since, &s.traced_after, &s.left_seen}) {
    ahead = std::max<millis>(ahead, *t - now);
    *t = std::min(*t, now);
  }
  if (s.due != never)
    s.due = std::min(s.due - ahead, now + r.retry_max);
}

} // namespace orderly::autorepair
