// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What the instance actor knows, in the words of its policy, and what it may do
// by that. Used by the room's own files only.

#pragma once

#include "actors/instance/instance.hpp"

#include <string>

namespace orderly::instance_parts {

using self_ptr = instance_actor::stateful_pointer<instance_state>;

/// Has the machine judge what is known now.
void look(self_ptr self, bool called = false);

/// The facts in the words of the policy.
autorepair::facts seen(const instance_state& st, instant at);

autorepair::rules rules_of(const settings& s);

/// What the new facts tell beside the last ones.
void take(instance_state& st, instance_facts next);

/// Since when nothing of the mirror's node is heard, while its home may write;
/// `never`: that is not so.
instant apart_since(const instance_facts& is);

/// Since when the two did not see each other in a silence of the mirror's node
/// that is over, and ended after the record, read at `unlike`, showed another
/// mirror: until then nobody knew that it mattered. `never`: there was none.
instant were_apart_since(const instance_facts& is, instant unlike);

/// The machine is about to become `next`: keeps the intent whose token was just
/// removed. When luxid reads its job nobody needs to call it back.
void note_voided(instance_state& st, const autorepair::state& next);

/// Why the job of that intent shall not leave after all, by what is known now;
/// empty: it may.
std::string doubts(const instance_state& st, const intent_id& intent,
                   instant at);

/// When something ends by itself: a wait of the machine, a suspension, the time
/// that a mirror's node may be silent. `never`: nothing does.
instant next_look(const instance_state& st, instant at);

} // namespace orderly::instance_parts
