// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/instance/kept.hpp"

#include "actors/policy/base/utc.hpp"
#include "actors/policy/repair/tag_fields.hpp"
#include "messages/codes.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace orderly {

namespace {

using self_ptr = instance_parts::self_ptr;

constexpr std::ptrdiff_t former_max = 8;

std::string uuid_key(const instance_state& st) {
  return "uuid:" + st.uuid;
}

fields nameless_of(const instance_state& st) {
  if (st.uuid.empty() || (!st.kept && st.former.empty()))
    return {};
  auto f = autorepair::nameless_fields(st.machine);
  f.put("name", st.instance);
  f.put_known("former", fmt::format("{}", fmt::join(st.former, ":")));
  return f;
}

/// The jobs of a repair bear the name of the day on which they were sent.
void take_former(instance_state& st, const instance_name& was) {
  auto& all = st.former;
  auto kept = st.nameless.text("former");
  for (auto name : tags::split(kept, ':'))
    if (!name.empty())
      all.emplace_back(name);
  if (!was.empty())
    all.push_back(was);
  all.erase(std::remove(all.begin(), all.end(), st.instance), all.end());
  auto surplus = std::ssize(all) - former_max;
  if (surplus > 0)
    all.erase(all.begin(), all.begin() + surplus);
}

const fields* find(const recalled& before, const std::string& key) {
  auto i = before.states.find(key);
  return i == before.states.end() ? nullptr : &i->second;
}

/// Takes back what is under way for a name that is another instance's by now.
void withdraw(self_ptr self, const fields& theirs) {
  for (const auto* key : {"intent", "note"})
    if (auto intent = theirs.text(key); !intent.empty())
      self->send(self->state.peers.jobs, job_withdraw{std::move(intent)});
}

std::string poor_home_text(const autorepair::home_trouble& x) {
  return x.empty() ? std::string{}
                   : fmt::format("the copy on its home {} is known to lack "
                                 "something since {} ({})",
                                 x.home, utc_text(x.since), x.fault);
}

std::string bad_copy_text(const node_name& node, instant since,
                          const std::string& fault) {
  return fmt::format("its copy on {} is known to be faulty since {} ({})", node,
                     utc_text(since), fault);
}

std::string taken_over(const autorepair::state& s, const instance_name& was) {
  auto why = fmt::format("was called {} before; what is known of it goes with "
                         "it",
                         was);
  if (!s.bad_copy.empty())
    why += fmt::format(": its copy on {} is faulty since {} ({})", s.bad_copy,
                       utc_text(s.copy_since), s.copy_fault);
  return why;
}

} // namespace

std::vector<journal_entry>
instance_parts::rows_of(self_ptr self, std::string why,
                        const std::vector<autorepair::action>& all) {
  const auto& st = self->state;
  auto entry = [&](entry_kind kind, std::string code, std::string text) {
    auto e = entry_about(self, st.ctx, instance_object(st.instance), kind,
                         std::move(code), std::move(text));
    e.incident = st.machine.repair;
    return e;
  };
  auto kind = why.empty() ? entry_kind::note : entry_kind::decision;
  std::vector<journal_entry> rows;
  rows.push_back(entry(kind, to_string(st.machine.phase), std::move(why)));
  for (const auto& x : all)
    if (const auto* what = std::get_if<autorepair::tell>(&x))
      rows.push_back(entry(codes::is_alert(what->code) ? entry_kind::alert
                                                       : entry_kind::decision,
                           what->code, what->text));
  return rows;
}

copy_answer instance_parts::copy_of(self_ptr self) {
  const auto& st = self->state;
  if (!st.facts || !st.recovered)
    return {"its copies were not looked at yet",
            "its copies were not looked at yet"};
  // A fault counts before it is to be remembered.
  const auto& m = st.machine;
  auto is = seen(st, now(self, st.ctx));
  auto home = poor_home_text(is.home_fault);
  if (is.copy_pending)
    return {"its mirror was just found faulty (" + is.copy_fault + ")",
            std::move(home)};
  // Where nobody asks what was known of it is told as it was.
  if (is.copy_unasked)
    return {bad_copy_text(m.bad_copy, m.copy_since, m.copy_fault),
            std::move(home)};
  if (is.copy_fault.empty())
    return {{}, std::move(home)};
  return {
    bad_copy_text(is.secondaries.front().name, is.copy_since, is.copy_fault),
    std::move(home)};
}

std::vector<std::string> instance_parts::keys_of(const instance_state& st) {
  std::vector<std::string> keys{instance_object(st.instance)};
  if (!st.uuid.empty())
    keys.push_back(uuid_key(st));
  return keys;
}

void instance_parts::keep(self_ptr self, std::vector<journal_entry>& rows) {
  auto& st = self->state;
  auto was = std::exchange(st.kept, st.machine != autorepair::state{});
  auto& first = rows.front();
  if (st.kept) {
    first.state = autorepair::to_fields(st.machine);
    if (!st.uuid.empty())
      first.state->put("uuid", st.uuid);
  } else if (was) {
    first.state = fields{};
    st.former.clear();
  }
  auto nameless = nameless_of(st);
  if (nameless == st.nameless)
    return;
  auto row = entry_about(self, st.ctx, instance_object(st.instance),
                         entry_kind::note, "nameless", {});
  row.state = nameless;
  row.state_key = uuid_key(st);
  rows.push_back(std::move(row));
  st.nameless = std::move(nameless);
}

void instance_parts::take_kept(self_ptr self, const recalled& before) {
  auto& st = self->state;
  const auto* own = find(before, instance_object(st.instance));
  const auto* nameless = st.uuid.empty() ? nullptr : find(before, uuid_key(st));
  st.kept = own != nullptr;
  if (nameless != nullptr)
    st.nameless = *nameless;
  auto was = st.nameless.text("name");
  take_former(st, was);
  auto renamed = nameless != nullptr && was != st.instance;
  auto of = own == nullptr ? std::string{} : own->text("uuid");
  auto of_another = !of.empty() && !st.uuid.empty() && of != st.uuid;
  // From before it had another name, in which nothing was left to keep.
  auto outlived = !of.empty() && !st.uuid.empty() && nameless == nullptr;
  auto ours = own != nullptr && !renamed && !of_another && !outlived;
  if (ours)
    st.machine = autorepair::from_fields(*own);
  else if (nameless != nullptr)
    st.machine = autorepair::nameless_from(*nameless);
  autorepair::date(st.machine, rules_of(*st.ctx->rules()), now(self, st.ctx));
  // An older journal does not say whom it is about: the one of now.
  auto nothing = own == nullptr
                 && (nameless == nullptr
                     || (!renamed && st.machine == autorepair::state{}));
  auto complete = nothing || (ours && !of.empty());
  if (complete || st.uuid.empty())
    return;
  std::string why;
  if (of_another) {
    withdraw(self, *own);
    why = fmt::format("what is kept under the name {} is of another instance, "
                      "which bore it before, and is dropped",
                      st.instance);
  }
  if (renamed && st.machine != autorepair::state{})
    why += (why.empty() ? "" : "; ") + taken_over(st.machine, was);
  auto rows = rows_of(self, std::move(why), {});
  keep(self, rows);
  record(self, st.peers.journal, std::move(rows), [] {});
}

} // namespace orderly
