// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// A drill: one text file with a world, settings, faults at times, the length
// of the run, and then the transcript that is expected of it.
//
//   # A node loses power. Its instances restart elsewhere.
//   world small-5n
//   seed  1
//   set   storm.settle 6s
//   levels node3 = oob-a oob-b
//   at 2m power node3 off
//   at 5m orderly power status node3
//   upon power-off node:node3 daemon kill
//   run 20m
//   ----
//   +2m00s   world     power node3 off
//   ...

#pragma once

#include "actors/policy/settings/settings.hpp"
#include "messages/result.hpp"
#include "sim/faults/coverage.hpp"
#include "sim/lab/lab.hpp"

#include <map>
#include <string>
#include <vector>

namespace orderly::sim {

struct drill {
  struct event {
    millis at{};
    std::string fault; ///< or a command line of a person
  };

  /// A fault that waits for a journal entry with this code about this object.
  struct trigger {
    std::string code;
    std::string object;
    std::string fault;
    millis after{};        ///< so long after the entry
    std::uint32_t nth = 1; ///< of the entries with this code: that one
  };

  std::vector<std::string> head; ///< comment lines at the top
  std::string world = "small-3n";
  std::uint64_t seed = 1;
  std::string config; ///< file with settings, beside the drill; or empty
  std::vector<std::pair<std::string, std::string>> sets;  ///< key, value
  std::map<std::string, std::vector<std::string>> levels; ///< `[power.levels]`
  /// `[host_ha.groups]`: "check_timeout = 5s" and the like.
  std::map<group_name, std::vector<std::string>> groups;
  std::vector<event> events;
  std::vector<trigger> triggers;
  millis length = minutes{10};
  std::string expected;
  std::string text; ///< the part above the line, as it was
};

/// Reads a drill; the fault names `name` and the line.
result<drill> parse_drill(const std::string& text, const std::string& name);

/// The settings of a drill: auto-repair on, then its file, then its `set`s.
result<settings> settings_of(const drill& d, const std::string& folder);

/// Sets one knob from text as in `set KEY VALUE`; says what is wrong with it.
std::string set_knob(settings& rules, const std::string& key,
                     const std::string& text);

struct drill_outcome {
  std::string transcript;
  std::vector<broken_law> broken;
  std::vector<std::string> troubles; ///< faults that could not be applied
  std::uint64_t trace_hash = 0;
  std::uint64_t steps = 0;
  std::set<state_and_fault> met; ///< states in which faults came
  std::vector<stay> stays;       ///< states by object, in order of their begin
};

/// Where a drill ends.
enum class ending {
  whole,       ///< after its length
  when_settled ///< or before, once all its faults are over and nothing happens
};

/// Plays it: laws after every step, liveness laws at its end.
drill_outcome play(const drill& d, const settings& rules,
                   ending until = ending::whole);

/// `2m`, `90s`, `1h30m`, `1500ms`: lengths as drills write them.
result<millis> parse_span(const std::string& text);
std::string render_span(millis span);

/// The part above the line, written anew from what the drill holds.
std::string write_head(const drill& d);

/// The drill as a file, with `transcript` as what is expected.
std::string render_drill(const drill& d, const std::string& transcript);

} // namespace orderly::sim
