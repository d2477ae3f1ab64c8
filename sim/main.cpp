// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// orderly-sim: the same actors that run a cluster, in a world held in memory.

#include "io/crew/hunt.hpp"
#include "io/files/output.hpp"
#include "sim/bench/bench.hpp"
#include "sim/commands/host_ha.hpp"
#include "sim/conformance/conformance.hpp"
#include "sim/lab/drill.hpp"
#include "sim/swarm/swarm.hpp"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <sstream>
#include <system_error>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace {

using namespace orderly;

std::string read_file(const std::string& path, bool& ok) {
  std::ifstream in{path, std::ios::binary};
  ok = static_cast<bool>(in);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

/// The first line in which the two differ, with some lines around it.
void print_difference(const std::string& expected, const std::string& got) {
  std::istringstream a{expected};
  std::istringstream b{got};
  std::string x;
  std::string y;
  for (int line = 1;; ++line) {
    auto more_a = static_cast<bool>(std::getline(a, x));
    auto more_b = static_cast<bool>(std::getline(b, y));
    if (!more_a && !more_b)
      return;
    if (more_a != more_b || x != y) {
      fmt::print("  transcript line {}:\n", line);
      fmt::print("    expected: {}\n", more_a ? x : "(end)");
      fmt::print("    got:      {}\n", more_b ? y : "(end)");
      return;
    }
  }
}

/// 0: as expected; 1: not; 2: no drill.
int run_drill(const std::string& path, bool rewrite, bool show) {
  bool ok = false;
  auto text = read_file(path, ok);
  if (!ok) {
    fmt::print(stderr, "{}: cannot be read\n", path);
    return 2;
  }
  auto parsed = sim::parse_drill(text, path);
  if (!parsed) {
    fmt::print(stderr, "{}\n", parsed.why().text);
    return 2;
  }
  auto folder = std::filesystem::path{path}.parent_path().string();
  auto rules = sim::settings_of(*parsed, folder.empty() ? "." : folder);
  if (!rules) {
    fmt::print(stderr, "{}: {}\n", path, rules.why().text);
    return 2;
  }
  auto outcome = sim::play(*parsed, *rules);
  if (show)
    fmt::print("{}", outcome.transcript);
  auto good = true;
  for (const auto& trouble : outcome.troubles) {
    fmt::print("{}: {}\n", path, trouble);
    good = false;
  }
  for (const auto& law : outcome.broken) {
    fmt::print("{}: law {} is broken: {}\n", path, law.name, law.sentence);
    good = false;
  }
  if (rewrite && good) {
    std::ofstream out{path, std::ios::binary};
    out << sim::render_drill(*parsed, outcome.transcript);
    fmt::print("{}: rewritten\n", path);
    return 0;
  }
  if (outcome.transcript != parsed->expected) {
    fmt::print("{}: another transcript than expected\n", path);
    print_difference(parsed->expected, outcome.transcript);
    good = false;
  }
  return good ? 0 : 1;
}

int run_drills(const std::vector<std::string>& paths, bool rewrite, bool show) {
  int passed = 0;
  int failed = 0;
  int code = 0;
  for (const auto& path : paths) {
    auto ended = run_drill(path, rewrite, show);
    code = std::max(code, ended);
    ++(ended == 0 ? passed : failed);
  }
  fmt::print("{} passed, {} failed\n", passed, failed);
  return code;
}

int run_swarm(const sim::swarm_options& options, const std::string& keep) {
  std::error_code trouble;
  if (!keep.empty())
    std::filesystem::create_directories(keep, trouble);
  if (trouble) {
    fmt::print(stderr, "{}: cannot be made: {}\n", keep, trouble.message());
    return 2;
  }
  std::uint32_t failed = 0;
  for (std::uint32_t i = 0; i < options.seeds; ++i) {
    auto seed = options.first_seed + i;
    auto failure = sim::play_seed(seed, options);
    if (!failure) {
      if ((i + 1) % 20 == 0)
        fmt::print(stderr, "{} of {} seeds played, {} failed\n", i + 1,
                   options.seeds, failed);
      continue;
    }
    ++failed;
    fmt::print("seed {}: law {} is broken at step {}: {}\n", seed,
               failure->law.name, failure->step, failure->law.sentence);
    fmt::print("  play it again: orderly-sim swarm --seed {} --seeds 1\n",
               seed);
    fmt::print("  shrunk by {} runs to this drill:\n", failure->shrink_runs);
    std::istringstream lines{failure->shrunk.text};
    for (std::string line; std::getline(lines, line);)
      fmt::print("    {}\n", line);
    if (!keep.empty()) {
      std::ofstream out{fmt::format("{}/seed-{}.drill", keep, seed)};
      out << failure->shrunk.text << "----\n";
      if (!out.flush())
        fmt::print(stderr, "{}/seed-{}.drill: cannot be written\n", keep, seed);
    }
    std::fflush(stdout); // whoever ends it loses nothing
  }
  fmt::print("{} passed, {} failed\n", options.seeds - failed, failed);
  return failed == 0 ? 0 : 1;
}

int run_trace(const sim::swarm_options& options) {
  auto run = sim::draw_run(options.first_seed, options);
  auto outcome = sim::play(run.story, run.rules);
  fmt::print("{:016x} {} steps\n", outcome.trace_hash, outcome.steps);
  return outcome.broken.empty() ? 0 : 1;
}

void add_bench(CLI::App& app, int& code) {
  struct wishes {
    bool json = false;
    std::string config = "configs/examples/prompt.toml";
    std::string part;
  };

  auto into = std::make_shared<wishes>();
  auto* x = app.add_subcommand(
    "bench", "how much faster than real time a quiet cluster and a failing "
             "one are simulated");
  x->add_option("--config", into->config, "settings for the reaction times")
    ->capture_default_str();
  x->add_flag("--json", into->json, "for programs");
  x->add_option("PART", into->part, "only this part")
    ->check(CLI::IsMember({"evaluate"}));
  x->callback([into, &code] {
    code = into->part == "evaluate" ? sim::run_evaluation_bench(into->json)
                                    : sim::run_bench(into->config, into->json);
  });
}

/// A conformance suite, for `app`; the exit code goes into `code`.
void add_conformance(CLI::App& app, int& code) {
  struct wishes {
    std::string file;
    sim::conformance::selection which;
  };

  auto into = std::make_shared<wishes>();
  auto* x = app.add_subcommand(
    "conformance", "play the scenarios of a suite and compare what is done "
                   "with what they expect (exit 1: a difference; 2: no "
                   "suite)");
  x->add_option("FILE", into->file, "the suite, in JSON")->required();
  x->add_option("--only", into->which.ids,
                "only scenarios with these ids; * and ? as in file names")
    ->delimiter(',');
  x->add_option("--profile", into->which.profiles,
                "only scenarios of these profiles")
    ->delimiter(',');
  x->add_option("--emit", into->which.emit,
                "file for what timelines showed, in the form of `expect`");
  using sim::enacted::player;
  x->add_option(
     "--on", into->which.on,
     "what plays timelines of host HA: the machine alone, the actors "
     "that run a cluster, or both (where actors are meant to differ "
     "it is told, and no failure)")
    ->transform(CLI::CheckedTransformer(
      std::map<std::string, player>{{"machine", player::machine},
                                    {"actors", player::actors},
                                    {"both", player::both}},
      CLI::ignore_case))
    ->default_str("both");
  x->callback([into, &code] {
    code
      = sim::conformance::run_conformance(into->file, into->which, std::cout);
  });
}

void swarm_flags(CLI::App& app, sim::swarm_options& options,
                 std::uint32_t& faulty_hours) {
  app.add_option("--seed", options.first_seed, "the first seed")
    ->capture_default_str();
  app.add_option("--nodes", options.nodes, "nodes; drawn if not given");
  app.add_option("--instances", options.instances,
                 "instances; drawn if not given");
  app
    .add_option("--hours", faulty_hours,
                "length of the phase with faults, in simulated hours")
    ->capture_default_str();
}

void add_drill(CLI::App& app, int& code) {
  struct wishes {
    bool rewrite = false;
    bool show = false;
    io::around_wishes around;
  };

  auto into = std::make_shared<wishes>();
  auto* x = app.add_subcommand(
    "drill", "play drills and compare their transcripts (exit 1: a "
             "difference or a broken law; 2: no drill)");
  x->add_option("FILE", into->around.files, "drill files")->required();
  x->add_flag("--rewrite", into->rewrite, "renew the expected transcripts");
  x->add_flag("--show", into->show, "print the transcripts");
  auto* around = x->add_option(
    "--around", into->around.count,
    "play so many neighbours of each instead: faults earlier, later, in "
    "another order, one more; the safety laws judge (exit 1: one is broken)");
  x->add_option("--keep", into->around.folder,
                "with --around: folder for the drills of what fails")
    ->needs(around);
  x->add_option("--jobs", into->around.jobs,
                "with --around: processes; one for each processor if not "
                "given")
    ->needs(around);
  x->footer("Examples:\n"
            "  orderly-sim drill sim/drills/host-ha/*.drill\n"
            "  orderly-sim drill --show my.drill\n"
            "  orderly-sim drill --around 1000 --keep found my.drill");
  x->callback([into, &code] {
    code = into->around.count != 0
             ? io::run_around(into->around)
             : run_drills(into->around.files, into->rewrite, into->show);
  });
}

void add_swarm(CLI::App& app, int& code) {
  struct wishes {
    io::hunt_wishes hunt;
    std::uint32_t faulty_hours = 2;
    std::string keep;
    bool plain = false;
  };

  auto into = std::make_shared<wishes>();
  auto& options = into->hunt.options;
  auto* x = app.add_subcommand(
    "swarm", "play many seeds; a broken law prints its seed and a small "
             "drill that breaks it too");
  x->add_option("--seeds", options.seeds, "how many")->capture_default_str();
  x->add_option("--keep", into->keep, "folder for the drills of failing seeds");
  auto* hunt = x->add_option(
    "--hunt", into->hunt.minutes,
    "search for so many minutes on all processors, from where the last hunt "
    "ended; each seed also with faults in states that were met least (exit "
    "1: something was found)");
  x->add_option("--folder", into->hunt.folder,
                "with --hunt: for what is found, and for the state")
    ->capture_default_str()
    ->needs(hunt);
  x->add_option("--jobs", into->hunt.jobs,
                "with --hunt: processes; one for each processor if not given")
    ->needs(hunt);
  x->add_flag("--plain", into->plain, "without the stories drawn in addition");
  swarm_flags(*x, options, into->faulty_hours);
  x->footer("Examples:\n"
            "  orderly-sim swarm --seeds 200\n"
            "  orderly-sim swarm --seed 4711 --seeds 1 --keep found\n"
            "  orderly-sim swarm --hunt 30\n"
            "  orderly-sim swarm --hunt 600 --nodes 5 --hours 1 --folder "
            "/var/tmp/hunt");
  x->callback([into, &code] {
    auto& wanted = into->hunt.options;
    wanted.faults_for = hours{into->faulty_hours};
    wanted.extra = !into->plain;
    code = into->hunt.minutes > 0 ? io::run_hunt(into->hunt)
                                  : run_swarm(wanted, into->keep);
  });
}

} // namespace

