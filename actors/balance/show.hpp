// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Plans that are made to be looked at, with balancing on or off: nothing of
// them is ever carried out.

#pragma once

#include "actors/balance/ask.hpp"

namespace orderly::balancer_parts {

balance_sheet show(self_ptr self, const balance_query& what);

/// The plan of a round is shown too, unless somebody looks at another.
void show_round(self_ptr self, const plan_answer& plan);

} // namespace orderly::balancer_parts
