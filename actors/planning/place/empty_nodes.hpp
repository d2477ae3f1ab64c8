// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Where all should go that is on nodes which are to be empty: one plan for all
// of them, each instance with what the ones before it took. For the planner.

#pragma once

#include "messages/plan.hpp"

namespace orderly::planning {

evacuation_answer empty_nodes(const evacuation_question& q);

} // namespace orderly::planning
