// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Which path means what: turns requests into questions to the view and orders
// to the scheduler, and their answers into JSON, metrics and the status page.
//
//   /  /status.html  /1  /1/status  /1/jobs  /1/evacuated
//                                                      the maintenance daemon's
//   /healthz  /readyz  /metrics                        for machines
//   /2/status  /2/nodes[/N]  /2/instances[/N]  /2/decisions  /2/explain/X
//   /2/advice                                          for outside systems
//   POST /2/pause  /2/resume  /2/instances/N/repair    unix socket only
//   /2/errands[/ID]  POST /2/errands  /2/errands/ID/stop    likewise
//   /2/incidents[/UUID]  POST /2/incidents/UUID/{cancel,ack,forget}  likewise
//   /2/plan  /2/balance  POST /2/balance/plan          the order likewise
//
// Over TCP whoever reaches the port may read what a monitor needs; the rest is
// for the sockets, unless the settings say otherwise.

#pragma once

#include "io/door/message.hpp"
#include "io/http/snapshots.hpp"
#include "io/loop/loop.hpp"
#include "messages/errand.hpp"
#include "messages/plan.hpp"
#include "messages/result.hpp"
#include "messages/view.hpp"

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace orderly::io::http {

/// What is said to the power desk about one errand.
using errand_word = std::variant<errand_request, errand_query, errand_stop>;

/// How routes reach the actors. The answers are given once, on any thread.
struct backend {
  scene_source source;
  std::function<void(pause_order, std::function<void(result<pause_answer>)>)>
    pause;
  std::function<void(repair_request,
                     std::function<void(result<repair_answer>)>)>
    repair;
  std::function<void(errand_word, std::function<void(result<errand_sheet>)>)>
    errand;
  std::function<void(std::function<void(result<errand_list_answer>)>)> errands;
  std::function<void(event_order,
                     std::function<void(result<event_order_answer>)>)>
    event;
  std::function<void(balance_query, std::function<void(result<balance_sheet>)>)>
    balance;
  /// A question that a scene answers. Made by the routes, of the source.
  std::function<void(view_query, std::function<void(result<view_answer>)>)> ask;
};

/// What strangers over TCP get.
struct audience {
  bool show_all = false;          ///< all that is shown to the sockets
  std::vector<std::string> hosts; ///< that requests may be for
};

/// One that no reload changes.
inline std::function<std::shared_ptr<const audience>()> always(audience x) {
  return [who = std::make_shared<const audience>(std::move(x))] { return who; };
}

struct route_rules {
  millis health_limit = seconds{2}; ///< for `/healthz` and `/readyz`
  std::uint32_t own_uid = 0;        ///< may pause and resume, as root may
  /// Of the cluster, for `/readyz`. Asked at each request, for a reload may
  /// change it; never null.
  std::function<millis()> reading_max_age = [] { return minutes{1}; };
  /// Likewise.
  std::function<std::shared_ptr<const audience>()> audience_now
    = always(audience{});
  std::uint32_t heavy_max = 8; ///< large answers at once
};

/// The handler for the server. `doors` and `kitchen` must outlive it and its
/// answers; they may be the same.
handler make_routes(loop& doors, loop& kitchen, backend to,
                    const route_rules& rules);

} // namespace orderly::io::http
