// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/policy/maintenance/orders.hpp"

#include "actors/policy/maintenance/ending.hpp"
#include "actors/policy/maintenance/life.hpp"
#include "actors/policy/maintenance/opcodes.hpp"
#include "actors/policy/maintenance/work.hpp"
#include "messages/codes.hpp"

#include <fmt/format.h>

namespace orderly::maintenance {

namespace {

using outcome = event_order_answer::outcome;

void answer(verdict& v, outcome what, std::string text) {
  v.actions.emplace_back(reply{{what, std::move(text)}});
}

/// A job that runs ends by itself; nothing more is done.
void cancel(verdict& v, const event_order& order, const situation& x) {
  auto& s = v.next;
  auto done = is_final(s.phase) || s.phase == event_phase::tagging
              || s.phase == event_phase::failing;
  if (done) {
    answer(v, outcome::refused,
           fmt::format("{} cannot be canceled: it is {}", s.uuid,
                       to_string(s.phase)));
    return;
  }
  turn(v, x, event_phase::canceled, "canceled by " + order.who);
  call_back_all(v);
  answer(v, outcome::done,
         "no further job is sent; it is listed as long as it is reported");
  tend(v, x);
}

void acknowledge(verdict& v, const event_order& order, const situation& x) {
  auto& s = v.next;
  auto tagged
    = s.phase == event_phase::completed || s.phase == event_phase::failed;
  if (!tagged || has(s, work_kind::untag)) {
    answer(v, outcome::refused,
           fmt::format("{} has no tag to be removed: it is {}", s.uuid,
                       to_string(s.phase)));
    return;
  }
  v.why = "acknowledged by " + order.who;
  add(v, x, {.kind = work_kind::untag});
  answer(v, outcome::done, fmt::format("{} is removed from {}", s.tag, s.node));
}

void forget(verdict& v, const event_order& order, const situation& x) {
  auto& s = v.next;
  if (!is_final(s.phase)) {
    answer(
      v, outcome::refused,
      fmt::format("{} is {}: cancel it first", s.uuid, to_string(s.phase)));
    return;
  }
  for (const auto& w : s.open)
    if (w.stage == work_stage::sent && w.job != 0 && !only_tags(w.kind)) {
      answer(v, outcome::refused,
             fmt::format("job {} of {} has not ended yet: forget it then",
                         w.job, s.uuid));
      return;
    }
  // Nobody else would remove it.
  if (is_untrue(s)) {
    answer(v, outcome::refused,
           fmt::format("{} stands on {}, and is not so: it is removed first; "
                       "forget {} then",
                       s.tag, s.node, s.uuid));
    return;
  }
  auto why = "forgotten by " + order.who;
  v.actions.emplace_back(
    tell{entry_kind::decision, codes::event_forgotten, why});
  let_go(v);
  s.phase = event_phase::forgotten; // a person may, from every end
  s.why = why;
  s.mtime = x.now;
  ++s.serial_no;
  v.why = std::move(why);
  answer(v, outcome::done, "it is no more; what is still reported comes anew");
}

} // namespace

void take(verdict& v, const ordered& e, const situation& x) {
  auto& s = v.next;
  const auto& order = e.order;
  if (s.phase == event_phase::forgotten) {
    answer(v, outcome::unknown, s.uuid + " is no more");
    return;
  }
  if (order.serial_no && *order.serial_no != s.serial_no) {
    answer(v, outcome::refused,
           fmt::format("{} has changed: its serial number is {}, not {}",
                       s.uuid, s.serial_no, *order.serial_no));
    return;
  }
  switch (order.verb) {
  case event_verb::cancel:
    cancel(v, order, x);
    break;
  case event_verb::ack:
    acknowledge(v, order, x);
    break;
  case event_verb::forget:
    forget(v, order, x);
    break;
  }
}

} // namespace orderly::maintenance
