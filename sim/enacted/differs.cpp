// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "sim/enacted/differs.hpp"

#include <algorithm>
#include <array>
#include <set>

namespace orderly::sim::enacted {

namespace {

constexpr const char* with_rows[]
  = {"transition_counts", "operation_counts", "alert_counts", "event_counts"};
constexpr const char* checks_key = "health_checks_started_per_host";

std::set<std::string> keys_of(const json& a, const json& b) {
  std::set<std::string> all;
  for (const auto* x : {&a, &b})
    for (const auto& [key, value] : x->items())
      all.insert(key);
  return all;
}

/// By kind and second.
void search(const json& a, const json& b, const char* key,
            std::optional<clash>& first) {
  for (const auto& kind : keys_of(a, b)) {
    auto mine = a.value(kind, json::object());
    auto theirs = b.value(kind, json::object());
    for (const auto& second : keys_of(mine, theirs)) {
      clash x{std::stoi(second), key, kind, mine.value(second, 0),
              theirs.value(second, 0)};
      if (x.machine != x.actors && (!first || x.second < first->second))
        first = x;
    }
  }
}

/// A reset or a fence, or what comes of one.
bool is_act(const clash& x) {
  static constexpr const char* phases[]
    = {">Recovering", ">Recovered", ">Fencing", ">Fenced"};
  static constexpr const char* operations[]
    = {"recover", "maintenance_on", "fence", "host_down", "restart_vms"};
  return std::any_of(std::begin(phases), std::end(phases),
                     [&](const char* to) { return x.kind.ends_with(to); })
         || std::find(std::begin(operations), std::end(operations), x.kind)
              != std::end(operations);
}

bool is_held(const clash& x) {
  return x.kind == "Checking>Degraded" || x.kind == "X.GUARD_HELD";
}

bool was_in(const json& seen, std::initializer_list<const char*> states) {
  for (const auto& [kind, seconds] : seen.at("transition_counts").items())
    for (const auto* state : states)
      if (kind.ends_with(std::string{">"} + state))
        return true;
  return false;
}

/// When the power was first said to be anything but on, if it is said to be
/// unknown at any time.
std::optional<int> doubtful_since(const timelines::timeline& what) {
  auto unknown = false;
  std::optional<int> since;
  auto read = [&](int at, const json& set) {
    auto power = set.value("power", json("On"));
    unknown = unknown || power == "Unknown";
    if (power != "On" && (!since || at < *since))
      since = at;
  };
  read(0, what.inputs);
  for (const auto& step : what.script)
    read(step.at, step.set);
  return unknown ? since : std::nullopt;
}

bool begins_at(const timelines::timeline& what, int second,
               std::int64_t for_so) {
  return std::any_of(what.script.begin(), what.script.end(),
                     [&](const auto& x) {
                       return (x.restart || x.handoff) && x.at <= second
                              && second <= x.at + for_so;
                     });
}

std::int64_t number(const timelines::timeline& what, const char* key) {
  return what.how.settings.at(key);
}

bool by_rehearsals(const timelines::timeline& what, const clash& found,
                   const json&) {
  auto since = doubtful_since(what);
  return since && found.second >= *since;
}

bool by_boots(const timelines::timeline&, const clash& found,
              const json& actors) {
  const auto& seen = actors.at("transition_counts");
  return seen.value("Available>Recovered", json::object())
    .contains(std::to_string(found.second));
}

/// Could that be answered about any host in that second?
bool may_be(const timelines::timeline& what, const char* input,
            const json& answer, int second) {
  auto has = [&](const json& set) {
    auto x = set.value(input, json{});
    return x == answer
           || (x.is_array()
               && std::find(x.begin(), x.end(), answer) != x.end());
  };
  auto usual = timelines::answers{}.shown(input) == answer
               && !what.inputs.contains(input);
  return usual || has(what.inputs)
         || std::any_of(
           what.script.begin(), what.script.end(),
           [&](const auto& x) { return x.at <= second && has(x.set); });
}

/// Of a host that it was done for already, by a person perhaps.
bool by_acknowledgement(const timelines::timeline& what, const clash& found,
                        const json& actors) {
  if ((found.kind != "host_down" && found.kind != "restart_vms")
      || found.actors >= found.machine)
    return false;
  const auto& seen = actors.at("transition_counts");
  auto fenced = seen.value("Fencing>Fenced", json::object());
  return !fenced.contains(std::to_string(found.second))
         || may_be(what, "maintenance", true, found.second);
}

/// Does it take a while at some time?
bool lasts(const timelines::timeline& what, const char* input) {
  auto in = [&](const json& set) { return set.value(input, json(0)) != 0; };
  return in(what.inputs)
         || std::any_of(what.script.begin(), what.script.end(),
                        [&](const auto& x) { return in(x.set); });
}

bool by_checks_of_all(const timelines::timeline& what, const clash& found,
                      const json& actors) {
  auto begins = what.given.phase;
  auto began_so = begins == ha_phase::recovering || begins == ha_phase::fencing
                  || begins == ha_phase::recovered
                  || begins == ha_phase::ineligible
                  || begins == ha_phase::disabled;
  auto was_so = began_so
                || was_in(actors, {"Recovering", "Recovered", "Fencing",
                                   "Ineligible", "Disabled"});
  // One that was asked for while nobody treated it ends when somebody does.
  auto asked_before = found.kind == "Available>Suspect"
                      && was_in(actors, {"Ineligible", "Disabled"})
                      && lasts(what, "t_health");
  const auto& seen = actors.at("transition_counts");
  auto waited = seen.value("Recovered>Suspect", json::object())
                  .contains(std::to_string(found.second));
  return found.kind.starts_with("Recovered>") || waited || asked_before
         || (found.key == checks_key && was_so);
}

bool by_storm_guard(const timelines::timeline& what, const clash& found,
                    const json&) {
  return what.how.guard_ratio.has_value() && (is_act(found) || is_held(found));
}

bool by_first_looks(const timelines::timeline& what, const clash& found,
                    const json&) {
  return (is_act(found) || is_held(found))
         && begins_at(what, found.second,
                      number(what, "health_interval")
                        + number(what, "health_timeout"));
}

bool by_crowding(const timelines::timeline& what, const clash&, const json&) {
  auto hosts = static_cast<std::int64_t>(what.hosts);
  return number(what, "health_conc") < hosts
         || number(what, "act_conc") < hosts;
}

bool by_persons(const timelines::timeline&, const clash& found, const json&) {
  return found.kind == "Recovered>Ineligible"
         || found.kind == "Fencing>Ineligible";
}

bool by_last_looks(const timelines::timeline& what, const clash& found,
                   const json& actors) {
  auto withdrawn = [&](const char* kind) {
    return actors.at("transition_counts")
      .value(kind, json::object())
      .contains(std::to_string(found.second));
  };
  return may_be(what, "healthy", true, found.second)
         && (withdrawn("Recovering>Suspect") || withdrawn("Fencing>Suspect"));
}

bool by_old_ground(const timelines::timeline&, const clash& found,
                   const json&) {
  return found.kind == "activity_check" && found.actors > found.machine;
}

/// As somebody switched it off, or an earlier fence did.
bool by_proof_of_off(const timelines::timeline& what, const clash& found,
                     const json& actors) {
  auto off = may_be(what, "power", "Off", found.second);
  auto fenced
    = actors.at("transition_counts").value("Fencing>Fenced", json::object());
  for (const auto& [second, n] : fenced.items())
    off = off || std::stoi(second) < found.second;
  return off && found.kind == "Fencing>Fenced" && found.actors > found.machine
         && (may_be(what, "fence", "fail", found.second)
             || may_be(what, "fence", "hang", found.second)
             || lasts(what, "t_fence"));
}

bool by_readings(const timelines::timeline& what, const clash& found,
                 const json&) {
  // Or it is seen to boot, before the time for its return is over.
  auto boots = found.kind == "Fenced>Suspect" && found.machine > found.actors
               && may_be(what, "power", "On", found.second);
  return boots
         || (may_be(what, "power", "Off", found.second) && is_act(found)
             && found.actors > found.machine);
}

bool by_marks(const timelines::timeline&, const clash& found,
              const json& actors) {
  return found.kind == "Available>Ineligible" && found.actors > found.machine
         && actors.at("transition_counts").contains("Fenced>Disabled");
}

bool by_fence_lanes(const timelines::timeline& what, const clash& found,
                    const json&) {
  return number(what, "fence_conc") < static_cast<std::int64_t>(what.hosts)
         && (found.kind == "fence" || found.kind == "Fencing>Fenced");
}

constexpr std::array difference_table{
  difference{"rehearsals",
             "A power that is not known counts once two readings in a row have "
             "failed, which are done with the health checks; and an \"off\" "
             "beside daemons that answer makes a controller a liar.",
             by_rehearsals},
  difference{"boots",
             "Whom people had out of the treatment, and who is silent when it "
             "is treated again, may have been switched on: it gets the time of "
             "a boot.",
             by_boots},
  difference{"acknowledged",
             "What was acknowledged is not done again, after a restart or a "
             "doubt about its power: the record says offline already.",
             by_acknowledgement},
  difference{"persons", "Whom a person takes out of service is left at once.",
             by_persons},
  difference{
    "checks of all",
    "Health checks go on in each state: of who is not treated a person "
    "is to hear, and of who is reset, boots or is fenced what they see "
    "voids or confirms the act. The wait of a reset ends with what "
    "they saw last, and not with a check of its own.",
    by_checks_of_all},
  difference{"storm guard",
             "There is no ratio for each group: the storm guard stands for it, "
             "and holds a fence for a lost power, too.",
             by_storm_guard},
  difference{"first looks",
             "After a start nothing is permitted before each node was looked "
             "at once.",
             by_first_looks},
  difference{"crowding",
             "Checks come as each node's beat has it, so that a free place is "
             "taken by who comes first; and silent nodes take at most half of "
             "the places.",
             by_crowding},
  difference{"marks",
             "Who was fenced is offline by the record until a person returns "
             "it, also if it was not treated meanwhile.",
             by_marks},
  difference{"last looks",
             "Before an act leaves the daemons are asked once more, and one "
             "that answers by then is watched anew.",
             by_last_looks},
  difference{"old ground",
             "What the activity checks found is good for a while; before an "
             "act that comes later one more is asked for.",
             by_old_ground},
  difference{"off is proof",
             "A fence reads the power first: what is off is fenced, whatever "
             "the command would come to.",
             by_proof_of_off},
  difference{"fence lanes",
             "Fences have no bound of their own: resets take at most half of "
             "the places, and fences all.",
             by_fence_lanes},
  difference{"readings",
             "The power of who is silent is read each minute, not only with "
             "its activity checks, and so is that of who was returned.",
             by_readings},
};

} // namespace

std::optional<clash> first_clash(const json& machine, const json& actors) {
  std::optional<clash> first;
  for (const auto* key : with_rows)
    search(machine.at(key), actors.at(key), key, first);
  if (first)
    return first;
  // In the order of keys: what follows from others comes last.
  for (const auto* key : {"final_states", "skipped_admissions", checks_key})
    if (machine.at(key) != actors.at(key))
      return clash{0, key, "", 0, 0};
  for (const auto& [key, value] : machine.items())
    if (value != actors.at(key))
      return clash{0, key, "", 0, 0};
  return std::nullopt;
}

std::span<const difference> differences() {
  return difference_table;
}

const difference* explanation(const timelines::timeline& what,
                              const clash& found, const json& actors) {
  auto i = std::find_if(
    difference_table.begin(), difference_table.end(),
    [&](const difference& x) { return x.explains(what, found, actors); });
  return i == difference_table.end() ? nullptr : &*i;
}

} // namespace orderly::sim::enacted
