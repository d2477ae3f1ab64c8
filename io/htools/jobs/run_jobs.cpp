// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/htools/jobs/run_jobs.hpp"

#include "actors/planning/search/job_sets.hpp"
#include "io/htools/formats/fields.hpp"
#include "io/htools/formats/luxi_line.hpp"
#include "io/htools/formats/luxi_source.hpp"
#include "io/htools/formats/opcode_text.hpp"
#include "io/json/escape.hpp"

#include <algorithm>
#include <thread>

#include <fmt/format.h>

namespace orderly::io::htools {

namespace {

using namespace planning;
using namespace std::chrono;

constexpr milliseconds first_pause{500};
constexpr milliseconds longest_pause{15'000};

/// So often in a row may Ganeti give no answer about jobs that run.
constexpr int silences_max = 5;

std::string listed(const std::vector<std::string>& texts) {
  std::string result;
  for (const auto& t : texts)
    result += (result.empty() ? "" : ", ") + t;
  return result;
}

std::string names_of(const move_set& jobs) {
  std::vector<std::string> names;
  for (const auto& j : jobs)
    names.push_back(j.instance);
  return listed(names);
}

/// A job that Ganeti took.
struct taken_job {
  std::string id;
  std::string instance;
  std::string status;
};

/// One set, from its submission to its end.
class set_run {
public:
  set_run(const std::string& socket, const run_watch& watch)
    : socket_(socket), watch_(watch), pause_(first_pause) {
    // nop
  }

  std::string operator()(const move_set& jobs) {
    auto refused = submit(jobs);
    if (jobs_.empty())
      return refused;
    std::vector<std::string> ids;
    for (const auto& j : jobs_)
      ids.push_back(j.id);
    watch_.say("Got job IDs " + listed(ids) + "\n");
    auto wrong = wait(ids);
    if (wrong.empty())
      wrong = failures();
    if (!refused.empty() && !wrong.empty())
      refused += "; ";
    return refused + wrong;
  }

private:
  /// Fills jobs_; says what is not among them and why.
  std::string submit(const move_set& jobs) {
    std::vector<std::string> texts;
    for (const auto& j : jobs)
      texts.push_back(j.opcodes);
    luxi_line line{socket_, watch_.patience};
    auto answer = line.ask("SubmitManyJobs", "[[" + join(texts, ',') + "]]");
    if (!answer && answer.why().kind == fault_kind::refused)
      return "Job submission error: " + answer.why().text;
    if (!answer)
      return fmt::format("Job submission error: {}; whether Ganeti took the "
                         "jobs of {} is not known: see gnt-job list before "
                         "anything else",
                         answer.why().text, names_of(jobs));
    std::string refused;
    for (std::size_t k = 0; k < jobs.size(); ++k) {
      const auto* one = k < answer->items.size() ? &answer->items[k] : nullptr;
      auto readable = one && one->items.size() == 2
                      && one->items[0].kind == json_value::is::boolean;
      if (!readable)
        return fmt::format("Job submission error: Ganeti's answer about the "
                           "job of {} cannot be read: see gnt-job list",
                           jobs[k].instance);
      const auto& value = one->items[1];
      auto text = value.kind == json_value::is::whole
                    ? std::to_string(value.whole)
                    : value.text;
      if (one->items[0].yes)
        jobs_.push_back({text, jobs[k].instance, {}});
      else
        refused
          += fmt::format("{}Job submission error: that of {}: {}",
                         refused.empty() ? "" : "; ", jobs[k].instance, text);
    }
    return refused;
  }

  /// Until all have ended. Silence is borne for a while: a daemon that is
  /// restarted comes back, and the jobs go on meanwhile.
  std::string wait(const std::vector<std::string>& ids) {
    auto end = steady_clock::now() + watch_.longest_set;
    int silences = 0;
    for (;;) {
      watch_.pause(pause_);
      pause_ = std::min(pause_ * 2, longest_pause);
      luxi_line line{socket_, watch_.patience};
      auto answer
        = line.ask("QueryJobs", "[[" + join(ids, ',') + "],[\"status\"]]");
      if (!answer) {
        if (++silences < silences_max)
          continue;
        return fmt::format("Checking job status: {}; jobs {} may still run",
                           answer.why().text, listed(ids));
      }
      silences = 0;
      auto wrong = read_states(*answer);
      if (!wrong.empty() || !any_is_open())
        return wrong;
      if (steady_clock::now() > end)
        return fmt::format("jobs {} have not ended within {} hours; they may "
                           "still run",
                           listed(ids), watch_.longest_set.count());
    }
  }

  std::string read_states(const json_value& answer) {
    for (std::size_t k = 0; k < jobs_.size(); ++k) {
      auto readable = k < answer.items.size()
                      && answer.items[k].items.size() == 1
                      && answer.items[k].items[0].kind == json_value::is::text;
      if (!readable)
        return fmt::format("Checking job status: Ganeti does not say what job "
                           "{} of {} is; it may have been archived: see "
                           "gnt-instance info {}",
                           jobs_[k].id, jobs_[k].instance,
                           command_word(jobs_[k].instance));
      jobs_[k].status = answer.items[k].items[0].text;
    }
    return {};
  }

  bool any_is_open() const {
    return std::any_of(jobs_.begin(), jobs_.end(), [](const taken_job& j) {
      return j.status != "success" && j.status != "error"
             && j.status != "canceled";
    });
  }

  std::string failures() const {
    std::string result;
    for (const auto& j : jobs_)
      if (j.status != "success")
        result += fmt::format("{}job {} of {}: {}", result.empty() ? "" : ", ",
                              j.id, j.instance, j.status);
    if (result.empty())
      return result;
    return "Not all jobs completed successfully: " + result;
  }

  const std::string& socket_;
  const run_watch& watch_;
  milliseconds pause_;
  std::vector<taken_job> jobs_;
};

} // namespace

std::string job_meta(tool of, const std::string& purpose,
                     const tool_options& o) {
  auto now = duration_cast<nanoseconds>(system_clock::now().time_since_epoch());
  auto called
    = fmt::format("{} (orderly) version {}", name_of(of), ORDERLY_VERSION);
  return fmt::format(
    ",\"priority\":{},\"depends\":null,\"comment\":{},"
    "\"reason\":[[{},{},{}]]",
    o.priority, json_text(purpose + " via " + called), json_text(name_of(of)),
    json_text(o.reason.value_or(called + " called")), now.count());
}

move_job job_of(const placement& p, const std::vector<step>& steps,
                const std::string& meta) {
  std::vector<std::string> opcodes;
  for (const auto& s : steps)
    for (const auto& part : parts_of(s.what))
      opcodes.push_back(opcode_text(p, s.what.instance, part, meta));
  return {spec_of(p, steps.front().what.instance).name,
          "[" + join(opcodes, ',') + "]"};
}

std::vector<move_set>
move_sets(const placement& p, const std::vector<step>& steps,
          const std::vector<std::vector<std::size_t>>& sets,
          const std::string& meta) {
  std::vector<move_set> result;
  for (const auto& set : sets) {
    result.emplace_back();
    for (auto k : set)
      result.back().push_back(job_of(p, {steps[k]}, meta));
  }
  return result;
}

run_watch watch_on(std::FILE* to, const stop_signals& signals) {
  run_watch watch;
  watch.is_stop_wanted = [&signals] { return signals.is_stop_wanted(); };
  watch.pause = [](auto time) { std::this_thread::sleep_for(time); };
  watch.say = [to](const std::string& line) {
    fmt::print(to, "{}", line);
    std::fflush(to);
  };
  return watch;
}

std::string run_sets(const std::string& socket,
                     const std::vector<move_set>& sets,
                     const run_watch& watch) {
  auto where = socket.empty() ? std::string{usual_luxi_socket} : socket;
  for (std::size_t k = 0; k < sets.size(); ++k) {
    if (watch.is_stop_wanted()) {
      watch.say(fmt::format("Exiting early due to user request, {} jobset(s) "
                            "submitted, {} not submitted\n",
                            k, sets.size() - k));
      return {};
    }
    watch.say("Executing jobset for " + watch.about + names_of(sets[k]) + "\n");
    // It quotes what Ganeti answered.
    auto wrong = http::one_line(set_run{where, watch}(sets[k]));
    if (!wrong.empty())
      return fmt::format(
        "{}\nAborting; {} of {} jobset(s) were done before it.", wrong, k,
        sets.size());
  }
  return {};
}

} // namespace orderly::io::htools
