// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Who else has a file of settings, and what it names, in their hands. Used by
// the programs before they read one.

#pragma once

#include "actors/policy/settings/settings.hpp"

#include <string>
#include <vector>

namespace orderly::io {

/// Why the settings at `path` are not to be taken: others can write them;
/// empty: nobody can.
std::string why_not_trusted(const std::string& path);

/// Why there is nothing to be read anew at `path`; empty: there is something.
/// An empty file, or none, is an accident of whoever writes it, and no wish for
/// the defaults of everything.
std::string why_nothing_to_read(const std::string& path);

/// A sentence for each place that is named in the settings, and where others
/// could put something else.
std::vector<std::string> places_of_others(const settings& rules);

} // namespace orderly::io
