// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Plays a drill under defects and says which laws are broken by it. Unlike
// sim::play it goes on after the first broken law, so that a test can name
// all that a defect leads to.

#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>

namespace orderly::sim {
class lab;
} // namespace orderly::sim

namespace orderly::mutants {

using names = std::set<std::string>;

/// What came of a run.
struct findings {
  names laws;        ///< broken ones, by name
  std::string story; ///< the transcript, and a sentence for each breach
  std::uint64_t trace_hash = 0;
};

/// Plays `text`, which must be a good drill whose faults can all be applied,
/// with the given defects; each of them must have been reached. `at_end` looks
/// at the daemon as it is then.
findings run(const std::string& text, const names& defects = {},
             const std::function<void(sim::lab&)>& at_end = {});

/// The same of the drill of that name in `sim/drills/attack`, with its
/// settings.
findings run_attack(const std::string& name, const names& defects = {});

/// Likewise two sections, of such a drill.
void attacks(const std::string& name, const names& defects, const names& laws);

/// Is `part` in the story of the drill as it is, and not with the defect; or,
/// where it is something bad, the other way round?
void tells(const std::string& drill, const std::string& part,
           const std::string& defect, bool only_with = false);

/// Two sections of a test: `text`, after the quick settings, breaks nothing as
/// it is, and exactly `laws` with the defects.
void shows(const std::string& text, const names& defects, const names& laws);

/// Settings that make a daemon quick; to be put before the rest of a drill.
extern const std::string quick;

} // namespace orderly::mutants
