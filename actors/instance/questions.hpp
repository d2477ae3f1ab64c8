// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What the instance actor asks its neighbours before it goes on: how earlier
// jobs ended, and where there is room. Each answer makes it look again.

#pragma once

#include "actors/instance/seen.hpp"

namespace orderly::instance_parts {

/// Asks how the jobs of a repair that was taken over ended; again with every
/// picture, as long as they have not.
void ask_earlier(self_ptr self);

/// Asks which nodes have room for the instance, if the machine wants to know
/// and the last answer is too old.
void ask_room(self_ptr self);

/// The jobs of a repair taken over of which it is not known how they ended.
job_lookup open_question(const instance_state& st);

} // namespace orderly::instance_parts
