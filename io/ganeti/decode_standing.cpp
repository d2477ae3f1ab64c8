// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/ganeti/decode_standing.hpp"

#include "io/ganeti/decode_job.hpp"

#include <algorithm>
#include <map>

namespace orderly::io {

namespace {

const std::vector<std::string> standing_fields{"id",  "status",   "end_ts",
                                               "ops", "opstatus", "opresult"};

bool has_opcode(const json& ops, std::string_view kind) {
  return ops.is_array()
         && std::any_of(ops.begin(), ops.end(), [kind](const json& op) {
              return op.is_object() && op.value("OP_ID", json{}) == kind;
            });
}

/// Ganeti writes a time as seconds and microseconds.
instant moment(const json& x) {
  constexpr std::uint64_t seconds_max = 10'000'000'000;
  if (!x.is_array() || x.size() != 2 || !x[0].is_number_unsigned()
      || !x[1].is_number_unsigned() || x[0].get<std::uint64_t>() > seconds_max
      || x[1].get<std::uint64_t>() >= 1'000'000)
    return never;
  return from_ms(x[0].get<std::int64_t>() * 1000
                 + x[1].get<std::int64_t>() / 1000);
}

} // namespace

luxi_question question_for_standings(const std::vector<job_id>& ids) {
  return {"QueryJobs", json{ids, standing_fields}.dump()};
}

result<std::vector<job_standing>>
decode_standings(std::string_view reply, const std::vector<job_id>& ids) {
  auto rows = open_reply(reply);
  if (!rows)
    return rows.why();
  fault garbled{
    fault_kind::bad_input,
    "luxid's reply is not understood: the standing of jobs should "
    "be a list of ids, each with a status, the time of its end, and "
    "what came of its opcodes"};
  if (!rows->is_array())
    return garbled;
  std::map<job_id, job_standing> found;
  for (const auto& row : *rows) {
    if (!row.is_array() || row.size() != standing_fields.size()
        || !row[0].is_number_unsigned())
      return garbled;
    job_standing x;
    x.id = row[0].get<job_id>();
    if (row[1].is_null())
      continue;
    auto status = row[1].is_string()
                    ? job_status_from(row[1].get_ref<const std::string&>())
                    : std::nullopt;
    if (!status)
      return fault{fault_kind::bad_input,
                   "luxid says that job " + std::to_string(x.id)
                     + " is in status " + in_json(row[1])
                     + ", which is no status that we know"};
    x.status = *status;
    x.ended = is_final(*status) ? moment(row[2]) : never;
    if (x.status == job_status::error)
      x.text = first_error(row[4], row[5]);
    x.renews_disks = has_opcode(row[3], "OP_INSTANCE_RECREATE_DISKS");
    x.needs_home = has_opcode(row[3], "OP_INSTANCE_MIGRATE")
                   || has_opcode(row[3], "OP_INSTANCE_REPLACE_DISKS");
    found[x.id] = x;
  }
  std::vector<job_standing> result;
  for (auto id : ids) {
    auto i = found.find(id);
    result.push_back(i == found.end() ? job_standing{id, job_status::lost, {}}
                                      : i->second);
  }
  return result;
}

} // namespace orderly::io
