// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// How any jobs stand, whoever sent them: the question and the decoder of its
// answer. Pure. Used by the job port.

#pragma once

#include "io/ganeti/decode.hpp"
#include "messages/job.hpp"

#include <string_view>
#include <vector>

namespace orderly::io {

/// How these jobs stand, final ones too; at least one id, for without any luxid
/// tells of all.
luxi_question question_for_standings(const std::vector<job_id>& ids);
/// One for each id, in that order.
result<std::vector<job_standing>>
decode_standings(std::string_view reply, const std::vector<job_id>& ids);

} // namespace orderly::io
