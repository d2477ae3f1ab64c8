// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/node_agent/diagnose.hpp"

#include "io/child/runner.hpp"
#include "io/files/small_file.hpp"
#include "io/node_agent/diagnosis.hpp"

#include <utility>

namespace orderly::io::node_agent {

namespace {

child::runner_limits limits_of(const agent_settings& s) {
  child::runner_limits x;
  x.parallel_max = 1;
  x.queued_max = 0;
  x.kill_delay = s.diagnose.kill_delay;
  x.output_max = diagnosis_max;
  x.end_when_full = true;
  x.alone = true;
  return x;
}

class diagnose final : public collector {
public:
  diagnose(loop& on, const agent_settings& s, const owner_rule& owner)
    : about_{"diagnose", "node", 1, s.diagnose.interval},
      rules_(s.diagnose),
      tags_(s.ganeti.folder + "/ssconf_cluster_tags"),
      owner_(owner),
      run_(on, limits_of(s)) {
    // nop
  }

  [[nodiscard]] const about_collector& about() const override { return about_; }

  void look(std::function<void(sample)> done) override {
    named_command which{rules_.command, {}};
    if (which.name.empty()) {
      auto tags = read_small(tags_);
      if (!tags)
        return done(failed_probe("No file specified for diagnose data "
                                 "collector",
                                 "whether the cluster names a diagnose command "
                                 "is not known: "
                                   + tags.why().text));
      which = command_in_tags(*tags);
    }
    if (!which.error.empty())
      return done(failed_probe("No file specified for diagnose data collector",
                               which.error));
    if (which.name.empty()) // nobody wants this node to be looked at
      return done(
        {ok_because("No file specified for diagnose data collector"), {}});
    auto doubt = doubt_command(rules_.folder, which.name, owner_);
    if (!doubt.error.empty())
      return done(failed_probe(doubt.details, doubt.error));
    run_.run({rules_.folder + "/" + which.name, {}, rules_.time_limit, true},
             [done = std::move(done)](const child::outcome& what) {
               done(read_diagnosis(what));
             });
  }

  bool take(const agent_settings& s) override {
    auto same = rules_ == s.diagnose;
    rules_ = s.diagnose;
    about_.interval = s.diagnose.interval;
    return !same;
  }

private:
  about_collector about_;
  agent_settings::diagnose_rules rules_;
  std::string tags_;
  owner_rule owner_;
  child::runner run_;
};

} // namespace

std::unique_ptr<collector> make_diagnose(loop& on, const agent_settings& s,
                                         const owner_rule& owner) {
  return std::make_unique<diagnose>(on, s, owner);
}

} // namespace orderly::io::node_agent
