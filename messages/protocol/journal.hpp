// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The journal actor: durable before anything else happens.

#pragma once

#include "messages/journal_entry.hpp"
#include "messages/protocol/tick.hpp"
#include "messages/protocol/type_ids.hpp"

#include <caf/replies_to.hpp>
#include <caf/typed_actor.hpp>

#include <map>
#include <string>
#include <vector>

namespace orderly {

/// Makes entries durable, in order. The answer comes after the commit.
struct append {
  std::vector<journal_entry> entries;
};

/// What is kept under `key`, or under all keys that start with it.
struct recall {
  std::string key;
  bool is_prefix = false;
};

struct recalled {
  instant adopted;                      ///< as in `journal_contents`
  instant damaged;                      ///< likewise
  std::map<std::string, fields> states; ///< by state key
  std::vector<journal_entry> recent;    ///< only if the key is empty
};

using journal_actor
  = caf::typed_actor<caf::replies_to<append>::with<journal_ack>,
                     caf::replies_to<recall>::with<recalled>,
                     caf::reacts_to<tick>>;

} // namespace orderly

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::append)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::recall)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::recalled)
