// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What a scene says to one question. Asked by the view itself, and by the HTTP
// side, which answers its readers from a scene of its own.

#pragma once

#include "messages/view.hpp"

namespace orderly::foresight {

view_answer tell(const scene& all, const view_query& q);

} // namespace orderly::foresight
