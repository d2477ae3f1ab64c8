// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Instances and policies as Ganeti writes them in JSON. read_request.cpp reads
// messages by it.

#pragma once

#include "actors/planning/model/cluster.hpp"
#include "io/htools/formats/json_value.hpp"

namespace orderly::io::htools {

/// All but its nodes. What is wrong is said by `r`.
planning::instance_spec read_instance(json_reader& r, const std::string& name);

/// `x` is a member of what `r` reads; what is wrong is said by `r`.
planning::instance_policy read_policy(json_reader& r, const json_value& x);

} // namespace orderly::io::htools
