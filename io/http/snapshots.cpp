// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/http/snapshots.hpp"

#include "io/http/answer_cache.hpp"
#include "io/http/waiting.hpp"

#include <algorithm>
#include <array>
#include <exception>
#include <iterator>
#include <utility>

#include <fmt/format.h>

namespace orderly::io::http {

namespace {

/// Even if nothing changed: what is shown says how late it is.
constexpr auto fresh_for = seconds{1};

/// For so long nobody waits for that, if nothing changed: on a busy machine it
/// can take a while, for who makes it stands back.
constexpr auto passable_for = seconds{2};

/// So soon nobody can tell that something changed, and floods of readers cost
/// the view ten questions a second.
constexpr auto young = millis{100};

/// What costs more than this is not made again before so many times its cost
/// have passed, however much changed.
constexpr auto dear = millis{5};
constexpr int rest_factor = 10;
constexpr auto rest_max = seconds{5};

/// Questions that the kitchen works at, or has not begun.
constexpr std::size_t jobs_max = 64;

/// Who may wait for one thing.
constexpr std::size_t waiting_max = 10000;

fault too_busy(const char* what) {
  return {fault_kind::unreachable,
          fmt::format("too many readers ask for {} at once; try again in a "
                      "moment",
                      what)};
}

fault no_answer(const std::exception& e) {
  return {fault_kind::internal,
          std::string{"the answer could not be made: "} + e.what()};
}

/// One kind of document.
struct slot {
  document_ptr ready;
  std::vector<waiter<document_ptr>> waiting;
  under_way making;
  under_way packing;
};

} // namespace

struct snapshots::state {
  state(loop& d, loop& k, scene_source from)
    : doors(d), kitchen(k), source(std::move(from)) {
    // nop
  }

  [[nodiscard]] bool is_current(std::uint64_t revision) const {
    return source.revision && source.revision() == revision;
  }

  [[nodiscard]] bool is_fresh(std::uint64_t revision,
                              steady::duration age) const {
    return is_current(revision) ? age < fresh_for
                                : source.revision && age < young;
  }

  [[nodiscard]] bool has_fresh_scene() const {
    return newest && asked_at > forgotten
           && is_fresh(newest->revision, steady::now() - asked_at);
  }

  [[nodiscard]] bool is_good(const document& x) const {
    auto age = steady::now() - x.made;
    auto rest = std::min<steady::duration>(rest_factor * x.cost, rest_max);
    return x.made > forgotten
           && (is_fresh(x.revision, age)
               || (source.revision && x.cost > dear && age < rest));
  }

  /// Late, but still what would be made anew.
  [[nodiscard]] bool is_passable(const document& x) const {
    return x.made > forgotten && is_current(x.revision)
           && steady::now() - x.made < passable_for;
  }

