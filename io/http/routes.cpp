// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/http/routes.hpp"

#include "actors/policy/foresight/tell.hpp"
#include "io/door/origin.hpp"
#include "io/http/answer_limit.hpp"
#include "io/http/answers.hpp"
#include "io/http/balance.hpp"
#include "io/http/call.hpp"
#include "io/http/errands.hpp"
#include "io/http/incidents.hpp"
#include "io/http/orders.hpp"
#include "io/http/readiness.hpp"
#include "io/http/reading.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

namespace orderly::io::http {

namespace {

/// Who may ask.
enum class audience {
  monitors, ///< whoever reaches the port
  readers,  ///< the sockets, or everybody if the settings say so
};

std::set<std::string> list_words() {
  return {std::begin(list_parameters), std::end(list_parameters)};
}

class router : public std::enable_shared_from_this<router> {
public:
  router(loop& doors, loop& kitchen, backend to, const route_rules& rules)
    : doors_(doors),
      to_(std::move(to)),
      rules_(rules),
      in_{std::make_shared<snapshots>(doors, kitchen, to_.source),
          std::make_shared<heavy_limit>(rules.heavy_max), rules.own_uid} {
    to_.ask = [shown = in_.shown](view_query q, auto then) {
      shown->with_scene([q = std::move(q), then](result<scene_ptr> got) {
        if (!got)
          return then(got.why());
        then(foresight::tell(**got, q));
      });
    };
  }

  void handle(request from, reply done) {
    if (auto bad = stranger(from))
      return done(*bad);
    auto to = parse_target(from.target);
    if (!to)
      return done(bad_request(to.why().text));
    call x{std::move(from), std::move(*to), {}, std::move(done)};
    if (x.to.path == "/1/")
      x.to.path = "/1"; // the original takes both
    if (cancels(x)) {
      x.from.method = "POST";
      x.to.path += "/cancel";
    }
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
      if (entry.to == audience::readers && sees_little(x))
        return refuse_reader(x);
      if (entry.post)
        forget_after(x);
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
    audience to = audience::readers;
    const char* end = ""; ///< what that something has to be followed by
  };

  static const std::vector<route>& table() {
    constexpr auto monitors = audience::monitors;
    constexpr auto readers = audience::readers;
    static const std::vector<route> all{
      {"/", false, &router::root, {}, monitors},
      {"/status.html", false, &router::page, {}, monitors},
      {"/1", false, &router::old_path, {}, monitors},
      {"/1/status", false, &router::old_path, {}},
      {"/1/jobs", false, &router::old_path, {}},
      {"/1/evacuated", false, &router::old_path, {}},
      {"/healthz", false, &router::healthz, {}, monitors},
      {"/readyz", false, &router::readyz, {}, monitors},
      {"/metrics", false, &router::metrics, {}, monitors},
      {"/2/status", false, &router::status, {}, monitors},
      {"/2/nodes", false, &router::nodes, list_words()},
      {"/2/nodes/", false, &router::node, {}},
      {"/2/instances", false, &router::instances, list_words()},
      {"/2/instances/", true, &router::repair, {}, readers, "/repair"},
      {"/2/instances/", false, &router::instance, {}},
      {"/2/advice",
       false,
       &router::advice,
       {"all", "phase", "needed", "outlook", "after", "limit"}},
      {"/2/decisions", false, &router::decisions, {"limit", "after", "object"}},
      {"/2/explain/", false, &router::explain, {}},
      {"/2/agents", false, &router::agents, {}},
      {"/2/incidents", false, &router::incidents, {}},
      {"/2/incidents/", true, &router::cancel, {}, readers, "/cancel"},
      {"/2/incidents/", true, &router::ack, {}, readers, "/ack"},
      {"/2/incidents/", true, &router::forget, {}, readers, "/forget"},
      {"/2/incidents/", false, &router::incident, {}},
      {"/2/errands", false, &router::errands, {}},
      {"/2/errands", true, &router::begin_errand, {}},
      {"/2/errands/", true, &router::stop_errand, {}, readers, "/stop"},
      {"/2/errands/", false, &router::errand, {}},
      {"/2/ha", false, &router::ha, {}},
      {"/2/ha", true, &router::turn_ha, {}},
      {"/2/plan", false, &router::plan, {}},
      {"/2/balance", false, &router::balance, {}},
      {"/2/balance/plan", true, &router::plan_balance, {}},
      {"/2/pause", true, &router::pause, {}},
      {"/2/resume", true, &router::resume, {}},
    };
    return all;
  }

