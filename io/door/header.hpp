// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The header of an answer as it goes over the wire. Used by the session.

#pragma once

#include "io/door/message.hpp"

#include <string>

namespace orderly::io::http {

std::string header_text(const response& x, unsigned version, bool keep);

} // namespace orderly::io::http
