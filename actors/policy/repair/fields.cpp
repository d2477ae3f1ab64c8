// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The autorepair state as a flat record and back, for the journal.

#include "actors/policy/repair/autorepair.hpp"
#include "actors/policy/repair/copy_fields.hpp"
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

/// Leaves out what is empty: most of a state is.
void put_text(fields& f, const std::string& name, const std::string& value) {
  if (!value.empty())
    f.put(name, value);
}

void put_time(fields& f, std::string_view name, instant value) {
  if (value != never)
    f.put(name, value);
}

void put_number(fields& f, std::string_view name, std::uint32_t value) {
  if (value != 0)
    f.put(name, static_cast<std::int64_t>(value));
}

void put_flag(fields& f, std::string_view name, bool value) {
  if (value)
    f.put(name, std::int64_t{1});
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
  put_text(f, key + ".node", op.node);
  put_text(f, key + ".instance", op.instance);
  put_text(f, key + ".target", op.target);
  if (op.flag)
    f.put(key + ".flag", std::int64_t{1});
  f.put(key + ".tags_on", static_cast<std::int64_t>(op.tags_on));
  put_text(f, key + ".tag_object", op.tag_object);
  put_text(f, key + ".allocator", op.allocator);
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

std::uint32_t count_of(const fields& f, std::string_view name) {
  constexpr std::int64_t most = std::numeric_limits<std::uint32_t>::max();
  return static_cast<std::uint32_t>(
    std::clamp(f.number(name), std::int64_t{0}, most));
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
  put_flag(f, "copy_told", s.copy_told);
  if (s.foreign != 0)
    f.put("foreign", static_cast<std::int64_t>(s.foreign));
  put_time(f, "foreign_since", s.foreign_since);
  put_flag(f, "foreign_told", s.foreign_told);
  put_time(f, "roomless_since", s.roomless_since);
  put_flag(f, "roomless_told", s.roomless_told);
  put_number(f, "unsent", s.unsent);
  put_text(f, "strange", fmt::format("{}", fmt::join(s.strange, ":")));
}

} // namespace

fields to_fields(const state& s) {
  fields f;
  f.put("phase", to_string(s.phase));
  f.put("stage", to_string(s.stage));
  put_text(f, "repair", s.repair);
  put_text(f, "left", s.left);
  f.put("type", tags::to_string(s.type));
  put_time(f, "started", s.started);
  put_text(f, "jobs", text_of(s.jobs));
  put_text(f, "intent", s.intent);
  if (s.job != 0)
    f.put("job", std::to_string(s.job));
  for (std::size_t i = 0; i < s.ops.size(); ++i)
    put_op(f, "op" + std::to_string(i), s.ops[i]);
  f.put("act", to_string(s.act));
  put_text(f, "from", s.from);
  put_text(f, "onto", s.onto);
  put_text(f, "beside", s.beside);
  put_flag(f, "untagged", s.untagged);
  put_flag(f, "wanted_up", s.wanted_up);
  put_flag(f, "mending", s.mending);
  put_flag(f, "turned_away", s.turned_away);
  put_flag(f, "taken", s.taken);
  put_flag(f, "withdrawn", s.withdrawn);
  put_flag(f, "untraced", s.untraced);
  put_flag(f, "halted", s.halted);
  put_flag(f, "unsure", s.unsure);
  put_flag(f, "revoked", s.revoked);
  put_text(f, "young", s.young);
  put_flag(f, "wants_room", s.wants_room);
  put_number(f, "room_tries", s.room_tries);
  put_text(f, "asked", text_of(s.asked));
  put_text(f, "called_off", text_of(s.called_off));
  put_text(f, "note", s.note);
  put_text(f, "note_text", s.note_text);
  put_number(f, "step", s.step);
  put_number(f, "token", static_cast<std::uint32_t>(s.token));
  put_number(f, "token_number", s.token_number);
  put_text(f, "sought", s.sought);
  put_time(f, "armed_since", s.armed_since);
  put_time(f, "traced_after", s.traced_after);
  put_number(f, "tries", s.tries);
  put_number(f, "tries_before", s.tries_before);
  if (s.act_before != act_kind::record)
    f.put("act_before", to_string(s.act_before));
  put_number(f, "tag_tries", s.tag_tries);
  put_time(f, "moved", s.moved);
  put_remade(f, s);
  put_time(f, "noted", s.noted);
  put_time(f, "due", s.due);
  put_flag(f, "last_failed", s.last_failed);
  put_text(f, "last_text", s.last_text);
  put_text(f, "written", s.written);
  put_copy(f, s);
  put_waits(f, s);
  put_text(f, "why", s.why);
  put_text(f, "told", s.told);
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
  s.unsent = count_of(f, "unsent");
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
  for (std::int64_t i = 0; i < ops_max; ++i) {
    auto key = "op" + std::to_string(i);
    if (!f.has(key))
      break;
    s.ops.push_back(op_of(f, key));
  }
  s.act = named(act_kinds, f.text("act"), s.act);
  s.from = f.text("from");
  s.onto = f.text("onto");
  s.beside = f.text("beside");
  s.untagged = f.number("untagged") != 0;
  s.wanted_up = f.number("wanted_up") != 0;
  s.mending = f.number("mending") != 0;
  s.turned_away = f.number("turned_away") != 0;
  s.taken = f.number("taken") != 0;
  s.withdrawn = f.number("withdrawn") != 0;
  s.untraced = f.number("untraced") != 0;
  s.halted = f.number("halted") != 0;
  s.unsure = f.number("unsure") != 0;
  s.revoked = f.number("revoked") != 0;
  s.young = f.text("young");
  s.wants_room = f.number("wants_room") != 0;
  s.room_tries = count_of(f, "room_tries");
  s.asked = jobs_of(f.text("asked"));
  s.called_off = jobs_of(f.text("called_off"));
  s.note = f.text("note");
  s.note_text = f.text("note_text");
  s.step = count_of(f, "step");
  s.token = token_of(f);
  s.token_number = count_of(f, "token_number");
  s.sought = f.text("sought");
  s.armed_since = f.when("armed_since");
  s.traced_after = f.when("traced_after");
  s.tries = count_of(f, "tries");
  s.tries_before = count_of(f, "tries_before");
  s.act_before = named(act_kinds, f.text("act_before"), s.act_before);
  s.tag_tries = count_of(f, "tag_tries");
  read_ends(s, f);
  s.last_failed = f.number("last_failed") != 0;
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
    put_time(f, "remade", s.remade);
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
  for (auto* t : {&s.moved, &s.remade, &s.noted, &s.copy_since, &s.copy_last,
                  &s.foreign_since, &s.roomless_since, &s.home_fault.since,
                  &s.home_fault.last}) {
    ahead = std::max<millis>(ahead, *t - now);
    *t = std::min(*t, now);
  }
  if (s.due != never)
    s.due = std::min(s.due - ahead, now + r.retry_max);
}

} // namespace orderly::autorepair
