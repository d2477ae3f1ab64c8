// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The collector `node/diagnose`: asks a command of the administrator how the
// node is. One at a time: a command that cannot even be killed keeps its slot,
// and that is what is reported.

#pragma once

#include "io/loop/loop.hpp"
#include "io/node_agent/collector.hpp"
#include "io/node_agent/diagnose_command.hpp"
#include "io/node_agent/settings.hpp"

#include <memory>

namespace orderly::io::node_agent {

std::unique_ptr<collector> make_diagnose(loop& on, const agent_settings& s,
                                         const owner_rule& owner = {});

} // namespace orderly::io::node_agent
