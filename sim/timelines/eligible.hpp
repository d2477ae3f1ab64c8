// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What scenarios say of a host, in the words of the eligibility rule.

#pragma once

#include "actors/policy/host_ha/eligibility.hpp"

#include <nlohmann/json.hpp>

namespace orderly::sim::timelines {

using nlohmann::json;

/// What holds of a host of which nothing is said.
const json& usual_inputs();

struct candidate {
  eligibility_input in;
  bool treated = true; ///< no switch is off
};

/// `inputs` are those that differ from the usual ones. Throws
/// std::invalid_argument for one that is not known or makes no sense.
candidate candidate_from(const json& inputs);

} // namespace orderly::sim::timelines
