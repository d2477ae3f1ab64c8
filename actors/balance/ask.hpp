// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What the balancer asks others: the view, mirrors, the model and the planner.
// Each question has a deadline, and whoever asked hears of it either way. Used
// by the room's own files only, as are the headers that include it.

#pragma once

#include "actors/balance/balancer.hpp"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace orderly::balancer_parts {

using self_ptr = balancer_actor::stateful_pointer<balancer_state>;

/// The machine takes the event; what it says is written down and then done.
void feed(self_ptr self, const balance::event& e);

/// What the machine decides from.
balance::facts facts_of(self_ptr self);

/// Asks the view how instances are, and whether a guard holds anything;
/// nullopt if it does not answer.
void ask_view(self_ptr self,
              std::function<void(std::optional<balance::view_news>)> then);

/// Has the mirror of that instance asked how it is, right now. The event says
/// why it is not known to be well, if it is not.
void ask_mirror(self_ptr self, const instance_name& name,
                std::function<void(balance::mirror_answered)> then);

/// Reads a model, which is kept for places as well. The answer has a text if
/// there is none.
void read_figures(self_ptr self, std::function<void(const model_answer&)> then);

/// What people should know of a model.
std::vector<std::string> remarks_of(const model_answer& figures);

/// Has a plan made of the last model; `plan.text` says why there is none.
void make_plan(self_ptr self, plan_question question,
               std::function<void(plan_answer&)> then);

/// A question about the last model, as the settings have it.
plan_question question_of(self_ptr self);

/// Instances that are on their way, and where to.
std::map<instance_name, instance_place> under_way(self_ptr self);

} // namespace orderly::balancer_parts
