// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/policy/settings/settings.hpp"

#include "actors/policy/settings/knob_list.hpp"

namespace orderly {

using namespace knob_parts;

namespace {

void cluster_knobs(listing& l, decltype(settings::cluster)& s) {
  l.section("cluster");
  l.add("poll_interval", s.poll_interval, {0.5, hour},
        "How often the cluster is read.");
  l.add("poll_timeout", s.poll_timeout, deadline,
        "A reading of the cluster that takes longer counts as failed.");
  l.add("picture_max_age", s.picture_max_age, {1, hour},
        "With an older picture nothing new that destroys is started.");
  l.add("job_deadline", s.job_deadline, {minute, 7 * day},
        "A cluster job that takes longer is reported as overdue.");
  l.add("job_watch_limit", s.job_watch_limit, deadline,
        "How long one question about a job may take.");
  l.add("job_match_grace", s.job_match_grace, {10, 10 * minute},
        "Pause between a broken submission and the search for its job.");
  l.add("retry_base", s.retry_base, pause,
        "First pause after a failed call of the cluster; it doubles.");
  l.add("retry_max", s.retry_max, pause,
        "Longest pause after failed calls of the cluster.");
  l.add("jobs_open_max", s.jobs_open_max, "jobs", {1, 10000},
        "Jobs of orderly that may be open at once.");
  l.add("job_resubmits_max", s.job_resubmits_max, "times", {0, 100},
        "How often a job that the queue refused is submitted again.");
  l.add("luxi_socket", s.luxi_socket,
        "The socket of Ganeti's query daemon, as an absolute path.");
  l.add("allocator", s.allocator,
        "The iallocator that picks nodes where orderly names none.");
  l.add("remark", s.remark,
        "A text for the reason trail of every job, beside orderly's own.");
}

void node_check_knobs(listing& l, decltype(settings::host_ha)& s) {
  l.section("host_ha");
  l.add("enabled", s.enabled,
        "Act on troubled nodes; if false they are only watched.");
  l.add("opt_in", s.opt_in,
        "Treat only nodes that were configured and enabled by 'orderly ha'; "
        "if false all that have power control, unless they were disabled.");
  l.add("check_interval", s.check_interval, pause,
        "How often the health of a node is checked.");
  // A power command waits for a last look, and is old after a minute.
  l.add("check_timeout", s.check_timeout, {deadline.least, minute / 2},
        "A health check that takes longer says nothing.");
  l.add("activity_timeout", s.activity_timeout, deadline,
        "An activity check that takes longer counts as not active.");
  l.add("activity_interval_base", s.activity_interval_base, pause,
        "First wait between two activity checks; it doubles.");
  l.add("activity_interval_max", s.activity_interval_max, pause,
        "Longest wait between two activity checks.");
  l.add("activity_checks", s.activity_checks, "checks", {1, 1000},
        "Activity checks that make a window, after which is decided.");
  l.add("activity_failure_ratio", s.activity_failure_ratio, "", {0.01, 1},
        "More failed activity checks in a window than this share call for "
        "recovery; 1: none do, and a person is told.");
  l.add("probes_parallel_max", s.probes_parallel_max, "probes", {1, 10000},
        "Health checks that run at once.");
  l.add("probes_queued_max", s.probes_queued_max, "probes", crowd,
        "Health checks that may wait; more are refused.");
  l.add("activity_parallel_max", s.activity_parallel_max, "probes", {1, 10000},
        "Activity checks that run at once.");
  l.add("activity_queued_max", s.activity_queued_max, "probes", crowd,
        "Activity checks that may wait; more are refused.");
  l.add("daemon_port", s.daemon_port, "", port_number,
        "Port of the node daemon; 0: it is not asked.");
  l.add(
    "monitor_port", s.monitor_port, "", port_number,
    "Port of the monitoring daemon; 0: it is not asked; host HA needs one of "
    "both.");
}

void node_cure_knobs(listing& l, decltype(settings::host_ha)& s) {
  l.section("host_ha");
  l.add("degraded_period", s.degraded_period, {1, day},
        "How long a node with active instances is left alone.");
  l.add("recovery_timeout", s.recovery_timeout, deadline,
        "A reset that takes longer counts as failed.");
  l.add("recovery_wait", s.recovery_wait, {1, day},
        "How long a reset node may take to become healthy.");
  l.add("recovery_attempts_max", s.recovery_attempts_max, "times", {0, 100},
        "Resets that are tried before the node is fenced.");
  l.add("restart_operation", s.restart_operation, {"cycle", "reset"},
        "How a node is reset: power off and on, or the controller's reset, "
        "which needs a helper that knows power-reset.");
  l.add("fence_timeout", s.fence_timeout, deadline,
        "A fence that takes longer counts as failed.");
  l.add("retry_base", s.retry_base, pause,
        "First pause after a failed reset or fence; it doubles.");
  l.add("retry_max", s.retry_max, pause,
        "Longest pause after failed resets or fences.");
  l.add("evidence_max_age", s.evidence_max_age, {60, day},
        "A trouble that nobody has seen for longer begins anew.");
  // Tables of their own come last: TOML wants it so.
  l.add("groups", s.groups,
        "Settings of host HA that a node group has of its own, by our names or "
        "those of CloudStack; what runs at once is the whole cluster's.");
}

void repair_knobs(listing& l, decltype(settings::autorepair)& s) {
  l.section("autorepair");
  l.add("enabled", s.enabled, "Repair instances, as far as tags permit it.");
  l.add("mode", s.mode, {"act", "observe"},
        "Whether repairs are done, or only told as what would be done.");
  l.add("check_interval", s.check_interval, {1, hour},
        "How often an instance without news is looked at again.");
  l.add("tries_max", s.tries_max, "times", {1, 100},
        "How often a safe step of a repair is tried.");
  l.add("retry_base", s.retry_base, {0.1, day},
        "First pause after a failed step of a repair; it doubles.");
  l.add("retry_max", s.retry_max, {0.1, day},
        "Longest pause after failed steps of a repair.");
  l.add("proof_max_age", s.proof_max_age, {minute, 7 * day},
        "So young is the last reading that a node is off when it is relied "
        "upon; it is renewed three times as often, at most each minute.");
  l.add("word_max_age", s.word_max_age, {minute, 7 * day},
        "A person's word that a node is off is relied upon for so long.");
  l.add("offline_vouches", s.offline_vouches,
        "Take Ganeti's offline mark for a proof that a node without power "
        "control is off.");
  l.add(
    "job_delay", s.job_delay, {0, 10 * minute},
    "So long others see its tags before a step of a repair leaves. 'orderly "
    "harep' has the wait inside its jobs, and tags their ids meanwhile.");
  l.add("new_nodes", s.new_nodes, {"named", "allocator"},
        "Who picks the nodes of a reinstall; Ganeti 3.0 wants them named.");
  l.add("mirror_interval", s.mirror_interval, {0, day},
        "How often mirrors are asked how they are; 0: never, and balancing "
        "moves no instance that has one, while repairs and repair events "
        "move theirs unasked.");
  l.add("room_max_age", s.room_max_age, deadline,
        "Older figures of free memory and disk are asked for anew.");
  l.add("targets", s.targets, {"planned", "allocator"},
        "Who picks the new node of an instance that moves: planned so that all "
        "at once fit, or the cluster's allocator.");
}

void balance_knobs(listing& l, decltype(settings::balance)& s) {
  l.section("balance");
  l.add("enabled", s.enabled,
        "Move instances that are well, so that the load is even.");
  l.add("interval", s.interval, {1, day},
        "Pause after a round that moved nothing; one that did is followed at "
        "once.");
  l.add("threshold", s.threshold, "", {0, 1000},
        "Least gain of a step, unless the score is ten times that or more.");
  l.add("disk_moves", s.disk_moves,
        "Allow moves that copy disks; if false only migrations.");
  l.add("dynamic_load", s.dynamic_load,
        "Use the CPU load that the nodes' monitors tell.");
  l.add("move_cost", s.move_cost, "", {0, 1000},
        "What a live migration must take off the score, times the nodes.");
  l.add("moves_max", s.moves_max, "moves", {1, 1000},
        "Moves of one round, each a job.");
  l.add("search_limit", s.search_limit, {0.1, 10 * minute},
        "How long a plan may be thought about.");
  l.add("model_timeout", s.model_timeout, deadline,
        "How long reading the figures of all nodes may take.");
  l.add("model_max_age", s.model_max_age, {minute, day},
        "With older figures no targets are planned.");
  l.add("target_timeout", s.target_timeout, {0.1, minute},
        "Without a planned target by then the allocator picks.");
  l.add("retry_base", s.retry_base, {1, day},
        "How long an instance whose move failed, or whose mirror was not known "
        "to be well, is left alone; it doubles.");
  l.add("retry_max", s.retry_max, {1, 7 * day},
        "How long such an instance is left alone at most.");
}

void power_knobs(listing& l, decltype(settings::power)& s) {
  l.section("power");
  l.add("concurrency", s.concurrency, "programs", {1, 1000},
        "Power helper programs that run at once.");
  l.add("queued_max", s.queued_max, "orders", crowd,
        "Power orders that may wait; more readings are refused, and more acts "
        "than twice as many.");
  l.add("command_timeout", s.command_timeout, deadline,
        "A helper program that takes longer is asked to end.");
  l.add("kill_delay", s.kill_delay, {0.1, minute},
        "A helper program that does not end within this is killed.");
  l.add("status_poll", s.status_poll, {0.1, minute},
        "Pause between two readings of the power state after a command.");
  l.add("program", s.program,
        "Helper program used instead of the cluster's oob_program; empty: "
        "none.");
  // Tables of their own come last: TOML wants it so.
  l.add("rehearsal.interval", s.rehearsal_interval, {0, day},
        "How often each power controller is asked whether it could be relied "
        "upon; 0: never.");
  l.add("levels", s.levels,
        "Helper programs by node, group:NAME or *, tried one after the other "
        "until one proves what it did; \"cluster\" is the cluster's own, "
        "[\"!\"] no power control; of these keys the most special holds.");
}

void guard_knobs(listing& l, settings& s) {
  l.section("storm");
  l.add("nodes_max", s.storm.nodes_max, "nodes", {0, 100000},
        "More troubled nodes than this, and than percent_max, are a storm.");
  l.add("percent_max", s.storm.percent_max, "%", {0, 100},
        "A larger share of troubled nodes, and more than nodes_max, is a "
        "storm.");
  l.add("settle", s.storm.settle, {0, hour},
        "How old a trouble must be before something is destroyed for it; after "
        "a start all nodes are looked at once, however short this is.");
  l.add("cooldown", s.storm.cooldown, {0, day},
        "How long it must be calm after a storm before new acts.");
  l.section("budget");
  l.add("fences_per_hour_max", s.budget.fences_per_hour_max, "1/h", {0, 100000},
        "Fences and resets within an hour; more are held.");
  l.add("failovers_per_hour_max", s.budget.failovers_per_hour_max, "1/h",
        {0, 1000000}, "Failovers within an hour; more are held.");
  l.section("rounds");
  l.add("parallel_max", s.rounds.parallel_max, "permits", {1, 10000},
        "Workflows that may run at once; and as many that cannot wait: resets, "
        "fences, failovers, reinstallations.");
  l.add("joins_per_node_max", s.rounds.joins_per_node_max, "permits", {1, 1000},
        "Acts of one kind that may fill one node at once.");
  l.add("hold_retry", s.rounds.hold_retry, pause,
        "A refused permit is asked for again after that, if the scheduler "
        "did not call before.");
  l.add("permit_max_age", s.rounds.permit_max_age, {minute, 7 * day},
        "A permit that was not asked for again for so long is taken back.");
}

void memory_knobs(listing& l, settings& s) {
  l.section("journal");
  l.add("path", s.journal.path,
        "The file of the journal, as an absolute path.");
  l.add("batch_max", s.journal.batch_max, "entries", {1, 100000},
        "Entries that are made durable in one commit. Read at the start "
        "only.");
  l.add("queued_max", s.journal.queued_max, "entries", crowd,
        "Entries that may wait to become durable; more are refused. Read at "
        "the start only.");
  l.add("timeout", s.journal.timeout, deadline,
        "A commit that takes longer counts as failed.");
  l.add("keep_entries", s.journal.keep_entries, "entries", {100, 1e9},
        "Entries that are kept; older ones are removed at start.");
  l.add("lost_linger", s.journal.lost_linger, {1, hour},
        "If the journal's file is gone: how long that is told before the end.");
  l.add(
    "room_min", s.journal.room_min_mib, "MiB", {0, 1000000},
    "Less free room than this on the journal's disk is an alert; 0: never.");
  l.section("leader");
  l.add("lease", s.leader.lease, {1, hour},
        "How long one reading that confirms us as master lets us act.");
  l.add("own_node", s.leader.own_node,
        "The cluster's name of our own node; empty: this machine's name. Read "
        "at the start only.");
  l.add("clock_tolerance", s.leader.clock_tolerance, {0.1, hour},
        "A suspend, or a step of the clock, that is longer voids evidence.");
}

void service_knobs(listing& l, settings& s) {
  l.section("http");
  l.add("address", s.http.address, "Address that the HTTP service listens on.");
  l.add("port", s.http.port, "", port_number,
        "TCP port of the HTTP service; 0: the system chooses one.");
  l.add("socket", s.http.socket,
        "Socket for the command line, as an absolute path; empty: none.");
  l.add("reader_socket", s.http.reader_socket,
        "A second socket, for reading only, as an absolute path; empty: none.");
  l.add(
    "reader_group", s.http.reader_group,
    "The group whose members may use reader_socket, as a name. Under systemd "
    "its name belongs into orderlyd.service.d/readers.conf, too.");
  l.add("hosts", s.http.hosts,
        "More names that this service is called by, separated by blanks; "
        "requests for others are refused, or any web page could read here.");
  l.add("public", s.http.shown, {"monitoring", "all"},
        "What the TCP port shows to whoever reaches it: status, metrics and "
        "health only, or all that there is to read.");
  l.add(
    "connections_max", s.http.connections_max, "connections", {1, 100000},
    "Connections that may be open at once, on the port and on each socket.");
  l.add("connections_per_peer_max", s.http.connections_per_peer_max,
        "connections", {1, 100000},
        "The same of one address, and of one user.");
  l.add(
    "heavy_max", s.http.heavy_max, "answers", {1, 1000},
    "Large answers that may be under way at once, and as many again to those "
    "who may give orders; more are told to wait.");
  l.add("request_timeout", s.http.request_timeout, deadline,
        "A request that takes longer is cut off.");
  l.add("decisions_kept", s.http.decisions_kept, "decisions", {1, 1000000},
        "Decisions that are kept in memory for readers.");
  l.section("supervision");
  l.add("restarts_max", s.supervision.restarts_max, "times", {0, 1000},
        "Restarts of one actor within restart_period before giving up.");
  l.add("restart_period", s.supervision.restart_period, {1, day},
        "The period within which restarts are counted.");
  l.add("restart_base", s.supervision.restart_base, {0.001, hour},
        "First pause before an actor is restarted; it doubles.");
  l.add("restart_max", s.supervision.restart_max, {0.001, hour},
        "Longest pause before an actor is restarted.");
}

} // namespace

std::vector<knob> knobs(settings& s) {
  listing l;
  // Keys without a section come first: TOML wants it so.
  l.add("log_level", s.log_level,
        "How much is logged: trace, debug, info, warn, error, critical, off.");
  cluster_knobs(l, s.cluster);
  node_check_knobs(l, s.host_ha);
  node_cure_knobs(l, s.host_ha);
  repair_knobs(l, s.autorepair);
  balance_knobs(l, s.balance);
  maintenance_knobs(l, s);
  power_knobs(l, s.power);
  guard_knobs(l, s);
  memory_knobs(l, s);
  service_knobs(l, s);
  return l.take();
}

} // namespace orderly
