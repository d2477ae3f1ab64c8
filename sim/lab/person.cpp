// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "sim/lab/person.hpp"

#include "io/cli/power_sheets.hpp"

#include <caf/actor_system.hpp>
#include <caf/stateful_actor.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <sstream>

namespace orderly::sim {

namespace {

/// A console asks this often how far it is.
constexpr millis look_again = seconds{1};

/// Until a daemon that does not answer is given up.
constexpr millis patience = seconds{30};

/// The longest anybody sits there.
constexpr millis stay = hours{2};

// keys of wakes
constexpr std::uint64_t to_begin = 0;
constexpr std::uint64_t to_look = 1;

struct person_state : waking {
  visit what;
  person_order order;
  instant leaves_at;
};

using self_type = person::stateful_pointer<person_state>;
using on_sheet = std::function<void(const errand_sheet*)>;

/// Line by line, without blanks at the ends.
void say(self_type self, const std::string& text) {
  std::istringstream in{text};
  for (std::string line; std::getline(in, line);) {
    line.erase(line.find_last_not_of(" \r") + 1);
    if (!line.empty())
      self->state.what.say(line);
  }
}

void note(self_type self, order_step step) {
  auto& st = self->state;
  std::lock_guard<std::mutex> hold{st.lab->guard};
  st.order.at = enter(self);
  if (st.order.number == 0)
    st.order.number = ++st.lab->errands_asked;
  st.order.step = step;
  st.lab->note(st.order);
}

/// It was told just now that nothing more is begun.
void note_stop(self_type self) {
  auto& st = self->state;
  std::lock_guard<std::mutex> hold{st.lab->guard};
  st.lab->note(stop_word{st.what.stops, enter(self)});
}

/// Asks the desk; without an answer `then` gets null.
template <class Question>
void ask(self_type self, const Question& question, const on_sheet& then) {
  auto root = self->state.what.daemon();
  if (!root) {
    then(nullptr);
    return;
  }
  auto unheard = [then](const caf::error&) { then(nullptr); };
  self->request(root, patience, ask_counters{})
    .then(
      [self, question, then, unheard](const front& handles) {
        if (!handles.desk) {
          then(nullptr);
          return;
        }
        self->request(handles.desk, patience, question)
          .then([then](const errand_sheet& x) { then(&x); }, unheard);
      },
      unheard);
}

void read_out(self_type self, const errand_sheet& sheet) {
  auto text = power::print(sheet, self->state.order.wanted);
  say(self, text.err);
  say(self, text.out);
  if (text.code != 0)
    self->state.what.say("exit code " + std::to_string(text.code));
  self->quit();
}

instant time_now(self_type self) {
  std::lock_guard<std::mutex> hold{self->state.lab->guard};
  return enter(self);
}

void wait(self_type self) {
  if (time_now(self) < self->state.leaves_at) {
    self->delayed_send(self, look_again, wake{to_look});
    return;
  }
  self->state.what.say(self->state.order.id + " goes on; waits no longer");
  self->quit();
}

void follow(self_type self) {
  ask(self, errand_query{self->state.order.id}, [self](const errand_sheet* x) {
    if (!x || (x->found && x->ended == never)) {
      wait(self);
      return;
    }
    self->state.order.failed = x->failed || !x->found;
    note(self, order_step::ended);
    if (x->found) {
      read_out(self, *x);
      return;
    }
    self->state.what.say("nothing is known of " + self->state.order.id);
    self->quit();
  });
}

void send(self_type self) {
  note(self, order_step::asked);
  if (!self->state.what.daemon())
    note(self, order_step::refused); // nobody was there to take it
  ask(self, self->state.order.wanted, [self](const errand_sheet* x) {
    auto& st = self->state;
    if (!x) {
      // Who knows what came of it.
      st.what.say("orderly does not answer");
      self->quit();
      return;
    }
    st.order.id = x->id;
    note(self, x->refusal.empty() ? order_step::taken : order_step::refused);
    if (!x->refusal.empty() || x->ended != never) {
      if (x->refusal.empty())
        note(self, order_step::ended);
      read_out(self, *x);
      return;
    }
    wait(self);
  });
}

/// Reads the question and says yes to it.
void answer(self_type self) {
  auto dry = self->state.order.wanted;
  dry.dry = true;
  ask(self, dry, [self](const errand_sheet* x) {
    if (x && x->refusal.empty()) {
      say(self, power::question(*x, self->state.order.wanted) + "y");
      send(self);
      return;
    }
    if (x) {
      read_out(self, *x);
      return;
    }
    self->state.what.say("orderly does not answer");
    self->quit();
  });
}

/// The sheet as it is then: who asked for the errand reads how it ended.
void stop(self_type self) {
  ask(self, errand_stop{self->state.what.stops, tester},
      [self](const errand_sheet* x) {
        if (x && x->found && x->refusal.empty())
          note_stop(self);
        else
          self->state.what.say(!x          ? "orderly does not answer"
                               : !x->found ? "there is no such errand"
                                           : x->refusal);
        self->quit();
      });
}

void begin(self_type self) {
  auto& st = self->state;
  st.what.say("$ " + st.what.command);
  if (!st.what.stops.empty()) {
    stop(self);
    return;
  }
  st.order.wanted = st.what.wanted.wanted;
  st.order.wanted.who = tester;
  st.leaves_at = time_now(self) + stay;
  if (!st.what.wanted.yes && power::is_asked_about(st.order.wanted))
    answer(self);
  else
    send(self);
}

person::behavior_type person_impl(self_type self, visit what) {
  self->state.lab = what.lab;
  self->state.what = std::move(what);
  self->send(self, wake{to_begin});
  return {
    [self](const wake& w) {
      if (w.key == to_begin)
        begin(self);
      else
        follow(self);
    },
  };
}

/// Blanks part words, except between double quotes.
std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> result;
  std::string word;
  auto quoted = false;
  auto begun = false;
  for (auto c : text) {
    if (c == '"') {
      quoted = !quoted;
      begun = true;
    } else if (c == ' ' && !quoted) {
      if (begun)
        result.push_back(std::exchange(word, {}));
      begun = false;
    } else {
      word += c;
      begun = true;
    }
  }
  if (begun)
    result.push_back(word);
  return result;
}

} // namespace

person spawn_person(caf::actor_system& sys, visit what) {
  return sys.spawn(person_impl, std::move(what));
}

bool is_command_line(const std::string& text) {
  return text.starts_with("orderly ");
}

result<entered> read_command_line(const std::string& text) {
  auto words = words_of(text);
  if (!words.empty())
    words.erase(words.begin());
  if (words.size() == 3 && words[0] == "errand" && words[2] == "--stop")
    return entered{{}, words[1]};
  if (words.empty() || !power::is_power_command(words.front()))
    return fault{fault_kind::bad_input,
                 "'" + text + "' is no command line of power control"};
  auto read = power::read_command(words);
  if (!read.text.empty())
    return fault{fault_kind::bad_input, "'" + text + "': " + read.text};
  return entered{read.chosen, {}};
}

} // namespace orderly::sim
