// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Settings of the cluster: their tag is written by a job, and has come true
// once the cluster was read with it.

#include "actors/policy/errand/worker.hpp"
#include "actors/policy/settings/cluster_settings.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace orderly::errand {

namespace {

/// What a person wants of one setting, beside what there is.
struct wish {
  std::string key;
  std::string tag;               ///< empty: it shall have none
  std::vector<std::string> have; ///< its tags, as the cluster was read
};

wish wish_of(const state& s, const surroundings& w) {
  const auto& x = std::get<setting_errand>(s.asked.what);
  const auto* known = cluster_setting_named(x.key);
  wish result;
  result.key = known == nullptr ? x.key : known->key;
  if (x.action == setting_action::set)
    result.tag = setting_tag(result.key, x.value);
  result.have = tags_of_setting(w.picture->tags, result.key);
  return result;
}

/// Somebody has given it other tags since it was asked for: neither those that
/// it had then, nor what a try of our own job makes of them.
bool is_changed(const row& r, const wish& x) {
  const auto& had = r.had;
  auto is_old = [&had](const std::string& tag) {
    return std::find(had.begin(), had.end(), tag) != had.end();
  };
  auto known = std::all_of(x.have.begin(), x.have.end(), [&](const auto& tag) {
    return tag == x.tag || is_old(tag);
  });
  auto ours = x.tag.empty()
              || std::find(x.have.begin(), x.have.end(), x.tag) != x.have.end();
  auto all = std::all_of(had.begin(), had.end(), [&x](const auto& tag) {
    return std::find(x.have.begin(), x.have.end(), tag) != x.have.end();
  });
  return !known || (!all && !ours);
}

std::string changed_text(const wish& x) {
  if (x.have.empty())
    return "somebody has taken its tag away since; ask again if it is still "
           "wanted";
  return fmt::format("somebody has set it since, by the tag {}; ask again if "
                     "it is still wanted",
                     fmt::join(x.have, " "));
}

bool is_there(const wish& x) {
  auto wanted = x.tag.empty() ? std::vector<std::string>{} : std::vector{x.tag};
  return x.have == wanted;
}

opcode of_cluster(op_kind kind, std::vector<std::string> tags) {
  opcode op;
  op.kind = kind;
  op.tags_on = tag_kind::cluster;
  op.tags = std::move(tags);
  return op;
}

/// The new tag comes before the old ones go: in between there are several,
/// none is heeded, and what is in force stays.
std::vector<opcode> job_for(const wish& x) {
  std::vector<opcode> ops;
  auto old = x.have;
  if (std::erase(old, x.tag) == 0 && !x.tag.empty())
    ops.push_back(of_cluster(op_kind::tags_set, {x.tag}));
  if (!old.empty())
    ops.push_back(of_cluster(op_kind::tags_del, std::move(old)));
  return ops;
}

} // namespace

std::string against_tag(const state& s, const surroundings& w) {
  const auto& x = std::get<setting_errand>(s.asked.what);
  auto found = wish_of(s, w);
  if (is_there(found))
    return "the cluster has just that tag already";
  if (is_changed(s.rows.front(), found))
    return changed_text(found);
  auto wrong = x.action == setting_action::set
                 ? why_not_set(*w.rules, found.key, x.value)
                 : std::string{};
  return wrong.empty() ? wrong : fmt::format("{} {}", found.key, wrong);
}

bool worker::begin_tag(index i) {
  auto x = wish_of(s(), w_);
  if (at(i).evidence.empty())
    at(i).evidence = setting_text(*w_.rules, x.key);
  auto ops = job_for(x);
  if (ops.empty())
    return false;
  if (is_changed(at(i), x) && asks_after_its_job(i))
    return true;
  if (is_changed(at(i), x)) {
    fail(i, changed_text(x));
    return true;
  }
  order_jobs(
    i, std::move(ops),
    fmt::format("cluster {} {}",
                to_string(std::get<setting_errand>(s().asked.what).action),
                x.key));
  return true;
}

/// The cluster's picture is put in force before anybody else hears of it.
bool worker::begin_heed(index i) {
  auto& r = at(i);
  auto x = wish_of(s(), w_);
  const auto& asked = std::get<setting_errand>(s().asked.what);
  auto value = setting_text(*w_.rules, x.key);
  auto other = !x.tag.empty() && !is_same_setting(x.key, value, asked.value);
  auto why = other ? why_not_set(*w_.rules, x.key, asked.value) : std::string{};
  // What was read long ago is put in force by nobody.
  auto fresh = now_ - w_.read_at <= w_.rules->cluster.picture_max_age;
  if (!is_there(x) || !fresh || (other && why.empty())) {
    if (now_ - r.moved >= heeded_within) {
      fail(i, "its job ended well, and the cluster does not show its tag, or "
              "answers too late: look with 'gnt-cluster list-tags' and "
              "'orderly cluster settings', and ask again");
      return true;
    }
    r.due = now_ + reading_pause;
    act(look_soon{});
    return true;
  }
  if (other) {
    fail(i, fmt::format("its tag is written, and is not heeded: it {}", why));
    return true;
  }
  done(i,
       fmt::format("is {}{}, and was {}", value,
                   x.tag.empty() ? " again, without a tag" : "", r.evidence));
  return true;
}

} // namespace orderly::errand
