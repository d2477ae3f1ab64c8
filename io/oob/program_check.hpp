// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// May this file be run as a helper program? It runs with our rights, so it
// must be named without doubt and be in nobody else's hands. Used by the
// power port.

#pragma once

#include <string>

namespace orderly::io::oob {

/// Empty if `path` may be run, else why not, in the words of Ganeti's own
/// check where it has one, and what to do. Links are followed: what counts is
/// the file itself, and that nobody but root and we could put another in its
/// place, by any folder or link on the way to it. The interpreter of a script
/// is held to the same.
std::string why_not_runnable(const std::string& path);

} // namespace orderly::io::oob
