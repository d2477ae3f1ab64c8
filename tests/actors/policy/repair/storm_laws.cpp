// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What holds in a storm between two steps: what is called back, and when a
// verdict is left.

#include "tests/actors/policy/repair/storm.hpp"

#include <algorithm>

namespace orderly::autorepair::lab {

namespace {

/// Would the same kind of step be taken now, by what is needed and by the tags?
bool is_wanted(const state& before, op_kind kind, const facts& shown,
               instant now) {
  auto wants = needed(shown);
  if (!wants.type || risk_of(kind) != risk_of(tags::to_string(*wants.type)))
    return false;
  const auto& tags = shown.instance.tags;
  auto tagged = std::any_of(tags.begin(), tags.end(), [&](const auto& tag) {
    return is_pending(tag) && part_of(tag, 2) == before.repair;
  });
  auto allowed
    = before.young != before.repair || permitted(shown, now) >= risk_of(kind);
  return tagged && allowed;
}

} // namespace

/// What restarts or destroys is called back once its ground falls; all else
/// when it is not wanted any more, or its home does not answer.
void storm::call_back(const state& before, const withdraw& what,
                      bool restarted) {
  if (restarted && !under_way_)
    return; // given up already
  REQUIRE(under_way_);
  REQUIRE(what.intent == under_way_->intent);
  auto now_shown = picture();
  const auto& tags = now_shown.instance.tags;
  const auto* core = core_of(*under_way_);
  if (core == nullptr) { // it only changes tags
    auto forbids = permitted(now_shown, now) == -2
                   || std::any_of(tags.begin(), tags.end(), is_failure);
    // How a repair ends is judged anew; a token is asked for anew.
    auto ends = under_way_->ops.front().kind == op_kind::tags_set
                && part_of(under_way_->ops.front().tags.front(), 0) == "result";
    REQUIRE((!before.tags_withdrawn || restarted));
    REQUIRE((forbids || ends || restarted));
    REQUIRE((under_way_->ops.size() == 1 || ends || restarted));
    called_back_ = true;
    ++counts["withdraw tags"];
    return;
  }
  auto kind = core->kind;
  auto risky
    = kind == op_kind::recreate_disks || kind == op_kind::instance_failover;
  REQUIRE((risky || restarted || permitted(now_shown, now) == -2
           || std::any_of(tags.begin(), tags.end(), is_failure) || !acting()
           || !is_wanted(before, kind, now_shown, now)
           || now_shown.primary.name != before.from
           || now_shown.primary.troubled || !now_shown.leaving.empty()));
  REQUIRE(before.withdrawn == restarted);
  called_back_ = true;
  ++counts["withdraw"];
}

/// Failed is left only when the failure tag is not there, and entered only by
/// who acts, or because of somebody's tag. A verdict that nobody wrote is left
/// when the instance has long been in order, or the job that was overdue has
/// ended well.
void storm::judge_failed(const state& before) {
  auto tagged = std::any_of(picture().instance.tags.begin(),
                            picture().instance.tags.end(), is_failure);
  if (before.phase != phase::failed && machine.phase == phase::failed)
    REQUIRE((acting() || tagged));
  if (before.phase == phase::failed && machine.phase != phase::failed) {
    REQUIRE(before.stage == stage::idle);
    auto overtaken = !needed(picture()).broken && before.moved != never
                     && now - before.moved >= minutes{10};
    auto shown = picture();
    auto well
      = !before.asked.empty()
        && std::all_of(before.asked.begin(), before.asked.end(), [&](auto id) {
             auto i = shown.jobs.find(id);
             return i != shown.jobs.end()
                    && i->second.status == job_status::success;
           });
    REQUIRE((before.repair.empty() || !acting() || overtaken || well));
    REQUIRE_FALSE(tagged);
  }
}

} // namespace orderly::autorepair::lab
