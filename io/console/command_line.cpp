// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/console/command_line.hpp"

#include "actors/policy/settings/settings.hpp"
#include "messages/ascii.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <sstream>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace orderly::io::console {

namespace {

/// Else an empty one would be none, and a condition that was meant would fall.
std::string whole_number(const std::string& text) {
  auto digits = std::all_of(text.begin(), text.end(),
                            [](char c) { return c >= '0' && c <= '9'; });
  auto good = digits && !text.empty() && (text == "0" || text[0] != '0');
  return good ? std::string{} : "'" + text + "' is no number";
}

/// Else what is asked for would be another thing, or all of them.
std::string spelled_out(const std::string& text) {
  return is_blank(text) ? "it is empty; is a variable of your shell unset?"
                        : std::string{};
}

/// A range has no word on what is no number at all.
std::string finite(const std::string& text) {
  return std::isfinite(std::strtod(text.c_str(), nullptr))
           ? std::string{}
           : "'" + text + "' is no number of seconds";
}

constexpr const char* examples = R"(
Examples:
  orderly status
  orderly nodes --no-headers --separator '|'
  orderly explain web1.example.com
  orderly advice
  orderly repair web1.example.com --type failover
  orderly decisions --object node2.example.com --follow
  orderly pause --reason 'switch maintenance until 14:00'
  orderly power off node3.example.com --reason 'new memory'
  orderly balance --dry-run
  orderly incidents
  orderly plan
  orderly plan --what-if lose=node3.example.com

Exit codes: 0 done; 1 failed; 2 wrong usage; 3 nothing done, or refused by a
guard; 4 not found; 5 orderlyd cannot be reached; 6 not permitted; 10 'plan'
has something to do; 11 'plan --what-if' ends badly; 124 no answer in time, or none to an order that was sent:
whether it holds is not known.)";

/// Everything that the options are bound to until they are complete.
struct draft {
  command_line line;
  std::string output = "table";
  std::string separator;
  bool no_headers = false;
  double timeout_s = 15;
};

void add_common(CLI::App& app, draft& into) {
  into.line.socket = settings{}.http.socket;
  app.add_option("--socket", into.line.socket, "Unix socket of orderlyd")
    ->envname(socket_variable)
    ->type_name("PATH")
    ->capture_default_str();
  app.add_option("--output", into.output, "How data is printed")
    ->check(CLI::IsMember({"table", "json"}))
    ->capture_default_str();
  app.add_flag("--no-headers", into.no_headers,
               "Leave the titles of the columns out");
  app
    .add_option("--separator", into.separator,
                "Put this between fields instead of padding them")
    ->type_name("TEXT");
  app.add_option("--timeout", into.timeout_s, "Seconds to wait for an answer")
    ->check(CLI::Range(0.1, 600.0))
    ->check(finite)
    ->type_name("SECONDS")
    ->capture_default_str();
}

CLI::App* add_verb(CLI::App& app, draft& into, verb what, const char* name,
                   const char* help) {
  auto* x = app.add_subcommand(name, help);
  x->fallthrough();
  x->callback([&into, what] { into.line.what = what; });
  return x;
}

void add_advice(CLI::App& app, draft& into) {
  auto* x = add_verb(app, into, verb::advice, "advice",
                     "What is wrong with instances, what it takes, and what "
                     "will be done");
  x->add_flag("--all", into.line.all, "Also those that are simply healthy");
  x->add_option("--phase", into.line.phase, "Only instances in this phase")
    ->check(CLI::IsMember({"healthy", "needs-repair", "pending", "failed"}));
  x->add_option("--needed", into.line.needed,
                "Only instances that take such a repair")
    ->check(CLI::IsMember(
      {"fix-storage", "migrate", "failover", "reinstall", "none"}));
  x->footer("\nExamples:\n  orderly advice --needed failover\n"
            "  orderly advice --all --output json");
}

