// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What is read: each path's answer, from the snapshots. Used by the routes, on
// the doors' thread.

#pragma once

#include "io/http/call.hpp"
#include "io/http/heavy.hpp"
#include "io/http/snapshots.hpp"

#include <memory>

namespace orderly::io::http {

struct reading_room {
  std::shared_ptr<snapshots> shown;
  std::shared_ptr<heavy_limit> heavy;
  std::uint32_t own_uid = 0; ///< who may give orders, like root
};

/// The document, packed if the client takes that, or that it has it already.
void send_document(const call& x, const reading_room& in, document_kind kind);

/// /2/nodes and /2/instances: all, or those that the parameters are about.
void send_nodes(const call& x, const reading_room& in);
void send_instances(const call& x, const reading_room& in);

/// One of them.
void send_node(const call& x, const reading_room& in);
void send_instance(const call& x, const reading_room& in);

void send_advice(const call& x, const reading_room& in);
void send_decisions(const call& x, const reading_room& in);
void send_explanation(const call& x, const reading_room& in);

} // namespace orderly::io::http
