// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "sim/commands/host_ha.hpp"

#include "sim/enacted/judge.hpp"
#include "sim/pictures/host_ha.hpp"
#include "sim/timelines/draw.hpp"
#include "sim/walk/walk.hpp"

#include <fstream>
#include <iostream>
#include <memory>
#include <string>

#include <CLI/CLI.hpp>

namespace orderly::sim::commands {

namespace {

/// Drawn timelines of host HA.
void add_timelines(CLI::App& app, int& code) {
  struct wishes {
    timelines::timelines_wish which;
    std::string file;
    bool on_actors = false;
  };

  auto into = std::make_shared<wishes>();
  auto* x = app.add_subcommand(
    "timelines", "draw timelines of host HA, play them, and look at what holds "
                 "of every one (exit 1: it did not; 2: no file)");
  x->add_option("--seed", into->which.seed, "of all of them")
    ->capture_default_str();
  x->add_option("--count", into->which.count, "how many")
    ->capture_default_str();
  auto* emit
    = x->add_option("--emit", into->file,
                    "file for them and what was seen, as a conformance suite");
  x->add_flag("--on-actors", into->on_actors,
              "play them on the actors that run a cluster, too, and compare "
              "instead (exit 1: a difference that is not meant)")
    ->excludes(emit);
  x->callback([into, &code] {
    if (into->on_actors) {
      code
        = enacted::judge_drawn(into->which.seed, into->which.count, std::cout);
      return;
    }
    std::ofstream file;
    if (!into->file.empty()) {
      file.open(into->file, std::ios::binary);
      into->which.emit = &file;
    }
    code = timelines::run_timelines(into->which, std::cout);
    if (!into->file.empty() && !file.flush()) {
      std::cerr << into->file << ": cannot be written\n";
      code = 2;
    }
  });
}

int draw_picture(const std::string& path) {
  auto drawn = pictures::host_ha_states(host_ha::edges());
  if (!drawn) {
    std::cerr << drawn.why().text << '\n';
    return 1;
  }
  if (path.empty()) {
    std::cout << *drawn;
    return 0;
  }
  std::ofstream file{path, std::ios::binary};
  file << *drawn;
  if (file.flush())
    return 0;
  std::cerr << path << ": cannot be written\n";
  return 2;
}

/// Pictures of the documentation.
void add_picture(CLI::App& app, int& code) {
  struct wishes {
    std::string which;
    std::string file;
  };

  auto into = std::make_shared<wishes>();
  auto* x = app.add_subcommand(
    "picture", "draw a picture of the documentation from the code's own table, "
               "as SVG (exit 1: they do not fit; 2: no file)");
  x->add_option("WHICH", into->which, "host-ha: states and what changes them")
    ->required()
    ->check(CLI::IsMember({"host-ha"}));
  x->add_option("--into", into->file, "file; standard output if not given");
  x->footer("Examples:\n"
            "  orderly-sim picture host-ha --into "
            "docs/pictures/host-ha-states.svg\n"
            "  orderly-sim picture host-ha | rsvg-convert > states.png");
  x->callback([into, &code] { code = draw_picture(into->file); });
}

struct walk_options {
  walking::walk_wish which;
  std::string trace;
  std::string output = "text";
};

int run_walk(walk_options& into) {
  std::ofstream file;
  if (!into.trace.empty()) {
    file.open(into.trace, std::ios::binary);
    if (!file) {
      std::cerr << into.trace << ": cannot be written\n";
      return 2;
    }
    into.which.trace = &file;
  }
  into.which.progress = [events = into.which.events](std::uint64_t so_far) {
    std::cerr << so_far << " of " << events << " events\n";
  };
  auto met = walking::walk(into.which);
  auto code
    = walking::report(met, into.which, into.output == "json", std::cout);
  if (into.trace.empty() || file.flush())
    return code;
  std::cerr << into.trace << ": cannot be written\n";
  return 2;
}

/// Random events into node actors.
void add_walk(CLI::App& app, int& code) {
  auto into = std::make_shared<walk_options>();
  auto* x = app.add_subcommand(
    "walk", "random events into real node actors; each change of state is held "
            "against the table of the code and that of the specification, and "
            "a table says what was met how often (exit 1: something is wrong; "
            "2: no file)");
  x->add_option("--seed", into->which.seed, "another one is another walk")
    ->capture_default_str();
  x->add_option("--events", into->which.events, "so many, or a few more")
    ->capture_default_str();
  x->add_option("--nodes", into->which.nodes, "so many at once")
    ->check(CLI::Range(2, 100))
    ->capture_default_str();
  x->add_option("--least", into->which.least,
                "each pair of state and event that can be brought about must "
                "be met so often, and each change of the table once")
    ->capture_default_str();
  x->add_option("--trace", into->trace,
                "file for all steps, a line of JSON each");
  x->add_option("--output", into->output, "text or json")
    ->check(CLI::IsMember({"text", "json"}))
    ->capture_default_str();
  x->footer("Examples:\n"
            "  orderly-sim walk --events 4000000 --least 20\n"
            "  orderly-sim walk --seed 7 --events 5000 --trace steps.jsonl\n"
            "  orderly-sim walk --output json | jq .changes");
  x->callback([into, &code] { code = run_walk(*into); });
}

} // namespace

void add_host_ha(CLI::App& app, int& code) {
  add_timelines(app, code);
  add_picture(app, code);
  add_walk(app, code);
}

} // namespace orderly::sim::commands
