// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Who is who inside: the typed interfaces of the actors. A client gets the
// smallest role that will do.

#pragma once

#include "messages/errand.hpp"
#include "messages/protocol/ports.hpp"

#include <map>
#include <memory>
#include <set>
#include <string>

namespace orderly {

/// A timer of the actor itself. Late ticks of an older generation are stale.
struct tick {
  std::uint32_t what = 0;
  std::uint64_t generation = 0;
};

/// Makes entries durable, in order. The answer comes after the commit.
struct append {
  std::vector<journal_entry> entries;
};

/// What is kept under `key`, or under all keys that start with it.
struct recall {
  std::string key;
  bool is_prefix = false;
};

struct recalled {
  instant adopted;                      ///< as in `journal_contents`
  std::map<std::string, fields> states; ///< by state key
  std::vector<journal_entry> recent;    ///< only if the key is empty
};

using journal_actor
  = caf::typed_actor<caf::replies_to<append>::with<journal_ack>,
                     caf::replies_to<recall>::with<recalled>,
                     caf::reacts_to<tick>>;

/// A piece of the current picture, for one node.
struct node_facts {
  node_record record;
  bool is_self = false;
  bool is_master = false;
  /// Online nodes of the cluster, itself included if it is one. Never null.
  std::shared_ptr<const std::vector<node_name>> online;
  std::string held;     ///< automation leaves it alone, for this; or empty
  bool leaving = false; ///< an order is under way that will switch it off
  std::string rising;   ///< an order is under way that will switch it on, or ""
  instant raised;       ///< when an order did so last, or tried to
  bool recorded_on = true; ///< by the cluster, or where it keeps no record, us
  power_wish wish;         ///< of a person, as the power switch told it last
  /// Jobs in the queue that are to mark it offline because orderly fenced it,
  /// this daemon or another one; their trails name the intent.
  std::vector<running_job> marks;
  /// Marked offline: who is at home there and may be started elsewhere.
  std::vector<instance_name> stranded;
  instant read_at;
};

/// Which nodes automation leaves alone, and why: an emergency power-off is
/// under way there; and which are as good as gone, because a person ordered
/// them off. The whole lists, by the desk; once at its start even if they are
/// empty, because the cluster actor reads nothing before it knows.
struct holds {
  std::map<node_name, std::string> nodes;
  /// Nothing is placed there: "power-3 of root will switch it off".
  std::map<node_name, std::string> leaving;
  /// Nothing may rely on their being off: "power-4 of root will switch it on".
  std::map<node_name, std::string> rising;
  /// When an order switched them on, or tried to: what was read off before is
  /// worth nothing.
  std::map<node_name, instant> raised;

