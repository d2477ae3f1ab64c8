// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// How an event ends: by a tag that tells what came of it, which lives as long
// as a person leaves it there; and how it is forgotten. Used by the machine's
// own files only.

#pragma once

#include "actors/policy/maintenance/situation.hpp"

namespace orderly::maintenance {

void forget(verdict& v, const situation& x, std::string why);

/// Its tag stands, and tells what is not so: the event goes on behind it.
[[nodiscard]] bool is_untrue(const state& s);

/// A tag that tells what is not so is removed, whatever becomes of its event,
/// and over restarts.
void tend_untrue_tag(verdict& v, const situation& x, const node_record& node);

/// It is done, and its tag is to say so: of what is so then.
void tend_tagging(verdict& v, const situation& x, const node_record& node);

void tend_failing(verdict& v, const situation& x);

/// A completed or failed event lives as long as its tag. What one reading lacks
/// may have been read before it was written: the next one must lack it, too.
void tend_ended(verdict& v, const situation& x, const node_record& node);

/// Nothing is to be done.
void tend_over(verdict& v, const situation& x);

} // namespace orderly::maintenance
