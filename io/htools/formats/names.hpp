// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The end of each reader of a cluster. Names and tags go to terminals and into
// commands that root runs, so none is taken that Ganeti would not give and that
// these would obey.

#pragma once

#include "actors/planning/model/cluster.hpp"
#include "messages/result.hpp"

#include <optional>
#include <string>

namespace orderly::io::htools {

/// Whether it is one line without what terminals obey.
bool is_fit_to_show(const std::string& text);

/// Where the parts of a cluster were read, as faults name it.
struct read_places {
  std::string groups;
  std::string nodes;
  std::string instances;
  std::string cluster;
};

/// All in one place.
read_places read_at(const std::string& place);

/// What is wrong with the first bad name; nothing: all are good.
std::optional<fault> bad_name(const planning::cluster& c,
                              const read_places& from);

/// The same of one instance, which is called `what`.
std::optional<fault> bad_name(const planning::instance_spec& x,
                              const std::string& place,
                              const std::string& what);

/// A fault that quotes what was read, fit to be shown.
fault shown(const fault& why);

/// The cluster if all its names are good; a fault as it can be shown.
result<planning::cluster> checked(result<planning::cluster> read,
                                  const read_places& from);

} // namespace orderly::io::htools
