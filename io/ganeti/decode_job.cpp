// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/ganeti/decode_job.hpp"

#include "io/ganeti/command_result.hpp"

#include <algorithm>
#include <functional>
#include <set>

namespace orderly::io {

namespace {

const std::vector<std::string> work_fields{"id", "status", "ops"};

/// Luxid reads its archive only for those who ask for this field.
const std::vector<std::string> archive_fields{"id", "status", "ops",
                                              "archived"};

const std::vector<std::string> state_fields{"id", "status", "opstatus",
                                            "opresult"};

/// Keys of an opcode that name instances or nodes.
constexpr const char* instance_keys[] = {"instance_name", "instances"};
constexpr const char* node_keys[]
  = {"node_name", "node_names", "nodes",       "on_nodes",
     "pnode",     "snode",      "target_node", "remote_node"};

/// A serial that no log entry reaches, so that log entries do not end a wait.
constexpr std::int64_t no_log_serial = 1'000'000'000;

/// Opcodes can hold opcodes; a real one holds at most one level.
constexpr int nesting_max = 3;

constexpr job_status known_to_queue[]
  = {job_status::queued,  job_status::waiting,  job_status::canceling,
     job_status::running, job_status::canceled, job_status::success,
     job_status::error};

/// Texts in the order in which they came, each once; as quick for very many.
class distinct {
public:
  void add(const json& name) {
    if (!name.is_string())
      return;
    const auto& text = name.get_ref<const std::string&>();
    if (!text.empty() && known_.insert(text).second)
      texts.push_back(text);
  }

  void add_all(const json& value) {
    add(value);
    if (value.is_array())
      for (const auto& name : value)
        add(name);
  }

