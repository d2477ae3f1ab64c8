// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The value of one knob as people write it in a few characters: in the list of
// a node group, in a tag of the cluster, on a command line. Pure; TOML is
// io/config's.

#pragma once

#include "actors/policy/settings/settings.hpp"

#include <string>

namespace orderly {

/// Sets the knob from a text: a duration as seconds or with a unit, a switch
/// as true or false. What is wrong, a clause that goes behind the key; empty:
/// it was set.
std::string set_from_text(const knob& k, const std::string& text);

/// The same into a time of the caller, within the bounds of `k`.
std::string set_time_from_text(const knob& k, const std::string& text,
                               millis& into);

/// The value of the knob: durations in seconds, words in capitals.
std::string text_of(const knob& k);

} // namespace orderly
