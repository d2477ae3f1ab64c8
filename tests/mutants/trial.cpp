// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "tests/mutants/trial.hpp"

#include "sim/lab/drill.hpp"
#include "tests/mutants/switch.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <utility>
#include <vector>

namespace orderly::mutants {

const std::string quick = "world small-5n\n"
                          "set cluster.poll_interval 2s\n"
                          "set host_ha.check_interval 1s\n"
                          "set host_ha.check_timeout 1s\n"
                          "set host_ha.activity_timeout 1s\n"
                          "set host_ha.activity_interval_base 4s\n"
                          "set host_ha.activity_interval_max 9s\n"
                          "set host_ha.activity_checks 4\n"
                          "set storm.settle 6s\n";

namespace {

/// Plays a story to its end. A broken law stops the lab after each step; we
/// want to see the rest. Must outlive the lab.
class teller {
public:
  void tell(sim::lab& lab, const sim::drill& d) {
    waiting_ = d.triggers;
    end_ = lab.start() + d.length;
    for (const auto& e : d.events)
      due_.emplace_back(lab.start() + e.at, e.fault);
    lab.on_entry = [this, &lab](const journal_entry& e) { pull(e, lab.now()); };
    // What an entry brings about is done between two steps.
    lab.clock().after_step
      = [this, watch = lab.clock().after_step] { return watch() && !pulled_; };
    while (!due_.empty() || lab.now() < end_)
      next(lab);
    REQUIRE(waiting_.empty());
  }

private:
  void pull(const journal_entry& e, instant now) {
    for (auto i = waiting_.begin(); i != waiting_.end(); ++i)
      if (i->code == e.code && i->object == e.object && --i->nth == 0) {
        due_.emplace_back(now + i->after, i->fault);
        waiting_.erase(i);
        pulled_ = true;
        return;
      }
  }

  void next(sim::lab& lab) {
    auto first = std::min_element(
      due_.begin(), due_.end(),
      [](const auto& a, const auto& b) { return a.first < b.first; });
    if (first != due_.end() && first->first <= lab.now()) {
      auto fault = first->second;
      due_.erase(first);
      auto trouble = lab.apply(fault);
      INFO(fault + ": " + trouble);
      REQUIRE(trouble.empty());
      return;
    }
    pulled_ = false;
    lab.run_until(first == due_.end() ? end_ : first->first);
  }

  std::vector<sim::drill::trigger> waiting_;
  std::vector<std::pair<instant, std::string>> due_;
  instant end_;
  bool pulled_ = false;
};

findings play(const sim::drill& d, const std::string& folder,
              const names& wanted,
              const std::function<void(sim::lab&)>& at_end) {
  auto rules = sim::settings_of(d, folder);
  REQUIRE(rules.ok());
  auto plan = sim::plan_named(d.world, d.seed);
  REQUIRE(plan.ok());
  defects active{wanted};
  teller story;
  sim::lab lab{*plan, *rules, d.seed};
  findings result;
  lab.on_line = [&](instant at, const std::string& who,
                    const std::string& what) {
    result.story += sim::stamp(lab.start(), at) + " " + who + " " + what + "\n";
  };
  story.tell(lab, d);
  if (at_end)
    at_end(lab);
  lab.check_liveness();
  for (const auto& x : lab.broken()) {
    result.laws.insert(x.name);
    result.story += x.sentence + "\n";
  }
  result.trace_hash = lab.trace_hash();
  INFO(result.story);
  REQUIRE(active.unreached() == names{});
  return result;
}

/// Sections of one name would be one: the second story of a test was not
/// played.
void both(const std::string& story,
          const std::function<findings(const names&)>& run_with,
          const names& wanted, const names& laws) {
  auto defect = story + " " + (wanted.empty() ? "" : *wanted.begin());
  DYNAMIC_SECTION(defect << ": without it all laws are kept") {
    auto found = run_with({});
    INFO(found.story);
    CHECK(found.laws == names{});
  }
  DYNAMIC_SECTION(defect << ": with it they are broken") {
    auto found = run_with(wanted);
    INFO(found.story);
    CHECK(found.laws == laws);
  }
}

} // namespace

findings run(const std::string& text, const names& wanted,
             const std::function<void(sim::lab&)>& at_end) {
  auto d = sim::parse_drill(text, "trial");
  REQUIRE(d.ok());
  return play(*d, ".", wanted, at_end);
}

findings run_attack(const std::string& name, const names& wanted) {
  const std::string folder = ORDERLY_SOURCE_DIR "/sim/drills/attack";
  std::ifstream in{folder + "/" + name + ".drill"};
  std::ostringstream text;
  text << in.rdbuf();
  auto d = sim::parse_drill(text.str(), name);
  REQUIRE(d.ok());
  return play(*d, folder, wanted, {});
}

void attacks(const std::string& name, const names& wanted, const names& laws) {
  both(
    name, [&](const names& defects) { return run_attack(name, defects); },
    wanted, laws);
}

void tells(const std::string& drill, const std::string& part,
           const std::string& defect, bool only_with) {
  auto sound = run_attack(drill).story;
  INFO(sound);
  CHECK((sound.find(part) != std::string::npos) != only_with);
  auto broken = run_attack(drill, {defect}).story;
  INFO(broken);
  CHECK((broken.find(part) != std::string::npos) == only_with);
}

void shows(const std::string& text, const names& wanted, const names& laws) {
  both(
    {}, [&](const names& defects) { return run(quick + text, defects); },
    wanted, laws);
}

} // namespace orderly::mutants
