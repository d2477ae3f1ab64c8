// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Which node reaches which pool of storage, and where instances have their
// volumes: a JSON file beside whatever the cluster is read from (--pools), for
// Ganeti does not say. docs/htools.md shows one.

#pragma once

#include "io/htools/options/options.hpp"

#include <cstdio>

namespace orderly::io::htools {

/// Adds what the text says. The names in it that the cluster does not have; no
/// fault, since instances come and go.
result<std::vector<std::string>> read_pools(std::string_view text,
                                            const std::string& file,
                                            planning::cluster& c);

/// The same of the file of --pools, if it is given; names that are none are
/// complained of on `err`.
std::optional<fault> add_pools(planning::cluster& c, const tool_options& o,
                               std::FILE* err);

} // namespace orderly::io::htools
