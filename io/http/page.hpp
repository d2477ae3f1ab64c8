// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The status page: one HTML text without scripts and without anything to be
// fetched, so that it works in any browser and in the middle of an outage.

#pragma once

#include "messages/view.hpp"

#include <string>

namespace orderly::io::http {

/// `all` has status, nodes, instances and decisions filled.
std::string status_page(const view_answer& all);

/// The same for whoever reaches the port: no names but the cluster's.
std::string public_page(const status_row& x);

} // namespace orderly::io::http
