// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The options of the tools, spelled, abbreviated and refused as the reference
// does: short ones may be glued, long ones cut while they are unique. Each
// tool takes some of all options; option_table.hpp says which. The tools run
// what they ask.

#pragma once

#include "actors/planning/groups/crossing.hpp"
#include "actors/planning/search/fast.hpp"
#include "actors/planning/squeeze/standby.hpp"
#include "messages/result.hpp"

namespace orderly::io::htools {

enum class tool {
  hbal,
  hail,
  hcheck,
  hspace,
  hinfo,
  hroller,
  hsqueeze,
  hscan,
  hwhatif,
  hgroups,
};

std::string_view name_of(tool x);

/// The tool with that name; none if there is none.
std::optional<tool> tool_of(std::string_view name);

/// An instance that hspace looks for room for.
struct wanted_size {
  planning::mib disk = 0;
  planning::mib memory = 0;
  std::int64_t cpus = 0;
  std::int64_t spindles = 1;
};

/// Good plans, the reference's moves, or the better of both.
enum class search_kind { better, fast, exact };

/// How hbal looks for moves.
struct search_choice {
  search_kind kind = search_kind::better;
  planning::fast_rules fast;
  std::optional<std::int64_t> effort_max; ///< of any search, if it is given
  std::optional<double> deadline_seconds; ///< since the program began
  std::vector<std::string> explained;     ///< instances
};

/// How hroller restarts nodes, and what it prints.
struct roll_choice {
  bool offline_maintenance = false;
  bool full_evacuation = false;
  bool skip_non_redundant = false;
  bool ignore_non_redundant = false;
  std::optional<std::vector<std::string>> node_tags; ///< one of them is needed
  bool first_only = false;
  bool moves = false;
  bool force = false; ///< also where no node is known as the master
  /// Places tried for nodes in rounds, by the fast search.
  std::int64_t effort_max = 2'000'000;
};

/// How hwhatif counts time, and whether it gives advice.
struct whatif_choice {
  double link_bits = 1e9; ///< of each node's network, a second
  std::string link_text = "1g";
  bool advise = false; ///< say what to buy
};

/// What --group-moves calls its values, in their order.
inline constexpr std::array<std::string_view, 4> group_moves_names{
  "never", "asked", "repair", "auto"};

std::string_view name_of(planning::group_moves x);

/// The one with that name; none if there is none.
std::optional<planning::group_moves> group_moves_of(std::string_view name);

/// What hgroups may do, and for which groups.
struct groups_choice {
  planning::group_moves allowed = planning::group_moves::none;
  bool most_free = false;  ///< empty the one with the most free resources
  bool all = false;        ///< empty as many as can be
  bool disk_moves = false; ///< load may move drbd, too
};

/// What the options of a tool say.
struct tool_options {
  planning::build_options build;
  planning::search_rules rules;
  search_choice search;
  roll_choice roll;
  whatif_choice whatif;
  groups_choice groups;
  std::string text_file;
  std::optional<std::string> save;
  std::optional<std::string> commands; ///< a file, or empty: print them
  std::optional<std::string> node_fields;
  bool print_instances = false;
  std::optional<std::string> group;
  std::vector<std::string> offline;
  std::vector<std::string> selected;
  std::vector<std::string> excluded;
  std::string load_file;
  std::string pools_file; ///< which node reaches which storage
  int verbose = 1;
  bool execute = false;
  bool first_set_only = false;       ///< of what -X would execute
  std::optional<std::string> reason; ///< for the jobs
  int priority = 0;                  ///< of the jobs; Ganeti's number
  bool ask_monitors = false;
  std::string monitor_file;   ///< what they said, instead of asking them
  bool xen_load = false;      ///< of each instance, as Xen tells it
  bool need_monitors = false; ///< no plan without what all of them say
  bool version = false;
  bool help = false;
  bool completion = false;
  std::string master; ///< the remote API, or its answers: file://FOLDER
  std::string output_dir = "."; ///< for the files of hscan
  std::string rapi_ca; ///< certificates that the remote API is checked by
  int sources = 0;
  std::string request_file;          ///< an iallocator request as a source
  std::optional<std::string> luxi;   ///< a socket, or empty: the usual one
  std::vector<std::string> simulate; ///< clusters that are only thought of
  /// Memory of KVM nodes' own systems, instead of what they report; 0 for
  /// that.
  std::int64_t kvm_node_memory = 4096;
  bool machine_readable = false;
  bool simulation = true;      ///< hcheck looks what balancing would do
  bool capacity_checks = true; ///< allocation keeps global N+1
  bool all_groups = false;     ///< hail lists what each group would be
  bool independent_groups = false;
  bool accept_existing = false; ///< nodes that fail N+1 already do not count
  std::optional<std::vector<std::string>> restricted; ///< nodes to allocate on
  std::optional<planning::disk_template> disks;
  std::optional<std::int64_t> spindle_use;
  std::optional<wanted_size> standard;
  std::optional<wanted_size> tiered;
  planning::spare_factors spare;  ///< that hsqueeze leaves on each node
  bool headers = true;            ///< above the nodes that it names
  bool json = false;              ///< --output json
  std::vector<std::string> words; ///< that are no options
};

using hbal_options = tool_options;

/// What stopped the reading of the options, and the exit code for it.
struct option_fault {
  int code = 2;
  std::string text;
};

std::variant<tool_options, option_fault>
read_options(tool of, const std::vector<std::string>& arguments);

/// The table of options.
std::string usage(tool of);

/// One line an option: what a shell may complete behind it.
std::string completion(tool of);

std::variant<hbal_options, option_fault>
read_hbal_options(const std::vector<std::string>& arguments);

std::string hbal_usage();

} // namespace orderly::io::htools
