// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The CPU load of instances by what the monitors of their nodes say, asked for
// or out of a file: what --mond and the options beside it mean. All of it is
// used or nothing, for half of it would draw instances to whoever is silent.

#pragma once

#include "actors/planning/model/cluster.hpp"
#include "io/htools/monitors/ask_monitors.hpp"
#include "io/htools/monitors/cpu_report.hpp"

namespace orderly::io::htools {

/// Which collector is meant.
enum class load_kind {
  node, ///< cpu-avg-load: shared out among instances by their vcpus
  xen,  ///< xen-cpu-avg-load: of each instance
};

struct monitor_answers {
  load_kind kind = load_kind::node;
  std::map<node_name, double> busy;   ///< CPUs, of each node
  instance_loads instances;           ///< the same of instances
  std::vector<std::string> missing{}; ///< nodes, each with why
};

/// The file of --mond-data. Nodes that are offline need no report.
result<monitor_answers> read_monitor_file(std::string_view text,
                                          const std::string& file,
                                          const planning::cluster& c,
                                          load_kind kind);

/// Asks all nodes that are not offline, by their names.
monitor_answers ask_monitors_of(const planning::cluster& c, load_kind kind,
                                monitor_rules rules);

/// Puts the load into the model; or leaves that as it is, and says why.
std::string use_answers(planning::cluster& c, const monitor_answers& answers);

} // namespace orderly::io::htools
