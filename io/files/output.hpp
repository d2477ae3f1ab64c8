// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Whether what a program printed has arrived: a full disk or a reader that left
// is an error like any other.

#pragma once

#include <string_view>

namespace orderly::io {

/// The code to leave with: `code`, or 1 if standard output could not be
/// written, which is told on standard error in the name of `program`.
int after_output(int code, std::string_view program);

} // namespace orderly::io
