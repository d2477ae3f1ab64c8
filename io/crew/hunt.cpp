// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/crew/hunt.hpp"

#include "io/crew/crew.hpp"
#include "sim/swarm/hunt.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>

#include <fmt/format.h>

namespace orderly::io {

namespace {

namespace fs = std::filesystem;
using real_clock = std::chrono::steady_clock;

/// Finds of one law that a process shrinks and keeps; others are counted.
constexpr std::uint64_t kept_of_a_law = 5;

std::string state_file(const hunt_wishes& wishes) {
  return (fs::path{wishes.folder} / "state").string();
}

/// nullopt: it is there and cannot be read; that was told.
std::optional<sim::hunt_state> load(const hunt_wishes& wishes) {
  std::ifstream in{state_file(wishes), std::ios::binary};
  if (!in) {
    sim::hunt_state fresh;
    fresh.next_seed = wishes.options.first_seed;
    return fresh;
  }
  std::ostringstream text;
  text << in.rdbuf();
  auto state = sim::read_state(text.str());
  if (state)
    return *state;
  fmt::print(stderr,
             "{}: {}; move it away, or hunt in another folder with --folder\n",
             state_file(wishes), state.why().text);
  return std::nullopt;
}

/// All of it or nothing: whoever is ended in the middle finds the old one.
bool save(const hunt_wishes& wishes, const sim::hunt_state& state) {
  auto path = state_file(wishes);
  std::ofstream out{path + ".new", std::ios::binary};
  out << sim::write_state(state);
  out.close();
  std::error_code trouble;
  if (out)
    fs::rename(path + ".new", path, trouble);
  if (out && !trouble)
    return true;
  fmt::print(stderr, "{}: cannot be written\n", path);
  return false;
}

/// One process of a hunt.
class hunter {
public:
  hunter(const hunt_wishes& wishes, sim::coverage met,
         real_clock::time_point end, const report& tell)
    : wishes_(wishes), met_(std::move(met)), end_(end), tell_(tell) {
    // nop
  }

  void run(std::uint64_t seed, std::uint64_t stride) {
    for (; goes_on(); seed += stride) {
      auto run = sim::draw_run(seed, wishes_.options);
      auto seen = judge(run, "");
      constexpr std::uint64_t variants = 2;
      for (std::uint64_t i = 1; i <= variants && goes_on(); ++i)
        if (auto other
            = sim::vary(run, seen, met_, wishes_.options.faults_for, i))
          judge(*other, fmt::format("-{}", i));
      tell_(fmt::format("seed {}", seed + stride));
    }
  }

private:
  [[nodiscard]] bool goes_on() const { return real_clock::now() < end_; }

  sim::drill_outcome judge(const sim::swarm_run& run, const std::string& tail) {
    auto outcome
      = sim::play(run.story, run.rules, sim::usual_end(run.story.seed));
    tell_("run");
    sim::count(met_, outcome.met);
    for (const auto& [state, fault] : outcome.met)
      tell_(fmt::format("met {} | {}", state, fault));
    if (!outcome.broken.empty())
      keep(run, outcome.broken.front(), tail);
    return outcome;
  }

  void keep(const sim::swarm_run& run, const sim::broken_law& law,
            const std::string& tail) {
    auto name = fmt::format("{}-seed-{}{}", law.name, run.story.seed, tail);
    if (++found_[law.name] <= kept_of_a_law) {
      std::uint32_t runs = 0;
      auto small = sim::shrink(run.story, run.rules, law.name, runs,
                               [this] { return goes_on(); });
      std::ofstream out{fs::path{wishes_.folder} / (name + ".drill"),
                        std::ios::binary};
      out << "# " << law.sentence << "\n" << small.text << "----\n";
    }
    tell_(fmt::format("found {} {}: {}", law.name, name, law.sentence));
  }

