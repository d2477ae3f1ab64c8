// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Whoever asks for permits, as the scheduler sees it.

#pragma once

#include "messages/permit.hpp"
#include "messages/protocol/type_ids.hpp"

#include <caf/typed_actor.hpp>

namespace orderly {

/// Was refused, and waits to be called.
using permit_client = caf::typed_actor<
  /// Asks again, or wants it no more and says nothing: what it waits for is
  /// kept free for two seconds.
  caf::reacts_to<permit_called>>;

} // namespace orderly
