// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What a diagnose command has printed, read strictly. Pure; used by the
// collector. Whatever is wrong, old readers are given the `Ok` that Ganeti's
// monitor would have given, and `probe_error` tells everybody else that nothing
// is known.

#pragma once

#include "io/child/outcome.hpp"
#include "io/node_agent/collector.hpp"

#include <string>

namespace orderly::io::node_agent {

/// More output than this is none.
inline constexpr std::size_t diagnosis_max = 64 * 1024;

/// Deeper than this no part of an answer may lie.
inline constexpr int diagnosis_depth_max = 32;

/// `{"status": "Ok", "details": TEXT}`, as the original says it.
std::string ok_because(const std::string& text);

/// A look that failed, in the words of the original and in ours.
sample failed_probe(const std::string& details, const std::string& error);

sample read_diagnosis(const child::outcome& what);

} // namespace orderly::io::node_agent
