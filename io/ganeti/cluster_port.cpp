// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/ganeti/decode_live.hpp"
#include "io/ganeti/port_actors.hpp"
#include "io/ganeti/watcher_pause.hpp"
#include "messages/host_name.hpp"

#include <algorithm>
#include <chrono>

namespace orderly::io {

namespace {

using cluster_port_self
  = cluster_port_actor::stateful_pointer<cluster_port_state>;

/// One picture takes six; another reading may overlap.
constexpr std::size_t connections_max = 12;

/// Replies that are still to come for one picture.
struct reading {
  caf::typed_response_promise<cluster_answer> promise;
  picture_replies replies;
  std::size_t open = picture_parts;
  std::string trouble;                         ///< the first one
  std::chrono::steady_clock::time_point until; ///< of all of them
};

bool same(const cluster_record& a, const cluster_record& b) {
  return a.name == b.name && a.master == b.master && a.tags == b.tags
         && a.groups == b.groups && a.nodes == b.nodes
         && a.instances == b.instances && a.jobs == b.jobs;
}

/// Makes `last` what the replies say; the old pointer stays if that is the
/// same, for actors compare pointers. Gives what is wrong with the replies.
std::string renew(cluster_port_state& st, picture_replies& replies) {
  if (st.last && replies == st.last_replies)
    return {};
  auto picture = decode_picture(replies);
  if (!picture)
    return picture.why().text;
  st.last_replies = std::move(replies);
  if (st.last && same(*st.last, *picture))
    return {};
  st.last = std::make_shared<const cluster_record>(std::move(*picture));
  return {};
}

void complete(cluster_port_self self, reading& r) {
  auto& st = self->state;
  if (r.trouble.empty())
    r.trouble = renew(st, r.replies);
  auto word = st.talk.after(r.trouble, std::chrono::steady_clock::now());
  if (st.tell && !word.empty())
    st.tell(word);
  cluster_answer answer;
  if (r.trouble.empty()) {
    answer.picture = st.last;
    answer.is_master = is_same_host(st.own_name, st.last->master);
    self->send(st.jobs, picture_seen{st.last});
  } else {
    answer.text = std::move(r.trouble);
  }
  r.promise.deliver(std::move(answer));
}

void ask_part(cluster_port_self self, const std::shared_ptr<reading>& r,
              std::size_t part);

/// The queue is read before all else: what a job changed while we read is not
/// known then without its job, but for one that is over in that moment.
void go_on(cluster_port_self self, const std::shared_ptr<reading>& r,
           std::size_t part) {
  if (part == jobs_part && r->trouble.empty())
    for (std::size_t i = 0; i < picture_parts; ++i)
      if (i != jobs_part)
        ask_part(self, r, i);
  if (r->open == 0 || (part == jobs_part && !r->trouble.empty()))
    complete(self, *r);
}

void ask_part(cluster_port_self self, const std::shared_ptr<reading>& r,
              std::size_t part) {
  auto left
    = std::chrono::ceil<millis>(r->until - std::chrono::steady_clock::now());
  self->state.questions.ask(*self->state.client, questions_for_picture()[part],
                            std::max(left, millis{1}),
                            [self, r, part](const result<std::string>& reply) {
                              if (reply)
                                r->replies[part] = *reply;
                              else if (r->trouble.empty())
                                r->trouble = reply.why().text;
                              --r->open;
                              go_on(self, r, part);
                            });
}

caf::typed_response_promise<room_answer> ask_room(cluster_port_self self,
                                                  const read_room& order) {
  auto& st = self->state;
  auto promise = self->make_response_promise<room_answer>();
  if (order.nodes.empty()) {
    promise.deliver(room_answer{true, {}, {}});
    return promise;
  }
  st.questions.ask(
    *st.client, question_for_room(order.nodes), order.time_limit,
    [promise](const result<std::string>& reply) mutable {
      using rooms = result<std::vector<node_room>>;
      auto found = reply ? decode_room(*reply) : rooms{reply.why()};
      if (found)
        promise.deliver(room_answer{true, std::move(*found), {}});
      else
        promise.deliver(room_answer{false, {}, found.why().text});
    });
  return promise;
}

instant wall_time() {
  return std::chrono::time_point_cast<millis>(std::chrono::system_clock::now());
}

/// Sets the pause, then reads back whether it is in force.
void set_watcher(cluster_port_self self,
                 caf::typed_response_promise<watcher_answer> to, instant until,
                 millis limit) {
  // Setting it asks every node, reading it only luxid's own.
  auto reading_limit = limit / 4;
  auto wanted = until > wall_time();
  auto judge = [to, wanted](const result<std::string>& reply) mutable {
    auto why = why_no_pause(reply, wanted, wall_time());
    to.deliver(watcher_answer{why.empty(), std::move(why)});
  };
  auto& st = self->state;
  st.questions.ask(
    *st.client, encode_watcher_pause(until, wall_time()), limit - reading_limit,
    [self, to, judge, reading_limit](const auto& reply) mutable {
      auto set = reply ? open_reply(*reply) : result<json>{reply.why()};
      if (!set) {
        to.deliver(watcher_answer{false, set.why().text});
        return;
      }
      auto& state = self->state;
      state.questions.ask(*state.client, question_for_watcher_pause(),
                          reading_limit, judge);
    });
}

/// A person may have paused it as well: that is looked at first.
caf::typed_response_promise<watcher_answer>
pause_or_go_on(cluster_port_self self, const pause_watcher& order) {
  auto& st = self->state;
  auto promise = self->make_response_promise<watcher_answer>();
  auto limit = order.time_limit / 4;
  st.questions.ask(
    *st.client, question_for_watcher_pause(), limit,
    [self, promise, order, limit](const result<std::string>& reply) mutable {
      auto at = wall_time();
      auto found = reply ? decode_watcher_pause(*reply, at)
                         : result<instant>{reply.why()};
      if (!found) {
        promise.deliver(
          watcher_answer{false, "the pause of Ganeti's watcher cannot be read: "
                                  + found.why().text});
        return;
      }
      auto& before = self->state.pause_before;
      auto next = pause_to_set(*found, order.until, before, at);
      if (order.until <= at)
        before = never;
      else if (!is_own_pause(*found))
        before = *found;
      if (next)
        set_watcher(self, promise, *next, order.time_limit - limit);
      else
        promise.deliver(watcher_answer{true, {}});
    });
  return promise;
}

} // namespace

cluster_port_actor::behavior_type
ganeti_cluster_port(cluster_port_self self, loop* on, std::string socket_path,
                    std::string own_name, job_port_actor jobs,
                    std::function<void(const std::string&)> tell) {
  auto& st = self->state;
  luxi_limits limits;
  limits.connections_max = connections_max;
  st.client
    = std::make_unique<luxi_client>(*on, std::move(socket_path), limits);
  st.own_name = std::move(own_name);
  st.jobs = std::move(jobs);
  st.tell = std::move(tell);
  st.questions.start(self);
  return {
    [self](const read_cluster& order) {
      auto r = std::make_shared<reading>();
      r->promise = self->make_response_promise<cluster_answer>();
      r->until = std::chrono::steady_clock::now() + order.time_limit;
      ask_part(self, r, jobs_part);
      return r->promise;
    },
    [self](const read_room& order) { return ask_room(self, order); },
    [self](const read_mirrors& order) { return ask_mirrors(self, order); },
    [self](const pause_watcher& order) { return pause_or_go_on(self, order); },
    [self](const luxi_done& reply) { self->state.questions.done(reply); },
  };
}

} // namespace orderly::io