  const hunt_wishes& wishes_;
  sim::coverage met_;
  real_clock::time_point end_;
  const report& tell_;
  std::map<std::string, std::uint64_t> found_;
};

/// What the parent knows.
class ledger {
public:
  ledger(const hunt_wishes& wishes, sim::hunt_state state, unsigned jobs)
    : wishes_(wishes),
      state_(std::move(state)),
      begin_(real_clock::now()),
      told_(begin_),
      next_(jobs) {
    for (unsigned i = 0; i < jobs; ++i)
      next_[i] = state_.next_seed + i;
  }

  void hear(unsigned worker, const std::string& line) {
    auto bar = line.find(" | ");
    if (line == "run") {
      ++runs_;
      ++state_.runs;
    } else if (line.starts_with("seed ")) {
      next_[worker] = std::stoull(line.substr(5));
    } else if (line.starts_with("met ") && bar != std::string::npos) {
      ++state_.met[{line.substr(4, bar - 4), line.substr(bar + 3)}];
    } else if (line.starts_with("found ")) {
      ++found_;
      ++state_.found[line.substr(6, line.find(' ', 6) - 6)];
      fmt::print("{}\n", line);
      std::fflush(stdout);
    }
  }

  void pass() {
    constexpr auto pause = std::chrono::seconds{15};
    if (real_clock::now() - told_ < pause)
      return;
    told_ = real_clock::now();
    tell();
    store();
  }

  bool store() {
    // The first that a process has not ended yet.
    state_.next_seed = *std::min_element(next_.begin(), next_.end());
    return save(wishes_, state_);
  }

  void tell() const {
    auto spent = std::chrono::duration<double>(real_clock::now() - begin_);
    fmt::print(stderr,
               "{:.0f} s: {} runs, {:.1f} a second and process, next seed {}; "
               "{} found\n",
               spent.count(), runs_,
               static_cast<double>(runs_) / std::max(spent.count(), 0.001)
                 / static_cast<double>(next_.size()),
               *std::min_element(next_.begin(), next_.end()), found_);
  }

  int end() const {
    fmt::print("{}", sim::never_met(state_.met));
    for (const auto& [law, times] : state_.found)
      fmt::print("law {} was broken {} times so far; look into {}\n", law,
                 times, wishes_.folder);
    fmt::print("{} runs, {} found; the next hunt goes on at seed {}\n", runs_,
               found_, state_.next_seed);
    return found_ == 0 ? 0 : 1;
  }

private:
  const hunt_wishes& wishes_;
  sim::hunt_state state_;
  real_clock::time_point begin_;
  real_clock::time_point told_;
  std::vector<std::uint64_t> next_; ///< seed, by worker
  std::uint64_t runs_ = 0;          ///< of this hunt
  std::uint64_t found_ = 0;
};

} // namespace

int run_hunt(const hunt_wishes& wishes) {
  std::error_code trouble;
  fs::create_directories(wishes.folder, trouble);
  if (trouble) {
    fmt::print(stderr, "{}: cannot be made: {}\n", wishes.folder,
               trouble.message());
    return 2;
  }
  auto state = load(wishes);
  if (!state)
    return 2;
  auto jobs = wishes.jobs != 0 ? wishes.jobs : crew_of_all();
  using exact = std::chrono::duration<double, std::ratio<60>>;
  auto end
    = real_clock::now()
      + std::chrono::duration_cast<real_clock::duration>(exact{wishes.minutes});
  fmt::print(stderr,
             "hunting from seed {} for {} min in {} processes; finds and state "
             "go to {}\n",
             state->next_seed, wishes.minutes, jobs, wishes.folder);
  ledger known{wishes, *state, jobs};
  auto good = run_crew(
    jobs,
    [&](unsigned worker, const report& tell) {
      hunter{wishes, state->met, end, tell}.run(state->next_seed + worker,
                                                jobs);
    },
    [&](unsigned worker, const std::string& line) { known.hear(worker, line); },
    [&] { known.pass(); });
  if (!known.store())
    return 2;
  auto code = known.end();
  if (good)
    return code;
  fmt::print(stderr, "a process of the hunt died; what it played last is at or "
                     "after the seed named above\n");
  return 2;
}

} // namespace orderly::io
