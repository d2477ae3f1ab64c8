// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/http/incidents.hpp"

#include "io/http/answers.hpp"
#include "io/http/call.hpp"
#include "io/http/orders.hpp"
#include "io/json/event_json.hpp"
#include "io/json/old_paths.hpp"
#include "io/json/render.hpp"
#include "io/json/strict_reader.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>

#include <fmt/format.h>

namespace orderly::io::http {

namespace {

using nlohmann::json;
using text_result = result<std::string>;

/// Before what is remembered was read there is no list, and never an empty one
/// that is a lie.
fault unread() {
  return {fault_kind::unreachable,
          "repair events are still being read from memory; try again in a "
          "moment"};
}

/// `kind` goes first into an object that is text already.
std::string with_kind(const char* kind, const std::string& object) {
  return fmt::format(R"({{"kind":"{}",{})", kind, object.substr(1));
}

std::string incident_of(const node_row& x) {
  const auto& s = x.standing;
  return to_text({{"uuid", s.incident},
                  {"node-name", x.name},
                  {"phase", to_string(s.phase)},
                  {"why", s.reason},
                  {"waits_for", s.waits_for},
                  {"since", render_time(s.since)}});
}

std::string incident_of(const instance_row& x) {
  const auto& s = x.standing;
  return to_text({{"uuid", s.incident},
                  {"instance", x.name},
                  {"node-name", x.primary},
                  {"phase", s.phase ? to_string(*s.phase) : "unknown"},
                  {"why", s.why},
                  {"waits_for", s.waits_for},
                  {"jobs", s.jobs}});
}

/// All of them, or those with that UUID.
std::vector<std::string> incidents_of(const scene& all,
                                      const std::string& uuid) {
  auto wanted = [&uuid](const std::string& x) {
    return !x.empty() && (uuid.empty() || x == uuid);
  };
  std::vector<std::string> result;
  for (const auto& x : all.events)
    if (wanted(x.uuid))
      result.push_back(with_kind("event", event_text(x)));
  for (const auto& x : all.nodes)
    if (wanted(x->standing.incident))
      result.push_back(with_kind("node", incident_of(*x)));
  for (const auto& x : all.instances)
    if (wanted(x->standing.incident))
      result.push_back(with_kind("instance", incident_of(*x)));
  return result;
}

std::string agent_text(const agent_row& x) {
  return to_text({{"node", x.node},
                  {"state", to_string(x.how)},
                  {"why", x.why},
                  {"key", x.key},
                  {"tagged", x.tagged},
                  {"met", x.met},
                  {"asked", render_time(x.asked)},
                  {"heard", render_time(x.heard)},
                  {"missed", x.missed}});
}

/// What a body says of the state that an order is for, if it says so.
result<std::optional<std::uint64_t>> read_serial(const std::string& body) {
  std::optional<std::uint64_t> serial;
  if (body.empty())
    return serial;
  auto x = parse_strictly(body);
  if (!x)
    return x.why();
  strict_reader in{*x, ""};
  in.read("serial_no", serial);
  if (in.wrong().empty() && !serial)
    in.complain("serial_no", "is missing");
  if (auto wrong = in.wrong(); !wrong.empty())
    return fault{fault_kind::bad_input, "the body cannot be taken: " + wrong};
  return serial;
}

response response_to(const result<event_order_answer>& got,
                     const std::string& uuid) {
  if (!got)
    return fault_response(got.why());
  switch (got->what) {
  case event_order_answer::outcome::done:
    return json_response({{"done", true}, {"uuid", uuid}, {"text", got->text}});
  case event_order_answer::outcome::unknown:
    return error_response(404, "not-found", got->text);
  case event_order_answer::outcome::refused:
    break;
  }
  return error_response(409, "refused", got->text);
}

} // namespace

void send_old_path(const call& x, const reading_room& in) {
  cook(x, in, [path = x.to.path](const scene& all, renderer&) -> text_result {
    auto answer = answer_old_path(path, all);
    if (!answer || answer->status != 200)
      return unread();
    return answer->body;
  });
}

void send_incidents(const call& x, const reading_room& in) {
  cook(x, in, [](const scene& all, renderer&) -> text_result {
    if (!all.status.events_read)
      return unread();
    return fmt::format("{{\"incidents\":[{}]}}\n",
                       fmt::join(incidents_of(all, {}), ","));
  });
}

void send_incident(const call& x, const reading_room& in) {
  cook(x, in, [uuid = x.rest](const scene& all, renderer&) -> text_result {
    if (!all.status.events_read)
      return unread();
    auto found = incidents_of(all, uuid);
    if (found.empty())
      return no_such("incident", uuid);
    return found.front() + "\n";
  });
}

void send_agents(const call& x, const reading_room& in) {
  cook(x, in, [](const scene& all, renderer&) -> text_result {
    std::vector<std::string> rows;
    if (all.agents)
      for (const auto& row : *all.agents)
        rows.push_back(agent_text(row));
    return fmt::format("{{\"asked\":{},\"agents\":[{}]}}\n",
                       all.agents ? "true" : "false", fmt::join(rows, ","));
  });
}

void order_about_event(const call& x, const backend& to,
                       const route_rules& rules, event_verb verb) {
  if (turned_away(x, rules))
    return;
  auto serial = read_serial(x.from.body);
  if (!serial)
    return x.done(
      bad_request(serial.why().text
                  + "; it must be empty or a JSON object like {\"serial_no\": "
                    "7}"));
  to.event({x.rest, verb, peer_name(x.from.uid), *serial},
           [done = x.done, uuid = x.rest](result<event_order_answer> got) {
             done(response_to(got, uuid));
           });
}

} // namespace orderly::io::http
