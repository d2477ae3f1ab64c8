// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The questions that make up a picture of the cluster, each beside the
// decoder of its answer, so that the order of fields is written once. Only
// fields that Ganeti answers from its configuration are asked for: a live
// field of a dead node costs seconds. Pure. Used by the cluster port.

#pragma once

#include "io/ganeti/reply.hpp"
#include "messages/cluster.hpp"

#include <array>
#include <string>
#include <string_view>

namespace orderly::io {

/// One call of luxid.
struct luxi_question {
  std::string method;
  std::string args; ///< JSON text of the list of arguments
};

/// The calls for one picture; replies come in the same order.
inline constexpr std::size_t picture_parts = 6;
inline constexpr std::size_t jobs_part = 3; ///< the queue
using picture_questions = std::array<luxi_question, picture_parts>;
using picture_replies = std::array<std::string, picture_parts>;

const picture_questions& questions_for_picture();

/// Makes a picture of the six replies. One that does not fit spoils it all.
result<cluster_record> decode_picture(const picture_replies& replies);

result<std::vector<node_record>> decode_nodes(std::string_view reply);
result<std::vector<instance_record>> decode_instances(std::string_view reply);
result<std::vector<group_record>> decode_groups(std::string_view reply);

} // namespace orderly::io
