// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What a node's monitor says of CPU load: the reports of Ganeti's collectors
// cpu-avg-load, of a node, and xen-cpu-avg-load, of its instances. Read from
// whatever the other side sent.

#pragma once

#include "io/htools/formats/json_value.hpp"
#include "messages/ids.hpp"
#include "messages/result.hpp"

#include <map>
#include <string_view>

namespace orderly::io::htools {

inline constexpr const char* cpu_collector = "cpu-avg-load";
inline constexpr const char* xen_collector = "xen-cpu-avg-load";

/// CPUs that are busy on average: 3.5 of 8, say. Fails as `bad_input`.
result<double> read_cpu_report(std::string_view text);
result<double> read_cpu_report(const json_value& report);

/// The same of each instance.
using instance_loads = std::map<instance_name, double>;

result<instance_loads> read_xen_report(std::string_view text);
result<instance_loads> read_xen_report(const json_value& report);

} // namespace orderly::io::htools
