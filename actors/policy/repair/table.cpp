// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The table of the autorepair machine as it is built, for people. Tests hold
// it against what the machine does.

#include "actors/policy/repair/autorepair.hpp"

#include <map>
#include <utility>

#include <fmt/format.h>

namespace orderly::autorepair {

namespace {

const std::vector<transition> rows{
  {"healthy", "broken, and may not be repaired now", "needs-repair", "none",
   "not enabled, suspended, nothing helps, or it waits"},
  {"healthy", "broken, permission too weak", "needs-repair", "enoperm",
   "written once, with the type that is needed"},
  {"healthy", "broken, allowed, permitted", "pending", "pending",
   "the repair begins; the tag stands before the job acts"},
  {"healthy", "broken, allowed, no room", "pending", "pending",
   "no job; goes on when there is room"},
  {"healthy", "somebody's pending tag appears", "pending", "none",
   "the tag is its own permission"},
  {"healthy", "somebody's failure tag appears", "failed", "none",
   "hands off until it is gone"},
  {"healthy", "tags are over", "healthy", "removed",
   "expired suspensions, old successes, enoperm"},
  {"needs-repair", "in order again", "healthy", "none", "nothing to do"},
  {"needs-repair", "in order again, tags are over", "healthy", "removed",
   "enoperm is not needed any more"},
  {"needs-repair", "permission too weak", "needs-repair", "enoperm",
   "a policy that came too weak, or the need has grown"},
  {"needs-repair", "tags are over", "needs-repair", "removed",
   "expired suspensions, old successes"},
  {"needs-repair", "allowed and permitted by now", "pending", "pending",
   "a stronger policy, a proof, a permit; enoperm goes"},
  {"needs-repair", "somebody's pending tag appears", "pending", "none",
   "a repair asked for once"},
  {"needs-repair", "somebody's failure tag appears", "failed", "none",
   "hands off until it is gone"},
  {"needs-repair", "the queue refused the job too often", "failed", "failure",
   "it never ran, and nothing helps but a person"},
  {"pending", "jobs have ended, in order", "healthy", "success",
   "same id, all jobs"},
  {"pending", "next step allowed, or tried again, or jobs noted", "pending",
   "pending", "JOBS grow; id, time and type stay"},
  {"pending", "next step riskier than its type", "needs-repair", "enoperm",
   "same id, type and jobs"},
  {"pending", "a job failed, and no other try is allowed", "failed", "failure",
   "same id, type and jobs"},
  {"pending", "a job failed, its tag must be seen first", "failed", "none",
   "the result follows with the next picture"},
  {"pending", "tags are over", "pending", "removed",
   "copies, expired suspensions"},
  {"pending", "its tag was removed, broken", "needs-repair", "none",
   "a person called it off"},
  {"pending", "its tag was removed, in order", "healthy", "none",
   "a person called it off"},
  {"pending", "somebody's failure tag appears", "failed", "none",
   "hands off until it is gone"},
  {"failed", "the result could be written", "failed", "failure", "later"},
  {"failed", "not written, and nobody acts any more", "pending", "none",
   "switched off, or observing: judged anew when that is over"},
  {"failed", "tags are over", "failed", "removed", "expired ones"},
  {"failed", "the tag was removed, broken", "needs-repair", "none",
   "a person looked into it"},
  {"failed", "the tag was removed, in order", "healthy", "none",
   "a person looked into it"},
  {"failed", "the tag was removed, others are pending", "pending", "none",
   "the next in the queue"},
};

} // namespace

const std::vector<transition>& transitions() {
  return rows;
}

namespace {

/// Names of Mermaid's states have no dashes.
std::string state_name(const std::string& name) {
  auto result = name;
  for (auto& c : result)
    if (c == '-')
      c = '_';
  return result;
}

} // namespace

std::string transition_diagram() {
  std::vector<std::pair<std::string, std::string>> arrows;
  std::map<std::string, std::string> labels;
  for (const auto& row : transitions()) {
    auto arrow
      = fmt::format("{} --> {}", state_name(row.from), state_name(row.to));
    auto& label = labels[arrow];
    if (label.empty())
      arrows.emplace_back(arrow, "");
    else
      label += "<br>";
    label += row.when;
  }
  std::string text
    = "```mermaid\nstateDiagram-v2\n    needs_repair: needs-repair\n";
  for (const auto& [arrow, unused] : arrows)
    text += fmt::format("    {}: {}\n", arrow, labels[arrow]);
  text += "```\n\n| from | when | to | tags written | what for |\n"
          "|---|---|---|---|---|\n";
  for (const auto& row : transitions())
    text += fmt::format("| {} | {} | {} | {} | {} |\n", row.from, row.when,
                        row.to, row.tags, row.why);
  return text;
}

} // namespace orderly::autorepair