int main(int argc, char** argv) {
  CLI::App app{
    "Failure drills for orderly: the real actors, a simulated "
    "cluster, virtual time.\n\nExamples:\n"
    "  orderly-sim drill sim/drills/host-ha/host-power-loss-with-bmc.drill\n"
    "  orderly-sim drill --show my.drill\n"
    "  orderly-sim drill --around 1000 my.drill\n"
    "  orderly-sim swarm --seeds 200\n"
    "  orderly-sim swarm --hunt 30\n"
    "  orderly-sim conformance repair.json --only 'H*'\n"
    "  orderly-sim trace --seed 7"};
  app.set_version_flag("--version", ORDERLY_VERSION);
  app.require_subcommand(1);
  int code = 0;

  add_drill(app, code);
  add_swarm(app, code);

  sim::swarm_options options;
  std::uint32_t faulty_hours = 2;
  auto* trace = app.add_subcommand(
    "trace", "print the hash of everything that one seed does");
  swarm_flags(*trace, options, faulty_hours);
  bool plain = false;
  trace->add_flag("--plain", plain, "without the stories drawn in addition");
  trace->callback([&] {
    options.extra = !plain;
    options.faults_for = hours{faulty_hours};
    code = run_trace(options);
  });

  add_bench(app, code);
  add_conformance(app, code);
  sim::commands::add_host_ha(app, code);

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    code = app.exit(e);
  } catch (const std::system_error&) {
    code = 1; // fmt says so of a write that failed; it is told below
  }
  return io::after_output(code, "orderly-sim");
}
