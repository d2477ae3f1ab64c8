// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Who else has a file of settings, and what it names, in their hands. Used by
// the programs before they read one.

#pragma once

#include "actors/policy/settings/settings.hpp"
#include "messages/result.hpp"

#include <string>
#include <vector>

namespace orderly::io {

/// Why the settings at `path` are not to be taken: others can write them;
/// empty: nobody can.
std::string why_not_trusted(const std::string& path);

/// The text at `path` once it stands still: who writes it may be in the middle,
/// and what is missing would be the defaults. Waits for that, a second at most.
/// What sets nothing is an accident of whoever writes it, and no wish for the
/// defaults of everything: a fault, as what cannot be read.
result<std::string> text_to_reload(const std::string& path);

/// A sentence for each place that is named in the settings, and where others
/// could put something else.
std::vector<std::string> places_of_others(const settings& rules);

} // namespace orderly::io
