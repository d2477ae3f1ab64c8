// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What hbal does before it plans: the cluster from its file, with what the
// options say about it. Used by hbal.cpp.

#pragma once

#include "io/htools/options/options.hpp"

#include <cstdio>

namespace orderly::io::htools {

/// The whole file.
result<std::string> read_whole(const std::string& path);

/// The same of a stream that is open; `name` is for the fault.
result<std::string> read_all(std::FILE* from, const std::string& name);

/// Through a link only if nobody but root and us can turn it elsewhere.
std::optional<fault> write_whole(const std::string& path,
                                 const std::string& text);

/// The cluster of read_source() with --dynu-file, --select-instances and
/// --exclude-instances.
result<planning::cluster> load_cluster(const hbal_options& o);

/// A line for each node whose memory or disk nobody accounts for, the last
/// node first, as the reference lists them.
std::vector<std::string> oddities(const planning::cluster& c);

/// The names of --offline that no node has; the others are offline then.
std::vector<std::string> set_offline(planning::cluster& c,
                                     const std::vector<std::string>& names,
                                     const std::string& suffix);

/// Adds what --mond and the options beside it ask for; why nothing was used
/// is said on `err`, and is a fault if --exit-on-missing-mond-data is given.
std::optional<fault> add_monitored_load(planning::cluster& c,
                                        const tool_options& o, std::FILE* err);

/// Offline nodes count as alive: the reference copies from each of them.
void copy_from_all(planning::cluster& c);

} // namespace orderly::io::htools
