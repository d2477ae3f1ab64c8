// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/http/routes.hpp"

#include "actors/policy/outlook/forecast.hpp"
#include "io/http/advice.hpp"
#include "io/http/answer_limit.hpp"
#include "io/http/answers.hpp"
#include "io/http/balance.hpp"
#include "io/http/call.hpp"
#include "io/http/errands.hpp"
#include "io/http/metrics.hpp"
#include "io/http/orders.hpp"
#include "io/http/plan.hpp"
#include "io/json/render.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

#include <fmt/format.h>

namespace orderly::io::http {

namespace {

using nlohmann::json;

constexpr std::uint32_t decisions_default = 100;
constexpr std::uint32_t decisions_max = 10000;
constexpr std::uint32_t page_decisions = 60;
constexpr std::uint32_t instance_decisions = 40;

class router : public std::enable_shared_from_this<router> {
public:
  router(loop& on, backend to, const route_rules& rules)
    : on_(on), to_(std::move(to)), rules_(rules) {
    // nop
  }

  void handle(request from, reply done) {
    auto to = parse_target(from.target);
    if (!to)
      return done(bad_request(to.why().text));
    call x{std::move(from), std::move(*to), {}, std::move(done)};
    for (const auto& entry : table()) {
      if (!fits(entry, x))
        continue;
      if (!allows(entry, x.from.method)) {
        const auto* twin = twin_of(entry);
        if (twin != nullptr && allows(*twin, x.from.method))
          continue;
        return refuse_method(x, entry.post, twin != nullptr);
      }
      if (auto bad = unknown_parameter(x, entry.parameters); !bad.empty())
        return x.done(bad_request(bad));
      return (this->*entry.run)(std::move(x));
    }
    x.done(error_response(404, "not-found",
                          fmt::format("there is nothing at '{}'; see /2/status "
                                      "or /status.html",
                                      x.to.path)));
  }

private:
  struct route {
    const char* path; ///< ends in a slash: something has to follow
    bool post;
    void (router::*run)(call);
    std::set<std::string> parameters;
    const char* end = ""; ///< what that something has to be followed by
  };

  static const std::vector<route>& table() {
    static const std::vector<route> all{
      {"/", false, &router::root, {}},
      {"/status.html", false, &router::page, {}},
      {"/1/status", false, &router::incidents, {}},
      {"/healthz", false, &router::healthz, {}},
      {"/readyz", false, &router::readyz, {}},
      {"/metrics", false, &router::metrics, {}},
      {"/2/status", false, &router::status, {}},
      {"/2/nodes", false, &router::nodes, {}},
      {"/2/nodes/", false, &router::node, {}},
      {"/2/instances", false, &router::instances, {}},
      {"/2/instances/", true, &router::repair, {}, "/repair"},
      {"/2/instances/", false, &router::instance, {}},
      {"/2/advice",
       false,
       &router::advice,
       {"all", "phase", "needed", "outlook", "after", "limit"}},
      {"/2/decisions", false, &router::decisions, {"limit", "after", "object"}},
      {"/2/explain/", false, &router::explain, {}},
      {"/2/errands", false, &router::errands, {}},
      {"/2/errands", true, &router::begin_errand, {}},
      {"/2/errands/", true, &router::stop_errand, {}, "/stop"},
      {"/2/errands/", false, &router::errand, {}},
      {"/2/plan", false, &router::plan, {}},
      {"/2/balance", false, &router::balance, {}},
      {"/2/balance/plan", true, &router::plan_balance, {}},
      {"/2/pause", true, &router::pause, {}},
      {"/2/resume", true, &router::resume, {}},
    };
    return all;
  }

  /// True if `entry` is for this path; then `x.rest` is filled.
  static bool fits(const route& entry, call& x) {
    std::string_view path = entry.path;
    std::string_view end = entry.end;
    std::string_view asked = x.to.path;
    if (path.size() == 1 || path.back() != '/')
      return asked == path;
    if (asked.size() <= path.size() + end.size()
        || asked.substr(0, path.size()) != path
        || asked.substr(asked.size() - end.size()) != end)
      return false;
    x.rest = asked.substr(path.size(), asked.size() - path.size() - end.size());
    return true;
  }

  static bool allows(const route& entry, const std::string& method) {
    return entry.post ? method == "POST" : method == "GET" || method == "HEAD";
  }

  /// The entry for the same path by the other method, or null.
  static const route* twin_of(const route& entry) {
    const auto& all = table();
    auto i = std::find_if(all.begin(), all.end(), [&](const route& x) {
      return x.post != entry.post && std::string_view{x.path} == entry.path
             && std::string_view{x.end} == entry.end;
    });
    return i == all.end() ? nullptr : &*i;
  }

