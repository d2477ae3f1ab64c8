// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Is it ready? The answer of /readyz, with the reason if not. Used by the
// routes.

#pragma once

#include "io/door/message.hpp"
#include "messages/view.hpp"

namespace orderly::io::http {

/// 200, or 503 and why. `limit`: how old the last reading of the cluster may
/// be.
response readiness(const status_row& s, millis limit);

} // namespace orderly::io::http
