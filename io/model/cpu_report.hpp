// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What a node's monitor says of its CPU load: the report of Ganeti's collector
// cpu-avg-load. Read from whatever the other side sent.

#pragma once

#include "messages/result.hpp"

#include <string_view>

namespace orderly::io::model {

/// CPUs that are busy on average: 3.5 of 8, say. Fails as `bad_input`.
result<double> read_cpu_report(std::string_view text);

} // namespace orderly::io::model
