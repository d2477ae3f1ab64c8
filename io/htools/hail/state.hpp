// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What hail understood of a message, for `-v -v`: a line a thing, with the
// reference's names of fields and states, which scripts look for.

#pragma once

#include "io/htools/formats/read_request.hpp"

namespace orderly::io::htools {

std::string request_text(const request_kind& x);

/// Groups, nodes and instances by their numbers.
std::string cluster_text(const planning::cluster& c);

} // namespace orderly::io::htools