void add_repair(CLI::App& app, draft& into) {
  auto* x = add_verb(app, into, verb::repair, "repair",
                     "Have one instance repaired once, whatever its tags "
                     "permit");
  x->add_option("INSTANCE", into.line.object, "Its name")
    ->check(spelled_out)
    ->required();
  x->add_option("--type", into.line.type, "What may be done at most")
    ->check(CLI::IsMember({"fix-storage", "migrate", "failover", "reinstall"}))
    ->required();
  x->footer(
    "\nIt writes a pending tag, which is its own permission, and comes back at "
    "once;\n'orderly explain INSTANCE' tells how it goes. Only what is wrong "
    "is repaired, and\nall other rules stay: no failover without a proof that "
    "the old home is off, none\nwhile paused. A suspended instance is left "
    "alone. With reinstall the disks are new\nand empty.\n"
    "\nExamples:\n  orderly repair web1.example.com --type failover\n"
    "  orderly repair web1.example.com --type migrate --output json");
}

void add_errands(CLI::App& app, draft& into) {
  add_verb(app, into, verb::errands, "errands",
           "What persons want of the power, under way or ended")
    ->footer("\nExample:\n  orderly errands --output json");
  auto* one = add_verb(app, into, verb::errand, "errand",
                       "How one of them goes, row by row; or stop it");
  one->add_option("ID", into.line.object, "As 'orderly errands' lists it")
    ->check(spelled_out)
    ->required();
  one->add_flag("--stop", into.line.stop,
                "Begin nothing more of it, and take back what waits for its "
                "turn; what runs goes on to its end");
  one->footer("\nWhat has not begun is taken back: rows that wait, jobs that "
              "wait in Ganeti's queue,\npower orders that wait at the switch. "
              "When it has ended its remarks name the\nundo of what was done."
              "\n\nExamples:\n  orderly errand power-12\n"
              "  orderly errand power-12 --stop");
}

/// One word about an event.
void add_event_verb(CLI::App& app, draft& into, verb what, const char* name,
                    const char* help, const std::string& more) {
  auto* x = add_verb(app, into, what, name, help);
  x->add_option("UUID", into.line.object, "As 'orderly incidents' lists it")
    ->check(spelled_out)
    ->required();
  x->add_option("--serial-no", into.line.serial_no,
                "Only if it is in this state still, as 'orderly incident' "
                "shows it")
    ->check(whole_number)
    ->type_name("N");
  x->footer(fmt::format("\n{}\n\nExample:\n  orderly {} "
                        "5809407a-06c9-41b8-b1bb-d7516df0972b",
                        more, name));
}

void add_incidents(CLI::App& app, draft& into) {
  add_verb(app, into, verb::agents, "agents",
           "The agents of nodes: who reports, and whose word counts")
    ->footer("\nOf each: whether its last report was heard, by which key, and "
             "whether that is\nthe key of a tag of the node or the one that "
             "was met there first.\n\nExamples:\n  orderly agents\n"
             "  orderly agents --output json");
  add_verb(app, into, verb::incidents, "incidents",
           "What nodes ask for, nodes in trouble, instances under repair")
    ->footer("\nExample:\n  orderly incidents --output json");
  auto* one = add_verb(app, into, verb::incident, "incident",
                       "One of them, with all that is known");
  one->add_option("UUID", into.line.object, "As 'orderly incidents' lists it")
    ->check(spelled_out)
    ->required();
  one->footer("\nExample:\n  orderly incident "
              "5809407a-06c9-41b8-b1bb-d7516df0972b");
  add_event_verb(app, into, verb::cancel, "cancel",
                 "Do nothing more about what a node asks for",
                 "What waits in the queue is called back, what runs goes on to "
                 "its end. The node stays\nas it is by then: drained, or "
                 "offline. 'orderly incident' says so.");
  add_event_verb(app, into, verb::ack, "ack",
                 "Take the tag of an event that has ended off its node",
                 "While the node goes on to report the same nothing is done "
                 "about it again.");
  add_event_verb(app, into, verb::forget, "forget",
                 "Forget an event that has ended",
                 "If the node still reports it, it is a new event: what was "
                 "done is done once more.");
}

