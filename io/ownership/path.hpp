// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Is a file in nobody's hands but root's and ours? Asked of what runs with our
// rights, and of what says what runs. Links are followed: what counts is the
// file itself, and that nobody else could put another in its place, by any
// folder or link on the way to it.

#pragma once

#include <string>

namespace orderly::io {

/// Why not, a clause that begins with the place and says what to do.
struct path_doubt {
  int error = 0; ///< of the system: it could not be looked at
  std::string text;
};

/// Of a regular file itself, without its folders.
path_doubt doubt_file(const std::string& path);

/// Of each folder and link on the way to it.
path_doubt doubt_way(const std::string& path);

} // namespace orderly::io
