// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Asks a running Ganeti for its cluster over LUXI, once, and waits for the
// answers: what the tools need of it, and nothing that changes anything.

#pragma once

#include "actors/planning/cluster.hpp"
#include "messages/result.hpp"

#include <chrono>

namespace orderly::io::htools {

/// The cluster behind `socket`, or behind the usual one if that is empty. Each
/// question waits at most `patience`.
result<planning::cluster>
read_luxi(const std::string& socket, std::int64_t kvm_node_memory,
          std::chrono::seconds patience = std::chrono::seconds{60});

} // namespace orderly::io::htools