/// What would be, of which hwhatif has the words.
void add_what_if(CLI::App& plan, draft& into) {
  auto& line = into.line;
  auto* changes
    = plan
        .add_option("--what-if", line.changes,
                    "Say what would be if this were so; nothing is done")
        ->check(spelled_out)
        ->type_name("CHANGE")
        ->expected(1, -1);
  plan.add_flag("--advise", line.advise, "Say what to buy to make it well")
    ->needs(changes);
  plan
    .add_option("--link", line.link,
                "What each node's network carries, in bits a second")
    ->type_name("SPEED")
    ->needs(changes)
    ->capture_default_str();
  plan
    .add_option("--pools", line.pools,
                "Which node reaches which storage, as for hwhatif")
    ->check(spelled_out)
    ->type_name("FILE")
    ->needs(changes);
  plan
    .add_option("--luxi", line.luxi,
                "The socket of Ganeti's query daemon, if it is not where it is "
                "as a rule")
    ->check(spelled_out)
    ->type_name("PATH")
    ->needs(changes);
}

void add_balance(CLI::App& app, draft& into) {
  auto* balance = add_verb(app, into, verb::balance, "balance",
                           "How balancing stands; or a plan for it");
  auto* dry = balance->add_flag("--dry-run", into.line.dry_run,
                                "Plan for the cluster as it is now, also with "
                                "balancing off; carry nothing out");
  balance
    ->add_option("--explain", into.line.explained,
                 "Say why this instance moves or stays; may be given again")
    ->check(spelled_out)
    ->type_name("INSTANCE")
    ->take_all()
    ->expected(1)
    ->needs(dry);
  balance->footer(
    "\nA plan asks all nodes for their figures, so that it takes some seconds. "
    "Moves of\nlevel 0 can run at once, those of level 1 wait for some of "
    "level 0, and so on.\nGAIN is what the move takes off the score of its "
    "group (a step of a\nlonger way may add to it); COST is 1 for a live "
    "migration.\n"
    "\nExamples:\n  orderly balance\n  orderly balance --dry-run\n"
    "  orderly balance --dry-run --explain web1.example.com\n"
    "  orderly balance --dry-run --output json"
    "\n\nExit codes: 0 there is a plan, with moves or without; 1 there is "
    "none; 4 no such\ninstance; 6 only root and the user of orderlyd may have "
    "one made; others as ever.");
}

void add_plan(CLI::App& app, draft& into) {
  auto* plan = add_verb(app, into, verb::plan, "plan",
                        "All that would be done next, and why; or what would "
                        "be if");
  add_what_if(*plan, into);
  plan->footer(
    "\nRepairs, resets and fences of nodes, what persons ordered and "
    "is not done yet, and\nthe moves to balance that can run at once; "
    "those only if balancing is on, and then\na new plan is made "
    "first. What waits, or is held by a pause, a storm, a spent\n"
    "budget or for want of the right to act, is listed and counts, "
    "too."
    "\n\nWith --what-if nothing of this is shown, but what would be if "
    "all these changes\nwere made at once. Changes are those of hwhatif:"
    "\n  lose=NODE,group:G     drain=NODE,group:G     empty=GROUP"
    "\n  add=N*like:NODE       add=N*MEMORY,DISK,CPUS@GROUP"
    "\n  ram=NODE:+SIZE        "
    "grow=N*MEMORY,DISK,VCPUS,TEMPLATE[:POOL][@GROUP]"
    "\nThe figures are Ganeti's, asked for now, so that it takes the "
    "rights that gnt-node\ntakes; nodes of which orderlyd has proof that "
    "they are down count as dead."
    "\n\nExamples:\n  orderly plan\n  orderly plan --output json"
    "\n  orderly plan --what-if lose=node3.example.com"
    "\n  orderly plan --what-if drain=group:rack2 "
    "add=2*like:node1.example.com --link 10g"
    "\n  orderly plan --what-if lose=group:rack2 --advise --output json"
    "\n\nExit codes: 0 nothing to come; 10 something. With --what-if: 0 "
    "all is well without\na move; 10 well after the moves that are "
    "shown; 11 not well then. Others as ever.");
}

