// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Our opcodes in Ganeti's JSON. Pure: the time that the reason trail carries
// and what is known about instances come in as data. Used by the job port.

#pragma once

#include "io/ganeti/decode.hpp"
#include "messages/job.hpp"

#include <cstdint>
#include <vector>

namespace orderly::io {

/// Who we are in reason trails: as the program that owns a job, and as who
/// says something about it to people.
inline constexpr const char* reason_source = "gnt:daemon:maintd";
inline constexpr const char* remark_source = "orderly";

/// One opcode, without a reason trail. `picture` tells which instances are
/// mirrored, for which Ganeti takes no allocator; it may be null. Bad input if
/// a name is missing.
result<json> encode_opcode(const opcode& op, const cluster_record* picture);

/// The call that submits `jobs`; every opcode carries its job's reason and
/// remark.
result<luxi_question> encode_submission(const std::vector<job_spec>& jobs,
                                        std::int64_t nanoseconds,
                                        const cluster_record* picture);

luxi_question encode_cancel(job_id id);

} // namespace orderly::io
