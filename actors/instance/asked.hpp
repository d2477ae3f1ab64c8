// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Somebody asks for one repair of the instance: its pending tag is written,
// and the machine takes it from there as it does any such tag.

#pragma once

#include "actors/instance/seen.hpp"

#include <caf/result.hpp>

namespace orderly::instance_parts {

/// Somebody asks for one repair: its pending tag is written.
caf::result<repair_answer> ask_repair(self_ptr self,
                                      const repair_request& what);

/// News of the job that writes such a tag.
void hear_of_asked(self_ptr self, const job_event& e);

/// May it still be set?
consent say_of_asked(const instance_state& st, const intent_id& intent);

} // namespace orderly::instance_parts