  std::vector<std::string> texts;

private:
  std::set<std::string, std::less<>> known_;
};

struct named_things {
  distinct instances;
  distinct nodes;
};

/// Such an opcode changes nothing, whatever it names.
bool only_reads(const json& op) {
  auto id = op.find("OP_ID");
  return id != op.end() && *id == "OP_INSTANCE_QUERY_DATA";
}

void add_names(named_things& job, const json& op, int depth = 0) {
  if (!op.is_object() || depth == nesting_max || only_reads(op))
    return;
  for (const auto* key : instance_keys)
    if (auto i = op.find(key); i != op.end()) {
      job.instances.add_all(*i);
      if (i->is_array())
        for (const auto& inner : *i)
          add_names(job, inner, depth + 1);
    }
  for (const auto* key : node_keys)
    if (auto i = op.find(key); i != op.end())
      job.nodes.add_all(*i);
  // Opcodes on tags say `kind` and `name`.
  auto kind = op.find("kind");
  auto name = op.find("name");
  if (kind != op.end() && name != op.end()) {
    if (*kind == "instance")
      job.instances.add(*name);
    else if (*kind == "node")
      job.nodes.add(*name);
  }
}

/// The texts of all trails, each once, in order.
named_things named_in(const json& ops) {
  named_things named;
  if (ops.is_array())
    for (const auto& op : ops)
      add_names(named, op);
  return named;
}

std::string reason_of(const json& ops) {
  distinct found;
  if (ops.is_array())
    for (const auto& op : ops) {
      if (!op.is_object())
        continue;
      auto trail = op.find("reason");
      if (trail == op.end() || !trail->is_array())
        continue;
      for (const auto& entry : *trail)
        if (entry.is_array() && entry.size() > 1)
          found.add(entry[1]);
    }
  std::string result;
  for (const auto& text : found.texts)
    result += (result.empty() ? "" : " ") + text;
  return result;
}

fault no_status(job_id id, const std::string& text) {
  return {fault_kind::bad_input, "luxid says that job " + std::to_string(id)
                                   + " is in status '" + text
                                   + "', which is no status that we know"};
}

std::string unknown_job(job_id id) {
  return "the queue does not know job " + std::to_string(id);
}

/// One job as luxid tells of it.
struct job_row {
  job_status status = job_status::lost;
  json op_statuses;
  json op_results;
};

/// The job among the rows of the reply.
result<job_row> find_job(std::string_view reply, job_id id) {
  auto table = open_table(reply);
  if (!table)
    return table.why();
  job_row x;
  for (const auto& cells : *table) {
    row_reader row{cells, state_fields, "jobs"};
    auto found = row.id();
    auto status = row.text_or_none();
    const auto& op_statuses = row.anything();
    const auto& op_results = row.anything();
    if (!row.ok())
      return row.why();
    // For an id that is not in the queue there is a row without a status.
    if (found != id || status.empty())
      continue;
    auto known = job_status_from(status);
    if (!known)
      return no_status(id, status);
    x = {*known, op_statuses, op_results};
  }
  return x;
}

} // namespace

std::optional<job_status> job_status_from(std::string_view text) {
  for (auto x : known_to_queue)
    if (text == to_string(x))
      return x;
  return std::nullopt;
}

luxi_question question_for_unfinished_jobs() {
  json filter{"|"};
  for (auto x : known_to_queue)
    if (!is_final(x))
      filter.push_back(json{"=", "status", to_string(x)});
  return {"Query", json{"job", work_fields, filter}.dump()};
}

result<std::vector<running_job>> decode_running_jobs(std::string_view reply) {
  auto table = open_table(reply);
  if (!table)
    return table.why();
  std::vector<running_job> result;
  for (const auto& cells : *table) {
    row_reader row{cells, work_fields, "jobs"};
    running_job x;
    x.id = row.id();
    auto status = row.text_or_none();
    const auto& ops = row.anything();
    if (!row.ok())
      return row.why();
    // It was archived while luxid looked.
    if (status.empty())
      continue;
    auto known = job_status_from(status);
    if (!known)
      return no_status(x.id, status);
    if (is_final(*known))
      continue;
    if (!ops.is_array())
      return fault{fault_kind::bad_input, "luxid's reply is not understood: "
                                          "the opcodes of job "
                                            + std::to_string(x.id)
                                            + " are no list"};
    auto named = named_in(ops);
    x.instances = std::move(named.instances.texts);
    x.nodes = std::move(named.nodes.texts);
    x.reason = reason_of(ops);
    result.push_back(std::move(x));
  }
  std::sort(result.begin(), result.end(),
            [](const auto& a, const auto& b) { return a.id < b.id; });
  return result;
}

luxi_question question_for_all_jobs(bool archived) {
  const auto& names = archived ? archive_fields : work_fields;
  return {"Query", json{"job", names, nullptr}.dump()};
}

result<std::vector<job_trail>> decode_trails(std::string_view reply,
                                             bool archived) {
  auto table = open_table(reply);
  if (!table)
    return table.why();
  std::vector<job_trail> result;
  for (const auto& cells : *table) {
    row_reader row{cells, archived ? archive_fields : work_fields, "jobs"};
    job_trail x;
    x.id = row.id();
    x.status = row.text_or_none();
    const auto& ops = row.anything();
    x.reason = reason_of(ops);
    x.nodes = named_in(ops).nodes.texts;
    if (archived) {
      const auto& stored = row.anything();
      x.archived = stored.is_boolean() && stored.get<bool>();
    }
    if (!row.ok())
      return row.why();
    if (!x.status.empty())
      result.push_back(std::move(x));
  }
  return result;
}

trail_answer search_trails(const std::vector<job_trail>& trails,
                           std::string_view needle) {
  trail_answer answer{true, {}, {}};
  for (const auto& x : trails) {
    if (x.reason.find(needle) == std::string::npos)
      continue;
    auto status = job_status_from(x.status);
    if (!status)
      return {false, {}, no_status(x.id, x.status).text};
    answer.jobs.push_back({x.id, *status, x.reason, x.archived, x.nodes});
  }
  std::sort(answer.jobs.begin(), answer.jobs.end(),
            [](const auto& a, const auto& b) { return a.id < b.id; });
  return answer;
}

luxi_question question_for_job(job_id id) {
  return {"Query", json{"job", state_fields, json{"=", "id", id}}.dump()};
}

result<job_state> decode_job(std::string_view reply, job_id id) {
  auto row = find_job(reply, id);
  if (!row)
    return row.why();
  if (row->status == job_status::success)
    if (auto failed = command_failure(row->op_results))
      return job_state{id, true, job_status::error, std::move(*failed)};
  auto text = row->status == job_status::lost ? unknown_job(id)
              : row->status == job_status::error
                ? first_error(row->op_statuses, row->op_results)
                : std::string{};
  return job_state{id, true, row->status, std::move(text)};
}

result<json> decode_job_result(std::string_view reply, job_id id) {
  auto row = find_job(reply, id);
  if (!row)
    return row.why();
  auto& results = row->op_results;
  if (row->status == job_status::lost)
    return fault{fault_kind::not_found, unknown_job(id)};
  if (row->status != job_status::success)
    return fault{fault_kind::refused,
                 "job " + std::to_string(id) + " ended as "
                   + to_string(row->status) + ": "
                   + first_error(row->op_statuses, results)};
  if (!results.is_array() || results.empty())
    return fault{fault_kind::bad_input, "luxid's reply is not understood: job "
                                          + std::to_string(id)
                                          + " has no results"};
  return std::move(results[0]);
}

luxi_question question_for_change(job_id id, job_status known, seconds limit) {
  auto wait = std::clamp(limit, seconds{1}, wait_max);
  return {"WaitForJobChange",
          json{id, json::array({"status"}), json::array({to_string(known)}),
               no_log_serial, wait.count()}
            .dump()};
}

result<std::optional<job_status>> decode_change(std::string_view reply,
                                                job_status known) {
  using answer = std::optional<job_status>;
  auto content = open_reply(reply);
  if (!content) {
    if (content.why().kind == fault_kind::not_found)
      return answer{};
    return content.why();
  }
  if (*content == "nochange")
    return answer{known};
  if (content->is_array() && !content->empty() && (*content)[0].is_array()
      && (*content)[0].size() == 1) {
    const auto& status = (*content)[0][0];
    if (status.is_null())
      return answer{};
    if (status.is_string())
      if (auto x = job_status_from(status.get_ref<const std::string&>()))
        return answer{*x};
  }
  return fault{fault_kind::bad_input,
               "luxid's reply is not understood: no status in the answer to "
               "a wait for a job"};
}

submit_answer decode_submission(std::string_view reply, std::size_t jobs) {
  auto content = open_reply(reply);
  if (!content) {
    auto said_no = content.why().kind == fault_kind::refused
                   || content.why().kind == fault_kind::not_found;
    return {said_no ? submit_outcome::refused : submit_outcome::unknown,
            {},
            content.why().text};
  }
  auto unknown = [](std::string text) {
    return submit_answer{submit_outcome::unknown, {}, std::move(text)};
  };
  if (!content->is_array() || content->size() != jobs)
    return unknown("luxid's reply is not understood: it should be a list of "
                   + std::to_string(jobs) + " job ids");
  submit_answer answer{submit_outcome::accepted, {}, {}};
  std::size_t refused = 0;
  for (const auto& entry : *content) {
    if (!entry.is_array() || entry.size() != 2 || !entry[0].is_boolean())
      return unknown("luxid's reply is not understood: it should hold pairs "
                     "of success and job id");
    if (!entry[0].get<bool>()) {
      ++refused;
      answer.text = error_text(entry[1]);
    } else if (entry[1].is_number_unsigned()) {
      answer.ids.push_back(entry[1].get<job_id>());
    } else {
      return unknown("luxid's reply is not understood: a job id is no number");
    }
  }
  if (refused == 0)
    return answer;
  if (refused == jobs)
    return {submit_outcome::refused, {}, answer.text};
  return unknown("luxid took " + std::to_string(jobs - refused) + " of "
                 + std::to_string(jobs) + " jobs: " + answer.text);
}

result<std::string> decode_cancel(std::string_view reply) {
  auto content = open_reply(reply);
  if (!content)
    return content.why();
  if (content->is_array() && content->size() == 2 && (*content)[1].is_string())
    return (*content)[1].get<std::string>();
  return fault{fault_kind::bad_input,
               "luxid's reply is not understood: a cancellation should give "
               "success and a text"};
}

} // namespace orderly::io