  /// To take an incident away is the other name of canceling it.
  static bool cancels(const call& x) {
    constexpr std::string_view one = "/2/incidents/";
    return x.from.method == "DELETE" && x.to.path.starts_with(one)
           && x.to.path.find('/', one.size()) == std::string::npos;
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

  // --- who asks
  // -----------------------------------------------------------------

  /// By a person, in `http.hosts`.
  [[nodiscard]] bool is_named(const std::string& host) const {
    auto now = rules_.audience_now();
    const auto& all = now->hosts;
    return std::find(all.begin(), all.end(), host) != all.end();
  }

  /// A name that leads here, as the administrators or the cluster know it.
  [[nodiscard]] bool is_ours(const std::string& host) const {
    if (is_nobodys_name(host) || is_named(host))
      return true;
    auto all = in_.shown->last();
    return all && (host == all->status.cluster || host == all->status.master);
  }

  /// What is said to a request that a stranger's page has sent, perhaps.
  [[nodiscard]] std::optional<response> stranger(const request& x) const {
    if (x.through != door_kind::tcp)
      return std::nullopt; // no browser comes in there
    if (!x.host.empty()) {
      auto host = host_of(x.host);
      if (!host || !is_ours(*host))
        return error_response(421, "misdirected",
                              "this service goes by other names than the Host "
                              "of this request; add it to http.hosts if it "
                              "does not");
    }
    if (x.origin.empty())
      return std::nullopt;
    // Another port, or another machine, is another site, whatever its name.
    auto origin = host_of_origin(x.origin);
    if (is_origin_of(x.origin, x.host) || (origin && is_named(*origin)))
      return std::nullopt;
    return error_response(403, "foreign-origin",
                          "pages of other sites may not ask here");
  }

  [[nodiscard]] bool sees_little(const call& x) const {
    return x.from.through == door_kind::tcp && !rules_.audience_now()->show_all;
  }

  static void refuse_reader(const call& x) {
    x.done(error_response(
      403, "forbidden",
      fmt::format("'{}' is not shown to everybody who can reach this port: use "
                  "the command 'orderly' or the socket http.reader_socket, or "
                  "set http.public to \"all\"",
                  x.to.path)));
  }

  /// Who changed something finds it changed. Who was refused changed nothing,
  /// and must not make others wait.
  void forget_after(call& x) {
    x.done = [done = x.done, shown = in_.shown, &doors = doors_](response r) {
      doors.post([done, shown, r = std::move(r)] {
        if (r.status / 100 != 4)
          shown->forget();
        done(r);
      });
    };
  }

  // --- reading
  // ------------------------------------------------------------------

  void root(call x) {
    if (x.from.accept.find("text/html") != std::string::npos)
      return page(std::move(x));
    response versions;
    versions.body = "[1]";
    versions.headers.emplace_back("Vary", "Accept");
    x.done(versions);
  }

  void page(call x) {
    send_document(x, in_,
                  sees_little(x) ? document_kind::public_page
                                 : document_kind::page);
  }

  void status(call x) {
    send_document(x, in_,
                  sees_little(x) ? document_kind::public_status
                                 : document_kind::status);
  }

  /// Asks for a scene, with a deadline of its own.
  void ask_soon(const reply& done,
                std::function<response(const status_row&)> then) {
    first_only first;
    auto give_back = set_limit(doors_, rules_.health_limit, first, [done] {
      done(text_response(503, "the view does not answer\n"));
    });
    in_.shown->with_scene(
      [first, give_back, done, then = std::move(then)](result<scene_ptr> got) {
        if (!first.claim())
          return;
        give_back();
        done(got ? then((*got)->status)
                 : text_response(
                   503, "the view does not answer: " + got.why().text + "\n"));
      });
  }

  void healthz(call x) {
    ask_soon(x.done,
             [](const status_row&) { return text_response(200, "ok\n"); });
  }

  void readyz(call x) {
    ask_soon(x.done, [limit = rules_.reading_max_age(),
                      little = sees_little(x)](const status_row& s) {
      return readiness(little ? public_part(s) : s, limit);
    });
  }

  void old_path(call x) { send_old_path(x, in_); }

  void agents(call x) { send_agents(x, in_); }

  void incidents(call x) { send_incidents(x, in_); }

  void incident(call x) { send_incident(x, in_); }

  void metrics(call x) {
    send_document(x, in_,
                  sees_little(x) ? document_kind::public_metrics
                                 : document_kind::metrics);
  }

  void plan(call x) { send_document(x, in_, document_kind::plan); }

  void balance(call x) { send_document(x, in_, document_kind::balance); }

  void nodes(call x) { send_nodes(x, in_); }

  void instances(call x) { send_instances(x, in_); }

  void node(call x) { send_node(x, in_); }

  void instance(call x) { send_instance(x, in_); }

  void advice(call x) { send_advice(x, in_); }

  void decisions(call x) { send_decisions(x, in_); }

  void explain(call x) { send_explanation(x, in_); }

  // --- orders
  // -------------------------------------------------------------------

  void plan_balance(call x) { order_plan(x, to_, rules_); }

  void repair(call x) { order_repair(x, to_, rules_); }

  void cancel(call x) { order_about_event(x, to_, rules_, event_verb::cancel); }

  void ack(call x) { order_about_event(x, to_, rules_, event_verb::ack); }

  void forget(call x) { order_about_event(x, to_, rules_, event_verb::forget); }

  void errands(call x) { list_errands(x, to_, rules_); }

  void begin_errand(call x) { order_errand(x, to_, rules_); }

  void stop_errand(call x) { order_stop(x, to_, rules_); }

  void ha(call x) { list_ha(x, to_, rules_); }

  void turn_ha(call x) { order_ha(x, to_, rules_); }

  void errand(call x) { show_errand(x, to_, rules_); }

  void pause(call x) { order_pause(x, to_, rules_, true); }

  void resume(call x) { order_pause(x, to_, rules_, false); }

  loop& doors_;
  backend to_;
  route_rules rules_;
  reading_room in_;
};

} // namespace

handler make_routes(loop& doors, loop& kitchen, backend to,
                    const route_rules& rules) {
  auto x = std::make_shared<router>(doors, kitchen, std::move(to), rules);
  return [x](request from, reply done) {
    x->handle(std::move(from), std::move(done));
  };
}

} // namespace orderly::io::http
