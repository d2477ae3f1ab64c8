// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What is known of the copy on the home: heard, kept, and written down.

#pragma once

#include "actors/policy/repair/autorepair.hpp"

namespace orderly::autorepair {

/// Fills in what is known of the copy on the home; for `recall_copy`. It has a
/// mirror.
void recall_home(const state& s, const mirror_news& heard, facts& seen);

void put_home(fields& f, const home_trouble& x);
home_trouble home_from(const fields& f);

} // namespace orderly::autorepair
