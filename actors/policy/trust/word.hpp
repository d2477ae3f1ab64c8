// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// A person's word that a node is off, judged by what can be asked now. Its
// author waits for the answer, and relies on it.
//
//            silent              not on               soon
//   daemons --------> controller --------> writing ----------> counting -->
//   taken
//      |                  |                   | late               ^
//      |                  |         controller again                |
//      |                  |     (if it was the disk)                |
//      |                  |                   | not on             |
//      |                  |                   v          silent    |
//      |                  |            daemons again --------------'
//      v                  v                   v
//   turned down, with a reason: something answers, reads on, was taken back, or
//   took longer than the author waits for

#pragma once

#include "actors/policy/trust/trust.hpp"

#include <cstdint>
#include <string>
#include <variant>

namespace orderly::trust {

/// What is waited for.
enum class word_stage {
  daemons,
  controller,
  writing,
  daemons_again,
  controller_again,
  counting,
};

struct judgement {
  off_word word;
  word_stage stage = word_stage::daemons;
  std::uint64_t ticket = 0; ///< `state::words_back` then: more means taken back
  std::uint64_t machine = 0; ///< `state::machines` then
  bool was_out = false;      ///< of service by the record, when it was given
  instant judged;            ///< when its daemons were found silent first
  instant looked;            ///< and last
  instant asked;             ///< when its controller was asked
  instant believed;          ///< when it went to the disk
  bool fence_is_out = false; ///< a power-off had been ordered before it counted
  std::string text;          ///< "off by the word of root: pulled both cords"
  instant outdates; ///< a proof from before is worth less than the word
};

// --- events ------------------------------------------------------------------

/// Its daemons were asked.
struct word_looked {
  sighting seen;
  bool lost = false; ///< nobody answered us
};

/// Its controller was asked.
struct word_read {
  power_report report;
  bool lost = false; ///< our power switch did not answer
};

/// What was to be written is on disk.
struct word_written {};

/// The machine was told of the word.
struct word_told {
  bool fence_was_out = false; ///< a power-off had been ordered before
};

using word_event
  = std::variant<word_looked, word_read, word_written, word_told>;

// --- the one thing to do next ------------------------------------------------

/// Its author hears, and that is the end.
struct word_answer {
  bool taken = false;
  std::string text;
  std::string voids; ///< proofs are void for this; empty: they are not
};

/// Its daemons should be asked. `counts`: what they say is news of them.
struct word_look {
  bool sworn = false;
  bool counts = false;
};

struct word_ask_controller {};

/// Of the word that is believed.
struct word_write {
  row what;
};

/// The machine of host_ha.hpp should be fed this; `word_told` follows.
struct word_tell {
  host_ha::vouched what;
};

using word_action = std::variant<word_answer, word_look, word_ask_controller,
                                 word_write, word_tell>;

struct word_step {
  judgement next;
  word_action then;
};

/// The settings that a word needs beside those of trust.
struct word_rules {
  rules of_trust;
  millis word_max_age{};
};

/// Somebody says that the node is off. `ready`: its journal was read.
word_step begin_word(const node_name& name, const off_word& word,
                     const state& s, const surroundings& around, bool ready,
                     const word_rules& r, instant now);

/// Goes on with it. An event that its stage does not wait for turns it down.
word_step go_on(const node_name& name, const judgement& j, const word_event& e,
                const state& s, const surroundings& around, const word_rules& r,
                instant now);

inline constexpr const char* word_is_back = "the word was taken back";
inline constexpr const char* is_another
  = "another machine has got the node's name meanwhile: look at that one, and "
    "say so again";

} // namespace orderly::trust
