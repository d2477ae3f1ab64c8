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

/// The allocator that picks a place when we name none.
inline constexpr const char* allocator = "hail";

/// Who we are in reason trails.
inline constexpr const char* reason_source = "gnt:daemon:maintd";

/// One opcode. `picture` tells whether an instance's storage is external, so
/// that an allocator must be named for it; it may be null. Bad input if a
/// name is missing, refused if the opcode makes no sense.
result<json> encode_opcode(const opcode& op, const cluster_record* picture);

/// The call that submits `jobs`; every opcode carries its job's reason.
result<luxi_question> encode_submission(const std::vector<job_spec>& jobs,
                                        std::int64_t nanoseconds,
                                        const cluster_record* picture);

luxi_question encode_cancel(job_id id);

} // namespace orderly::io
