// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// How an errand is kept in the journal: a head, and its rows in blocks.

#include "actors/policy/errand/book.hpp"

#include <algorithm>
#include <charconv>
#include <limits>

#include <fmt/format.h>

namespace orderly::errand {

namespace {

std::uint32_t count_from(const fields& f, const std::string& name,
                         std::uint32_t most
                         = std::numeric_limits<std::uint32_t>::max()) {
  return static_cast<std::uint32_t>(
    std::clamp(f.number(name), std::int64_t{0}, std::int64_t{most}));
}

bool flag_from(const fields& f, const std::string& name) {
  return f.number(name) != 0;
}

/// As one text, a line each.
std::string joined(std::vector<std::string> parts) {
  for (auto& x : parts)
    std::replace(x.begin(), x.end(), '\n', ' ');
  return fmt::format("{}", fmt::join(parts, "\n"));
}

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> result;
  for (std::size_t from = 0; !text.empty();) {
    auto to = text.find('\n', from);
    result.push_back(text.substr(from, to - from));
    if (to == std::string::npos)
      break;
    from = to + 1;
  }
  return result;
}

template <class Enum>
Enum enum_from(const std::string& text, Enum last, Enum fallback) {
  for (int i = 0; i <= static_cast<int>(last); ++i)
    if (text == to_string(static_cast<Enum>(i)))
      return static_cast<Enum>(i);
  return fallback;
}

void put_flag(fields& f, const char* name, const std::optional<bool>& x) {
  if (x)
    f.put(name, std::int64_t{*x ? 1 : 0});
}

std::optional<bool> maybe_flag(const fields& f, const char* name) {
  if (!f.has(name))
    return std::nullopt;
  return flag_from(f, name);
}

// --- requests, one a kind ---------------------------------------------------

struct writer {
  fields& f;

  void operator()(const power_errand& x) const {
    f.put("request", "power");
    f.put("verb", to_string(x.verb));
    f.put("names", joined(x.nodes));
    f.put("mark_offline", std::int64_t{x.mark_offline});
    f.put("auto_promote", std::int64_t{x.auto_promote});
    f.put("bare", std::int64_t{x.bare});
    f.put("time_limit", x.time_limit.count());
    f.put("power_delay", x.power_delay.count());
  }

  void operator()(const modify_errand& x) const {
    f.put("request", "modify");
    f.put("names", x.node);
    put_flag(f, "powered", x.powered);
    put_flag(f, "offline", x.offline);
    if (x.program)
      f.put("program", *x.program);
    f.put("auto_promote", std::int64_t{x.auto_promote});
  }

  void operator()(const info_errand& x) const {
    f.put("request", "info");
    f.put("names", joined(x.nodes));
  }

  void operator()(const epo_errand& x) const {
    f.put("request", "epo");
    f.put("on", std::int64_t{x.on});
    f.put("groups", std::int64_t{x.groups});
    f.put("all", std::int64_t{x.all});
    f.put("names", joined(x.names));
    f.put("time_limit", x.time_limit.count());
    f.put("shutdown_timeout", x.shutdown_timeout.count());
    f.put("power_delay", x.power_delay.count());
  }

  void operator()(const verify_errand&) const { f.put("request", "verify"); }

  void operator()(const confirm_errand& x) const {
    f.put("request", "confirm");
    f.put("names", x.node);
    f.put("ignore_silence", x.ignore_silence);
  }

  void operator()(const ha_errand&) const {} // it is never kept