  friend bool operator==(const holds&, const holds&) = default;
};

/// The power records that the cluster cannot keep, and what persons want. The
/// whole lists, by the desk: nodes not named are recorded on.
struct power_records {
  std::set<node_name> off;
  std::map<node_name, power_wish> wishes;
};

/// A piece of the current picture, for one instance.
struct instance_facts {
  instance_record record;
  std::vector<node_record> nodes;               ///< its own nodes
  std::map<node_name, node_standing> standings; ///< of its own nodes
  group_name group;
  std::vector<std::string> group_tags;
  std::vector<std::string> cluster_tags;
  std::vector<running_job> jobs; ///< that name the instance
  /// Nodes in service in the instance's group that are none of its own: where
  /// a new mirror, or all of it, could go.
  std::uint32_t spare_nodes = 0;
  std::string held; ///< automation leaves one of its nodes alone, for this
  /// Nodes of its group, its own among them, that a person ordered off; why.
  std::map<node_name, std::string> leaving;
  std::map<node_name, std::string> rising; ///< its own, ordered on; why
  /// By the last answer, however long ago; seen twice at least; empty: none.
  std::string mirror_fault;
  bool mirror_well = false; ///< the last answer said so
  bool mirror_near = false; ///< its nodes can be asked: that is how it is now
  instant mirror_read_at;   ///< when that was asked last; `never`: not yet
  instant read_at;
};

/// Gets told how its jobs go, and has the last word before each leaves.
using job_client
  = caf::typed_actor<caf::reacts_to<job_event>,
                     caf::replies_to<ask_consent>::with<consent>>;

/// The last question before a command leaves the power switch: does what speaks
/// for it still speak for it now?
struct power_last_look {
  intent_id intent;
};

struct power_last_word {
  bool stands = false;
  bool answers = false; ///< no, because the node's daemons answer
  std::string why;      ///< why not
};

/// Whoever orders a power command, in the name of automation or of a person:
/// looks again when the switch asks. Without its word no command leaves.
using power_witness
  = caf::typed_actor<caf::replies_to<power_last_look>::with<power_last_word>>;

/// Host HA of one node.
using node_actor
  = caf::typed_actor<caf::reacts_to<node_facts>, caf::reacts_to<job_event>,
                     caf::replies_to<ask_consent>::with<consent>,
                     caf::replies_to<off_word>::with<off_word_answer>,
                     caf::replies_to<power_last_look>::with<power_last_word>,
                     caf::reacts_to<tick>>;

/// Auto-repair of one instance.
using instance_actor
  = caf::typed_actor<caf::reacts_to<instance_facts>, caf::reacts_to<job_event>,
                     caf::replies_to<ask_consent>::with<consent>,
                     caf::reacts_to<tick>>;

/// Runs checks with bounded concurrency. A check that was not admitted is
/// answered at once with the verdict `not_looked`.
using collector_actor
  = caf::typed_actor<caf::replies_to<probe_request>::with<sighting>,
                     caf::replies_to<activity_request>::with<activity_answer>>;

/// Is told what persons want of the power as soon as that changed.
using wish_client = caf::typed_actor<caf::reacts_to<power_wishes>>;

/// The power switch: one operation a node at a time, read back. Orders without
/// a witness are readings.
using oob_actor = caf::typed_actor<
  caf::replies_to<power_order>::with<power_report>,
  caf::replies_to<power_order, power_witness>::with<power_report>,
  caf::reacts_to<wish_client>, caf::reacts_to<power_withdraw>,
  caf::replies_to<ask_wishes>::with<power_wishes>,
  caf::replies_to<program_question>::with<program_answer>,
  caf::reacts_to<lease>, caf::reacts_to<tick>>;

/// Sends jobs, watches them, tells their owners. Idempotent by intent: a
/// known intent is not sent again, its owner is told how it stands.
using job_submitter_actor
  = caf::typed_actor<caf::reacts_to<job_order, job_client>,
                     caf::replies_to<job_lookup>::with<job_lookup_answer>,
                     caf::reacts_to<job_withdraw>, caf::reacts_to<lease>,
                     caf::reacts_to<tick>>;

/// Rounds, storm guard, budget, pause.
using scheduler_actor
  = caf::typed_actor<caf::replies_to<permit_request>::with<permit>,
                     caf::reacts_to<permit_release>,
                     caf::reacts_to<node_standing>,
                     caf::replies_to<pause_order>::with<pause_answer>,
                     caf::replies_to<ask_risky_acts>::with<risky_acts>,
                     caf::reacts_to<lease>, caf::reacts_to<tick>>;

/// How the reading of the cluster went.
struct poll_report {
  bool answered = false;
  bool is_master = false;
  node_name master;
  std::string text;
  instant at;
  instant asked_at; ///< when the reading began
};

/// The right to act.
using leader_actor
  = caf::typed_actor<caf::reacts_to<poll_report>, caf::reacts_to<tick>>;

/// A child of ours is (again) alive: its handle changed.
struct node_started {
  node_name node;
};

struct instance_started {
  instance_name instance;
};

/// An instance or node actor has work under way and wants fresh facts with
/// every reading, or no longer. Either way the next reading shall be soon;
/// without a name that is all that is asked for.
struct attention {
  instance_name instance;
  bool wanted = true;
  node_name node;
};

/// How much room do the spare nodes of this instance have? The answer may be
/// as old as the settings allow.
struct room_question {
  instance_name instance;
};

/// The current picture of the cluster. It also looks after the expired
/// suspensions of groups and cluster.
using cluster_actor = caf::typed_actor<
  caf::reacts_to<node_standing>, caf::reacts_to<attention>,
  caf::replies_to<room_question>::with<room_answer>,
  caf::replies_to<repair_request>::with<repair_answer>,
  caf::replies_to<off_word>::with<off_word_answer>,
  caf::replies_to<pause_watcher>::with<watcher_answer>, caf::reacts_to<holds>,
  caf::reacts_to<power_records>, caf::reacts_to<job_event>,
  caf::replies_to<ask_consent>::with<consent>,
  caf::reacts_to<node_started, node_actor>,
  caf::reacts_to<instance_started, instance_actor>, caf::reacts_to<tick>>;

/// Everything that the view is told.
struct picture_news {
  cluster_picture picture;
  poll_report poll;
  std::uint32_t removals = 0; ///< of expired tags, that are under way
};

/// Where the cluster's picture is made.
struct cluster_here {
  cluster_actor cluster;
};

/// What persons want of the power: carries it out row by row and remembers
/// how far it came. Told of every reading of the cluster.
using desk_actor
  = caf::typed_actor<caf::replies_to<errand_request>::with<errand_sheet>,
                     caf::replies_to<errand_query>::with<errand_sheet>,
                     caf::replies_to<errand_stop>::with<errand_sheet>,
                     caf::replies_to<errand_list>::with<errand_list_answer>,
                     caf::reacts_to<picture_news>, caf::reacts_to<cluster_here>,
                     caf::reacts_to<power_wishes>,
                     caf::reacts_to<node_standing>, caf::reacts_to<job_event>,
                     caf::replies_to<ask_consent>::with<consent>,
                     caf::replies_to<power_last_look>::with<power_last_word>,
                     caf::reacts_to<lease>, caf::reacts_to<tick>>;

/// Where should this instance go? Asked by its actor before a repair moves it.
struct place_question {
  instance_name instance;
  bool leaves_primary = false;
  bool leaves_secondary = false;
};

/// Moves instances that are well, when nothing more urgent is on: reads the
/// model, has a plan made, and sends the first level of it. Told of every
/// reading of the cluster.
using balancer_actor = caf::typed_actor<
  caf::reacts_to<picture_news>, caf::reacts_to<node_standing>,
  caf::replies_to<balance_query>::with<balance_sheet>,
  caf::replies_to<place_question>::with<target_answer>,
  caf::reacts_to<job_event>, caf::replies_to<ask_consent>::with<consent>,
  caf::reacts_to<holds>, caf::reacts_to<lease>, caf::reacts_to<tick>>;

struct journal_news {
  std::vector<journal_entry> entries;
};

/// What is going on and why; for reading only.
using view_actor = caf::typed_actor<
  caf::reacts_to<journal_news>, caf::reacts_to<picture_news>,
  caf::reacts_to<node_standing>, caf::reacts_to<instance_standing>,
  caf::reacts_to<guard_standing, lease>, caf::reacts_to<accepted_orders>,
  caf::replies_to<view_query>::with<view_answer>>;

} // namespace orderly

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::tick)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::power_last_look)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::power_last_word)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::append)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::node_facts)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::instance_facts)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::attention)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::room_question)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::recall)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::recalled)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::holds)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::power_records)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::cluster_here)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::poll_report)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::node_started)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::instance_started)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::picture_news)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::place_question)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::journal_news)
