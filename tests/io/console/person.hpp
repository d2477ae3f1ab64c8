// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// A person who types power commands to a daemon with a made-up desk. For the
// tests of the console.

#pragma once

#include "io/console/power_task.hpp"
#include "tests/io/console/run.hpp"

#include <deque>

namespace orderly::test {

using namespace io::console;
using io::http::errand_word;

inline errand_row node(const std::string& name, row_state state,
                       power_state power = power_state::unknown) {
  errand_row x;
  x.object = name;
  x.kind = row_kind::node;
  x.state = state;
  x.power = power;
  x.power_control = true;
  return x;
}

/// An errand about four nodes, so that its progress is shown.
inline errand_sheet four_nodes(row_state state, instant ended) {
  errand_sheet x;
  x.id = "power-12";
  x.kind = errand_kind::power_off;
  x.began = noon;
  x.ended = ended;
  for (const char* name : {"n1", "n2", "n3", "n4"})
    x.rows.push_back(node(name, state));
  return x;
}

/// A person at a terminal with some patience.
struct person {
  std::optional<std::string> answer; ///< to the question; not set: hangs up
  bool terminal = true;
  int looks_until_interrupt = -1;
  std::vector<std::string> questions;
  std::vector<millis> rests;

  outcome type(const site& at, const std::vector<std::string>& words) {
    return type_at(at.socket(), words);
  }

  outcome type_at(const std::string& socket,
                  const std::vector<std::string>& words) {
    std::vector<std::string> args{"--socket", socket};
    args.insert(args.end(), words.begin(), words.end());
    auto found = power_words(args, power::is_power_command);
    REQUIRE(found);
    auto read = power::read_command(*found);
    INFO(read.text);
    REQUIRE(read.text.empty());
    std::ostringstream out;
    std::ostringstream err;
    surroundings with{out, err, "1.2.3", [] { return noon; },
                      [] { return false; }};
    if (terminal)
      with.confer = [this](const std::string& question) {
        questions.push_back(question);
        return answer;
      };
    with.watched = terminal;
    with.rest = [this](millis span) { rests.push_back(span); };
    with.interrupted = [this] { return looks_until_interrupt-- == 0; };
    auto code = run_errand(task_of(read.chosen), with);
    return {code, out.str(), err.str()};
  }
};

/// Answers the words of one test in turn; the last answer stays.
inline void script(site& at, std::deque<result<errand_sheet>> answers) {
  at.actors.desk = [answers](const errand_word&) mutable {
    auto next = answers.front();
    if (answers.size() > 1)
      answers.pop_front();
    return next;
  };
}

inline const errand_request& request(const site& at, size_t i) {
  REQUIRE(at.actors.errand_words.size() > i);
  REQUIRE(std::holds_alternative<errand_request>(at.actors.errand_words[i]));
  return std::get<errand_request>(at.actors.errand_words[i]);
}

} // namespace orderly::test
