// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The knobs of repair events, and of the agents that they come from.

#include "actors/policy/settings/knob_list.hpp"

namespace orderly::knob_parts {

void maintenance_knobs(listing& l, settings& all) {
  auto& s = all.maintenance;
  l.section("maintenance");
  l.add("mode", s.mode, {"act", "observe", "off"},
        "Whether what nodes report is acted upon, only told as what would be "
        "done, or not asked for at all.");
  l.add("interval", s.interval, pause,
        "How often each node is asked for its report.");
  l.add("report_timeout", s.report_timeout, {0.1, minute},
        "A node that does not answer by then is silent.");
  l.add("nodes_max", s.nodes_max, "nodes", {1, 1000},
        "Nodes on which events work at once.");
  l.add("begins_per_hour_max", s.begins_per_hour_max, "events", {1, 1000},
        "Events that are begun within an hour.");
  l.add("moves_parallel_max", s.moves_parallel_max, "jobs", {1, 100},
        "Instances that leave one node at once. An evacuate-failover lets what "
        "runs leave one at a time, so that no such job waits for another in "
        "its middle.");
  l.add("events_per_node_max", s.events_per_node_max, "events", {1, 1000},
        "With more open events of one node none of them begins.");
  l.add(
    "debounce", s.debounce, "reports", {1, 100},
    "So many reports in a row must show a live-repair or an evacuate before "
    "it is acted upon.");
  l.add("debounce_failover", s.debounce_failover, "reports", {1, 100},
        "The same for an evacuate-failover.");
  l.add("evidence_max_age", s.evidence_max_age, {1, day},
        "Nothing is begun for a report that was heard longer ago; longer than "
        "interval and report_timeout together.");
  l.add("early_release", s.early_release,
        "Give up the locks of a mirror that moves before it is copied, so that "
        "copies overlap.");
  l.add("retry_base", s.retry_base, pause,
        "First pause before a tag that could not be written is written again; "
        "it doubles.");
  l.add("retry_max", s.retry_max, {0.1, day},
        "Longest such pause, and between two tries of a step that is held "
        "back.");

  auto& a = all.agents;
  l.section("agents");
  l.add("port", a.port, "", port_number,
        "Where orderly-agent answers on each node; 0: no agent is asked, and "
        "there are no repair events. Read at the start only.");
  l.add("folder", a.folder,
        "Where Ganeti keeps client.pem, server.pem and hmac.key on the master, "
        "by which agents are asked and believed. Read at the start only.");
  l.add(
    "trust", a.trust, {"first", "tagged"},
    "Whom a node's report is believed from: the agent that is met first "
    "there, or only one that a tag of the node names, "
    "orderly:agent:FINGERPRINT. Where there is such a tag it alone counts.");
}

} // namespace orderly::knob_parts
