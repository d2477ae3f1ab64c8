// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/http/reading.hpp"

#include "actors/policy/foresight/forecast.hpp"
#include "actors/policy/foresight/tell.hpp"
#include "io/http/advice.hpp"
#include "io/http/answers.hpp"
#include "io/json/render.hpp"
#include "io/query/values.hpp"

#include <nlohmann/json.hpp>

#include <fmt/format.h>

namespace orderly::io::http {

namespace {

using nlohmann::json;
using text_result = result<std::string>;

constexpr std::uint32_t decisions_default = 100;
constexpr std::uint32_t decisions_max = 10000;
constexpr std::uint32_t instance_decisions = 40;

/// Does `known`, a header such as `W/"a", W/"b"`, have `tag` in it?
bool has_tag(const std::string& known, const std::string& tag) {
  return known == "*" || known.find(tag) != known.npos;
}

/// A large answer takes one of few places until it has left.
response admitted(response x, const reading_room& in, bool may_order) {
  if (x.text().size() < heavy_bytes)
    return x;
  auto ticket = in.heavy->take(may_order);
  if (!ticket)
    return busy_response("too many large answers are on their way to other "
                         "readers; try again in a moment");
  x.ticket = std::move(ticket);
  return x;
}

/// What of a request decides how a document is given.
struct taste {
  std::string known_tags;
  bool takes_gzip = false;
};

taste taste_of(const request& x) {
  return {x.known_tags, x.takes_gzip};
}

response response_of(const document& from, const taste& to) {
  response x;
  x.content_type = from.type;
  x.headers = {{"Cache-Control", "no-cache"},
               {"ETag", from.tag},
               {"Vary", "Accept, Accept-Encoding"}};
  if (from.type.rfind("text/html", 0) == 0)
    x.headers.emplace_back("Content-Security-Policy", page_policy);
  if (has_tag(to.known_tags, from.tag)) {
    x.status = 304;
    return x;
  }
  x.shared = from.text;
  if (to.takes_gzip && from.packed) {
    x.shared = from.packed;
    x.headers.emplace_back("Content-Encoding", "gzip");
  }
  return x;
}

/// Gives the document to who asked.
std::function<void(result<document_ptr>)> given_to(const call& x,
                                                   const reading_room& in) {
  return [done = x.done, to = taste_of(x.from), in,
          owner = may_order(x.from, in.own_uid)](result<document_ptr> got) {
    if (!got)
      return done(fault_response(got.why()));
    done(admitted(response_of(**got, to), in, owner));
  };
}

std::string line_of(const json& x) {
  return to_text(x) + "\n";
}

json explanation(const std::string& object, const view_answer& got) {
  json all{{"object", object}};
  all.update(render_list("nodes", got.nodes));
  all.update(render_list("instances", got.instances));
  all.update(render_list("decisions", got.decisions));
  if (!got.instances.empty())
    put_forecast(
      all["instances"].front(),
      foresight::forecast_for(got.instances.front(), got.status,
                              foresight::words_of(got.nodes, got.status.now)));
  return all;
}

} // namespace

void cook(const call& x, const reading_room& in, text_maker work) {
  in.shown->cook(x.from.target, x.from.takes_gzip, std::move(work),
                 given_to(x, in));
}

void send_document(const call& x, const reading_room& in, document_kind kind) {
  in.shown->get(kind, x.from.takes_gzip, given_to(x, in));
}

void send_nodes(const call& x, const reading_room& in) {
  if (x.to.query.empty())
    return send_document(x, in, document_kind::nodes);
  auto q = read_list_query(x.to.query, node_phases());
  if (!q)
    return x.done(bad_request(q.why().text));
  cook(x, in, [q = *q](const scene& all, renderer& by) {
    return by.list_nodes(all, q) + "\n";
  });
}

void send_instances(const call& x, const reading_room& in) {
  if (x.to.query.empty())
    return send_document(x, in, document_kind::instances);
  auto q = read_list_query(x.to.query, instance_phases());
  if (!q)
    return x.done(bad_request(q.why().text));
  cook(x, in, [q = *q](const scene& all, renderer& by) {
    return by.list_instances(all, q) + "\n";
  });
}

void send_node(const call& x, const reading_room& in) {
  cook(x, in, [name = x.rest](const scene& all, renderer&) -> text_result {
    auto got
      = foresight::tell(all, {view_subject::explain, node_object(name), 1, 0});
    if (got.nodes.empty())
      return no_such("node", name);
    return line_of(render(got.nodes.front()));
  });
}

void send_instance(const call& x, const reading_room& in) {
  cook(x, in, [name = x.rest](const scene& all, renderer&) -> text_result {
    auto got
      = foresight::tell(all, {view_subject::explain, instance_object(name),
                              instance_decisions, 0});
    if (got.instances.empty())
      return no_such("instance", name);
    return line_of(render_explained(got));
  });
}

void send_advice(const call& x, const reading_room& in) {
  if (x.to.query.empty())
    return send_document(x, in, document_kind::advice);
  auto q = read_advice_query(x.to.query);
  if (!q)
    return x.done(bad_request(q.why().text));
  cook(x, in, [q = *q](const scene& all, renderer&) {
    return line_of(render_advice(all_of(all, advice_decisions_max), q));
  });
}

void send_decisions(const call& x, const reading_room& in) {
  view_query q{view_subject::decisions, "", decisions_default, 0};
  auto query = x.to.query;
  if (query.count("limit") != 0
      && (!read_number(query["limit"], q.limit) || q.limit < 1
          || q.limit > decisions_max))
    return x.done(bad_request(
      fmt::format("'limit' is '{}', it must be a number from 1 to {}",
                  query["limit"], decisions_max)));
  if (query.count("after") != 0 && !read_number(query["after"], q.after))
    return x.done(bad_request(fmt::format(
      "'after' is '{}', it must be the 'seq' of a decision", query["after"])));
  q.object = query["object"];
  cook(x, in, [q](const scene& all, renderer&) {
    return line_of(render_list("decisions", foresight::tell(all, q).decisions));
  });
}

void send_explanation(const call& x, const reading_room& in) {
  cook(x, in, [object = x.rest](const scene& all, renderer&) -> text_result {
    auto got = foresight::tell(
      all, {view_subject::explain, object, decisions_default, 0});
    if (!got.found || (got.nodes.empty() && got.instances.empty()))
      return no_such("node or instance", object);
    return line_of(explanation(object, got));
  });
}

} // namespace orderly::io::http