void add_verbs(CLI::App& app, draft& into) {
  auto& line = into.line;
  add_verb(app, into, verb::status, "status",
           "Right to act, guards, budget and counts");
  add_verb(app, into, verb::nodes, "nodes", "Nodes with their phase and why")
    ->footer("\nExample:\n  orderly nodes --output json");
  add_verb(app, into, verb::instances, "instances",
           "Instances with their phase and why");
  auto* decisions = add_verb(app, into, verb::decisions, "decisions",
                             "What was decided, oldest first");
  decisions->add_option("--limit", line.limit, "Show so many of the newest")
    ->check(CLI::Range(1, 10000))
    ->capture_default_str();
  decisions->add_flag("--follow", line.follow, "Go on with what comes");
  decisions->add_option("--object", line.object, "Only about this one")
    ->check(spelled_out)
    ->type_name("NAME");
  decisions->footer("\nExample:\n  orderly decisions --limit 5 --follow");
  auto* explain = add_verb(app, into, verb::explain, "explain",
                           "Why a node or an instance is as it is, and what "
                           "it waits for");
  explain
    ->add_option("OBJECT", line.object, "Name, or node:NAME or instance:NAME")
    ->check(spelled_out)
    ->required();
  explain->footer("\nExample:\n  orderly explain node:node2.example.com");
  add_advice(app, into);
  add_repair(app, into);
  auto* pause = add_verb(app, into, verb::pause, "pause",
                         "Start nothing destructive until 'resume'");
  pause->add_option("--reason", line.reason, "Why, for your colleagues")
    ->type_name("TEXT");
  pause->footer("\nWhat is under way goes on; recovery and reports do, too."
                "\n\nExample:\n  orderly pause --reason 'rack move'");
  add_verb(app, into, verb::resume, "resume", "End a pause");
  add_errands(app, into);
  add_incidents(app, into);
  add_balance(app, into);
  add_plan(app, into);
  add_verb(app, into, verb::version, "version", "Print the version");
}

} // namespace

understood parse_command_line(int argc, const char* const* argv,
                              const std::string& version,
                              const std::string& more_commands) {
  draft into;
  CLI::App app{"orderly keeps Ganeti clusters in order; this asks its daemon.",
               "orderly"};
  app.set_version_flag("--version", "orderly " + version);
  app.require_subcommand(1);
  app.footer(more_commands + examples);
  add_common(app, into);
  add_verbs(app, into);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    std::ostringstream text;
    bool good = app.exit(e, text, text) == 0;
    return {std::nullopt, good ? exit_ok : exit_usage, text.str()};
  }
  // A check would judge the variable, too, and before --help is heard; and of a
  // variable that is empty CLI11 does not speak.
  auto wrong = wrong_socket_variable();
  if (is_blank(into.line.socket) || (wrong && app.count("--socket") == 0))
    return {std::nullopt, exit_usage,
            wrong.value_or("--socket: " + spelled_out({})) + "\n"};
  into.line.json = into.output == "json";
  into.line.headers = !into.no_headers;
  if (app.count("--separator") > 0)
    into.line.separator = into.separator;
  into.line.deadline = millis{static_cast<std::int64_t>(into.timeout_s * 1000)};
  return {into.line, exit_ok, ""};
}

std::optional<std::string> wrong_socket_variable() {
  const auto* text = std::getenv(socket_variable);
  if (text == nullptr || !is_blank(text))
    return std::nullopt;
  return std::string{socket_variable}
         + " is set and empty; give it the path of a socket, or unset it";
}

} // namespace orderly::io::console
