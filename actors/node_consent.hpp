// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What a node has to say before its offline mark leaves. Private to node*.cpp.

#pragma once

#include "actors/node.hpp"

namespace orderly::node_parts {

/// Of the offline mark that is under way, or was last.
intent_id offline_intent(const node_state& st);

/// May the job of that intent leave, now that it is written down?
consent last_say(const node_state& st, const intent_id& intent);

} // namespace orderly::node_parts