  static void refuse_method(const call& x, bool post, bool both) {
    std::string allowed = both   ? "GET, HEAD, POST"
                          : post ? "POST"
                                 : "GET, HEAD";
    auto answer
      = error_response(405, "wrong-method",
                       fmt::format("'{}' takes {} only", x.to.path, allowed));
    answer.headers.emplace_back("Allow", allowed);
    x.done(answer);
  }

  /// The machines' paths take any parameter, so that a probe may add its own.
  static std::string unknown_parameter(const call& x,
                                       const std::set<std::string>& known) {
    if (x.to.path.rfind("/2/", 0) != 0)
      return "";
    for (const auto& [name, value] : x.to.query)
      if (known.count(name) == 0)
        return fmt::format("'{}' takes no parameter '{}'", x.to.path, name);
    return "";
  }

  using on_answer = std::function<void(view_answer&)>;

  /// Asks the view; faults are answered here.
  void ask(view_query what, reply done, on_answer then) {
    to_.ask(std::move(what), [done = std::move(done),
                              then = std::move(then)](result<view_answer> got) {
      if (!got)
        return done(fault_response(got.why()));
      then(*got);
    });
  }

  void ask(view_subject subject, reply done, on_answer then) {
    ask(view_query{subject, "", decisions_default, 0}, std::move(done),
        std::move(then));
  }

  /// Asks for the status, with a deadline of its own.
  void ask_soon(const reply& done,
                std::function<response(const status_row&)> then) {
    first_only first;
    auto give_back = set_limit(on_, rules_.health_limit, first, [done] {
      done(text_response(503, "the view does not answer\n"));
    });
    to_.ask(view_query{}, [first, give_back, done,
                           then = std::move(then)](result<view_answer> got) {
      if (!first.claim())
        return;
      give_back();
      done(got ? then(got->status)
               : text_response(
                 503, "the view does not answer: " + got.why().text + "\n"));
    });
  }

  void root(call x) {
    if (x.from.accept.find("text/html") != std::string::npos)
      return page(std::move(x));
    response versions;
    versions.body = "[1]";
    versions.headers.emplace_back("Vary", "Accept");
    x.done(versions);
  }

  void page(call x) {
    gather(x.done, page_decisions,
           [done = x.done](view_answer& all) { done(page_response(all)); });
  }

  void advice(call x) {
    auto q = read_advice_query(x.to.query);
    if (!q)
      return x.done(bad_request(q.why().text));
    gather(x.done, advice_decisions_max,
           [done = x.done, q = *q](view_answer& all) {
             done(json_response(render_advice(all, q)));
           });
  }

  /// Everything, with so many of the last decisions.
  void gather(reply done, std::uint32_t decisions, on_answer then) {
    // One after the other: each part is filled only if asked for.
    auto all = std::make_shared<view_answer>();
    auto me = shared_from_this();
    auto last = [done, all, then, me, decisions](view_answer& instances) {
      all->instances = std::move(instances.instances);
      me->ask(view_query{view_subject::decisions, "", decisions, 0}, done,
              [all, then](view_answer& got) {
                all->status = std::move(got.status);
                all->decisions = std::move(got.decisions);
                then(*all);
              });
    };
    ask(view_subject::nodes, done, [done, all, last, me](view_answer& nodes) {
      all->nodes = std::move(nodes.nodes);
      me->ask(view_subject::instances, done, last);
    });
  }

  void incidents(call x) {
    ask(view_subject::nodes, x.done, [done = x.done](view_answer& got) {
      done(json_response(render_incidents(got.nodes)));
    });
  }

  void healthz(call x) {
    ask_soon(x.done,
             [](const status_row&) { return text_response(200, "ok\n"); });
  }

  void readyz(call x) {
    ask_soon(x.done, [limit = rules_.reading_max_age](const status_row& s) {
      const auto& lease = s.right_to_act;
      if (!lease.held || lease.until <= s.now)
        return text_response(503, "no right to act: " + lease.text + "\n");
      if (s.polled == never)
        return text_response(503, "the cluster was never read: " + s.poll_error
                                    + "\n");
      if (s.now - s.polled > limit)
        return text_response(
          503, fmt::format(
                 "the last reading of the cluster is {} s old, at "
                 "most {} s are fresh: {}\n",
                 std::chrono::floor<seconds>(s.now - s.polled).count(),
                 std::chrono::floor<seconds>(limit).count(), s.poll_error));
      return text_response(200, "ready\n");
    });
  }

