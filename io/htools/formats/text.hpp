// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Reads and writes the text format of Ganeti's htools: sections of lines,
// fields divided by bars. The tools of io/main/htools.cpp read their clusters
// by it.

#pragma once

#include "actors/planning/model/cluster.hpp"
#include "messages/result.hpp"

namespace orderly::io::htools {

/// `file` is only named in faults: `FILE:LINE: ...`.
result<planning::cluster> read_text(std::string_view text,
                                    const std::string& file);

/// The lines `instance cpu mem dsk net` of dynamic load. Instances that the
/// cluster does not have are passed over.
std::optional<fault> read_load(std::string_view text, const std::string& file,
                               planning::cluster& c);

std::string write_text(const planning::cluster& c);

} // namespace orderly::io::htools
