// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/cli/power_pages.hpp"

#include <algorithm>
#include <iterator>
#include <sstream>

#include <fmt/format.h>

namespace orderly::power {

namespace {

option one(char letter, const char* name, takes argument,
           const char* placeholder, const char* help) {
  return {letter, name, argument, placeholder, help, "none", false};
}

/// Those of `ha` alone.
option_table ha_options() {
  using enum takes;
  return {
    one(0, "group", value, "GROUP",
        "The node group; for a list: the nodes in it; for settings: what holds "
        "there."),
    one(0, "cluster", nothing, "", "The whole cluster. Takes no names."),
    one(0, "provider", value, "PROVIDER",
        "For configure: who treats the nodes; see 'orderly ha providers'."),
  };
}

/// Every other option of every command; each picks its own by name.
option_table other_options() {
  using enum takes;
  return {
    one('f', "force", nothing, "", "Do not ask; the same as --yes."),
    one(0, "yes", nothing, "", "Do not ask, act."),
    one(0, "count", value, "N",
        "How many nodes you mean. Needed with --yes where off, cycle or epo is "
        "about more than 5 nodes, and refused unless it is that number."),
    one(0, "ignore-status", nothing, "",
        "For off: do not mark the nodes offline first, and switch them off "
        "although they are in service. For on and cycle: do not wait for "
        "failovers and reinstallations that rely on the nodes being off."),
    one(0, "ignore-silence", nothing, "",
        "Take the word though no other node answers just now, and what is cut "
        "may be the link of the host that orderly runs on."),
    one(0, "auto-promote", nothing, "",
        "Other nodes may become master candidates for those that stop being "
        "one."),
    one(0, "oob-timeout", value, "SECONDS",
        "How long one run of a helper program may take, 0.5 to 3600. Else as "
        "power.command_timeout says."),
    one(0, "power-delay", value, "SECONDS",
        "Pause after each node that was switched on, so that not all draw "
        "their starting current at once, 0 to 3600 [2]."),
    one(0, "shutdown-timeout", value, "SECONDS",
        "How long an instance may take to shut down, 1 to 86400. Else the "
        "cluster's default."),
    one(0, "on", nothing, "", "Bring things back instead of switching off."),
    one(0, "groups", nothing, "", "The names are node groups."),
    one(0, "all", nothing, "", "The whole cluster. Takes no names."),
    one(0, "powered", value, "yes|no",
        "Set the power record, without touching the node."),
    one(0, "node-powered", value, "yes|no", "The same, as Ganeti spells it."),
    one('O', "offline", value, "yes|no", "Set the offline mark."),
    one(0, "oob-program", value, "PATH",
        "Set the node's own helper program, an absolute path. '!' or nothing: "
        "the node has no power control."),
    one(0, "node-parameters", value, "oob_program=PATH",
        "The same, as Ganeti spells it."),
    one(0, "reason", value, "TEXT",
        "Why, for your colleagues: it is kept with all that follows from this "
        "command."),
    one(0, "output", value, "text|json",
        "How the result is printed [text]. JSON is the sheet of GET "
        "/2/errands/ID."),
    one('q', "quiet", nothing, "", "Show no progress."),
    one(0, "socket", value, "PATH",
        "Unix socket of orderlyd. Else ORDERLY_SOCKET, else the usual place."),
    one(0, "timeout", value, "SECONDS",
        "How long orderlyd may take for one answer, 0.1 to 600 [15]. The work "
        "itself may take longer."),
    one('h', "help", nothing, "", "Show this."),
  };
}

option_table only(const std::vector<std::string>& names) {
  option_table picked;
  auto all = ha_options();
  auto others = other_options();
  std::move(others.begin(), others.end(), std::back_inserter(all));
  for (auto& x : all) {
    auto common = x.name == "output" || x.name == "quiet" || x.name == "socket"
                  || x.name == "timeout" || x.name == "help";
    if (common || std::find(names.begin(), names.end(), x.name) != names.end())
      picked.push_back(std::move(x));
  }
  return picked;
}

constexpr const char* about_power
  = R"(on      Switches each node on, one after the other with a pause between.
off     Marks each node offline in Ganeti, then switches it off. If the
        helper fails, the node stays marked offline.
cycle   Off and on again. The power record stays as it is.
status  Reads each node's power from its controller: on, off, or unknown.

A command counts as done only if a status that was read afterwards says so.
Only then the power record changes. The record and the world are compared by
every status; where they differ you are told, and nothing is corrected: see
'orderly node modify --powered'.

on, off and cycle need at least one node. status without nodes is about all
nodes with power control. Off and cycle are not done to the master.

Off and cycle show the nodes and the instances that run there and ask, unless
--yes is given; without a terminal they do nothing unless it is. More than 5
nodes need --count as well. What you switch off, orderly leaves off.)";

constexpr const char* about_health
  = R"(Asks the controllers of the nodes, or of all nodes with power control, how
their parts are, and lists them as ITEM=STATUS. A status is OK, WARNING,
CRITICAL or UNKNOWN. Each WARNING and CRITICAL is logged, each time.
Nothing is done because of it.)";

