// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Points in time as people read them in sentences of permission and
// autorepair.

#pragma once

#include "messages/time.hpp"

#include <string>

namespace orderly {

/// `2023-11-14 22:13:20 UTC`; beyond the year 9999 `second N`.
std::string utc_text(instant t);

} // namespace orderly