  void metrics(call x) {
    auto me = shared_from_this();
    ask(view_subject::status, x.done, [done = x.done, me](view_answer& got) {
      // A balancer that does not answer takes no other metric along.
      auto then = [done, me,
                   status = std::move(got.status)](result<balance_sheet> how) {
        auto more = me->to_.metrics_extra;
        done(metrics_response(metrics_text(status, how ? &*how : nullptr)
                              + (more ? more() : "")));
      };
      me->to_.balance(balance_query{}, std::move(then));
    });
  }

  void plan(call x) {
    auto me = shared_from_this();
    gather(x.done, 1, [done = x.done, me](view_answer& all) {
      auto then = [done, all = std::move(all)](result<balance_sheet> how) {
        done(how ? json_response(render_next(all, *how))
                 : fault_response(how.why()));
      };
      me->to_.balance(balance_query{}, std::move(then));
    });
  }

  void balance(call x) { show_balance(x, to_); }

  void plan_balance(call x) { order_plan(x, to_, rules_); }

  void status(call x) {
    ask(view_subject::status, x.done, [done = x.done](view_answer& got) {
      done(json_response(render(got.status)));
    });
  }

  void nodes(call x) {
    ask(view_subject::nodes, x.done, [done = x.done](view_answer& got) {
      done(json_response(render_list("nodes", got.nodes)));
    });
  }

  void instances(call x) {
    ask(view_subject::instances, x.done, [done = x.done](view_answer& got) {
      done(json_response(render_list("instances", got.instances)));
    });
  }

  void node(call x) {
    ask(view_query{view_subject::explain, node_object(x.rest), 1, 0}, x.done,
        [done = x.done, name = x.rest](view_answer& got) {
          done(got.nodes.empty() ? no_such("node", name)
                                 : json_response(render(got.nodes.front())));
        });
  }

  void instance(call x) {
    ask(view_query{view_subject::explain, instance_object(x.rest),
                   instance_decisions, 0},
        x.done, [done = x.done, name = x.rest](view_answer& got) {
          done(got.instances.empty() ? no_such("instance", name)
                                     : json_response(render_explained(got)));
        });
  }

  void repair(call x) { order_repair(x, to_, rules_); }

  void decisions(call x) {
    auto limit = decisions_default;
    std::uint64_t after = 0;
    auto& query = x.to.query;
    if (query.count("limit") != 0
        && (!read_number(query["limit"], limit) || limit < 1
            || limit > decisions_max))
      return x.done(bad_request(
        fmt::format("'limit' is '{}', it must be a number from 1 to {}",
                    query["limit"], decisions_max)));
    if (query.count("after") != 0 && !read_number(query["after"], after))
      return x.done(bad_request(
        fmt::format("'after' is '{}', it must be the 'seq' of a decision",
                    query["after"])));
    ask(view_query{view_subject::decisions, query["object"], limit, after},
        x.done, [done = x.done](view_answer& got) {
          done(json_response(render_list("decisions", got.decisions)));
        });
  }

  void explain(call x) {
    ask(view_query{view_subject::explain, x.rest, decisions_default, 0}, x.done,
        [done = x.done, object = x.rest](view_answer& got) {
          if (!got.found || (got.nodes.empty() && got.instances.empty()))
            return done(no_such("node or instance", object));
          json all{{"object", object}};
          all.update(render_list("nodes", got.nodes));
          all.update(render_list("instances", got.instances));
          all.update(render_list("decisions", got.decisions));
          if (!got.instances.empty())
            put_forecast(all["instances"].front(),
                         outlook::forecast_for(
                           got.instances.front(), got.status,
                           outlook::words_of(got.nodes, got.status.now)));
          done(json_response(all));
        });
  }

  void errands(call x) { list_errands(x, to_, rules_); }

  void begin_errand(call x) { order_errand(x, to_, rules_); }

  void stop_errand(call x) { order_stop(x, to_, rules_); }

  void errand(call x) { show_errand(x, to_, rules_); }

  void pause(call x) { order_pause(x, to_, rules_, true); }

  void resume(call x) { order_pause(x, to_, rules_, false); }

  loop& on_;
  backend to_;
  route_rules rules_;
};

} // namespace

handler make_routes(loop& on, backend to, const route_rules& rules) {
  auto x = std::make_shared<router>(on, std::move(to), rules);
  return [x](request from, reply done) {
    x->handle(std::move(from), std::move(done));
  };
}

} // namespace orderly::io::http
