// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Questions about jobs and the decoders of their answers. Pure. Used by the
// job port, and by the picture for the jobs that are not final yet.

#pragma once

#include "io/ganeti/decode.hpp"
#include "messages/job.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace orderly::io {

/// All jobs that have not ended, with what they are about.
luxi_question question_for_unfinished_jobs();
result<std::vector<running_job>> decode_running_jobs(std::string_view reply);

/// All jobs with their reason trails; those that are archived only if asked.
luxi_question question_for_all_jobs(bool archived = false);

/// A job, the nodes that its opcodes name, and all texts of its trail; `status`
/// is Ganeti's word.
struct job_trail {
  job_id id = 0;
  std::string status;
  std::string reason;
  std::vector<node_name> nodes;
  bool archived = false;
};

/// `archived` as in the question.
result<std::vector<job_trail>> decode_trails(std::string_view reply,
                                             bool archived = false);

/// Those that carry `needle`, sorted by id.
trail_answer search_trails(const std::vector<job_trail>& trails,
                           std::string_view needle);

/// One job, with the errors of its opcodes.
luxi_question question_for_job(job_id id);
/// `answered` is true; a job that the queue does not know is lost.
result<job_state> decode_job(std::string_view reply, job_id id);

/// What the first opcode of that job gave. Refused if the job failed or was
/// canceled, with the error; not found if the queue does not know it.
result<json> decode_job_result(std::string_view reply, job_id id);

/// Luxid does not wait longer than that in one call.
inline constexpr seconds wait_max{29};

/// To wait until the job is not in `known` any more. Its log is ignored.
luxi_question question_for_change(job_id id, job_status known, seconds limit);
/// The status now; none if the queue does not know the job.
result<std::optional<job_status>> decode_change(std::string_view reply,
                                                job_status known);

/// One answer for all jobs of a submission. Some accepted and some not is an
/// unknown outcome: the trail tells which.
submit_answer decode_submission(std::string_view reply, std::size_t jobs);

/// What luxid said about a cancellation; the job's status says more.
result<std::string> decode_cancel(std::string_view reply);

/// By Ganeti's name; none if it is no status.
std::optional<job_status> job_status_from(std::string_view text);

} // namespace orderly::io