constexpr const char* about_info
  = R"(Shows what is recorded of the nodes, or of all: nothing is changed and no
controller is asked. 'powered' is the record, not the world, and left out for
nodes without power control. 'protection' says what the last rehearsal of the
node's power control gave: only a protected node can be fenced. 'power wish' is
what a person last wanted of its power.)";

constexpr const char* about_modify
  = R"(Changes what is recorded of one node. The node itself is not touched.

--powered brings the record into line with the world, for example after the
node was switched by hand. It needs power control. The offline mark can be
taken away only from a node that is recorded on, or set so by the same
command.

What a person last wanted of the power ('power wish' in 'orderly node info')
is not changed: a wanted off ends when the node, once it was off, is read as on
twice, or by 'orderly power on'.)";

constexpr const char* about_epo
  = R"(Off: holds automation off the nodes, shuts down the instances that run on
them (whose primary is one of them; mirrors do not count), and remembers that
they are wanted up. If one does not stop, or Ganeti's watcher cannot be paused,
no node is switched off. Then the nodes are marked offline and switched off.
What you start again there by hand is cut off. The master goes last, and by
hand: you are told how.

With --on: switches the nodes on, waits until they are back, takes them into
service again, and starts each instance as soon as all of its nodes are back.

Nodes without power control are told and left alone, with the instances that
run there; nodes that are recorded as wanted already are skipped. The plan is
kept in the journal and followed step by step: after a restart of orderlyd it
goes on where it was, unless that took an hour. Off asks unless --yes is given,
and more than 5 nodes need --count then. Without names it does nothing: for the
whole cluster there is --all.)";

constexpr const char* about_verify
  = R"(Checks every helper program in use: that it is there, is a regular file and
executable, and that only root and the user of orderlyd can write it, or put
another in its place in a directory above. Then reads the power of every node
with power control, several at once, and compares it with the record. A key of
power.levels or host_ha.groups that names no node or group of the cluster has a
row that failed. Nothing is corrected.)";

constexpr const char* about_confirm
  = R"(Says, in your name, that a node is off: for a node whose fence is stuck
because no controller can prove it. Your word is taken for the proof, and its
instances may be started elsewhere. If the node is on after all, they run
twice and their disks are destroyed. Look at the machine, pull its plug, and
only then say so. --reason is needed: what you saw and did. If no other node
answers orderly just now, its own link may be what is cut, and you may see what
it sees: the word is taken only with --ignore-silence, from somebody who stood
before the machine. A node that an emergency power-off holds stays held, unless
'orderly epo --on' has tried to switch it on in vain since: then the word gives
it up, and its instances may be started, or installed anew, elsewhere.)";

constexpr const char* about_ha
  = R"(Says which nodes host HA treats: notices that they are dead, resets them, and
fences them.

list       The switches, and how the nodes stand.
providers  Who can treat nodes, of all hypervisors or of those that are named.
configure  Says who treats a node. It enables nothing.
enable     Turns the switch of nodes, of a group or of the cluster on.
disable    Turns it off: what is under way for such a node is given up, and
           nothing is done about it until it is enabled again.
settings   The settings of host HA for the cluster or a group, and where each
           comes from: default, cluster, or group, as [host_ha.groups] says.

A node is treated if its own switch is on, and those of its group and of the
cluster are, which they are unless somebody turned them off. With
host_ha.opt_in = true a node's own switch is off until it is configured and
enabled; without it, it is on and the provider is ganeti until you say
otherwise.

What you say is in orderlyd's journal before you are answered. One bad name
among several stops no other; then the exit code is 1.)";

constexpr const char* about_cluster
  = R"(Settings that belong to the cluster: each is a tag of it,
orderly:set:KEY:VALUE, so that orderlyd on the next master has it too. A tag
goes before the settings file of orderlyd, and that before the default.

settings  The value in force of each, its default, and where the value is from:
          default, file or tag. Tags that are not heeded are told as well.
set       Writes the tag of one setting, in place of those that it has, by a
          job; ends once the cluster was read with it. Durations are seconds, or
          have a unit: 30s, 5m, 2h. Switches are true or false. The names of
          Ganeti's own design do too: roundDelay, balance, jobTimeout.
unset     Removes its tags: what the file says holds again.

For root and the user of orderlyd, on the master, while orderlyd there has the
right to act. A value that is out of bounds, or does not fit the settings file,
is refused. A tag that somebody else writes with such a value is not heeded: the
value that was in force stays, and the alert A.BAD_SETTING names the tag.)";

