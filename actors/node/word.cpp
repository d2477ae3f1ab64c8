// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The shell of policy/trust/word.hpp.

#include "actors/policy/trust/word.hpp"

#include "actors/node/trust.hpp"

#include <caf/typed_response_promise.hpp>

#include <utility>

namespace orderly::node_parts {

namespace {

/// A word that is being judged, and who waits for the answer.
struct asked_word {
  trust::judgement judgement;
  caf::typed_response_promise<off_word_answer> promise;
};

using word_ptr = std::shared_ptr<asked_word>;

trust::word_rules word_rules_of(const settings& s) {
  return {trust_rules(s), s.autorepair.word_max_age};
}

void go_on(self_ptr self, const word_ptr& x, const trust::word_event& e);

void carry_out(self_ptr self, const word_ptr& x, trust::word_answer what) {
  if (!what.voids.empty())
    learn(self,
          trust::ordered_on{now(self, self->state.ctx), std::move(what.voids)});
  x->promise.deliver(off_word_answer{what.taken, std::move(what.text)});
}

void carry_out(self_ptr self, const word_ptr& x, const trust::word_look& what) {
  auto& st = self->state;
  if (what.counts)
    return look(
      self,
      [self, x](const sighting& seen) {
        go_on(self, x, trust::word_looked{seen, false});
      },
      what.sworn);
  probe_request question{st.node, st.facts->record.address,
                         rules_for(st)->host_ha.check_timeout, true};
  question.sworn = what.sworn;
  question.by_keeper = true;
  st.peers.provider.check(
    self, std::move(question),
    [self, x](const sighting& seen) {
      go_on(self, x, trust::word_looked{seen, false});
    },
    [self, x] {
      go_on(self, x, trust::word_looked{{}, true});
    });
}

void carry_out(self_ptr self, const word_ptr& x,
               const trust::word_ask_controller&) {
  self->state.peers.provider.status(
    self, order_of(self, power_verb::status),
    [self, x](const power_report& report) {
      learn(self, trust::power_overheard{report});
      go_on(self, x, trust::word_read{report, false});
    },
    [self, x] {
      go_on(self, x, trust::word_read{{}, true});
    });
}

void carry_out(self_ptr self, const word_ptr& x,
               const trust::word_write& what) {
  record(self, self->state.peers.journal,
         {entry_of(self, what.what.kind, what.what.code, what.what.text)},
         [self, x] { go_on(self, x, trust::word_written{}); });
}

void carry_out(self_ptr self, const word_ptr& x, const trust::word_tell& what) {
  const auto& m = self->state.machine;
  auto fence_is_out = m.phase == ha_phase::fencing && m.fence_dispatched;
  feed(self, what.what);
  go_on(self, x, trust::word_told{fence_is_out});
}

void take(self_ptr self, const word_ptr& x, trust::word_step step) {
  x->judgement = std::move(step.next);
  std::visit([self, &x](auto& what) { carry_out(self, x, std::move(what)); },
             step.then);
}

void go_on(self_ptr self, const word_ptr& x, const trust::word_event& e) {
  auto& st = self->state;
  take(self, x,
       trust::go_on(st.node, x->judgement, e, st.trust, surroundings_of(st),
                    word_rules_of(*rules_for(st)), now(self, st.ctx)));
}

} // namespace

caf::result<off_word_answer> take_word(self_ptr self, const off_word& word) {
  auto& st = self->state;
  if (word.taken_back) {
    ++st.trust.words_back;
    return off_word_answer{true, trust::word_is_back};
  }
  auto x = std::make_shared<asked_word>();
  x->promise = self->make_response_promise<off_word_answer>();
  auto promise = x->promise;
  take(self, x,
       trust::begin_word(st.node, word, st.trust, surroundings_of(st),
                         st.recovered, word_rules_of(*rules_for(st)),
                         now(self, st.ctx)));
  return promise;
}

} // namespace orderly::node_parts
