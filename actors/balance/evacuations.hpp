// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Where all goes that is on nodes which are to be empty: asked for repair
// events, of the same model and planner as places for repairs.

#pragma once

#include "actors/balance/ask.hpp"

#include <caf/result.hpp>

#include <string>

namespace orderly::balancer_parts {

caf::result<evacuation_answer> evacuate(self_ptr self,
                                        const evacuation_wanted& what);

/// They go on with the model that was read, or hear why there is none.
void serve_evacuators(self_ptr self, const std::string& trouble);

} // namespace orderly::balancer_parts