page cluster_page() {
  return {"cluster",
          "settings|set KEY VALUE|unset KEY [OPTION...]",
          "Settings that hold whoever is the master",
          about_cluster,
          R"(  orderly cluster settings
  orderly cluster settings --output json | jq -r '.rows[] | select(.step == "tag").object'
  orderly cluster set maintenance.interval 30s --reason 'new collectors'
  orderly cluster set balance.enabled true
  orderly cluster unset maintenance.interval)",
          only({"reason"})};
}

std::vector<page> make_pages() {
  return {
    {"power", "on|off|cycle|status [OPTION...] [NODE...]",
     "Switch nodes on and off by their controllers, or read them", about_power,
     R"(  orderly power status
  orderly power off node3.example.com --reason 'new memory'
  orderly power on node3.example.com node4.example.com --power-delay 5
  orderly power off --yes --count 6 node1 node2 node3 node4 node5 node6)",
     only({"force", "yes", "count", "ignore-status", "auto-promote",
           "oob-timeout", "power-delay", "reason"})},
    {"health", "[OPTION...] [NODE...]", "What controllers say of the machines",
     about_health,
     R"(  orderly health
  orderly health node5.example.com --output json)",
     only({"oob-timeout"})},
    {"node info", "[OPTION...] [NODE...]",
     "What is recorded of nodes, their power included", about_info,
     R"(  orderly node info node1.example.com)", only({})},
    {"node modify", "[OPTION...] NODE", "Change what is recorded of a node",
     about_modify,
     R"(  orderly node modify --powered=no node2.example.com
  orderly node modify --powered=yes --offline=no node2.example.com
  orderly node modify --oob-program=/usr/lib/orderly/helpers/oob-ipmi node2
  orderly node modify --node-parameters oob_program=! node2.example.com)",
     only({"force", "yes", "auto-promote", "powered", "node-powered", "offline",
           "oob-program", "node-parameters", "reason"})},
    {"epo", "[--on] [OPTION...] NODE...|--groups GROUP...|--all",
     "Emergency power-off of nodes, groups or all; and back on", about_epo,
     R"(  orderly epo --groups rack7 --reason 'cooling failed'
  orderly epo --all --yes --count 40
  orderly epo --on --groups rack7)",
     only({"force", "yes", "count", "on", "groups", "all", "oob-timeout",
           "shutdown-timeout", "power-delay", "reason"})},
    {"verify", "[OPTION...]", "Check helper programs, and records by the world",
     about_verify,
     R"(  orderly verify
  orderly verify --output json | jq '.rows[] | select(.state == "failed")')",
     only({})},
    {"confirm-off", "NODE --reason TEXT", "Give your word that a node is off",
     about_confirm,
     R"(  orderly confirm-off node7.example.com --reason 'burnt, plug pulled')",
     only({"reason", "ignore-silence"})},
    {"ha",
     "list|providers|configure|enable|disable|settings [OPTION...] [NODE...]",
     "Which nodes host HA treats, by whom, and how they stand", about_ha,
     R"(  orderly ha list
  orderly ha list --group rack7 --output json
  orderly ha providers kvm
  orderly ha configure --provider ganeti node1.example.com node2.example.com
  orderly ha enable node1.example.com node2.example.com
  orderly ha disable --group rack7 --reason 'new switches in the rack'
  orderly ha disable --cluster
  orderly ha settings --group rack7)",
     only({"group", "cluster", "provider", "reason"})},
    cluster_page(),
  };
}

/// `text` in lines of at most 78 columns, each behind `margin`.
std::string wrapped(const std::string& text, const std::string& margin) {
  constexpr std::size_t columns = 78;
  std::istringstream words{text};
  std::string all;
  std::string line;
  for (std::string word; words >> word;) {
    if (!line.empty()
        && margin.size() + line.size() + 1 + word.size() > columns) {
      all += margin + line + "\n";
      line.clear();
    }
    line += (line.empty() ? "" : " ") + word;
  }
  return all + margin + line + "\n";
}

} // namespace

const std::vector<page>& pages() {
  static const auto all = make_pages();
  return all;
}

std::string help_text(const page& x) {
  auto text
    = fmt::format("orderly {} - {}\n\nUsage: orderly {} {}\n\n{}\n\nOptions:\n",
                  x.name, x.summary, x.name, x.usage, x.about);
  for (const auto& o : x.options)
    text += fmt::format("  {}{}\n", o.letter == 0 ? "" : short_form(o) + ", ",
                        long_form(o))
            + wrapped(o.help, "      ");
  return text + "\nExamples:\n" + x.examples + R"(

Exit codes: 0 all well; 1 something failed, or was refused and nothing was
done; 2 wrong usage; 3 not confirmed, nothing was done; 5 orderlyd cannot be
reached; 6 not permitted; 124 no answer in time, or none to an order that was
sent: whether it holds is not known; 130 interrupted: what was begun goes on,
see 'orderly errands'.
)";
}

} // namespace orderly::power
