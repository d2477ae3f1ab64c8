// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What a decision about the repair of an instance rests on: the instance, its
// nodes, its jobs and its copy, as they were read at one time.

#pragma once

#include "messages/cluster.hpp"
#include "messages/job.hpp"
#include "messages/permit.hpp"
#include "messages/standing.hpp"

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace orderly::autorepair {

/// What is known of one of the instance's nodes.
struct node_view {
  node_name name;
  bool known = false; ///< in the picture at all
  bool offline = false;
  bool drained = false;
  bool vm_capable = true;
  bool troubled = false;      ///< it fails its health checks just now
  bool unheard = false;       ///< nothing of it is heard, or nobody looks
  bool unchecked = false;     ///< nobody has asked it yet
  bool lives = false;         ///< it answered just now, or was read as on
  bool fenced = false;        ///< it was proved off once, and was not back
  bool power_control = false; ///< its power status can be read
  std::optional<proof> proved_down;
  std::string doubt; ///< why no off of its power control is believed, or empty
  std::string leaving; ///< a person ordered it off: this; or empty
  std::string closed;  ///< nothing is placed there just now, for this; or empty
  std::string rising;  ///< a person ordered it on, and it is not yet; or empty
  /// Who wants it off, and why, if it was not fenced as dead; or empty.
  std::string wanted_off;
};

/// What was answered when spare nodes were asked for their room.
struct room_view {
  bool answered = false;
  std::vector<node_room> nodes;
  std::string text; ///< why there is no answer
};

/// A job of a repair that somebody else with our trail sent.
struct stray_job {
  intent_id intent;
  job_id id = 0;
  act_kind act = act_kind::record;
  std::vector<node_name> nodes = {}; ///< that it names
  std::string bad_place = {}; ///< why one of them is none any more, or empty
};

/// The copy on the home lacks what the one on the mirror has: its own disk
/// there is broken, or is being written anew.
struct home_trouble {
  node_name home;         ///< empty: nothing is known to be wrong there
  node_name mirror;       ///< has the good copy
  std::string fault;      ///< "disk/0 is faulty on node4"
  instant since;          ///< when that was heard first
  instant last;           ///< and last: only what is heard later ends it
  bool concluded = false; ///< else its answers said so

  [[nodiscard]] bool empty() const { return home.empty(); }

  friend bool operator==(const home_trouble&, const home_trouble&) = default;
};

/// Everything a decision rests on, read at one time.
struct facts {
  instance_record instance;
  node_view primary;
  std::vector<node_view> secondaries;
  group_name group; ///< of the primary
  std::vector<std::string> group_tags;
  std::vector<std::string> cluster_tags;
  /// A person works on one of its nodes, for this reason; empty: nobody does.
  std::string held;
  bool home_is_free = false; ///< its home, as far as is known, is not held
  /// A place that the job under way names is about to go, by the word of a
  /// person, or is in trouble or out of service; empty: none is.
  std::string leaving;
  /// A job of somebody else is in flight for this instance: its id.
  std::optional<job_id> foreign_job;
  /// Online, undrained, vm_capable nodes of the group that are none of the
  /// instance's own: where a new secondary could go.
  std::uint32_t spare_nodes = 0;
  /// nullopt: not asked lately.
  std::optional<room_view> room;
  std::vector<disk_fault> mirror_fault; ///< empty: none
  bool mirror_near = false;             ///< its nodes can be asked how it is
  bool mirror_syncs = false; ///< it is being written anew just now: no trouble
  instant mirror_read_at;    ///< `never`: not asked yet
  /// What is wrong with the copy on the mirror, by the last that was heard of
  /// it, however long ago: "disk/0 is degraded on node3"; empty: nothing.
  std::string copy_fault;
  instant copy_since;        ///< when that was heard first
  instant copy_last;         ///< and last: only what is heard later ends it
  bool copy_pending = false; ///< not to be remembered yet
  bool copy_unasked = false; ///< nobody asks: what was known stays as it is
  bool copy_read = false;    ///< its answers said so; else it was concluded
  bool copy_unmade = false; ///< concluded from the job that was to make it
  bool copy_half = false;   ///< likewise, and nobody will ask
  home_trouble home_fault;   ///< by the last that was heard, however long ago
  bool home_pending = false; ///< not to be remembered yet
  /// Somebody marked it down just now while its home does not answer: there it
  /// may run all the same.
  bool shut_unheard = false;
  /// Ids of repairs that its pending tags bear, and tags of another instance
  /// too: of which.
  std::map<incident_id, instance_name> shared;
  /// Of jobs in `state::asked`; those that are missing are not answered yet.
  std::map<job_id, job_standing> jobs;
  /// Live jobs for this instance that carry the id of a repair.
  std::vector<std::pair<incident_id, job_id>> trails;
  bool foreign_is_known = false; ///< by its trail another actor of ours sent it
  /// A repair that ended here: nothing of it may begin any more.
  incident_id over;
  /// Live repair jobs for it that carry our trail, and that this journal knows
  /// nothing of: another master sent them, or an earlier life.
  std::vector<stray_job> strays;
  /// Queue and archive were searched for the jobs of this repair, and `trails`
  /// has what they found; or empty.
  incident_id traced;
  instant traced_at;         ///< when that was asked
  bool just_started = false; ///< proofs from before a restart are read again
  /// So far the calendar may be ahead: what it made over is not over yet.
  millis ahead{};
  /// When this was read from the cluster; best the moment before the question
  /// was sent, because what changes while it is answered may be missing.
  instant read_at;
};

} // namespace orderly::autorepair
