// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "sim/enacted/daemon.hpp"

#include "actors/journal/journal.hpp"
#include "actors/node/collector.hpp"
#include "actors/power/oob.hpp"
#include "actors/scheduler/scheduler.hpp"
#include "actors/view/view.hpp"

#include <caf/actor_cast.hpp>
#include <caf/exit_reason.hpp>
#include <caf/send.hpp>

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace orderly::sim::enacted {

daemon::daemon(playground_ptr all, walking::paper_ptr book, const birth& how)
  : clock_(how.seed),
    all_(std::move(all)),
    ctx_(std::make_shared<context>(std::make_shared<const settings>(how.rules),
                                   clock_.now(), how.at, how.seed, "timeline")),
    post_(std::make_shared<post>(post{all_, ctx_, true, {}})) {
  auto& sys = clock_.system();
  auto keep = [this](auto who) {
    actors_.push_back(caf::actor_cast<caf::actor>(who));
    return who;
  };
  auto view = keep(sys.spawn(orderly::view, ctx_));
  peers_.journal = keep(
    sys.spawn(journal, ctx_,
              keep(walking::spawn_paper(sys, std::move(book), ctx_)), view));
  auto looks = keep(sys.spawn(collector, ctx_, keep(spawn_probes(sys, post_))));
  guards_ = keep(sys.spawn(scheduler, ctx_, peers_.journal, view));
  auto power
    = keep(sys.spawn(oob, ctx_, keep(spawn_power(sys, post_)), peers_.journal));
  peers_.provider = {looks, power};
  peers_.scheduler = guards_;
  peers_.jobs = keep(spawn_jobs(sys, post_));
  peers_.cluster = keep(spawn_source(sys, post_));
  peers_.told = {caf::actor_cast<standing_client>(guards_),
                 keep(spawn_readers(sys, post_))};
  peers_.reader = [this](const machine_step& step) {
    if (post_->on_duty)
      all_->see(step);
  };
  leased_ = {caf::actor_cast<lease_client>(guards_),
             caf::actor_cast<lease_client>(power)};
  introduce();
  auto picture = std::make_shared<cluster_record>();
  for (const auto& x : all_->hosts)
    picture->nodes.push_back(x.facts.record);
  node_record other;
  other.name = witness;
  picture->nodes.push_back(other);
  std::sort(picture->nodes.begin(), picture->nodes.end(),
            [](const auto& a, const auto& b) { return a.name < b.name; });
  caf::anon_send(looks, picture_news{std::move(picture), {}, 0});
  clock_.settle();
}

daemon::~daemon() {
  post_->nodes.clear();
  for (const auto& x : actors_)
    caf::anon_send_exit(x, caf::exit_reason::kill);
  actors_.clear();
  clock_.settle();
}

/// Other nodes of the cluster are well, so many that what happens to the hosts
/// is no storm by the rule that most are never gone at once.
void daemon::introduce() {
  for (std::size_t i = 0; i < 2 * all_->hosts.size() + 2; ++i) {
    node_standing s;
    s.node = fmt::format("other{}", i);
    caf::anon_send(guards_, s);
  }
}

void daemon::begin_node(const host& x) {
  auto who = clock_.system().spawn(node, ctx_, peers_, x.name);
  actors_.push_back(caf::actor_cast<caf::actor>(who));
  post_->nodes[x.name] = who;
}

void daemon::replace(const settings& rules) {
  ctx_->replace(std::make_shared<const settings>(rules));
}

void daemon::read(host& x) {
  renew_facts(*all_, x, ctx_->at(clock_.now()));
  caf::anon_send(post_->nodes.at(x.name), x.facts);
  clock_.settle();
}

/// The cluster has named us as its master, or somebody else.
void daemon::vouch() {
  constexpr millis good_for = seconds{30};
  auto at = ctx_->at(clock_.now());
  vouched_ = at;
  lease right{post_->on_duty, at + good_for, "", "us"};
  if (!post_->on_duty)
    right = {false, at, "another one is master", "another"};
  for (const auto& x : leased_)
    caf::anon_send(x, right);
  clock_.settle();
}

void daemon::run_until(instant end) {
  constexpr millis often = seconds{5};
  for (;;) {
    auto at = ctx_->at(clock_.now());
    if (vouched_ == never || at - vouched_ >= often)
      vouch();
    if (at >= end)
      break;
    auto next = std::min(end, vouched_ + often);
    clock_.run_until(clock_.now() + (next - at));
  }
}

void daemon::freeze() {
  post_->on_duty = awake_ = false;
}

void daemon::thaw(instant at) {
  awake_ = true;
  clock_.wake_at(clock_.now() + (at - ctx_->at(clock_.now())));
}

} // namespace orderly::sim::enacted
