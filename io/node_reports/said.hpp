// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What an agent's report says, once it is known whose it is. Pure.

#pragma once

#include "messages/event.hpp"

#include <string>

namespace orderly::io::node_reports {

/// The collector that is asked for.
inline constexpr const char* diagnose_path = "/1/report/node/diagnose";

/// All but `node` and `key`. The object is passed on as it was spelled. A
/// probe error, or a collector that has not looked yet, is no word of the node.
diagnosis read_said(const std::string& report, instant now);

} // namespace orderly::io::node_reports
