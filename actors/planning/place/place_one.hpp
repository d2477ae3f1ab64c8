// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Where one instance should go that must leave a node, with all that is under
// way counted: the place that scores best among those that take N+1 from the
// fewest nodes. The planner answers repairs by it.

#pragma once

#include "messages/plan.hpp"

namespace orderly::planning {

target_answer place_one(const target_question& q);

} // namespace orderly::planning
