// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Where instances go that a repair has to move: asked one after the other, so
// that each finds the places that were given out before it. Whoever gets no
// place in time takes what the cluster's allocator finds.

#pragma once

#include "actors/balance/ask.hpp"

#include <caf/result.hpp>

#include <map>

namespace orderly::balancer_parts {

caf::result<target_answer> place(self_ptr self, const place_question& what);

/// Answers those who wait for a place, one after the other.
void serve_seekers(self_ptr self);

/// A fresh model is read, and whoever waits for one is served.
void refresh(self_ptr self);

/// A model is kept at hand while places may be asked for; promises that came
/// true, or never will, are forgotten.
void keep_figures(self_ptr self);

/// Where instances go that are asked for, or leave nodes out of service.
std::map<instance_name, instance_place> all_under_way(self_ptr self);

} // namespace orderly::balancer_parts