  void operator()(const setting_errand& x) const {
    f.put("request", "setting");
    f.put("action", to_string(x.action));
    f.put("names", x.key);
    f.put("value", x.value);
  }
};

power_errand power_from_fields(const fields& f) {
  power_errand x;
  x.verb = enum_from(f.text("verb"), power_verb::health, power_verb::status);
  x.nodes = split(f.text("names"));
  x.mark_offline = flag_from(f, "mark_offline");
  x.auto_promote = flag_from(f, "auto_promote");
  x.bare = flag_from(f, "bare");
  x.time_limit = millis{f.number("time_limit")};
  x.power_delay = millis{f.number("power_delay")};
  return x;
}

epo_errand epo_from_fields(const fields& f) {
  epo_errand x;
  x.on = flag_from(f, "on");
  x.groups = flag_from(f, "groups");
  x.all = flag_from(f, "all");
  x.names = split(f.text("names"));
  x.time_limit = millis{f.number("time_limit")};
  x.shutdown_timeout = millis{f.number("shutdown_timeout")};
  x.power_delay = millis{f.number("power_delay")};
  return x;
}

modify_errand modify_from_fields(const fields& f) {
  modify_errand x;
  x.node = f.text("names");
  x.powered = maybe_flag(f, "powered");
  x.offline = maybe_flag(f, "offline");
  if (f.has("program"))
    x.program = f.text("program");
  x.auto_promote = flag_from(f, "auto_promote");
  return x;
}

errand_request request_from(const fields& f) {
  errand_request x;
  auto kind = f.text("request");
  if (kind == "power")
    x.what = power_from_fields(f);
  else if (kind == "modify")
    x.what = modify_from_fields(f);
  else if (kind == "info")
    x.what = info_errand{split(f.text("names"))};
  else if (kind == "epo")
    x.what = epo_from_fields(f);
  else if (kind == "confirm")
    x.what = confirm_errand{f.text("names"), flag_from(f, "ignore_silence")};
  else if (kind == "setting")
    x.what = setting_errand{
      enum_from(f.text("action"), setting_action::unset, setting_action::list),
      f.text("names"), f.text("value")};
  else // also what a later version knows: read only, so never resumed
    x.what = verify_errand{};
  x.who = f.text("who");
  x.reason = f.text("why");
  if (f.has("count"))
    x.count = count_from(f, "count");
  return x;
}

// --- rows -------------------------------------------------------------------

void put_row(fields& f, const std::string& at, const row& r) {
  f.put(at + "object", r.object);
  f.put(at + "kind", to_string(r.kind));
  f.put(at + "state", to_string(r.state));
  auto text = [&](const char* name, const std::string& x) {
    if (!x.empty())
      f.put(at + name, x);
  };
  auto number = [&](const char* name, std::int64_t x) {
    if (x != 0)
      f.put(at + name, x);
  };
  auto when = [&](const char* name, instant x) {
    if (x != never)
      f.put(at + name, x);
  };
  number("met", r.met);
  number("at", r.at);
  number("tries", r.tries);
  number("looking", r.looking);
  text("text", r.text);
  text("evidence", r.evidence);
  text("read_by", r.read_by);
  if (r.power != power_state::unknown)
    f.put(at + "power", to_string(r.power));
  std::vector<std::string> items;
  for (const auto& x : r.items) {
    items.push_back(x.item);
    items.push_back(x.status);
  }
  text("items", joined(items));
  text("needs", fmt::format("{}", fmt::join(r.needs, "\n")));
  when("due", r.due);
  when("until", r.until);
  when("moved", r.moved);
  when("switched", r.switched);
  number("lifted", r.lifted);
  number("marked", r.marked);
  number("own_until", r.own_until);
  number("was_offline", r.was_offline);
  number("serial", static_cast<std::int64_t>(r.serial));
  number("turned", r.turned);
  number("was_drained", r.was_drained);
  number("was_on", r.was_on);
  text("home", r.home);
  number("vain", r.vain);
  number("worked", r.worked);
  when("unright", r.unright);
  number("commanded", r.commanded);
  text("uuid", r.uuid);
  text("had", joined(r.had));
}

row row_from(const fields& f, const std::string& at) {
  row r;
  r.object = f.text(at + "object");
  r.kind = enum_from(f.text(at + "kind"), row_kind::setting, row_kind::node);
  // What a later version calls otherwise is not begun again by this one.
  r.state
    = enum_from(f.text(at + "state"), row_state::skipped, row_state::skipped);
  r.met = flag_from(f, at + "met");
  r.at = count_from(f, at + "at");
  r.tries = count_from(f, at + "tries");
  r.looking = flag_from(f, at + "looking");
  r.text = f.text(at + "text");
  r.evidence = f.text(at + "evidence");
  r.read_by = f.text(at + "read_by");
  r.power = power_state_from(f.text(at + "power"));
  auto items = split(f.text(at + "items"));
  for (std::size_t i = 0; i + 1 < items.size(); i += 2)
    r.items.push_back({items[i], items[i + 1]});
  for (const auto& x : split(f.text(at + "needs"))) {
    std::uint32_t need = 0;
    auto [end, error] = std::from_chars(x.data(), x.data() + x.size(), need);
    if (error == std::errc{} && end == x.data() + x.size())
      r.needs.push_back(need);
  }
  r.due = f.when(at + "due");
  r.until = f.when(at + "until");
  r.moved = f.when(at + "moved");
  r.switched = f.when(at + "switched");
  r.lifted = flag_from(f, at + "lifted");
  r.marked = flag_from(f, at + "marked");
  r.own_until = count_from(f, at + "own_until");
  r.was_offline = flag_from(f, at + "was_offline");
  r.serial = count_from(f, at + "serial");
  r.turned = flag_from(f, at + "turned");
  r.was_drained = flag_from(f, at + "was_drained");
  r.was_on = flag_from(f, at + "was_on");
  r.vain = flag_from(f, at + "vain");
  r.worked = flag_from(f, at + "worked");
  r.unright = f.when(at + "unright");
  r.commanded = flag_from(f, at + "commanded");
  r.home = f.text(at + "home");
  r.uuid = f.text(at + "uuid");
  r.had = split(f.text(at + "had"));
  return r;
}

} // namespace

