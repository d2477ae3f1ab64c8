// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What a helper program's run means for the power switch, in the words of the
// design. Pure and total: helpers print what they like. Used by the power
// port.

#pragma once

#include "io/child/outcome.hpp"
#include "messages/power.hpp"

#include <string>

namespace orderly::io::oob {

using child::outcome;

/// `at` is left to the asker. A state is known only if power-status exited
/// with 0 and printed exactly one JSON object with exactly one boolean
/// `powered`, items only if health exited with 0 and printed exactly one list
/// of pairs; `done` only if nothing at all is wrong with the answer.
power_answer decode(const node_name& node, power_verb verb,
                    const outcome& what);

/// `text` fit for a log line: printable, in one line, at most `most` bytes.
std::string one_line(const std::string& text, std::size_t most);

} // namespace orderly::io::oob
