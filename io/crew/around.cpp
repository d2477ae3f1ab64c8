// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// `orderly-sim drill --around`.

#include "sim/swarm/around.hpp"

#include "io/crew/crew.hpp"
#include "io/crew/hunt.hpp"

#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>

#include <fmt/format.h>

namespace orderly::io {

namespace {

namespace fs = std::filesystem;

struct home {
  std::string path;
  sim::drill story;
  settings rules;
};

/// nullopt: it is no drill; that was told.
std::optional<home> load(const std::string& path) {
  std::ifstream in{path, std::ios::binary};
  if (!in) {
    fmt::print(stderr, "{}: cannot be read\n", path);
    return std::nullopt;
  }
  std::ostringstream text;
  text << in.rdbuf();
  auto parsed = sim::parse_drill(text.str(), path);
  if (!parsed) {
    fmt::print(stderr, "{}\n", parsed.why().text);
    return std::nullopt;
  }
  auto folder = fs::path{path}.parent_path();
  auto rules
    = sim::settings_of(*parsed, folder.empty() ? "." : folder.string());
  if (!rules) {
    fmt::print(stderr, "{}: {}\n", path, rules.why().text);
    return std::nullopt;
  }
  home result{path, *parsed, *rules};
  // What is found is a drill in another folder.
  if (!result.story.config.empty())
    result.story.config
      = fs::weakly_canonical(folder / result.story.config).string();
  return result;
}

/// A find as one line of a report, and back.
std::string packed(std::string text) {
  for (auto& c : text)
    c = c == '\n' ? '\x1f' : c;
  return text;
}

std::string unpacked(std::string text) {
  for (auto& c : text)
    c = c == '\x1f' ? '\n' : c;
  return text;
}

/// Every neighbour of every drill whose turn it is.
void search(const std::vector<home>& homes, const around_wishes& wishes,
            unsigned worker, unsigned jobs, const report& tell) {
  std::uint64_t turn = 0;
  for (std::size_t k = 0; k < homes.size(); ++k)
    for (std::uint64_t i = 1; i <= wishes.count; ++i) {
      if (turn++ % jobs != worker)
        continue;
      const auto& x = homes[k];
      auto failure = sim::play_neighbour(x.story, x.rules, i);
      tell("played");
      if (!failure)
        continue;
      auto stem = fs::path{x.path}.stem().string();
      auto name = fmt::format("{}-{}-{}", failure->law.name, stem, i);
      auto text = fmt::format("# {}\n{}----\n", failure->law.sentence,
                              failure->shrunk.text);
      if (!wishes.folder.empty())
        std::ofstream{fs::path{wishes.folder} / (name + ".drill"),
                      std::ios::binary}
          << text;
      tell(
        packed(fmt::format("{}: neighbour {}: law {} is broken: {}\n{}", x.path,
                           i, failure->law.name, failure->law.sentence, text)));
    }
}

} // namespace

int run_around(const around_wishes& wishes) {
  std::vector<home> homes;
  auto code = 0;
  for (const auto& path : wishes.files) {
    if (auto x = load(path))
      homes.push_back(std::move(*x));
    else
      code = 2;
  }
  if (!wishes.folder.empty()) {
    std::error_code trouble;
    fs::create_directories(wishes.folder, trouble);
    if (trouble) {
      fmt::print(stderr, "{}: cannot be made: {}\n", wishes.folder,
                 trouble.message());
      return 2;
    }
  }
  auto jobs = wishes.jobs != 0 ? wishes.jobs : crew_of_all();
  std::uint64_t played = 0;
  std::uint64_t found = 0;
  auto all = homes.size() * wishes.count;
  auto good = run_crew(
    jobs,
    [&](unsigned worker, const report& tell) {
      search(homes, wishes, worker, jobs, tell);
    },
    [&](unsigned, const std::string& line) {
      if (line != "played") {
        ++found;
        fmt::print("{}", unpacked(line));
        std::fflush(stdout);
      } else if (++played % 500 == 0) {
        fmt::print(stderr, "{} of {} neighbours played, {} failed\n", played,
                   all, found);
      }
    },
    [] {});
  fmt::print("{} neighbours of {} drills: {} passed, {} failed\n", played,
             homes.size(), played - found, found);
  if (!good || played != all) {
    fmt::print(stderr, "a process died before it had played its part\n");
    return 2;
  }
  return code != 0 ? code : (found == 0 ? 0 : 1);
}

} // namespace orderly::io
