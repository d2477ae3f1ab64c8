// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "sim/conformance/power.hpp"

#include "actors/policy/settings/power_levels.hpp"
#include "io/cli/power_options.hpp"
#include "io/cli/power_sheets.hpp"
#include "io/console/commands.hpp"
#include "sim/conformance/keys.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace orderly::sim::conformance {

namespace {

using words = std::vector<std::string>;
using differences = std::vector<difference>;

constexpr const char* who = "root";

/// So long after an errand nothing more may come of it.
constexpr millis afterwards = seconds{60};

/// Ganeti's command line as ours; empty: we have none like it.
words our_words(const words& argv) {
  if (argv.size() < 2)
    return {};
  words result{argv.begin() + 1, argv.end()};
  const auto& command = argv[1];
  if (argv[0] == "orderly")
    return power::is_power_command(command) ? result : words{};
  if (argv[0] == "gnt-node" && (command == "power" || command == "health"))
    return result;
  if (argv[0] == "gnt-node" && (command == "info" || command == "modify")) {
    result.insert(result.begin(), "node");
    return result;
  }
  if (argv[0] == "gnt-cluster" && (command == "epo" || command == "verify"))
    return result;
  return {};
}

bool is_reading_errand(const errand_request& x) {
  const auto* power = std::get_if<power_errand>(&x.what);
  return std::holds_alternative<verify_errand>(x.what)
         || (power != nullptr && is_reading(power->verb));
}

// --- the console -------------------------------------------------------------

void say(power_outcome& into, const power::printed& what) {
  into.out += what.out;
  into.err += what.err;
  into.code = what.code;
}

/// True if the person goes on, as the console has it. Without an answer there
/// is no terminal.
bool goes_on(desk_stage& on, errand_request& wanted, words& answers,
             power_outcome& into) {
  auto end = [&into](int code, const std::string& text) {
    into.code = code;
    into.err += text + "\n";
    return false;
  };
  auto dry = wanted;
  dry.dry = true;
  auto sheet = on.hand_in(dry);
  if (!sheet)
    return end(io::console::exit_failed, "the power desk does not answer");
  if (!sheet->refusal.empty()) {
    say(into, power::print(*sheet, wanted));
    return false;
  }
  auto nodes = std::count_if(
    sheet->rows.begin(), sheet->rows.end(), [](const errand_row& x) {
      return x.kind == row_kind::node && !is_final(x.state);
    });
  if (nodes == 0)
    return true;
  into.out += power::question(*sheet, wanted) + "\n";
  if (answers.empty())
    return end(io::console::exit_usage,
               "this asks before it acts, and there is no terminal to ask at");
  auto answer = answers.front();
  answers.erase(answers.begin());
  if (answer != "y" && answer != "Y" && answer != "yes")
    return end(io::console::exit_refused, "not confirmed; nothing was done");
  // What was shown is meant, and not what may have come to it since.
  if (!wanted.count)
    wanted.count = static_cast<std::uint32_t>(nodes);
  return true;
}

/// What is so before anything is asked for.
void prepare(desk_stage& on, const errand_request& wanted,
             power_outcome& into) {
  into.is_reading = into.is_reading || is_reading_errand(wanted);
  const auto* modify = std::get_if<modify_errand>(&wanted.what);
  if (modify != nullptr && modify->powered == true)
    on.let_be_on(modify->node);
}

void run_command(desk_stage& on, const words& args, words& answers,
                 power_outcome& into) {
  auto command = power::read_command(args);
  if (command.help || !command.text.empty()) {
    into.code = command.code;
    (command.code == 0 ? into.out : into.err) += command.text;
    return;
  }
  auto wanted = command.chosen.wanted;
  wanted.who = who;
  prepare(on, wanted, into);
  if (power::is_asked_about(wanted) && !command.chosen.yes
      && !goes_on(on, wanted, answers, into))
    return;
  auto sheet = on.work_off(wanted);
  if (!sheet) {
    into.err += "the errand did not end\n";
    into.code = 1;
    return;
  }
  into.remarks.insert(into.remarks.end(), sheet->remarks.begin(),
                      sheet->remarks.end());
  say(into, power::print(*sheet, wanted));
}

differences play_cli(const json& when, desk_stage& on, power_outcome& into) {
  std::vector<words> lines(1);
  words answers;
  auto some_answers = [&](const json& v) {
    words lines_of_it;
    if (!texts_into(lines_of_it)(v.is_array() ? v : json::array({v})))
      return false;
    for (auto& one : lines_of_it) {
      one.erase(one.find_last_not_of(" \r\n") + 1);
      answers.push_back(std::move(one));
    }
    return true;
  };
  auto more = [&](const json& v) {
    return v.is_array()
           && std::all_of(v.begin(), v.end(), [&](const json& line) {
                return texts_into(lines.emplace_back())(line);
              });
  };
  auto wrong = take_keys(when, "when",
                         {{"tool", of_no_concern},
                          {"argv", texts_into(lines.front())},
                          {"answers", some_answers},
                          {"answer", some_answers},
                          {"stdin", some_answers},
                          {"then", more}});
  if (!wrong.empty())
    return {trouble("when", wrong)};
  for (const auto& argv : lines) {
    auto args = our_words(argv);
    if (args.empty())
      return {{"tool", fmt::format("{}", fmt::join(argv, " ")),
               "it is not built yet"}};
    run_command(on, args, answers, into);
    on.let_pass(afterwards);
  }
  return {};
}

// --- opcodes -----------------------------------------------------------------

bool verb_into(const json& v, power_verb& to) {
  for (auto x : {power_verb::on, power_verb::off, power_verb::cycle,
                 power_verb::status, power_verb::health})
    if (v == to_string(x)) {
      to = x;
      return true;
    }
  return false;
}

/// Opcodes that are errands of the desk.
std::string read_oob_command(const json& op, errand_request& into) {
  power_errand x;
  x.bare = true;
  auto ignore = false;
  auto on_master = false;
  auto wrong = take_keys(
    op, "when.op",
    {{"OP_ID", of_no_concern},
     {"node_names", texts_into(x.nodes)},
     {"node_uuids", [](const json& v) { return v.is_null(); }},
     {"command", [&](const json& v) { return verb_into(v, x.verb); }},
     {"timeout", span_into(x.time_limit)},
     {"ignore_status", flag_into(ignore)},
     {"force_master", flag_into(on_master)},
     {"power_delay", span_into(x.power_delay)}});
  if (wrong.empty() && on_master)
    wrong = "when.op: force_master is not built: the master is switched by "
            "hand";
  x.mark_offline = !ignore;
  into.what = std::move(x);
  return wrong;
}

taker flag_if_set(std::optional<bool>& to) {
  return [&to](const json& v) {
    if (v.is_boolean())
      to = v.get<bool>();
    return v.is_boolean() || v.is_null();
  };
}

std::string read_set_params(const json& op, errand_request& into) {
  modify_errand x;
  auto program = [&](const json& v) {
    if (!v.is_object() || v.size() != 1 || !v.contains("oob_program")
        || !v["oob_program"].is_string())
      return false;
    x.program = v["oob_program"].get<std::string>();
    return true;
  };
  auto wrong = take_keys(op, "when.op",
                         {{"OP_ID", of_no_concern},
                          {"node_name", text_into(x.node)},
                          {"powered", flag_if_set(x.powered)},
                          {"offline", flag_if_set(x.offline)},
                          {"auto_promote", flag_into(x.auto_promote)},
                          {"force", of_no_concern},
                          {"ndparams", program}});
  into.what = std::move(x);
  return wrong;
}

/// The job is a success even if helpers failed, as Ganeti has it; a record
/// that could not be written is no success.
void judge_job(const errand_sheet& sheet, power_outcome& into) {
  into.job_status = "success";
  into.job_error = sheet.refusal;
  auto is_record = sheet.kind == errand_kind::node_modify;
  for (const auto& row : sheet.rows)
    if (is_record && row.state != row_state::done)
      into.job_error += row.text + "\n";
  if (!into.job_error.empty())
    into.job_status = "error";
}

differences play_opcode(const json& when, desk_stage& on, power_outcome& into) {
  json op;
  auto wrong = take_keys(when, "when",
                         {{"tool", of_no_concern}, {"op", [&](const json& v) {
                                                      op = v;
                                                      return v.is_object();
                                                    }}});
  errand_request wanted;
  wanted.who = who;
  auto id = op.is_object() ? op.value("OP_ID", "") : std::string{};
  if (wrong.empty() && id == "OP_OOB_COMMAND")
    wrong = read_oob_command(op, wanted);
  else if (wrong.empty() && id == "OP_NODE_SET_PARAMS")
    wrong = read_set_params(op, wanted);
  else if (wrong.empty())
    return {{"tool", shown(op), "it is not built yet"}};
  if (!wrong.empty())
    return {trouble("when", wrong)};
  prepare(on, wanted, into);
  auto sheet = on.work_off(wanted);
  if (!sheet)
    return {{"the errand", "an end", "it did not end"}};
  into.remarks = sheet->remarks;
  for (const auto& row : sheet->rows)
    into.remarks.push_back(row.text);
  say(into, power::print(*sheet, wanted));
  judge_job(*sheet, into);
  on.let_pass(afterwards);
  return {};
}

// --- afterwards --------------------------------------------------------------

/// Where the cluster keeps no record ours is in force, as the desk tells it.
std::map<node_name, bool> records(desk_stage& on) {
  std::map<node_name, bool> result;
  errand_request question;
  question.what = info_errand{};
  question.who = who;
  auto sheet = on.work_off(question);
  for (const auto& x : on.lab().cluster.record().nodes)
    if (keeps_power_record(x))
      result[x.name] = x.powered;
  if (sheet)
    for (const auto& row : sheet->rows)
      if (row.record)
        result.emplace(row.object, row.record->powered);
  return result;
}

} // namespace

std::vector<difference> play_power(const scenario& x, instant clock,
                                   std::string* said) {
  auto given = read_power_given(x.given);
  if (!given)
    return {trouble("given", given.why().text)};
  desk_stage on{*given, clock};
  if (auto wrong = on.wait_ready(); !wrong.empty())
    return {{"the daemon", "one that is ready", wrong}};
  power_outcome got;
  auto wrong = x.tool == "cli" ? play_cli(x.when, on, got)
                               : play_opcode(x.when, on, got);
  got.entries = on.entries();
  if (said != nullptr) {
    *said = got.out + got.err;
    for (const auto& row : got.entries)
      *said += fmt::format("[{}] {} {}: {}\n", to_string(row.kind), row.object,
                           row.code, row.why);
  }
  if (!wrong.empty())
    return wrong;
  got.calls = on.calls();
  got.deeds = on.deeds();
  got.job_texts = on.job_texts();
  got.powered = records(on);
  const auto& lab = on.lab();
  got.watcher_paused = lab.cluster.watcher_paused_until() > lab.truth.now();
  return judge_power(x.expect, got, lab);
}

} // namespace orderly::sim::conformance
