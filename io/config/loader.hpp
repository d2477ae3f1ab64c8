// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Settings as TOML: reads a file and tells everything that is wrong with it
// at once, and writes the file that names every knob. Used by orderlyd and by
// orderly-sim; the knobs of other programs are read and written by the same
// rules. No input makes the reader crash or throw.

#pragma once

#include "actors/policy/settings/settings.hpp"
#include "messages/result.hpp"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace orderly::io {

/// One thing that is wrong with a settings file.
struct problem {
  std::string file;
  int line = 0; ///< from 1; 0: it concerns no single line
  int column = 0;
  std::string text;
};

/// `FILE:LINE:COLUMN: TEXT`, without the places that are not known.
std::string to_string(const problem& p);

/// A line each.
std::string to_string(const std::vector<problem>& all);

/// Sentences about values that do not fit each other.
using doubts = std::function<std::vector<std::string>()>;

/// Reads `text` through the knobs `into`; what is wrong with it, by line.
std::vector<problem> read_knobs(std::string_view text, const std::string& name,
                                std::vector<knob> into, doubts contradictions);

/// What the file at `path` holds, or the beginning of what is too large.
result<std::string> settings_text(const std::string& path);

/// What became of a text: the settings, good only if nothing is wrong.
struct loaded_settings {
  settings values;
  std::vector<problem> problems; ///< by line
};

/// Reads `text`; `name` is what problems call the file. Knobs that are not
/// mentioned keep their defaults.
loaded_settings read_settings(std::string_view text, const std::string& name);

/// The settings in `text`, or all its problems, a line each.
result<settings> load_settings_text(std::string_view text,
                                    const std::string& name);

/// The settings in the file at `path`, or all its problems, a line each.
result<settings> load_settings(const std::string& path);

/// A TOML text with every knob at the value that it has in `s`, explained.
/// Read again, it yields `s`.
std::string render_settings(settings s);

/// Likewise of any knobs, behind `preamble`.
std::string render_knobs(std::string preamble, std::vector<knob> all);

} // namespace orderly::io
