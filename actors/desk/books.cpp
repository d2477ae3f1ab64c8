// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What the power desk keeps in the journal, and what it makes of it after a
// restart.

#include "actors/desk/errands.hpp"
#include "actors/policy/errand/book.hpp"
#include "actors/policy/errand/leaving.hpp"
#include "actors/power/endings.hpp"
#include "messages/codes.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

namespace orderly::desk_parts {

namespace {

constexpr std::string_view errand_prefix = "errand:";
constexpr std::string_view hold_prefix = "hold:";
constexpr std::string_view record_prefix = "powered:";
constexpr const char* book = "desk";

std::string head_key(const errand_id& id) {
  return fmt::format("{}{}", errand_prefix, id);
}

std::string block_key(const errand_id& id, std::uint32_t block) {
  return fmt::format("{}{}/{:04}", errand_prefix, id, block);
}

journal_entry keep(self_ptr self, std::string key, fields f) {
  auto entry
    = entry_about(self, self->state.ctx, "desk", entry_kind::note, "book", {});
  entry.state = std::move(f);
  entry.state_key = std::move(key);
  return entry;
}

std::vector<journal_entry> removal(self_ptr self, const errand::state& s) {
  std::vector<journal_entry> result;
  result.push_back(keep(self, head_key(s.id), {}));
  for (std::uint32_t i = 0; i < errand::blocks_of(s); ++i)
    result.push_back(keep(self, block_key(s.id, i), {}));
  return result;
}

/// A line of the story, as the errand tells it.
journal_entry line_of(self_ptr self, const errand::state& s,
                      const errand::tell& x) {
  auto kind = x.kind;
  auto& alerted = self->state.alerted;
  if (x.mismatch) {
    // An alert once, as long as it stays the same.
    auto i = alerted.find(x.object);
    if (i != alerted.end() && i->second == *x.mismatch)
      kind = entry_kind::decision;
    alerted[x.object] = *x.mismatch;
  }
  auto entry
    = entry_about(self, self->state.ctx, x.object, kind, x.code, x.text);
  entry.incident = s.id;
  return entry;
}

struct entry_writer {
  self_ptr self;
  const errand::state& s;
  std::vector<journal_entry>& to;

  void operator()(const errand::tell& x) const {
    to.push_back(line_of(self, s, x));
  }

  void operator()(const errand::take_hold& x) const {
    to.push_back(keep_hold(self, x.node, x.what));
  }

  void operator()(const errand::lift_hold& x) const {
    to.push_back(drop_hold(self, x.node));
  }

  void operator()(const errand::keep_powered& x) const {
    to.push_back(x.powered ? drop_record(self, x.node)
                           : keep_record(self, x.node, x.uuid));
  }