  loop& doors;
  loop& kitchen;
  scene_source source;
  /// Used on the kitchen's thread only.
  std::shared_ptr<renderer> cook = std::make_shared<renderer>();
  scene_ptr newest;
  steady::time_point asked_at;  ///< for `newest`
  steady::time_point forgotten; ///< what is older is not good enough
  std::vector<waiter<scene_ptr>> waiting;
  under_way asking;
  std::array<slot, document_kinds> slots;
  answer_cache kept; ///< of `newest`
  /// Each question that is worked at holds it.
  std::shared_ptr<int> job = std::make_shared<int>();
};

namespace {

/// A document being made, on its way between the threads.
struct order {
  document_kind kind;
  bool packed = false;
  scene_ptr scene;
  std::optional<balance_sheet> balance;
  steady::time_point began;
  document_ptr before; ///< the last one of that kind, or null
};

result<document_ptr> made_of(const order& what, renderer& cook,
                             const std::function<std::string()>& more) {
  try {
    auto from = steady::now();
    auto text = cook.render(what.kind, *what.scene,
                            what.balance ? &*what.balance : nullptr);
    if (is_metrics(what.kind) && more)
      text += more();
    auto x = std::make_shared<document>(make_document(
      content_type(what.kind), std::move(text), what.packed, what.before));
    // The moment at which a status is shown is in it, and makes no other one.
    auto whole = what.kind == document_kind::status;
    if (whole || what.kind == document_kind::public_status)
      x->tag
        = fmt::format("W/\"{}{}-{}\"", whole ? 's' : 'p',
                      to_ms(what.scene->status.started), what.scene->revision);
    x->revision = what.scene->revision;
    x->made = what.began;
    x->cost = steady::now() - from;
    return document_ptr{std::move(x)};
  } catch (const std::exception& e) {
    return no_answer(e);
  }
}

result<document_ptr> cooked(const text_maker& work, const scene& all,
                            renderer& by, bool packed) {
  try {
    auto text = work(all, by);
    if (!text)
      return text.why();
    return document_ptr{std::make_shared<document>(
      make_document("application/json", std::move(*text), packed, nullptr))};
  } catch (const std::exception& e) {
    return no_answer(e);
  }
}

} // namespace

snapshots::snapshots(loop& doors, loop& kitchen, scene_source from)
  : state_(std::make_unique<state>(doors, kitchen, std::move(from))) {
  // nop
}

snapshots::~snapshots() = default;

scene_ptr snapshots::last() const {
  return state_->newest;
}

void snapshots::forget() {
  state_->forgotten = steady::now();
}

void snapshots::with_scene(std::function<void(result<scene_ptr>)> then) {
  auto& st = *state_;
  if (st.has_fresh_scene())
    return then(st.newest);
  if (st.waiting.size() >= waiting_max)
    return then(too_busy("the state of the cluster"));
  st.waiting.push_back({st.forgotten, std::move(then), false});
  if (!st.asking)
    ask();
}

void snapshots::ask() {
  auto& st = *state_;
  st.asking.begin(st.source.lost_after);
  auto began = steady::now();
  st.source.scene(
    [weak = weak_from_this(), &doors = st.doors, began](result<scene_ptr> got) {
      doors.post([weak, began, got = std::move(got)] {
        if (auto me = weak.lock())
          me->have_scene(got, began);
      });
    });
}

void snapshots::have_scene(const result<scene_ptr>& got,
                           std::chrono::steady_clock::time_point began) {
  auto& st = *state_;
  st.asking.end();
  if (!got)
    return answer_all(std::exchange(st.waiting, {}), got);
  if (st.newest != *got)
    st.kept.clear();
  st.newest = *got;
  st.asked_at = began;
  auto served = served_by(st.waiting, began);
  if (!st.waiting.empty())
    ask();
  answer_all(std::move(served), got);
}

void snapshots::get(document_kind kind, bool packed,
                    std::function<void(result<document_ptr>)> then) {
  auto& st = *state_;
  auto& at = st.slots[static_cast<std::size_t>(kind)];
  auto good = at.ready && st.is_good(*at.ready);
  if (good || (at.ready && st.is_passable(*at.ready))) {
    if (!good && !at.making)
      make(kind);
    if (packed && !at.ready->packed && is_worth_packing(*at.ready))
      pack(kind);
    return then(at.ready);
  }
  if (at.waiting.size() >= waiting_max)
    return then(too_busy("this"));
  at.waiting.push_back({st.forgotten, std::move(then), packed});
  if (!at.making)
    make(kind);
}

void snapshots::make(document_kind kind) {
  auto& making = state_->slots[static_cast<std::size_t>(kind)].making;
  making.begin(state_->source.lost_after);
  auto began = steady::now();
  with_scene([me = shared_from_this(), kind, began](result<scene_ptr> got) {
    if (!got)
      return me->have_document(kind, got.why());
    if (!needs_balance(kind))
      return me->render(kind, *got, std::nullopt, began);
    me->state_->source.balance(balance_query{}, [me, kind, began, all = *got](
                                                  result<balance_sheet> sheet) {
      me->state_->doors.post([me, kind, began, all, sheet = std::move(sheet)] {
        // A balancer that does not answer takes no metric along.
        if (!sheet && !is_metrics(kind))
          return me->have_document(kind, sheet.why());
        me->render(kind, all, sheet ? std::optional{*sheet} : std::nullopt,
                   began);
      });
    });
  });
}

void snapshots::render(document_kind kind, scene_ptr all,
                       std::optional<balance_sheet> balance,
                       std::chrono::steady_clock::time_point began) {
  auto& st = *state_;
  const auto& at = st.slots[static_cast<std::size_t>(kind)];
  order what{kind, false, std::move(all), std::move(balance), began, at.ready};
  // Who took it packed will most likely come again.
  what.packed = (at.ready && at.ready->packed)
                || std::any_of(at.waiting.begin(), at.waiting.end(),
                               [](const auto& x) { return x.packed; });
  st.kitchen.post([me = shared_from_this(), what = std::move(what),
                   cook = st.cook, more = st.source.more_metrics] {
    auto made = made_of(what, *cook, more);
    me->state_->doors.post([me, kind = what.kind, made = std::move(made)] {
      me->have_document(kind, made);
    });
  });
}

void snapshots::have_document(document_kind kind,
                              const result<document_ptr>& made) {
  auto& st = *state_;
  auto& at = st.slots[static_cast<std::size_t>(kind)];
  at.making.end();
  if (!made)
    return answer_all(std::exchange(at.waiting, {}), made);
  at.ready = *made;
  auto served = served_by(at.waiting, (*made)->made);
  if (!at.waiting.empty())
    make(kind); // those may be who changed something
  answer_all(std::move(served), made);
}

void snapshots::pack(document_kind kind) {
  auto& st = *state_;
  auto& at = st.slots[static_cast<std::size_t>(kind)];
  if (at.packing)
    return;
  at.packing.begin(st.source.lost_after);
  st.kitchen.post([me = shared_from_this(), kind, plain = at.ready] {
    std::shared_ptr<const std::string> packed;
    try {
      packed = std::make_shared<const std::string>(gzip(*plain->text));
    } catch (const std::exception&) {
      // It goes out as it is.
    }
    me->state_->doors.post([me, kind, plain, packed] {
      auto& here = me->state_->slots[static_cast<std::size_t>(kind)];
      here.packing.end();
      if (here.ready != plain || !packed)
        return;
      auto both = std::make_shared<document>(*plain);
      both->packed = packed;
      here.ready = std::move(both);
    });
  });
}

void snapshots::cook(const std::string& question, bool packed, text_maker work,
                     std::function<void(result<document_ptr>)> then) {
  auto& st = *state_;
  if (st.has_fresh_scene())
    if (auto ready = st.kept.find(question, packed))
      return then(ready);
  if (static_cast<std::size_t>(st.job.use_count()) > jobs_max) {
    if (!st.asking && !st.waiting.empty())
      ask(); // they wait for a question that was lost
    return then(too_busy("single things"));
  }
  with_scene([me = shared_from_this(), question, packed, work = std::move(work),
              then = std::move(then), job = st.job](result<scene_ptr> got) {
    if (!got)
      return then(got.why());
    auto& here = *me->state_;
    here.kitchen.post(
      [me, question, packed, work, then, job, all = *got, by = here.cook] {
        auto made = cooked(work, *all, *by, packed);
        me->state_->doors.post([me, question, then, job, all, made] {
          if (made && all == me->state_->newest)
            me->state_->kept.keep(question, *made);
          then(made);
        });
      });
  });
}

} // namespace orderly::io::http
