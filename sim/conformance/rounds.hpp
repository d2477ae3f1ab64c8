// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Where a scenario of the maintenance daemon is played. Jobs that only write
// tags end at once; all others run until the script lets them end.

#pragma once

#include "actors/policy/maintenance/event.hpp"
#include "actors/tree/tree.hpp"
#include "io/json/old_paths.hpp"
#include "sim/conformance/stage.hpp"

namespace orderly::sim::conformance {

/// What `given` says beside the cluster itself.
struct maintd_given {
  given_world world;
  settings rules;
  std::map<node_name, node_agent> agents;
  std::vector<maintenance::state> events; ///< kept from before
  std::map<node_name, std::map<std::string, command_course>> commands;
  std::vector<std::string> job_fail;
  std::map<std::string, std::string> uuids; ///< of nodes, by name
};

result<maintd_given> read_maintd_given(const json& given, instant clock);

class round_stage {
public:
  round_stage(const maintd_given& given, instant clock, std::uint64_t seed = 1);
  ~round_stage();

  round_stage(const round_stage&) = delete;
  round_stage& operator=(const round_stage&) = delete;

  /// Carries out a step of the script. What is wrong with it, or nothing.
  std::string step(const json& what);

  [[nodiscard]] std::vector<sent_job> sent() const;

  [[nodiscard]] const ganeti& cluster() const { return state_->cluster; }

  [[nodiscard]] std::shared_ptr<const scene> look();
  [[nodiscard]] instant now();

  [[nodiscard]] const std::vector<json>& http() const { return http_; }

private:
  void let_pass(millis span);
  void round();
  void run_jobs();
  std::string until_quiet(std::int64_t most);
  std::string cancel(const std::string& uuid);
  std::string set_diagnose(const json& what);
  std::string remove_tag(const json& what);
  std::string finish_job(const json& what);
  std::string ask_http(const json& what);
  void spoil_jobs();

  std::unique_ptr<clockwork> clock_;
  lab_pointer state_;
  ports ports_;
  root_actor tree_;
  std::vector<std::string> job_fail_;
  std::size_t spoiled_ = 0;
  bool began_ = false;
  std::vector<json> http_; ///< answers, in order
};

} // namespace orderly::sim::conformance
