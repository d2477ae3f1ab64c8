// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The state of balancing as a flat record and back, for the journal.

#include "actors/policy/balance/balance.hpp"
#include "actors/policy/base/backoff.hpp"

#include <algorithm>

namespace orderly::balance {

namespace {

/// More is no record of ours.
constexpr std::int64_t moves_max = 10000;
constexpr std::int64_t waits_max = 1000000;

void put_place(fields& f, const std::string& key, const instance_place& x) {
  f.put(key, x.primary);
  if (!x.secondary.empty())
    f.put(key + ".mirror", x.secondary);
}

instance_place place_of(const fields& f, const std::string& key) {
  return {f.text(key), f.text(key + ".mirror")};
}

} // namespace

fields to_fields(const state& s) {
  fields f;
  if (s.round == 0 && s.waits.empty())
    return f;
  f.put("round", static_cast<std::int64_t>(s.round));
  std::int64_t count = 0;
  for (const auto& m : s.open) {
    if (m.intent.empty())
      continue; // not sent: planned anew after a restart
    auto key = "move" + std::to_string(count++);
    f.put(key, m.what.instance);
    f.put(key + ".intent", m.intent);
    f.put(key + ".job", static_cast<std::int64_t>(m.job));
    put_place(f, key + ".from", m.what.from);
    put_place(f, key + ".to", m.what.to);
    if (m.withdrawn)
      f.put(key + ".withdrawn", std::int64_t{1});
    if (m.admin)
      f.put(key + ".admin", static_cast<std::int64_t>(*m.admin));
  }
  count = 0;
  for (const auto& [name, wait] : s.waits) {
    auto key = "wait" + std::to_string(count++);
    f.put(key, name);
    f.put(key + ".until", wait.until);
    f.put(key + ".failures", static_cast<std::int64_t>(wait.failures));
    if (!wait.why.empty())
      f.put(key + ".why", wait.why);
  }
  return f;
}

bool kept_alike(const state& a, const state& b) {
  if (a.round != b.round || a.waits != b.waits)
    return false;
  auto same = [](const move& x, const move& y) {
    return x.intent == y.intent && x.job == y.job && x.withdrawn == y.withdrawn
           && x.admin == y.admin && x.what.instance == y.what.instance
           && x.what.from == y.what.from && x.what.to == y.what.to;
  };
  auto i = a.open.begin();
  auto k = b.open.begin();
  while (true) {
    while (i != a.open.end() && i->intent.empty())
      ++i;
    while (k != b.open.end() && k->intent.empty())
      ++k;
    if (i == a.open.end() || k == b.open.end())
      return i == a.open.end() && k == b.open.end();
    if (!same(*i++, *k++))
      return false;
  }
}

state from_fields(const fields& f) {
  state s;
  s.round = static_cast<std::uint64_t>(f.number("round"));
  for (std::int64_t i = 0; i < moves_max; ++i) {
    auto key = "move" + std::to_string(i);
    if (!f.has(key))
      break;
    move m;
    m.what.instance = f.text(key);
    m.what.from = place_of(f, key + ".from");
    m.what.to = place_of(f, key + ".to");
    m.intent = f.text(key + ".intent");
    m.job = static_cast<job_id>(f.number(key + ".job"));
    m.withdrawn = f.number(key + ".withdrawn") != 0;
    auto admin = f.number(key + ".admin", -1);
    if (admin >= 0 && admin <= static_cast<std::int64_t>(admin_state::offline))
      m.admin = static_cast<admin_state>(admin);
    m.stage = stage::sent;
    m.text = "asked for after a restart";
    if (!m.intent.empty())
      s.open.push_back(std::move(m));
  }
  for (std::int64_t i = 0; i < waits_max; ++i) {
    auto key = "wait" + std::to_string(i);
    if (!f.has(key))
      break;
    auto failures
      = std::clamp<std::int64_t>(f.number(key + ".failures"), 1, 1000);
    s.waits[f.text(key)]
      = {f.when(key + ".until"), static_cast<std::uint32_t>(failures),
         f.text(key + ".why")};
  }
  s.resume_due = !s.open.empty();
  return s;
}

void date(state& s, const rules& r, instant now) {
  for (auto& [name, wait] : s.waits)
    wait.until = std::min(
      wait.until, now + backoff(r.retry_base, r.retry_max, wait.failures));
}

} // namespace orderly::balance