std::uint32_t blocks_of(const state& s) {
  return static_cast<std::uint32_t>((s.rows.size() + block_size - 1)
                                    / block_size);
}

fields head_to_fields(const state& s) {
  fields f;
  std::visit(writer{f}, s.asked.what);
  f.put("who", s.asked.who);
  f.put("why", s.asked.reason);
  if (s.asked.count)
    f.put("count", std::int64_t{*s.asked.count});
  f.put_known("stamp", s.stamp);
  f.put("began", s.began);
  f.put("ended", s.ended);
  f.put("stopped_by", s.stopped_by);
  f.put("interrupted", s.interrupted);
  f.put("rows", static_cast<std::int64_t>(s.rows.size()));
  f.put("last_start", s.last_start);
  f.put("last_started", std::int64_t{s.last_started});
  f.put("last_answer", s.last_answer);
  f.put("advised", std::int64_t{s.advised});
  f.put("remarks", joined(s.remarks));
  return f;
}

fields block_to_fields(const state& s, std::uint32_t block) {
  fields f;
  auto from = block * block_size;
  auto to = std::min(from + block_size, s.rows.size());
  for (auto i = from; i < to; ++i)
    put_row(f, fmt::format("{:04}.", i), s.rows[i]);
  return f;
}

state head_from_fields(const errand_id& id, const fields& f) {
  state s;
  s.id = id;
  s.asked = request_from(f);
  s.stamp = f.text("stamp");
  s.began = f.when("began");
  s.ended = f.when("ended");
  s.stopped_by = f.text("stopped_by");
  s.interrupted = f.text("interrupted");
  s.rows.resize(count_from(f, "rows", rows_max));
  // Until its block is read, a row is nothing that could be begun.
  for (auto& r : s.rows)
    r.state = row_state::skipped;
  s.last_start = f.when("last_start");
  s.last_started = count_from(f, "last_started");
  s.last_answer = f.when("last_answer");
  s.advised = flag_from(f, "advised");
  s.remarks = split(f.text("remarks"));
  return s;
}

void date(state& s, instant now, bool aged, const set_ahead& calendar) {
  // A step of the clocks by seconds is no other calendar.
  constexpr millis same_calendar = minutes{1};
  std::vector<instant*> past{&s.began, &s.ended, &s.last_start, &s.last_answer};
  for (auto& r : s.rows) {
    past.push_back(&r.moved);
    past.push_back(&r.switched);
    past.push_back(&r.unright);
  }
  auto ahead = millis{0};
  for (auto* t : past) {
    *t = calendar.dated(*t);
    ahead = std::max<millis>(ahead, *t - now);
    *t = std::min(*t, now);
  }
  s.undated = aged || ahead > same_calendar;
  for (auto& r : s.rows)
    for (auto* t : {&r.due, &r.until})
      if (*t != never)
        *t = calendar.dated(*t) - ahead;
}

void block_from_fields(state& s, std::uint32_t block, const fields& f) {
  auto from = block * block_size;
  auto to = std::min(from + block_size, s.rows.size());
  for (auto i = from; i < to; ++i)
    s.rows[i] = row_from(f, fmt::format("{:04}.", i));
  // A step that a later version knows is none of ours.
  for (auto i = from; i < to; ++i)
    if (auto& r = s.rows[i];
        !is_final(r.state) && r.at >= steps_of(s, r).size())
      r.state = row_state::skipped;
}

} // namespace orderly::errand
