// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/console/commands.hpp"

#include "io/console/balance.hpp"
#include "io/console/balance_sheets.hpp"
#include "io/console/errand_sheets.hpp"
#include "io/console/exchange.hpp"
#include "io/console/incident_sheets.hpp"
#include "io/console/json_parts.hpp"
#include "io/console/sheets.hpp"
#include "io/console/what_if.hpp"
#include "io/json/escape.hpp"
#include "io/json/render.hpp"
#include "io/query/target.hpp"

#include <nlohmann/json.hpp>

#include <ostream>

#include <fmt/format.h>

namespace orderly::io::console {

namespace {

using nlohmann::json;

std::string decisions_target(const command_line& line, std::uint64_t after) {
  auto target = fmt::format("/2/decisions?limit={}", line.limit);
  if (after > 0)
    target += fmt::format("&after={}", after);
  if (!line.object.empty())
    target += "&object=" + http::percent_encode(line.object);
  return target;
}

std::string advice_target(const command_line& line, const std::string& after) {
  std::string target = "/2/advice?limit=2000";
  if (line.all)
    target += "&all=1";
  if (!line.phase.empty())
    target += "&phase=" + http::percent_encode(line.phase);
  if (!line.needed.empty())
    target += "&needed=" + http::percent_encode(line.needed);
  if (!after.empty())
    target += "&after=" + http::percent_encode(after);
  return target;
}

std::string incident_target(const command_line& line, const char* what) {
  return "/2/incidents/" + http::percent_encode(line.object) + what;
}

std::string serial_body(const command_line& line) {
  return line.serial_no ? http::to_text(json{{"serial_no", *line.serial_no}})
                        : std::string{};
}

question incident_order(const command_line& line, const char* what) {
  return {"POST", incident_target(line, what), serial_body(line),
          "orderly incident " + line.object};
}

question question_for(const command_line& line) {
  switch (line.what) {
  case verb::status:
  case verb::version:
    return {"GET", "/2/status", ""};
  case verb::nodes:
    return {"GET", "/2/nodes", ""};
  case verb::instances:
    return {"GET", "/2/instances", ""};
  case verb::decisions:
    return {"GET", decisions_target(line, 0), ""};
  case verb::explain:
    return {"GET", "/2/explain/" + http::percent_encode(line.object), ""};
  case verb::advice:
    return {"GET", advice_target(line, ""), ""};
  case verb::repair:
    return {"POST",
            "/2/instances/" + http::percent_encode(line.object) + "/repair",
            http::to_text(json{{"type", line.type}}),
            "orderly explain " + line.object};
  case verb::errands:
    return {"GET", "/2/errands", ""};
  case verb::errand:
    return {line.stop ? "POST" : "GET",
            "/2/errands/" + http::percent_encode(line.object)
              + (line.stop ? "/stop" : ""),
            "", line.stop ? "orderly errand " + line.object : ""};
  case verb::agents:
    return {"GET", "/2/agents", ""};
  case verb::incidents:
    return {"GET", "/2/incidents", ""};
  case verb::incident:
    return {"GET", incident_target(line, ""), ""};
  case verb::cancel:
    return incident_order(line, "/cancel");
  case verb::ack:
    return incident_order(line, "/ack");
  case verb::forget:
    return incident_order(line, "/forget");
  case verb::balance:
    return {"GET", "/2/balance", ""};
  case verb::plan:
    return {"GET", "/2/plan", ""};
  case verb::pause:
    return {"POST", "/2/pause", http::to_text(json{{"reason", line.reason}}),
            "orderly status"};
  case verb::resume:
    return {"POST", "/2/resume", "", "orderly status"};
  }
  return {};
}

/// What an order brought, and what has to be known about it.
std::string done_text(const json& x) {
  auto text = word(x, "text");
  if (auto id = word(x, "repair"); !id.empty())
    text = fmt::format("repair {}: {}", id, text);
  if (auto note = word(x, "note"); !note.empty())
    text += "; " + note;
  return text.empty() ? "done" : text;
}

/// Only what says so was done: something else may listen at the socket.
bool is_done(const json& x) {
  auto found = x.find("done");
  return found != x.end() && found->is_boolean() && found->get<bool>();
}

bool is_list(const json& x, const char* name) {
  return part(x, name).is_array();
}

/// What orderlyd says is never less than this: what says less is another
/// program, and nothing that it leaves out is an empty list.
bool answers(const command_line& line, const json& x) {
  switch (line.what) {
  case verb::status:
    return part(x, "guard").is_object() && part(x, "right_to_act").is_object();
  case verb::nodes:
    return is_list(x, "nodes");
  case verb::instances:
  case verb::advice:
    return is_list(x, "instances");
  case verb::explain:
  case verb::decisions:
    return is_list(x, "decisions");
  case verb::errands:
    return is_list(x, "errands");
  case verb::errand:
    return word(x, "id") == line.object && is_list(x, "rows");
  case verb::agents:
    return is_list(x, "agents");
  case verb::incidents:
    return is_list(x, "incidents");
  case verb::incident:
    return word(x, "uuid") == line.object;
  case verb::balance:
    return part(x, "enabled").is_boolean();
  case verb::plan:
    return part(x, "something").is_boolean();
  case verb::pause:
  case verb::resume:
  case verb::repair:
  case verb::cancel:
  case verb::ack:
  case verb::forget:
  case verb::version:
    return true; // see is_done
  }
  return false;
}

/// Of 2,000 instances each; whoever has more to say is no orderlyd.
constexpr int pages_max = 100;

/// All pages of the advice as one.
heard listen_to_advice(const command_line& line, surroundings& with) {
  auto all = listen(line, with, question_for(line));
  for (int pages = 1; all.code == exit_ok && all.body["instances"].is_array();
       ++pages) {
    auto after = word(all.body, "next_after");
    if (after.empty())
      break;
    if (pages == pages_max)
      return {tell(with, exit_failed, strange_answer(line.socket)), {}, {}};
    auto more = listen(line, with, {"GET", advice_target(line, after), ""});
    if (more.code != exit_ok)
      return more;
    auto& rows = more.body["instances"];
    if (rows.is_array())
      for (auto& row : rows)
        all.body["instances"].push_back(std::move(row));
    all.body["cut"] = false;
    // A daemon that does not get ahead would keep us here for ever.
    all.body["next_after"] = word(more.body, "next_after") > after
                               ? more.body["next_after"]
                               : json(nullptr);
  }
  return all;
}

bool is_order(verb x) {
  return x == verb::pause || x == verb::resume || x == verb::repair
         || x == verb::cancel || x == verb::ack || x == verb::forget;
}

std::string sheet(const command_line& line, const json& x,
                  const surroundings& with) {
  table_style style{line.headers, line.separator};
  switch (line.what) {
  case verb::nodes:
    return node_sheet(x, style, with.now());
  case verb::instances:
    return instance_sheet(x, style);
  case verb::decisions:
    return decision_sheet(x, style);
  case verb::advice:
    return advice_sheet(x, style);
  case verb::errands:
    return errand_list_sheet(x, style, with.now());
  case verb::errand:
    return errand_detail_sheet(x, style, with.now());
  case verb::agents:
    return agent_sheet(x, style, with.now());
  case verb::incidents:
    return incident_list_sheet(x, style);
  case verb::incident:
    return incident_sheet(x, style, with.now());
  case verb::explain:
    return explain_sheet(x, style, with.now());
  case verb::balance:
    return balance_status_sheet(x, style, with.now());
  default:
    return status_sheet(x, style, with.now());
  }
}

std::uint64_t last_seq(const json& x, std::uint64_t before) {
  auto found = x.find("decisions");
  if (found == x.end() || !found->is_array() || found->empty())
    return before;
  const auto& last = found->back();
  if (!last.is_object() || !last.contains("seq")
      || !last["seq"].is_number_unsigned())
    return before;
  return std::max(before, last["seq"].get<std::uint64_t>());
}

/// Prints what is there, then what comes; as JSON one object a line.
int follow(command_line line, surroundings& with) {
  std::uint64_t after = 0;
  do {
    auto x = listen(line, with, {"GET", decisions_target(line, after), ""});
    if (x.code != exit_ok)
      return x.code;
    if (!answers(line, x.body))
      return tell(with, exit_failed, strange_answer(line.socket));
    auto next = last_seq(x.body, after);
    if (next > after || after == 0) {
      if (!line.json)
        with.out << sheet(line, x.body, with);
      else if (x.body.contains("decisions"))
        for (const auto& entry : x.body["decisions"])
          with.out << http::to_text(entry) << "\n";
      with.out.flush();
    }
    line.headers = false;
    // From the second round on nothing is left out.
    line.limit = 10000;
    after = next;
    if (!with.out)
      return tell(with, exit_failed, "cannot write the output");
  } while (with.go_on());
  return exit_ok;
}

int run_line(const command_line& line, surroundings& with) {
  if (line.what == verb::version) {
    if (line.json)
      with.out << http::to_text(json{{"version", with.version}}) << "\n";
    else
      with.out << "orderly " << with.version << "\n";
    with.out.flush();
    return with.out ? exit_ok
                    : tell(with, exit_failed, "cannot write the output");
  }
  if (line.what == verb::decisions && line.follow)
    return follow(line, with);
  if (line.what == verb::balance && line.dry_run)
    return show_plan(line, with);
  if (line.what == verb::plan)
    return line.changes.empty() ? show_next(line, with)
                                : show_what_if(line, with);
  auto x = line.what == verb::advice ? listen_to_advice(line, with)
                                     : listen(line, with, question_for(line));
  if (x.code != exit_ok)
    return x.code;
  if (!answers(line, x.body))
    return tell(with, exit_failed, strange_answer(line.socket));
  if (line.what == verb::advice && !advice_remark(x.body).empty())
    tell(with, exit_ok, advice_remark(x.body));
  if (line.what == verb::errand && line.stop)
    tell(with, exit_ok,
         fmt::format("nothing more of it is begun, and what has not begun is "
                     "taken back; what runs goes on to its end. How to undo "
                     "what was done is among its remarks when it has ended: "
                     "orderly errand {}",
                     line.object));
  if (is_order(line.what) && !is_done(x.body))
    return tell(with, exit_failed,
                fmt::format("what answers at {} does not say that it is done; "
                            "see whether it holds: orderly status",
                            line.socket));
  if (line.json)
    with.out << http::to_text(x.body) << "\n";
  else if (is_order(line.what))
    tell(with, exit_ok, done_text(x.body));
  else
    with.out << sheet(line, x.body, with);
  with.out.flush();
  return with.out ? int{exit_ok}
                  : tell(with, exit_failed, "cannot write the output");
}

} // namespace

int run(const command_line& line, surroundings& with) {
  try {
    return run_line(line, with);
  } catch (const json::exception&) {
    return tell(with, exit_failed, strange_answer(line.socket));
  }
}

} // namespace orderly::io::console
