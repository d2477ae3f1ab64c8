// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Where a tool gets its cluster from, as its options say: a file, an
// iallocator request, LUXI, or one that is only thought of.

#pragma once

#include "io/htools/options/options.hpp"

namespace orderly::io::htools {

/// The cluster, or why there is none. LUXI is asked only here.
result<planning::cluster> read_source(const tool_options& o);

/// Empty groups of nodes that are as the specifications say, the last one
/// first as in the reference.
result<planning::cluster>
simulated_cluster(const std::vector<std::string>& specifications);

} // namespace orderly::io::htools