  template <class Other>
  void operator()(const Other&) const {
    // leaves no trace of its own
  }
};

// --- after a restart --------------------------------------------------------

/// Longer than anything of an errand is good for.
constexpr millis away_most = hours{24};

void read_errands(self_ptr self, const recalled& before) {
  auto& st = self->state;
  auto at = now(self, st.ctx);
  st.watched = at - std::min(before.unwatched, away_most);
  for (const auto& [key, f] : before.states) {
    auto id = key.substr(errand_prefix.size());
    auto number = number_of(id);
    if (number == 0)
      continue; // a block: its head sorts before it
    auto s = errand::head_from_fields(id, f);
    for (std::uint32_t i = 0; i < errand::blocks_of(s); ++i)
      if (auto block = before.states.find(block_key(id, i));
          block != before.states.end())
        errand::block_from_fields(s, i, block->second);
    auto undated = before.undated.count(key) != 0;
    errand::date(s, at, before.aged.count(key) != 0,
                 undated ? st.ctx->calendar(at) : set_ahead{});
    st.last_number = std::max(st.last_number, number);
    st.errands.insert_or_assign(number, std::move(s));
  }
}

void read_holds(self_ptr self, const recalled& before) {
  for (const auto& [key, f] : before.states)
    self->state.held.insert_or_assign(key.substr(hold_prefix.size()),
                                      errand::hold_from_fields(f));
}

void read_records(self_ptr self, const recalled& before) {
  for (const auto& [key, f] : before.states)
    if (f.number("powered", 1) == 0)
      self->state.recorded_off.insert_or_assign(
        key.substr(record_prefix.size()), f.text("uuid"));
}

void read_book(self_ptr self, const recalled& before) {
  auto& st = self->state;
  for (const auto& [key, f] : before.states)
    st.last_number = std::max(
      st.last_number, static_cast<std::uint64_t>(f.number("last_number")));
  // In the same book, one question for all.
  read_switches(self, before);
  st.endings = oob_parts::endings_from(before.states, now(self, st.ctx));
  st.given = oob_parts::given_by_persons(before.states);
}

/// The journal may be a new one in the place of one that was lost, or come
/// from a backup. Names of errands are those of jobs, which Ganeti remembers:
/// they must not come again. So each start counts from its own minute at least.
std::uint64_t first_number(instant at) {
  constexpr instant year_2026{seconds{1767225600}};
  return at <= year_2026
           ? 0
           : static_cast<std::uint64_t>((at - year_2026) / minutes{1});
}

void recall_one(self_ptr self, std::string_view key, bool is_prefix,
                void (*read)(self_ptr, const recalled&)) {
  ++self->state.recalls;
  self
    ->request(self->state.peers.journal, caf::infinite,
              recall{std::string{key}, is_prefix})
    .then([self, read](const recalled& before) {
      read(self, before);
      auto& st = self->state;
      st.adopted = before.adopted;
      if (--st.recalls != 0)
        return;
      st.recovered = true;
      for (auto& promise : std::exchange(st.listers, {}))
        promise.deliver(list(st));
      st.last_number
        = std::max(st.last_number, first_number(now(self, st.ctx)));
      publish_records(self);
      publish_holds(self);
      resume(self);
    });
}

} // namespace

journal_entry keep_block(self_ptr self, const errand::state& s,
                         std::uint32_t block) {
  return keep(self, block_key(s.id, block), errand::block_to_fields(s, block));
}

journal_entry keep_hold(self_ptr self, const node_name& node,
                        const errand::hold& what) {
  return keep(self, fmt::format("{}{}", hold_prefix, node),
              errand::to_fields(what));
}

journal_entry drop_hold(self_ptr self, const node_name& node) {
  return keep(self, fmt::format("{}{}", hold_prefix, node), {});
}

journal_entry keep_record(self_ptr self, const node_name& node,
                          const std::string& uuid) {
  fields f;
  f.put("powered", std::int64_t{0});
  f.put("uuid", uuid);
  return keep(self, fmt::format("{}{}", record_prefix, node), std::move(f));
}

journal_entry drop_record(self_ptr self, const node_name& node) {
  // Recorded on, which needs no words.
  return keep(self, fmt::format("{}{}", record_prefix, node), {});
}

std::vector<journal_entry> plan_entries(self_ptr self, const errand::state& s) {
  std::vector<journal_entry> result;
  fields f;
  f.put("last_number", static_cast<std::int64_t>(self->state.last_number));
  result.push_back(keep(self, book, std::move(f)));
  auto head = keep(self, head_key(s.id), errand::head_to_fields(s));
  if (!errand::is_reading(s.asked)) {
    head.kind = entry_kind::intent;
    head.object = head_key(s.id);
    head.incident = s.id;
    head.code = "errand";
    head.why = fmt::format("{}: {}", s.id, errand::request_text(s.asked));
  }
  for (std::uint32_t i = 0; i < errand::blocks_of(s); ++i)
    result.push_back(keep_block(self, s, i));
  result.push_back(std::move(head));
  return result;
}

std::vector<journal_entry> step_entries(self_ptr self, const errand::state& s,
                                        const errand::verdict& v) {
  std::vector<journal_entry> result;
  for (const auto& x : v.actions)
    std::visit(entry_writer{self, s, result}, x);
  if (errand::is_reading(s.asked)) {
    if (s.ended != never) // after a restart nobody asks for it
      for (auto& x : removal(self, s))
        result.push_back(std::move(x));
    return result;
  }
  for (auto block : v.blocks)
    result.push_back(keep_block(self, s, block));
  if (v.head || !v.why.empty()) {
    auto head = keep(self, head_key(s.id), errand::head_to_fields(s));
    if (!v.why.empty()) {
      head.kind = entry_kind::outcome;
      head.object = head_key(s.id);
      head.incident = s.id;
      head.code = codes::errand_end;
      head.why = v.why;
    }
    result.push_back(std::move(head));
  }
  return result;
}

errand::refusal drop(self_ptr self, std::uint64_t number) {
  auto& st = self->state;
  auto i = st.errands.find(number);
  if (i != st.errands.end()) {
    auto rows = removal(self, i->second);
    rows.push_back(entry_about(
      self, st.ctx, head_key(i->second.id), entry_kind::decision,
      "errand-dropped",
      fmt::format("{}: not begun, it took too long to write it down",
                  i->second.id)));
    st.errands.erase(i);
    publish_leaving(self);
    publish_orders(self);
    record(self, st.peers.journal, std::move(rows), [] {});
  }
  return {"it took too long to write it down; nothing was done, ask again",
          refused_for::state};
}

std::vector<journal_entry> forget_old(self_ptr self) {
  auto& all = self->state.errands;
  std::vector<journal_entry> result;
  // Readings are many and must not push out what was done.
  for (auto reading : {true, false}) {
    std::vector<std::pair<instant, std::uint64_t>> ended;
    for (const auto& [number, s] : all)
      if (s.ended != never && errand::is_reading(s.asked) == reading)
        ended.emplace_back(s.ended, number);
    if (ended.size() <= desk_state::kept_max)
      continue;
    std::sort(ended.begin(), ended.end());
    ended.resize(ended.size() - desk_state::kept_max);
    for (const auto& [at, number] : ended) {
      auto i = all.find(number);
      if (!reading)
        for (auto& x : removal(self, i->second))
          result.push_back(std::move(x));
      all.erase(i);
    }
  }
  return result;
}

void note_agreed(self_ptr self, const errand::state& s) {
  for (const auto& r : s.rows)
    if (r.kind == row_kind::node && r.state == row_state::done && r.text.empty()
        && r.power != power_state::unknown)
      self->state.alerted.erase(node_object(r.object));
}

void recall_books(self_ptr self) {
  recall_one(self, errand_prefix, true, read_errands);
  recall_one(self, hold_prefix, true, read_holds);
  recall_one(self, record_prefix, true, read_records);
  recall_one(self, book, true, read_book);
}

void take_wishes(self_ptr self, power_wishes& all) {
  auto& st = self->state;
  if (st.wishes == all.wishes)
    return;
  st.wishes = std::move(all.wishes);
  publish_records(self);
}

namespace {

/// With what errands have yet to switch off, if anything of it is news.
void tell_holds(self_ptr self, holds all) {
  auto& st = self->state;
  for (const auto& [number, s] : st.errands) {
    all.leaving.merge(errand::leaving(s));
    all.falling.merge(errand::falling(s));
    all.rising.merge(errand::rising(s));
    for (const auto& [node, at] : errand::raised(s))
      all.raised[node] = std::max(all.raised[node], at);
  }
  if (st.told_holds == all)
    return;
  st.told_holds = all;
  self->send(*st.cluster, std::move(all));
}

} // namespace

void publish_holds(self_ptr self) {
  auto& st = self->state;
  if (!st.recovered || !st.cluster)
    return;
  holds all;
  for (const auto& [node, x] : st.held)
    all.nodes.emplace(
      node,
      fmt::format("emergency power-off {} by {}{}{}; 'orderly epo --on {}' {}",
                  x.errand, x.who.empty() ? "somebody" : x.who,
                  x.why.empty() ? "" : ": ", x.why, node,
                  x.unreturned
                    ? fmt::format("did not bring it back and may be tried "
                                  "again, 'orderly confirm-off {}' gives it up",
                                  node)
                    : "ends it"));
  all.switches = switches_in_force(self);
  tell_holds(self, std::move(all));
}

void publish_leaving(self_ptr self) {
  // Without a word of ours the cluster actor begins nothing anyway.
  if (const auto& told = self->state.told_holds)
    tell_holds(self, holds{told->nodes, {}, {}, {}, {}, told->switches});
}

void publish_records(self_ptr self) {
  auto& st = self->state;
  if (!st.recovered || !st.cluster)
    return;
  power_records all;
  for (const auto& [node, uuid] : st.recorded_off)
    all.off.insert(node);
  all.wishes = st.wishes;
  self->send(*st.cluster, std::move(all));
}

} // namespace orderly::desk_parts
