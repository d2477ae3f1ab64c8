# SPDX-FileCopyrightText: the orderly authors
# SPDX-License-Identifier: BSD-2-Clause
#
# test_mutants: the laws must notice a daemon that is broken on purpose. Parts
# of the real sources are copied into the build folder with a defect added at
# one place, behind a switch (tests/mutants/switch.hpp). The linker then takes
# the copy and leaves the original in its archive, so the sources themselves
# need no hooks.

# orderly_mutant(NAME FILE SNIPPET REPLACEMENT)
#
# SNIPPET must be in FILE exactly once: if the source has changed, somebody
# has to decide where the defect belongs now.
function(orderly_mutant name file snippet replacement)
  set_property(DIRECTORY "${CMAKE_SOURCE_DIR}" APPEND PROPERTY
    CMAKE_CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/${file}")
  get_property(text GLOBAL PROPERTY "mutated ${file}")
  if("${text}" STREQUAL "")
    file(READ "${CMAKE_SOURCE_DIR}/${file}" text)
    set_property(GLOBAL APPEND PROPERTY mutated_files "${file}")
  endif()
  string(FIND "${text}" "${snippet}" first)
  string(FIND "${text}" "${snippet}" last REVERSE)
  if(first EQUAL -1)
    message(FATAL_ERROR "tests/mutants/mutants.cmake: the place for the "
      "defect '${name}' is not in ${file} any more. Find out where it belongs "
      "now. It was:\n${snippet}")
  elseif(NOT first EQUAL last)
    message(FATAL_ERROR "tests/mutants/mutants.cmake: the place for the "
      "defect '${name}' is in ${file} more than once. Give it more context. "
      "It is:\n${snippet}")
  endif()
  string(FIND "${replacement}" "mutants::on(\"${name}\")" asks)
  if(asks EQUAL -1)
    message(FATAL_ERROR "tests/mutants/mutants.cmake: the defect '${name}' "
      "does not ask for its own switch")
  endif()
  string(REPLACE "${snippet}" "${replacement}" text "${text}")
  set_property(GLOBAL PROPERTY "mutated ${file}" "${text}")
endfunction()

# Writes the copies; their paths come back in `out`. With a copy come the other
# files of its room if they are compiled together: an object is left in its
# archive as a whole or not at all.
function(orderly_write_mutants out)
  get_property(files GLOBAL PROPERTY mutated_files)
  set(all ${files})
  foreach(file ${files})
    cmake_path(GET file PARENT_PATH room)
    string(REPLACE "/" "_" target "orderly_${room}")
    get_target_property(together ${target} UNITY_BUILD)
    if(together)
      file(GLOB neighbours RELATIVE "${CMAKE_SOURCE_DIR}" CONFIGURE_DEPENDS
        "${CMAKE_SOURCE_DIR}/${room}/*.cpp")
      list(APPEND all ${neighbours})
    endif()
  endforeach()
  list(REMOVE_DUPLICATES all)
  foreach(file ${all})
    set(copy "${CMAKE_SOURCE_DIR}/${file}")
    if(file IN_LIST files)
      get_property(text GLOBAL PROPERTY "mutated ${file}")
      set(copy "${CMAKE_BINARY_DIR}/mutants/${file}")
      set(before "")
      if(EXISTS "${copy}")
        file(READ "${copy}" before)
      endif()
      set(text "#include \"tests/mutants/switch.hpp\"\n${text}")
      # An equal copy keeps its time, or all would be compiled again.
      if(NOT "${before}" STREQUAL "${text}")
        file(WRITE "${copy}" "${text}")
      endif()
    endif()
    cmake_path(GET file PARENT_PATH room)
    string(REPLACE "/" "_" target "orderly_${room}")
    get_target_property(together ${target} UNITY_BUILD)
    # It says "using namespace planning" before files that must not.
    if(together AND NOT file STREQUAL "actors/balance/planner_words.cpp")
      set_source_files_properties("${copy}" PROPERTIES UNITY_GROUP "${target}")
    endif()
    list(APPEND copies "${copy}")
  endforeach()
  set(${out} ${copies} PARENT_SCOPE)
endfunction()

# --- power -------------------------------------------------------------------

orderly_mutant(unknown-is-off actors/power/levels.cpp
[==[
  op->said[level] = reading(verb, answer);
]==] [==[
  op->said[level] = reading(verb, answer);
  if (mutants::on("unknown-is-off")
      && op->said[level].state == power_state::unknown)
    op->said[level].state = power_state::off;
]==])

# The last look would take longer than the journal.
orderly_mutant(act-before-intent actors/power/levels.cpp
[==[
  record(self, self->state.journal, std::move(rows),
]==] [==[
  if (mutants::on("act-before-intent")) {
    record(self, self->state.journal, std::move(rows), [] {});
    send_command(self, node);
    return;
  }
  record(self, self->state.journal, std::move(rows),
]==])

orderly_mutant(one-hung-blocks-all actors/power/oob.cpp
[==[
  while (st.running < rules->power.concurrency) {
]==] [==[
  auto most = mutants::on("one-hung-blocks-all") ? std::uint32_t{1}
                                                 : rules->power.concurrency;
  while (st.running < most) {
]==])

orderly_mutant(one-hung-blocks-all actors/power/levels.cpp
[==[
                        run_limit(op.order, *rules)};
]==] [==[
                        mutants::on("one-hung-blocks-all")
                            && verb == power_verb::status
                          ? millis{hours{24}}
                          : run_limit(op.order, *rules)};
]==])

orderly_mutant(level-not-passed-on actors/power/levels.cpp
[==[
  if (!has_next_level(op)) {
]==] [==[
  if (!has_next_level(op) || mutants::on("level-not-passed-on")) {
]==])

orderly_mutant(off-is-overridden actors/power/wishes.cpp
[==[
  auto i = wishes.find(order.node);
]==] [==[
  if (mutants::on("off-is-overridden"))
    return {};
  auto i = wishes.find(order.node);
]==])

# Two layers keep automation off: the node's own and the switch's.
orderly_mutant(off-is-overridden actors/policy/trust/belief.cpp
[==[
  if (s_.wish.wanted != power_state::off || is_dead())
]==] [==[
  if (mutants::on("off-is-overridden")
      || s_.wish.wanted != power_state::off || is_dead())
]==])

# --- acts in their moment ------------------------------------------------------

# Nothing needs a witness.
orderly_mutant(last-look-is-skipped actors/power/levels.cpp
[==[
  if (!op.witness) {
]==] [==[
  if (mutants::on("last-look-is-skipped")) {
    send_command(self, node);
    return;
  }
  if (!op.witness) {
]==])

# Right before a failover leaves: the guards, and the old home itself.
orderly_mutant(last-say-asks-no-guard actors/instance/witness.cpp
[==[
        auto why = answer.granted ?]==] [==[
        auto why = answer.granted || mutants::on("last-say-asks-no-guard") ?]==])

orderly_mutant(homes-are-not-asked actors/instance/witness.cpp
[==[
  if (questions.empty())
    return then({});
]==] [==[
  if (questions.empty() || mutants::on("homes-are-not-asked"))
    return then({});
]==])

# A word from hours ago counts after a restart.
orderly_mutant(word-outlives-absence actors/policy/host_ha/power.cpp
[==[
  if (is_evidence_old())
    forget_word();
]==] [==[
  if (is_evidence_old() && !mutants::on("word-outlives-absence"))
    forget_word();
]==])

# What a journal from a backup calls open is gone on with.
orderly_mutant(older-journal-is-believed actors/policy/errand/resume.cpp
[==[
  if (e.adopted > last)
]==] [==[
  if (e.adopted > last && !mutants::on("older-journal-is-believed"))
]==])

# While the daemons are asked for the last time a person orders it on.
orderly_mutant(fence-outlives-the-order actors/node/carry_out.cpp
[==[
               return is.is_raised_since(report.at);
]==] [==[
               return is.is_raised_since(report.at)
                      && !mutants::on("fence-outlives-the-order");
]==])

# The first look after a fence, and the looks beside each reading from then on.
orderly_mutant(off-beside-answers-is-proof actors/node/carry_out.cpp
[==[
         if (trust::is_silent(seen)) {
]==] [==[
         if (trust::is_silent(seen) || mutants::on("off-beside-answers-is-proof")) {
]==])

orderly_mutant(off-beside-answers-is-proof actors/policy/trust/readings.cpp
[==[
    if (alive)
      distrust(e.report, !e.answered_before);
]==] [==[
    if (mutants::on("off-beside-answers-is-proof"))
      return silent(e);
    if (alive)
      distrust(e.report, !e.answered_before);
]==])

# Three things end a proof that is not renewed: its age, at home and where it
# is used, and the answer of the node's daemons.
orderly_mutant(proof-lives-for-ever actors/policy/trust/waiting.cpp
[==[
  auto by_word = x->level == proof_level::operator_word;
]==] [==[
  if (mutants::on("proof-lives-for-ever"))
    return false;
  auto by_word = x->level == proof_level::operator_word;
]==])

orderly_mutant(proof-lives-for-ever actors/policy/repair/plan.cpp
[==[
  if (now - found->at > (by_word ? r.word_max_age : r.proof_max_age))
]==] [==[
  if (!mutants::on("proof-lives-for-ever")
      && now - found->at > (by_word ? r.word_max_age : r.proof_max_age))
]==])

orderly_mutant(proof-lives-for-ever actors/policy/trust/readings.cpp
[==[
    if (answers(e.seen))
      s_.seen_off.reset();
]==] [==[
    if (answers(e.seen) && !mutants::on("proof-lives-for-ever"))
      s_.seen_off.reset();
]==])

orderly_mutant(proof-lives-for-ever actors/policy/trust/daemons.cpp
[==[
    s_.seen_off.reset(); // whoever asked, and for what
]==] [==[
    if (!mutants::on("proof-lives-for-ever"))
      s_.seen_off.reset(); // whoever asked, and for what
]==])

# What was under way is gone on with, and the last look sees nothing new.
orderly_mutant(restart-goes-on-with-old-trouble actors/policy/host_ha/power.cpp
[==[
  if (under_way && is_evidence_old()) {
]==] [==[
  if (under_way && is_evidence_old()
      && !mutants::on("restart-goes-on-with-old-trouble")) {
]==])

orderly_mutant(restart-goes-on-with-old-trouble actors/policy/host_ha/power.cpp
[==[
  auto seen_now = now_ - s_.trouble_seen <= r_.absence;
]==] [==[
  auto seen_now = now_ - s_.trouble_seen <= r_.absence
                  || mutants::on("restart-goes-on-with-old-trouble");
]==])

orderly_mutant(restart-goes-on-with-old-trouble actors/node/witness.cpp
[==[
  auto promise = self->make_response_promise<power_last_word>();
  look(self]==] [==[
  if (mutants::on("restart-goes-on-with-old-trouble"))
    return power_last_word{true, false, {}};
  auto promise = self->make_response_promise<power_last_word>();
  look(self]==])

orderly_mutant(pause-does-not-hold-retries actors/scheduler/guards.cpp
[==[
  if (!p.granted)
    return p;
  auto& held]==] [==[
  if (!p.granted && !mutants::on("pause-does-not-hold-retries"))
    return p;
  p.granted = true;
  auto& held]==])

orderly_mutant(nodes-without-control-do-not-count actors/node/standing.cpp
[==[
  s.troubled = host_ha::is_troubled(st.machine) || is.fails_untreated(at);
]==] [==[
  s.troubled = host_ha::is_troubled(st.machine)
               || (!mutants::on("nodes-without-control-do-not-count")
                   && is.fails_untreated(at));
]==])

orderly_mutant(offline-nodes-count actors/policy/trust/belief.cpp
[==[
  return around_.known && !around_.offline && around_.recorded_on;
]==] [==[
  return around_.known
         && (!around_.offline || mutants::on("offline-nodes-count"))
         && around_.recorded_on;
]==])

# What a person switched off is lost once the wish for it is over.
orderly_mutant(off-is-forgotten actors/policy/trust/belief.cpp
[==[
  return text.empty() && !is_dead() ? s_.wish.switched_off : text;
]==] [==[
  return text.empty() && !is_dead() && !mutants::on("off-is-forgotten")
           ? s_.wish.switched_off
           : text;
]==])

orderly_mutant(off-is-forgotten actors/instance/witness.cpp
[==[
  auto by_order = wish.wanted == power_state::off || !wish.switched_off.empty();
]==] [==[
  auto by_order
    = (wish.wanted == power_state::off || !wish.switched_off.empty())
      && !mutants::on("off-is-forgotten")
      && !mutants::on("off-by-order-is-lost");
]==])

# A person's order for off counts once the power was read again.
orderly_mutant(order-waits-for-a-reading actors/instance/witness.cpp
[==[
  return by_order && !fenced
]==] [==[
  return by_order && !fenced && !mutants::on("order-waits-for-a-reading")
]==])

# An order of which nobody knows what became ends like one that did nothing.
orderly_mutant(unknown-is-on actors/power/wishes.cpp
[==[
  if (is_order_itself(order) && report.state == power_state::on && !kept.met)
]==] [==[
  if (is_order_itself(order)
      && (report.state == power_state::on
          || (mutants::on("unknown-is-on") && !report.confirmed))
      && !kept.met)
]==])

orderly_mutant(unknown-is-on actors/power/oob.cpp
[==[
    auto rest
      = has_answered(kept, order) ? std::nullopt : std::optional{rest_of(kept)};
]==] [==[
    auto rest = !has_answered(kept, order) && !mutants::on("unknown-is-on")
                  ? std::optional{rest_of(kept)}
                  : std::nullopt;
]==])

# Two layers: the wish ends with its order, and who lives counts anyway.
orderly_mutant(failed-off-blinds-the-guard actors/power/wishes.cpp
[==[
  if (wish.wanted != power_state::off)
    return {};
]==] [==[
  if (wish.wanted != power_state::off
      || mutants::on("failed-off-blinds-the-guard"))
    return {};
]==])

orderly_mutant(failed-off-blinds-the-guard actors/power/wishes.cpp
[==[
  if ((!kept.met && !kept.in_doubt) || verb != power_verb::status)
]==] [==[
  if ((!kept.met
       && (!kept.in_doubt || mutants::on("failed-off-blinds-the-guard")))
      || verb != power_verb::status)
]==])

orderly_mutant(failed-off-blinds-the-guard actors/policy/trust/belief.cpp
[==[
  if (!is_left())
    return true;
]==] [==[
  if (!is_left())
    return true;
  if (mutants::on("failed-off-blinds-the-guard"))
    return false;
]==])

# The plan, the last say about it, and the room that an instance is told of.
orderly_mutant(reserved-target-is-filled actors/policy/repair/plan.cpp
[==[
  if (!node.leaving.empty())
]==] [==[
  if (!node.leaving.empty() && !mutants::on("reserved-target-is-filled"))
]==])

# Settings that are read anew reach who looks, and not who acts.
orderly_mutant(switch-is-not-heard actors/instance/seen.cpp
[==[
  r.enabled = s.autorepair.enabled;
  r.observe = s.autorepair.mode == repair_mode::observe;
]==] [==[
  r.enabled = s.autorepair.enabled || mutants::on("switch-is-not-heard");
  r.observe = s.autorepair.mode == repair_mode::observe
              && !mutants::on("switch-is-not-heard");
]==])

orderly_mutant(reserved-target-is-filled actors/instance/seen.cpp
[==[
    auto to = op.nodes;
    to.push_back(op.target);
]==] [==[
    if (mutants::on("reserved-target-is-filled"))
      return {};
    auto to = op.nodes;
    to.push_back(op.target);
]==])
orderly_mutant(reserved-target-is-filled actors/instance/seen.cpp
[==[
    if (instance_parts::leaves_choice(op) && !facts.pickable.empty())
]==] [==[
    if (instance_parts::leaves_choice(op) && !facts.pickable.empty()
        && !mutants::on("reserved-target-is-filled"))
]==])

# --- guards ------------------------------------------------------------------

orderly_mutant(no-storm-guard actors/policy/guards/storm.cpp
[==[
  if (s.open || s.troubled > limit(r, s.nodes))
    return]==] [==[
  if ((s.open || s.troubled > limit(r, s.nodes))
      && !mutants::on("no-storm-guard"))
    return]==])

orderly_mutant(no-budget actors/policy/guards/budget.cpp
[==[
    return judge(s.fences, r.fences_per_hour_max, "fences", now);
]==] [==[
    return mutants::on("no-budget")
             ? answer{}
             : judge(s.fences, r.fences_per_hour_max, "fences", now);
]==])

orderly_mutant(master-for-ever actors/scheduler/leader.cpp
[==[
  if (!report.is_master) {
]==] [==[
  if (!report.is_master && !mutants::on("master-for-ever")) {
]==])

orderly_mutant(lease-counts-from-arrival actors/scheduler/leader.cpp
[==[
  auto asked = report.asked_at == never ? report.at : report.asked_at;
]==] [==[
  auto asked = report.asked_at == never
                   || mutants::on("lease-counts-from-arrival")
                 ? report.at
                 : report.asked_at;
]==])

orderly_mutant(dead-nodes-are-filled actors/policy/guards/reservations.cpp
[==[
  auto dead = is_destructive(wanted.act);
]==] [==[
  auto dead = !mutants::on("dead-nodes-are-filled")
                ? is_destructive(wanted.act)
                : wanted.act == act_kind::fence
                    || wanted.act == act_kind::reset;
]==])

orderly_mutant(always-fits actors/policy/guards/reservations.cpp
[==[
std::string conflict(const permit_request& held, const permit_request& wanted) {
]==] [==[
std::string conflict(const permit_request& held, const permit_request& wanted) {
  if (mutants::on("always-fits"))
    return {};
]==])

# What is under way to a node that is lost would be called back in time.
orderly_mutant(always-fits actors/policy/repair/autorepair.cpp
[==[
  if (s.stage != stage::repairing || s.withdrawn || is_older(seen, s.moved)]==] [==[
  if (mutants::on("always-fits"))
    return {};
  if (s.stage != stage::repairing || s.withdrawn || is_older(seen, s.moved)]==])

# --- nodes -------------------------------------------------------------------

orderly_mutant(activity-does-not-count actors/policy/host_ha/watch.cpp
[==[
  if (e.verdict == activity::inactive) {
]==] [==[
  if (e.verdict == activity::inactive
      || mutants::on("activity-does-not-count")) {
]==])

orderly_mutant(back-without-a-person actors/policy/host_ha/watch.cpp
[==[
void machine::healthy_while_fenced(const std::string& evidence) {
]==] [==[
void machine::healthy_while_fenced(const std::string& evidence) {
  if (mutants::on("back-without-a-person")) {
    become_available(evidence);
    return;
  }
]==])

orderly_mutant(deadline-not-armed actors/node/node.cpp
[==[
  if (st.machine.due == never)
    st.deadline.stop();
]==] [==[
  if (st.machine.due == never || mutants::on("deadline-not-armed"))
    st.deadline.stop();
]==])

orderly_mutant(offline-forgotten actors/node/carry_out.cpp
[==[
  if (st.offline_sent || st.machine.phase != ha_phase::fenced || !st.facts
]==] [==[
  if (mutants::on("offline-forgotten"))
    return;
  if (st.offline_sent || st.machine.phase != ha_phase::fenced || !st.facts
]==])

orderly_mutant(dead-stays-fenced actors/policy/host_ha/watch.cpp
[==[
  } else if (s_.phase == ha_phase::fenced && !s_.maintenance) {
]==] [==[
  } else if (s_.phase == ha_phase::fenced && !s_.maintenance
             && !mutants::on("dead-stays-fenced")) {
]==])

# Whose mark it is is seen when the word comes, and with each reading after it.
orderly_mutant(mark-is-set-again actors/node/node.cpp
[==[
    st.marked = st.facts && st.facts->record.offline;
]==] [==[
    st.marked = st.facts && st.facts->record.offline
                && !mutants::on("mark-is-set-again");
]==])

orderly_mutant(mark-is-set-again actors/node/node.cpp
[==[
  if (st.machine.phase == ha_phase::fenced && record.offline != st.marked
]==] [==[
  if (st.machine.phase == ha_phase::fenced && record.offline != st.marked
      && !mutants::on("mark-is-set-again")
]==])

# --- instances and jobs ------------------------------------------------------

orderly_mutant(no-proof actors/policy/repair/plan.cpp
[==[
  const auto& found = x.proved_down;
]==] [==[
  if (mutants::on("no-proof"))
    return {};
  const auto& found = x.proved_down;
]==])

orderly_mutant(all-is-permitted actors/policy/repair/permission.cpp
[==[
  const tag_opinion nothing;
]==] [==[
  if (mutants::on("all-is-permitted")) {
    permission all;
    all.what = verdict::enabled;
    all.up_to = tags::repair_type::failover;
    all.source = "nobody asked";
    return all;
  }
  const tag_opinion nothing;
]==])

orderly_mutant(failed-is-forgotten actors/policy/repair/decide.cpp
[==[
  if (!x.tags.failures.empty()) {
]==] [==[
  if (!x.tags.failures.empty() && !mutants::on("failed-is-forgotten")) {
]==])

orderly_mutant(failed-is-forgotten actors/policy/repair/decide.cpp
[==[
  if (s.phase == phase::failed && !s.repair.empty()) {
]==] [==[
  if (s.phase == phase::failed && !s.repair.empty()
      && !mutants::on("failed-is-forgotten")) {
]==])

orderly_mutant(failed-is-forgotten actors/policy/repair/grant.cpp
[==[
  if (!x.tags.failures.empty())
    return "a failure tag appeared";
]==] [==[
  if (!x.tags.failures.empty() && !mutants::on("failed-is-forgotten"))
    return "a failure tag appeared";
]==])

orderly_mutant(queue-is-ignored actors/policy/repair/decide.cpp
[==[
  if (x.tags.queue.empty())
    return tidy(without_pending(]==] [==[
  if (x.tags.queue.empty() || mutants::on("queue-is-ignored"))
    return tidy(without_pending(]==])

orderly_mutant(queue-is-ignored actors/policy/repair/grant.cpp
[==[
  return x.tags.queue.empty() && x.tags.strange.empty()
           ? std::string{}
]==] [==[
  return (x.tags.queue.empty() && x.tags.strange.empty())
             || mutants::on("queue-is-ignored")
           ? std::string{}
]==])

orderly_mutant(failures-are-tidied-up actors/policy/repair/tidy.cpp
[==[
  for (const auto& text : x.tags.superseded) {
    auto tag]==] [==[
  if (mutants::on("failures-are-tidied-up"))
    for (const auto& end : x.tags.failures)
      result.push_back(end.text);
  for (const auto& text : x.tags.superseded) {
    auto tag]==])

orderly_mutant(drained-is-dead actors/policy/repair/need.cpp
[==[
  if (x.primary.offline)
    return needs_reinstall(x, std::move(why));
]==] [==[
  if (x.primary.offline || mutants::on("drained-is-dead"))
    return needs_reinstall(x, std::move(why));
]==])

orderly_mutant(drained-is-dead actors/policy/repair/plan.cpp
[==[
  if (!x.offline)
    return fmt::format("{} is not marked offline", node);
]==] [==[
  if (mutants::on("drained-is-dead"))
    return {};
  if (!x.offline)
    return fmt::format("{} is not marked offline", node);
]==])

orderly_mutant(drained-is-well actors/policy/repair/need.cpp
[==[
need needs_migration(const facts& x, std::string why) {
]==] [==[
need needs_migration(const facts& x, std::string why) {
  if (mutants::on("drained-is-well"))
    return {};
]==])

orderly_mutant(lost-stays-lost actors/policy/repair/plan.cpp
[==[
  if (auto text = missing_proofs(p.act, seen, r, now); !text.empty())
]==] [==[
  if (p.act == act_kind::reinstall && mutants::on("lost-stays-lost"))
    return {obstacle_kind::room, "no room, for ever"};
  if (auto text = missing_proofs(p.act, seen, r, now); !text.empty())
]==])

orderly_mutant(mirror-is-no-copy actors/policy/repair/plan.cpp
[==[
  if (!text.empty() || act == act_kind::failover)
    return text;
]==] [==[
  if (!text.empty() || act == act_kind::failover
      || mutants::on("mirror-is-no-copy"))
    return text;
]==])

# What was held of a machine is held against another one under its name.
orderly_mutant(names-are-machines actors/desk/gone.cpp
[==[
  return !uuid.empty() && !x.uuid.empty() && uuid != x.uuid;]==] [==[
  return !uuid.empty() && !x.uuid.empty() && uuid != x.uuid
         && !mutants::on("names-are-machines");]==])

orderly_mutant(ids-are-of-all actors/policy/repair/record.cpp
[==[
    return id == s.repair
           || (seen.shared.count(id) == 0]==] [==[
    return id == s.repair || mutants::on("ids-are-of-all")
           || (seen.shared.count(id) == 0]==])

orderly_mutant(homes-end-well-unseen actors/policy/repair/closing.cpp
[==[
  if (auto unseen = home_unseen(x.seen); stop.empty() && !unseen.empty())]==] [==[
  if (auto unseen = home_unseen(x.seen);
      stop.empty() && !unseen.empty() && !mutants::on("homes-end-well-unseen"))]==])
orderly_mutant(homes-end-well-unseen actors/policy/repair/grant.cpp
  [==[  if (stop.empty() && ends_well(s.ops))]==]
  [==[  if (stop.empty() && ends_well(s.ops)
      && !mutants::on("homes-end-well-unseen"))]==])

orderly_mutant(off-by-order-is-lost actors/policy/repair/plan.cpp
[==[
  return spared(seen);
]==] [==[
  return mutants::on("off-by-order-is-lost") ? std::string{} : spared(seen);
]==])

# Four layers keep old decisions in: the shell that made them, its last say,
# the bound on their age, and that what lost its ground is called back.
orderly_mutant(late-is-as-good actors/policy/repair/autorepair.cpp
[==[
  if (s.stage != stage::repairing || s.withdrawn || is_older(seen, s.moved)]==] [==[
  if (mutants::on("late-is-as-good"))
    return {};
  if (s.stage != stage::repairing || s.withdrawn || is_older(seen, s.moved)]==])

orderly_mutant(late-is-as-good actors/policy/repair/grant.cpp
[==[
  if (intent == s.note)
    return {}; // it only notes what is under way
]==] [==[
  if (intent == s.note || mutants::on("late-is-as-good"))
    return {}; // it only notes what is under way
]==])

orderly_mutant(late-is-as-good actors/jobs/send.cpp
[==[
  return at >= x.deadline || at >= x.order.send_before;
]==] [==[
  return at >= x.deadline
         || (at >= x.order.send_before && !mutants::on("late-is-as-good"));
]==])

# What was sent before the proof fell, and has not begun, goes on.
orderly_mutant(never-called-back actors/policy/repair/autorepair.cpp
[==[
  if (s.stage != stage::repairing || s.withdrawn || is_older(seen, s.moved)]==] [==[
  if (mutants::on("never-called-back"))
    return {};
  if (s.stage != stage::repairing || s.withdrawn || is_older(seen, s.moved)]==])

orderly_mutant(absent-is-unsent actors/jobs/queue.cpp
[==[
void take_absence(self_ptr self, item& x) {
]==] [==[
void take_absence(self_ptr self, item& x) {
  x.order.once = x.order.once && !mutants::on("absent-is-unsent");
]==])

orderly_mutant(absent-is-unsent actors/jobs/queue.cpp
[==[
trail_query{"intent=" + intent, true}]==] [==[
trail_query{"intent=" + intent, !mutants::on("absent-is-unsent")}]==])

orderly_mutant(called-back-is-sought-later actors/jobs/submitter.cpp
[==[
  if (x.stage == stage::matching)
    jobs::seek_soon(self, x);
]==] [==[
  if (x.stage == stage::matching && !mutants::on("called-back-is-sought-later"))
    jobs::seek_soon(self, x);
]==])

orderly_mutant(cancel-is-said-once actors/jobs/cancel.cpp
[==[
        if (x.answered)
          self->state.cancels.erase(id);
]==] [==[
        if (x.answered || mutants::on("cancel-is-said-once"))
          self->state.cancels.erase(id);
]==])

orderly_mutant(half-made-is-whole actors/policy/repair/copy.cpp
[==[
  return !s.unmade_from.empty() && s.unmade_from != mirror && !told && !made;
]==] [==[
  return !s.unmade_from.empty() && s.unmade_from != mirror && !told && !made
         && !mutants::on("half-made-is-whole");
]==])

orderly_mutant(new-mirrors-are-not-asked actors/mirrors/mirrors.cpp
[==[
  if (st.fresh.size() == known)
]==] [==[
  if (st.fresh.size() == known || mutants::on("new-mirrors-are-not-asked"))
]==])

orderly_mutant(later-order-gives-up-the-first actors/policy/trust/belief.cpp
[==[
  auto switched = wish.switched_at != never ? wish.switched_at : wish.at;
]==] [==[
  auto switched = wish.switched_at != never ? wish.switched_at : wish.at;
  if (mutants::on("later-order-gives-up-the-first"))
    switched = wish.at;
]==])

orderly_mutant(order-under-a-fence-is-none actors/policy/trust/belief.cpp
[==[
  if (text.empty() && worked_on)
]==] [==[
  if (text.empty() && worked_on
      && !mutants::on("order-under-a-fence-is-none"))
]==])

orderly_mutant(switched-on-by-order-is-no-news actors/power/oob.cpp
[==[
  auto is_news = read || raised;
]==] [==[
  auto is_news
    = read || (raised && !mutants::on("switched-on-by-order-is-no-news"));
]==])

orderly_mutant(word-waits-for-no-reading actors/node/node.cpp
[==[
      if (trust::is_silent(seen) && !state.reading_power
]==] [==[
      if (trust::is_silent(seen)
          && (!state.reading_power || mutants::on("word-waits-for-no-reading"))
]==])

orderly_mutant(suspensions-stay actors/policy/repair/permission.cpp
[==[
    if (found != nullptr && found->until && *found->until <= now)
      result.push_back(text);
]==] [==[
    if (found != nullptr && found->until && *found->until <= now
        && !mutants::on("suspensions-stay"))
      result.push_back(text);
]==])

orderly_mutant(sent-twice actors/jobs/send.cpp
[==[
      seek_first(self, x);
]==] [==[
      if (mutants::on("sent-twice"))
        later(self, x, stage::ready, rules->cluster.job_match_grace);
      else
        seek_first(self, x);
]==])

# --- chance ------------------------------------------------------------------

orderly_mutant(real-chance actors/shell/dice.cpp
[==[
  auto z = (state_ += 0x9e3779b97f4a7c15ULL);
]==] [==[
  if (mutants::on("real-chance"))
    state_ += mutants::real_chance();
  auto z = (state_ += 0x9e3779b97f4a7c15ULL);
]==])

orderly_mutant(raised-under-a-failover actors/policy/errand/begin.cpp
[==[
  if (acts && must_wait_for_acts(i))
]==] [==[
  if (acts && must_wait_for_acts(i)
      && !mutants::on("raised-under-a-failover"))
]==])

# An order marks a node offline by a reading from before it, which need not show
# the job that moves something off it.
orderly_mutant(marks-by-an-old-reading actors/policy/errand/gate.cpp
[==[
  if (why.empty() && is_left && w_.read_at <= r.moved)
]==] [==[
  if (why.empty() && is_left && w_.read_at <= r.moved
      && !mutants::on("marks-by-an-old-reading"))
]==])

# ... or sees only jobs of events.
orderly_mutant(marks-beside-a-repair actors/policy/errand/astray.cpp
[==[
  auto repairs = act == act_kind::migrate || act == act_kind::failover;
]==] [==[
  auto repairs = (act == act_kind::migrate || act == act_kind::failover)
                 && !mutants::on("marks-beside-a-repair");
]==])

# --- the journal's file and the clocks -----------------------------------------

# What the port says of a file that is not ours any more counts as written.
orderly_mutant(lost-file-is-written-on actors/journal/journal.cpp
[==[
        if (ack.durable)
          landed(self);
]==] [==[
        if (ack.durable
            || (ack.lost && mutants::on("lost-file-is-written-on")))
          landed(self);
]==])

# Live: the names and numbers of the files, before and after a commit ...
orderly_mutant(file-is-not-looked-at io/sqlite/place.cpp
[==[
std::string place::replaced() const {
  if (!settled_)
]==] [==[
std::string place::replaced() const {
  if (!settled_ || mutants::on("file-is-not-looked-at"))
]==])

orderly_mutant(file-is-not-looked-at io/sqlite/place.cpp
[==[
  // The main file changes only when we merge the log into it.
]==] [==[
  if (mutants::on("file-is-not-looked-at"))
    return {};
  // The main file changes only when we merge the log into it.
]==])

# ... and the count of starts beside it.
orderly_mutant(epoch-is-not-compared io/sqlite/journal.cpp
[==[
  if (seen > ours)
]==] [==[
  if (seen > ours && !mutants::on("epoch-is-not-compared"))
]==])

orderly_mutant(jump-is-not-seen actors/shell/context.cpp
[==[
  if (!is_jump(x, rules()->leader.clock_tolerance))
]==] [==[
  if (!is_jump(x, rules()->leader.clock_tolerance)
      || mutants::on("jump-is-not-seen"))
]==])

# --- words --------------------------------------------------------------------

orderly_mutant(spent-is-silent actors/scheduler/book.cpp
[==[
  if (!answer.spent) {
]==] [==[
  if (!answer.spent || mutants::on("spent-is-silent")) {
]==])

orderly_mutant(waiting-is-nothing io/http/plan.cpp
[==[
  result["something"] = !rows.empty() || all.status.guard.budget;
]==] [==[
  if (mutants::on("waiting-is-nothing"))
    result["something"]
      = std::any_of(rows.begin(), rows.end(), [](const json& x) {
          return x["state"] == "due" || x["state"] == "under-way";
        });
  else
    result["something"] = !rows.empty() || all.status.guard.budget;
]==])

orderly_mutant(fence-is-called-reset actors/policy/foresight/next_acts.cpp
[==[
  auto fences = wants == act_kind::fence;
]==] [==[
  auto fences
    = wants == act_kind::fence && !mutants::on("fence-is-called-reset");
]==])

# The switch tells of a wish with each reading, the desk with each picture.
orderly_mutant(old-wish-is-told actors/policy/trust/readings.cpp
[==[
  if (s_.wish == wish)
    return;
]==] [==[
  if (s_.wish == wish
      || (mutants::on("old-wish-is-told")
          && s_.wish.wanted == power_state::off))
    return;
]==])

orderly_mutant(old-wish-is-told actors/policy/trust/readings.cpp
[==[
  if (s_.wish.wanted == power_state::off && e.wish.at > s_.wish.at)
]==] [==[
  if (s_.wish.wanted == power_state::off && e.wish.at > s_.wish.at
      && !mutants::on("old-wish-is-told"))
]==])

orderly_mutant(order-off-is-known-once-read actors/policy/trust/readings.cpp
[==[
  s_.ordered_off = e.wish.wanted == power_state::off ? e.wish.at : never;
]==] [==[
  if (!mutants::on("order-off-is-known-once-read"))
    s_.ordered_off = e.wish.wanted == power_state::off ? e.wish.at : never;
]==])

orderly_mutant(orders-are-not-shown actors/desk/errands.cpp
[==[
  if (all.nodes == st.ordered)
]==] [==[
  if (all.nodes == st.ordered || mutants::on("orders-are-not-shown"))
]==])

# --- persons ------------------------------------------------------------------

orderly_mutant(nameless-word actors/policy/trust/word.cpp
[==[
  j_.text = fmt::format("off by the word of {}: {}", word.who, word.reason);
]==] [==[
  j_.text = fmt::format("off by the word of {}: {}", word.who, word.reason);
  if (mutants::on("nameless-word"))
    j_.text = "off, somebody said";
]==])

# The disk was slow, and the person was told that nothing came of it.
orderly_mutant(word-outlives-its-no actors/policy/trust/word.cpp
[==[
  return j_.word.until != never && now_ >= j_.word.until;
]==] [==[
  return j_.word.until != never && now_ >= j_.word.until
         && (j_.stage == word_stage::daemons
             || j_.stage == word_stage::controller
             || !mutants::on("word-outlives-its-no"));
]==])

# The last look knows of no node that is to be woken.
orderly_mutant(fenced-is-woken actors/node/witness.cpp
[==[
  if (auto why = unwanted(self, intent); !why.empty())
    return no(std::move(why));
]==] [==[
  if (mutants::on("fenced-is-woken"))
    return power_last_word{true, false, {}};
  if (auto why = unwanted(self, intent); !why.empty())
    return no(std::move(why));
]==])

orderly_mutant(fenced-is-woken actors/node/carry_out.cpp
[==[
void carry_out(self_ptr self, const host_ha::read_power&) {
]==] [==[
void carry_out(self_ptr self, const host_ha::read_power&) {
  if (mutants::on("fenced-is-woken")
      && self->state.machine.phase == ha_phase::fenced) {
    auto order = order_of(self, power_verb::on);
    self->state.power_order = order.intent;
    self->state.peers.provider.reset(self, std::move(order), minutes{10},
                                     [](const power_report&) {}, [] {});
    return;
  }
]==])

orderly_mutant(fenced-is-woken actors/node/provider.cpp
  [==[  what.verb = power_verb::cycle;]==]
  [==[  auto wakes = mutants::on("fenced-is-woken") && what.verb == power_verb::on;
  what.verb = wakes ? power_verb::on : power_verb::cycle;]==])

orderly_mutant(uncounted actors/policy/errand/plan.cpp
  [==[  if (!is_counted(asked) && !(acts && asked.count))]==]
  [==[  if (mutants::on("uncounted")
      || (!is_counted(asked) && !(acts && asked.count)))]==])

orderly_mutant(stop-leaves-the-mark actors/policy/errand/halt.cpp
[==[
    else if (is_job(kind))
]==] [==[
    else if (is_job(kind) && !mutants::on("stop-leaves-the-mark"))
]==])

orderly_mutant(one-more-than-named actors/policy/errand/plan.cpp
[==[
  if (costs)
    if (auto why = master_named(nodes, x.verb, w))
]==] [==[
  if (mutants::on("one-more-than-named"))
    nodes.push_back(all_nodes(w).back());
  if (costs)
    if (auto why = master_named(nodes, x.verb, w))
]==])

orderly_mutant(holds-are-ignored actors/policy/repair/moves.cpp
[==[
  if (seen.held.empty())
    return permission_of(]==] [==[
  if (seen.held.empty() || mutants::on("holds-are-ignored"))
    return permission_of(]==])

# --- planning ----------------------------------------------------------------

# What protects an instance is asked for plan and job alike.
orderly_mutant(protected-is-balanced actors/policy/balance/taboo.cpp
[==[
    if (auto why = tagged(x); !why.empty())
]==] [==[
    if (mutants::on("protected-is-balanced"))
      continue;
    if (auto why = tagged(x); !why.empty())
]==])

orderly_mutant(troubled-group-is-balanced actors/policy/balance/taboo.cpp
[==[
    if (!x.offline && seen.unwell.count(x.name) != 0)
]==] [==[
    if (!mutants::on("troubled-group-is-balanced") && !x.offline
        && seen.unwell.count(x.name) != 0)
]==])

# A mirror is given up, or moved onto, without a question before.
orderly_mutant(mirror-is-not-asked actors/policy/balance/moves.cpp
[==[
  if (!rests_on_mirror(m->what)) {
]==] [==[
  if (!rests_on_mirror(m->what) || mutants::on("mirror-is-not-asked")) {
]==])

orderly_mutant(mirror-is-not-asked actors/policy/balance/moves.cpp
[==[
  if (!rests_on_mirror(m.what))
]==] [==[
  if (!rests_on_mirror(m.what) || mutants::on("mirror-is-not-asked"))
]==])

# What could not be stopped is started elsewhere.
orderly_mutant(a-silent-home-is-passed-over actors/policy/maintenance/opcodes.cpp
[==[
    op.ignore_consistency = fails_over && !r.ask_home;
]==] [==[
    op.ignore_consistency
      = fails_over
        && (!r.ask_home || mutants::on("a-silent-home-is-passed-over"));
]==])

# What is marked down is said to be stopped.
orderly_mutant(down-is-taken-for-stopped actors/mirrors/mirrors.cpp
[==[
  auto may = what.marked_down ? can_answer : can_be_asked;
]==] [==[
  auto asks = what.marked_down && !mutants::on("down-is-taken-for-stopped");
  auto may = asks ? can_answer : can_be_asked;
]==])

orderly_mutant(down-is-taken-for-stopped messages/protocol/mirror_reader.cpp
[==[
  if (!x.heard && !x.mute)
]==] [==[
  if (!x.heard && !x.mute && !mutants::on("down-is-taken-for-stopped"))
]==])

orderly_mutant(down-is-taken-for-stopped actors/instance/instance.cpp
[==[
  if (moves_what_is_down(*st.facts, ops))
]==] [==[
  if (moves_what_is_down(*st.facts, ops)
      && !mutants::on("down-is-taken-for-stopped"))
]==])

# Nobody opens the disks of what is stopped before it is moved.
orderly_mutant(stopped-moves-with-closed-disks actors/policy/repair/plan.cpp
[==[
  if (op.flag) {
    p.ops.push_back(about(op_kind::activate_disks, seen));
]==] [==[
  if (op.flag && !mutants::on("stopped-moves-with-closed-disks")) {
    p.ops.push_back(about(op_kind::activate_disks, seen));
]==])

# A job is what is needed if its act is, whatever its opcodes do by now.
orderly_mutant(any-deed-will-do actors/policy/repair/plan.cpp
[==[
  return deeds_of(a) == deeds_of(b);
]==] [==[
  return mutants::on("any-deed-will-do") || deeds_of(a) == deeds_of(b);
]==])

# What a former master's migration was for is not asked.
orderly_mutant(stray-migrations-run-on actors/policy/repair/adopt.cpp
[==[
      if (late || misplaced || is_unwanted(job, x) || !against_all(x).empty())
]==] [==[
      auto unwanted = is_unwanted(job, x)
                      && !mutants::on("stray-migrations-run-on");
      if (late || misplaced || unwanted || !against_all(x).empty())
]==])

# What the home lacks is not remembered.
orderly_mutant(homes-fault-is-forgotten actors/policy/repair/copy.cpp
[==[
  s.home_fault = seen.home_pending ? home_trouble{} : seen.home_fault;
]==] [==[
  auto forgets = mutants::on("homes-fault-is-forgotten");
  s.home_fault
    = forgets || seen.home_pending ? home_trouble{} : seen.home_fault;
]==])

# An event, or a repair, gives up a mirror whatever is left of the other copy.
orderly_mutant(better-copy-is-given-up messages/protocol/mirror_reader.cpp
[==[
  if (!lacks(fault, home))
]==] [==[
  if (!lacks(fault, home) || mutants::on("better-copy-is-given-up"))
]==])

orderly_mutant(better-copy-is-given-up actors/policy/repair/home.cpp
[==[
  if (faulty && lacks(heard.fault, home)) {
]==] [==[
  if (faulty && lacks(heard.fault, home)
      && !mutants::on("better-copy-is-given-up")) {
]==])

# ... or whatever it said.
orderly_mutant(any-answer-is-well actors/policy/balance/moves.cpp
[==[
  if (!e.well) {
]==] [==[
  if (!e.well && !mutants::on("any-answer-is-well")) {
]==])

# What is wrong with a disk is forgotten when its node has another role.
orderly_mutant(fault-stays-with-its-role actors/policy/repair/home.cpp
[==[
  if (!left && !entered)
]==] [==[
  if ((!left && !entered) || mutants::on("fault-stays-with-its-role"))
]==])

orderly_mutant(fault-stays-with-its-role actors/policy/repair/autorepair.cpp
[==[
  if (v.next.moved != s.moved && v.next.moved != never && !exchanges)
]==] [==[
  exchanges = exchanges && !mutants::on("fault-stays-with-its-role");
  if (v.next.moved != s.moved && v.next.moved != never && !exchanges)
]==])

# An answer from before ends what was concluded of a copy since.
orderly_mutant(old-answer-clears-a-copy actors/policy/repair/copy.cpp
[==[
  auto fault = news &&]==] [==[
  auto fault = (news || mutants::on("old-answer-clears-a-copy")) &&]==])

# What a home's own disk lacks holds the move off that home.
orderly_mutant(homes-fault-holds-its-move messages/protocol/mirror_reader.cpp
[==[
  if (x.heard && lacks_alone(x.heard->fault, home))
]==] [==[
  if (x.heard && lacks_alone(x.heard->fault, home)
      && !mutants::on("homes-fault-holds-its-move"))
]==])

# Two layers keep moves away from a drained node: the balancer and the planner.
orderly_mutant(drained-is-filled actors/policy/balance/taboo.cpp
[==[
  if (x.drained)
]==] [==[
  if (x.drained && !mutants::on("drained-is-filled"))
]==])

orderly_mutant(drained-is-filled actors/planning/place/refresh.cpp
[==[
      to.offline = x.offline || x.drained || !x.vm_capable || !has_figures(to);
]==] [==[
      to.offline = x.offline
                   || (x.drained && !mutants::on("drained-is-filled"))
                   || !x.vm_capable || !has_figures(to);
]==])

# Moves forget what mirrors need: neither forbidden nor a loss.
orderly_mutant(mirrors-need-nothing actors/planning/moves/moves.cpp
[==[
  s.short_of_memory = p.unallocated(node, s) <= s.reserved;
]==] [==[
  s.short_of_memory = !mutants::on("mirrors-need-nothing")
                      && p.unallocated(node, s) <= s.reserved;
]==])

orderly_mutant(mirrors-need-nothing actors/planning/moves/placement.cpp
[==[
                          : unallocated(n, s) <= s.reserved;
]==] [==[
                          : !mutants::on("mirrors-need-nothing")
                              && unallocated(n, s) <= s.reserved;
]==])

orderly_mutant(mirrors-need-nothing actors/planning/search/balance_groups.cpp
[==[
    r.min_gain = rules_.threshold;
]==] [==[
    r.ignore_soft = mutants::on("mirrors-need-nothing");
    r.min_gain = rules_.threshold;
]==])

# --- balancing ---------------------------------------------------------------

# Four things keep moves away from where a person works: what the balancer and
# the scheduler are told, what the person ordered, and their jobs in the queue.
orderly_mutant(held-is-balanced actors/balance/balancer.cpp
[==[
  for (const auto& [node, why] : st.leaving)
]==] [==[
  if (!mutants::on("held-is-balanced"))
  for (const auto& [node, why] : st.leaving)
]==])

orderly_mutant(held-is-balanced actors/balance/balancer.cpp
[==[
  if (!x.held.empty())
]==] [==[
  if (mutants::on("held-is-balanced"))
    st.troubled.erase(x.node);
  else if (!x.held.empty())
]==])

orderly_mutant(held-is-balanced actors/policy/balance/taboo.cpp
[==[
  if (!sent) {
]==] [==[
  if (!sent && !mutants::on("held-is-balanced")) {
]==])

orderly_mutant(held-is-balanced actors/scheduler/guards.cpp
[==[
      if (!node->held.empty())
]==] [==[
      if (mutants::on("held-is-balanced"))
        continue;
      if (!node->held.empty())
]==])

# --- what was told, and what the calendar says -------------------------------

# Whoever stops an errand is answered before the stop is on disk.
orderly_mutant(stop-is-told-at-once actors/desk/desk.cpp
[==[
  // Who stops it a second time waits for the first one's row, too.
  if (s.ended == never && s.stopped_by.empty())
]==] [==[
  // Who stops it a second time waits for the first one's row, too.
  if (mutants::on("stop-is-told-at-once")) {
    feed(self, number_of(what.id), errand::stopped{what.who}, [] {});
    told();
  } else if (s.ended == never && s.stopped_by.empty())
]==])

# A command leaves although its errand was stopped while it was written down.
orderly_mutant(commands-ask-no-errand actors/desk/witness.cpp
[==[
  auto why = errand::against_command(i->second, at, w);
]==] [==[
  auto why = errand::against_command(i->second, at, w);
  if (mutants::on("commands-ask-no-errand"))
    why.clear();
]==])

orderly_mutant(commands-ask-no-errand actors/policy/errand/halt.cpp
[==[
    else if (kind == step_kind::power && !is_reading(s().asked))
]==] [==[
    else if (kind == step_kind::power && !is_reading(s().asked)
             && !mutants::on("commands-ask-no-errand"))
]==])

# What its asker was told is refused is begun after the clocks jumped.
orderly_mutant(refused-is-begun actors/policy/errand/resume.cpp
[==[
  else if (untouched &&]==] [==[
  else if (!mutants::on("refused-is-begun") && untouched &&]==])

# After a restart a word is judged as if it were given now.
orderly_mutant(word-is-judged-anew actors/policy/errand/begin.cpp
[==[
  word.until = s().began + (s().resumed == never ? word_within : millis{0});
]==] [==[
  word.until = s().began + (s().resumed == never ? word_within : millis{0});
  if (mutants::on("word-is-judged-anew"))
    word.until = now_ + word_within;
]==])

# An order of hours ago seems young, because the calendar was set back.
orderly_mutant(later-calendar-is-young actors/policy/errand/fields.cpp
[==[
  s.undated = aged || ahead > same_calendar;
]==] [==[
  s.undated = (aged || ahead > same_calendar)
              && !mutants::on("later-calendar-is-young");
]==])

# What was planned for a node out of service is done to it in service.
orderly_mutant(returned-is-marked-again actors/policy/errand/begin.cpp
[==[
  if (at(i).was_offline) {
]==] [==[
  if (at(i).was_offline && !mutants::on("returned-is-marked-again")) {
]==])

# --- what is known right before an act ----------------------------------------

# After a start what falls silent next counts, and not who was dead before.
orderly_mutant(first-looks-are-not-waited-for actors/scheduler/guards.cpp
[==[
  auto first_looks = rules.host_ha.check_interval + timeout;
]==] [==[
  auto first_looks = rules.host_ha.check_interval + timeout;
  if (mutants::on("first-looks-are-not-waited-for"))
    first_looks = millis{0};
]==])

# What a group has of its own holds for health checks alone.
orderly_mutant(looks-know-no-groups actors/policy/settings/group_settings.cpp
[==[
  if (i == s.host_ha.groups.end())
    return s.host_ha.check_timeout;
]==] [==[
  if (i == s.host_ha.groups.end() || mutants::on("looks-know-no-groups"))
    return s.host_ha.check_timeout;
]==])
orderly_mutant(storms-know-no-groups actors/policy/settings/group_settings.cpp
[==[
  auto most = of_cluster;
]==] [==[
  auto most = of_cluster;
  if (mutants::on("storms-know-no-groups"))
    return most;
]==])

# Copies are destroyed by readings of before.
orderly_mutant(copies-are-read-once actors/instance/witness.cpp
[==[
  if (orders.empty())
    return then({});
]==] [==[
  if (orders.empty() || mutants::on("copies-are-read-once"))
    return then({});
]==])

# A reset leaves although a person's emergency power-off has the node by now.
orderly_mutant(reset-asks-no-hold actors/node/witness.cpp
[==[
  if (!st.facts->held.empty())
    return "automation leaves it alone: " + st.facts->held;
  if (!sworn && st.facts->record.offline)]==] [==[
  if (!st.facts->held.empty() && !mutants::on("reset-asks-no-hold"))
    return "automation leaves it alone: " + st.facts->held;
  if (!sworn && st.facts->record.offline)]==])

# A power-off leaves although a person has marked the node offline by now.
orderly_mutant(fence-asks-no-mark actors/node/witness.cpp
[==[
  if (!sworn && st.facts->record.offline)
    return "it is marked]==] [==[
  if (!sworn && st.facts->record.offline
      && (m.phase == ha_phase::recovering
          || !mutants::on("fence-asks-no-mark")))
    return "it is marked]==])

# A power command leaves although a person has just had the node switched on.
orderly_mutant(look-asks-no-boot actors/node/witness.cpp
[==[
    return "it is marked offline by now";
  if (!sworn && is_booting(st, now(self, st.ctx)))]==] [==[
    return "it is marked offline by now";
  if (!sworn && is_booting(st, now(self, st.ctx))
      && !mutants::on("look-asks-no-boot"))]==])

# A copy that is known to be faulty is as good as any.
orderly_mutant(faulty-copy-is-good actors/policy/repair/need.cpp
[==[
    return x.copy_fault.empty()
             ?]==] [==[
    return x.copy_fault.empty() || mutants::on("faulty-copy-is-good")
             ?]==])

# What became of the offline mark is not asked after a restart.
orderly_mutant(mark-is-not-asked-about actors/node/consent.cpp
[==[
  if (!st.offline_open || st.offline_job.empty())
    return;
  job_order]==] [==[
  if (!st.offline_open || st.offline_job.empty()
      || mutants::on("mark-is-not-asked-about"))
    return;
  job_order]==])

# Jobs of a former master run on, whatever is seen now.
orderly_mutant(strays-run-on actors/policy/repair/adopt.cpp
[==[
  auto x = situation_of({}, seen, {}, r, now);
  for (const auto& job : seen.strays) {]==] [==[
  auto x = situation_of({}, seen, {}, r, now);
  if (mutants::on("strays-run-on"))
    return result;
  for (const auto& job : seen.strays) {]==])

# An overdue job that runs is let alone, and its next opcode with it.
orderly_mutant(overdue-runs-on actors/jobs/queue.cpp
[==[
    give_up(self, i->second);
]==] [==[
    if (mutants::on("overdue-runs-on")
        && i->second.status == job_status::running)
      end(self, i->second, job_phase::overdue, no_end_in_sight);
    else
      give_up(self, i->second);
]==])

# Nobody looks at mirrors while auto-repair is off.
orderly_mutant(mirrors-unseen-while-off actors/mirrors/mirrors.cpp
[==[
  if (rules->autorepair.mirror_interval == millis{0} || !st.roll.picture]==] [==[
  if ((mutants::on("mirrors-unseen-while-off") && !rules->autorepair.enabled)
      || rules->autorepair.mirror_interval == millis{0} || !st.roll.picture]==])

# What is found after its answer was lost is not judged any more.
orderly_mutant(found-is-not-judged actors/policy/repair/autorepair.cpp
[==[
  if (auto text = otherwise(s, seen, r); !text.empty())]==] [==[
  if (mutants::on("found-is-not-judged") && s.ops.empty())
    return {};
  if (auto text = otherwise(s, seen, r); !text.empty())]==])

# An old home that answers is given the grace of a start.
orderly_mutant(grace-in-spite-of-life actors/policy/repair/autorepair.cpp
[==[
(now >= s.due || lives_somewhere(s.act, seen))]==] [==[
(now >= s.due
            || (lives_somewhere(s.act, seen)
                && !mutants::on("grace-in-spite-of-life")))]==])

# What a person says while the journal is being read is forgotten by that.
orderly_mutant(early-pauses-are-lost actors/scheduler/pause.cpp
[==[
  auto promise = self->make_response_promise<pause_answer>();
  state.orders]==] [==[
  if (!state.recovered && mutants::on("early-pauses-are-lost"))
    return pause_answer{true, "paused"};
  auto promise = self->make_response_promise<pause_answer>();
  state.orders]==])

# How an errand ended is told before that is on disk.
orderly_mutant(end-is-told-from-memory actors/desk/desk.cpp
  [==[  if (st.ending.count(number) == 0)
    return;]==]
  [==[  if (st.ending.count(number) == 0
      || mutants::on("end-is-told-from-memory"))
    return;]==])

# Nobody hears that a job goes on which nothing speaks for any more.
orderly_mutant(unstopped-is-not-told actors/jobs/cancel.cpp
[==[
std::exchange(x.warned, true))]==] [==[
std::exchange(x.warned, true)
      || mutants::on("unstopped-is-not-told"))]==])

# Tries are counted by the settings of the last one.
orderly_mutant(tries-of-old-settings actors/policy/repair/adopt.cpp
[==[
  if (s.tries >= x.limits.tries_max)]==] [==[
  if (s.tries >= x.limits.tries_max
      && !(mutants::on("tries-of-old-settings") && s.act != act_kind::record))]==])

# Nobody hears of a job that a repair waits for and that does not name it.
orderly_mutant(awaited-is-not-told actors/policy/repair/warn.cpp
[==[
        i != seen.jobs.end() && !is_final(i->second.status))]==] [==[
        i != seen.jobs.end() && !is_final(i->second.status)
        && !mutants::on("awaited-is-not-told"))]==])

# One mirror that cannot be asked silences all others in its question.
orderly_mutant(one-silences-all actors/mirrors/mirrors.cpp
[==[
  if (names.size() > 1) {
    st.batch]==] [==[
  if (mutants::on("one-silences-all"))
    return;
  if (names.size() > 1) {
    st.batch]==])

# A person's word is told as a proof before this life has looked at its node.
orderly_mutant(word-is-told-unlooked actors/policy/trust/readings.cpp
[==[
  if (found && around_.proof_kept && is_time_to_tell]==] [==[
  if (found && (around_.proof_kept || mutants::on("word-is-told-unlooked"))
      && is_time_to_tell]==])

# A sign of life between two tries ends no treatment.
orderly_mutant(life-ends-no-treatment actors/policy/host_ha/life.cpp
[==[
  if (!waits || (!passed && !e.lives))]==] [==[
  if (!waits || (!passed && !e.lives)
      || mutants::on("life-ends-no-treatment"))]==])

# Silence counts, whoever else is silent.
orderly_mutant(silence-of-all-counts actors/node/collector.cpp
[==[
  if (silent && !x->heard && !x->silent.empty()) {]==] [==[
  if (silent && !x->heard && !x->silent.empty()
      && !mutants::on("silence-of-all-counts")) {]==])

# Whoever fell silent is no witness: nobody is left to ask.
orderly_mutant(silent-is-no-witness actors/node/collector.cpp
[==[
    else if (!i->second.out)]==] [==[
    else if (!i->second.out
             && (i->second.passes || !mutants::on("silent-is-no-witness")))]==])

# ... and the mark does not end the fence either.
orderly_mutant(fence-asks-no-mark actors/policy/host_ha/watch.cpp
[==[
  if (s_.phase == ha_phase::fencing && !s_.fence_dispatched && e.offline) {]==] [==[
  if (s_.phase == ha_phase::fencing && !s_.fence_dispatched && e.offline
      && !mutants::on("fence-asks-no-mark")) {]==])

orderly_mutant(fence-asks-no-mark actors/policy/host_ha/watch.cpp
[==[
  s_.taken = s_.phase == ha_phase::fencing && e.offline;]==] [==[
  s_.taken = s_.phase == ha_phase::fencing && e.offline
             && !mutants::on("fence-asks-no-mark");]==])

# A copy that was behind before is not behind anew.
orderly_mutant(behind-is-behind-once actors/policy/repair/copy.cpp
[==[
  auto anew = !known || heard.at >= last;]==] [==[
  auto anew = !known
              || (heard.at >= last
                  && !mutants::on("behind-is-behind-once"));]==])

# A copy whose node was silent while the instance ran is as good as before.
orderly_mutant(silence-leaves-a-copy actors/policy/repair/copy.cpp
[==[
  if (out || heard.apart != never) {]==] [==[
  if (out
      || (heard.apart != never && !mutants::on("silence-leaves-a-copy"))) {]==])

# Whoever holds a copy for left behind waits for no news of it.
orderly_mutant(well-is-no-news actors/policy/repair/standing.cpp
[==[
    = !s.copy_fault.empty() && !is_out(seen.primary)]==] [==[
    = !mutants::on("well-is-no-news") && !s.copy_fault.empty()
      && !is_out(seen.primary)]==])

# A person's order to switch a node on ends no treatment of it.
orderly_mutant(order-ends-no-treatment actors/policy/host_ha/power.cpp
[==[
  if (boots && treated && may_boot_yet()) {]==] [==[
  if (boots && treated && may_boot_yet()
      && !mutants::on("order-ends-no-treatment")) {]==])

# Whoever asks first after a start gets a place, also one that is being filled.
orderly_mutant(asked-first-goes-first actors/scheduler/calls.cpp
[==[
  if (at < reserved_at)]==] [==[
  if (at < reserved_at && !mutants::on("asked-first-goes-first"))]==])

# Nobody sees to it that what lasts is told.
orderly_mutant(nothing-lasts actors/policy/foresight/lasting.cpp
[==[
    if (x.told || now - x.since < patience)]==] [==[
    if (x.told || now - x.since < patience || mutants::on("nothing-lasts"))]==])

# What does not leave in this life was never sent.
orderly_mutant(held-back-was-never-sent actors/instance/instance.cpp
[==[
  if (what.again) {]==] [==[
  if (what.again && !mutants::on("held-back-was-never-sent")) {]==])

# What one answer says of a copy counts only with a second one.
orderly_mutant(one-fault-is-none actors/instance/seen.cpp
[==[
  if (lasts || heard.value_or(true))]==] [==[
  if (lasts || (heard.value_or(true) && !mutants::on("one-fault-is-none")))]==])

# Whose record says off lies still, whatever answers there.
orderly_mutant(recorded-off-is-unasked actors/policy/trust/belief.cpp
[==[
  if (!around_.known)
    return false;
  auto treated]==] [==[
  if (!around_.known
      || (!around_.recorded_on && mutants::on("recorded-off-is-unasked")))
    return false;
  auto treated]==])

# Any number is a time.
orderly_mutant(minus-one-is-over actors/policy/repair/tags.cpp
[==[
  auto until = end_from(time);]==] [==[
  auto until
    = mutants::on("minus-one-is-over") ? time_from(time) : end_from(time);]==])

# What nobody looks at is well.
orderly_mutant(absence-of-this-life-is-none actors/policy/errand/resume.cpp
[==[
  auto away = now_ - std::max(e.since, s().began);
]==] [==[
  auto away = mutants::on("absence-of-this-life-is-none")
                ? millis{0}
                : now_ - std::max(e.since, s().began);
]==])

orderly_mutant(numbers-tell-no-turn actors/policy/errand/settle.cpp
[==[
        || node->serial_no < r.serial + 2 * marked_once)
]==] [==[
        || node->serial_no < r.serial + 2 * marked_once
        || mutants::on("numbers-tell-no-turn"))
]==])

orderly_mutant(tags-of-others-are-old-ones actors/policy/errand/tag.cpp
[==[
  return !known || (!all && !ours);
]==] [==[
  return (!known || (!all && !ours))
         && !mutants::on("tags-of-others-are-old-ones");
]==])

orderly_mutant(liar-is-not-caught-late actors/policy/errand/jobs.cpp
[==[
    if (!on && w_.doubt_of(name, at(i).read_by) > 0) {
]==] [==[
    if (!on && w_.doubt_of(name, at(i).read_by) > 0
        && !mutants::on("liar-is-not-caught-late")) {
]==])

orderly_mutant(former-helper-acts-for-persons actors/policy/errand/halt.cpp
[==[
  if (why.empty() && !std::all_of(r.by.begin(), r.by.end(), is_its))
]==] [==[
  if (why.empty() && !std::all_of(r.by.begin(), r.by.end(), is_its)
      && !mutants::on("former-helper-acts-for-persons"))
]==])

orderly_mutant(what-went-off-is-recorded-on actors/policy/errand/halt.cpp
[==[
  if (off == w.read_off->end() || off->second <= on_at)
]==] [==[
  if (off == w.read_off->end() || off->second <= on_at
      || mutants::on("what-went-off-is-recorded-on"))
]==])

orderly_mutant(what-serves-is-recorded-off actors/policy/errand/halt.cpp
[==[
  return node ? in_service_text(s, r, *node) : std::string{};
]==] [==[
  return node && !mutants::on("what-serves-is-recorded-off")
           ? in_service_text(s, r, *node)
           : std::string{};
]==])

orderly_mutant(liars-off-is-done actors/policy/errand/halt.cpp
[==[
  if (w.doubt_of(r.object, r.read_by) > 0)
]==] [==[
  if (w.doubt_of(r.object, r.read_by) > 0
      && !mutants::on("liars-off-is-done"))
]==])

orderly_mutant(returned-is-marked-again actors/policy/errand/jobs.cpp
[==[
    if (at(i).turned) { // it was in the queue when others did it by hand
]==] [==[
    if (at(i).turned && !mutants::on("returned-is-marked-again")) {
]==])

orderly_mutant(word-outlives-the-right actors/policy/errand/resume.cpp
[==[
    if (at(i).state == row_state::running && step_at(i) == step_kind::word
]==] [==[
    if (!mutants::on("word-outlives-the-right")
        && at(i).state == row_state::running && step_at(i) == step_kind::word
]==])

orderly_mutant(marks-of-others-are-an-epos actors/policy/errand/holds.cpp
[==[
  if (held == w_.holds->end() && !w_.holds->empty()) {
]==] [==[
  if (held == w_.holds->end() && !w_.holds->empty()
      && !mutants::on("marks-of-others-are-an-epos")) {
]==])

orderly_mutant(late-enable-counts actors/desk/switches.cpp
[==[
           if (age > errand::taken_within
]==] [==[
           if (!mutants::on("late-enable-counts")
               && age > errand::taken_within
]==])

orderly_mutant(late-resume-counts actors/scheduler/pause.cpp
[==[
  if (state.paused && !order.pause && age > resumed_within)
]==] [==[
  if (state.paused && !order.pause && age > resumed_within
      && !mutants::on("late-resume-counts"))
]==])

# What was written down keeps the dates of the calendar of then.
orderly_mutant(old-dates-stay actors/journal/kept_states.cpp
[==[
  if (auto by = calendars_.since(calendar); by && *by != millis{0})
]==] [==[
  if (auto by = calendars_.since(calendar);
      by && *by != millis{0} && !mutants::on("old-dates-stay"))
]==])

# A start of the machine is told by the calendar, which was set over it.
orderly_mutant(reboot-is-no-absence actors/journal/journal.cpp
[==[
  if (self->state.reboot)
]==] [==[
  if (self->state.reboot && !mutants::on("reboot-is-no-absence"))
]==])

# A process that died before it wrote when it was on duty was one.
orderly_mutant(first-minute-is-no-life actors/journal/journal.cpp
[==[
  if (self->state.unnoted && off_duty == millis{0})
]==] [==[
  if (self->state.unnoted && off_duty == millis{0}
      && !mutants::on("first-minute-is-no-life"))
]==])

# Two dates of before the machine was started may change places.
orderly_mutant(former-calendars-are-lost actors/journal/calendars.cpp
[==[
    if (start == start_ || named.count(start) != 0)
]==] [==[
    if (!mutants::on("former-calendars-are-lost")
        && (start == start_ || named.count(start) != 0))
]==])

orderly_mutant(start-takes-no-time actors/journal/calendars.cpp
[==[
    shift(std::min<millis>(now - start_least - last, millis{0}));
]==] [==[
    shift(std::min<millis>(
      now - last
        - (mutants::on("start-takes-no-time") ? millis{0} : start_least),
      millis{0}));
]==])

orderly_mutant(undated-report-is-fresh actors/policy/maintenance/event.cpp
[==[
  if (aged)
    v.next.seen_at = never;
]==] [==[
  if (aged && !mutants::on("undated-report-is-fresh"))
    v.next.seen_at = never;
]==])

orderly_mutant(aged-silence-is-short actors/policy/trust/fields.cpp
[==[
  auto unsure = aged || s.unheard_since > now;
]==] [==[
  auto unsure = (aged && !mutants::on("aged-silence-is-short"))
                || s.unheard_since > now;
]==])

orderly_mutant(aged-boots-count actors/policy/host_ha/fields.cpp
[==[
  if (aged) {
]==] [==[
  if (aged && !mutants::on("aged-boots-count")) {
]==])

orderly_mutant(aged-acts-are-over actors/policy/guards/budget.cpp
[==[
    if (aged && !acts->empty())
]==] [==[
    if (aged && !acts->empty() && !mutants::on("aged-acts-are-over"))
]==])

# What was seen before the machine was started was seen just now.
orderly_mutant(undated-is-young actors/policy/host_ha/fields.cpp
[==[
    return aged || t > now || (adopted != never && t <= adopted);
]==] [==[
    return (aged && !mutants::on("undated-is-young")) || t > now
           || (adopted != never && t <= adopted);
]==])

orderly_mutant(marks-of-others-are-not-seen actors/policy/maintenance/noted.cpp
[==[
  if (s.mark_seen < s.ctime || !lacks(s.lacking, x, true))
]==] [==[
  if (s.mark_seen < s.ctime || !lacks(s.lacking, x, true)
      || mutants::on("marks-of-others-are-not-seen"))
]==])

# Who sees the marks of others needs no word of another event.
orderly_mutant(given-up-means-one actors/policy/maintenance/noted.cpp
[==[
  if (s.action == event_action::live_repair || x.seen.read_at <= s.ctime)
    return false;
]==] [==[
  if (s.action == event_action::live_repair || x.seen.read_at <= s.ctime
      || mutants::on("given-up-means-one"))
    return false;
]==])

orderly_mutant(absences-hide-what-a-person-meant
  actors/policy/maintenance/noted.cpp
[==[
      || mutants::on("given-up-means-one"))
    return false;
]==] [==[
      || mutants::on("given-up-means-one")
      || mutants::on("absences-hide-what-a-person-meant"))
    return false;
]==])

orderly_mutant(who-observes-removes actors/group/group.cpp
[==[
  auto gone = due_removals(st.facts.tags, *st.ctx, at).empty();
]==] [==[
  auto gone = !mutants::on("who-observes-removes")
              && due_removals(st.facts.tags, *st.ctx, at).empty();
]==])

orderly_mutant(unlooked-is-heard actors/instance/seen.cpp
[==[
      || mirror->second.unheard_since == never)]==] [==[
      || mirror->second.unheard_since == never
      || (!mirror->second.troubled && mutants::on("unlooked-is-heard")))]==])

# Who does not pass its checks writes nothing.
orderly_mutant(silent-home-writes-nothing actors/instance/seen.cpp
[==[
  return !off || !home.doubt.empty();
]==] [==[
  if (home.unheard_since != never && mutants::on("silent-home-writes-nothing"))
    return false;
  return !off || !home.doubt.empty();
]==])

# Since when a node was not heard is forgotten.
orderly_mutant(silence-is-in-memory actors/policy/trust/fields.cpp
[==[
  s.unheard_since = f.when("unheard_since");]==] [==[
  if (!mutants::on("silence-is-in-memory"))
    s.unheard_since = f.when("unheard_since");]==])

# Who lived under a hold is known by those who saw it.
orderly_mutant(held-life-is-in-memory actors/policy/trust/fields.cpp
[==[
  s.lived_at = s.lived_kept = f.when("lived_at");]==] [==[
  if (!mutants::on("held-life-is-in-memory"))
    s.lived_at = s.lived_kept = f.when("lived_at");]==])

# One lie is chance.
orderly_mutant(one-lie-is-chance actors/policy/trust/controller.cpp
[==[
  if (lies)
    distrust(]==] [==[
  if (lies
      && (!mutants::on("one-lie-is-chance") || s_.misses + 1 >= misses_max))
    distrust(]==])

# An answer counts for two check intervals, which a slow node has not.
orderly_mutant(slow-answers-are-old actors/policy/trust/controller.cpp
[==[
  auto heard = report.at - s_.heard_at <= r_.recent();]==] [==[
  if (mutants::on("slow-answers-are-old")
      && (s_.verdict != health::healthy
          || report.at - s_.verdict_at > 2 * r_.check_interval))
    return false;
  auto heard = report.at - s_.heard_at <= r_.recent();]==])

# A word takes effect once its controller was asked again, whenever its daemons
# were.
orderly_mutant(word-counts-on-an-old-look actors/policy/trust/word.cpp
[==[
  return first ? believe() : look_again();]==] [==[
  if (!first && mutants::on("word-counts-on-an-old-look"))
    return take_effect();
  return first ? believe() : look_again();]==])

orderly_mutant(word-counts-on-an-old-look actors/policy/trust/word.cpp
[==[
  if (is_old(j_.looked))
    return turn_down(looked_too_long_ago);]==] [==[
  if (is_old(j_.looked) && !mutants::on("word-counts-on-an-old-look"))
    return turn_down(looked_too_long_ago);]==])

# There is one liar at a time.
orderly_mutant(one-liar-at-a-time actors/policy/trust/controller.cpp
[==[
  s_.seen_off.reset();
  auto known]==] [==[
  s_.seen_off.reset();
  if (mutants::on("one-liar-at-a-time"))
    s_.doubted.clear();
  auto known]==])

# What others hear and read is theirs.
orderly_mutant(looks-of-others-are-theirs actors/node/collector.cpp
[==[
      if (is_alive(answer) && !x->question.by_keeper && ear)]==] [==[
      if (is_alive(answer) && !x->question.by_keeper && ear
          && !mutants::on("looks-of-others-are-theirs"))]==])
orderly_mutant(readings-of-others-are-theirs actors/power/oob.cpp
[==[
  if (is_news && st.overhearing)]==] [==[
  if (is_news && st.overhearing && !mutants::on("readings-of-others-are-theirs"))]==])

# Who was not asked yet in this life is nobody.
orderly_mutant(unasked-is-nobody actors/node/collector.cpp
[==[
    if (i == st.heard.end() || at - i->second.checked > age)]==] [==[
    if (mutants::on("unasked-is-nobody")
        && (i == st.heard.end() || at - i->second.checked > age))
      continue;
    if (i == st.heard.end() || at - i->second.checked > age)]==])

# A start ends each storm.
orderly_mutant(storm-ends-with-the-daemon actors/scheduler/scheduler.cpp
[==[
  if (f.number("storm") == 0)]==] [==[
  if (f.number("storm") == 0 || mutants::on("storm-ends-with-the-daemon"))]==])

# Each gap of the right to act is a start.
orderly_mutant(each-gap-is-a-start actors/scheduler/scheduler.cpp
[==[
  if (is_new && (another]==] [==[
  if (is_new && (mutants::on("each-gap-is-a-start") || another]==])

# What lasts begins anew with each gap.
orderly_mutant(gaps-end-what-lasts actors/overseer/overseer.cpp
[==[
  if (found.standby)]==] [==[
  if (found.standby || (!found.acting && mutants::on("gaps-end-what-lasts")))]==])

# What is told is on disk some time after what knows that.
orderly_mutant(alerts-follow-their-state actors/instance/instance.cpp
[==[
void carry_out(self_ptr, const autorepair::tell&) {
}]==] [==[
void carry_out(self_ptr self, const autorepair::tell& what) {
  if (mutants::on("alerts-follow-their-state"))
    record(self, self->state.peers.journal,
           entry_about(self, self->state.ctx,
                       instance_object(self->state.instance),
                       entry_kind::alert, what.code, what.text));
}]==])
orderly_mutant(alerts-leave-their-state actors/instance/kept.cpp
[==[
    if (const auto* what = std::get_if<autorepair::tell>(&x))]==] [==[
    if (const auto* what = std::get_if<autorepair::tell>(&x);
        what != nullptr && !mutants::on("alerts-leave-their-state"))]==])

# How long the last looks take counts against what was answered about room.
orderly_mutant(room-ages-while-we-look actors/instance/seen.cpp
[==[
  if (!looks)
    return most;]==] [==[
  if (!looks || mutants::on("room-ages-while-we-look"))
    return most;]==])

# ... and against the picture by which it was judged again.
orderly_mutant(order-ages-while-we-look actors/instance/instance.cpp
[==[
                 : std::max(what.seen_at, st.facts->read_at);]==] [==[
                 : std::max(what.seen_at, mutants::on("order-ages-while-we-look")
                                            ? what.seen_at
                                            : st.facts->read_at);]==])

# Under another name it is another instance.
orderly_mutant(new-name-is-another actors/instance/kept.cpp
[==[
  else if (nameless != nullptr)]==] [==[
  else if (nameless != nullptr && !mutants::on("new-name-is-another"))]==])

# Who bears the name is whom it was kept of.
orderly_mutant(name-says-who-it-is actors/instance/kept.cpp
[==[
  if (ours)]==] [==[
  if (ours || (own != nullptr && mutants::on("name-says-who-it-is")))]==])

# A home at which nobody looks is well.
orderly_mutant(closed-home-is-well actors/policy/repair/plan.cpp
[==[
  if (works_at_home(p.act) && (seen.primary.troubled || seen.primary.unheard))]==] [==[
  if (works_at_home(p.act)
      && (seen.primary.troubled
          || (seen.primary.unheard && !mutants::on("closed-home-is-well"))))]==])

# A failover takes no token: whoever reads it late carries it out.
orderly_mutant(steps-need-no-token actors/instance/seen.cpp
[==[
  r.tokens = !r.single_pass;]==] [==[
  r.tokens = !r.single_pass && !mutants::on("steps-need-no-token");]==])

# What two searches did not find was never sent, and never will be.
orderly_mutant(absence-is-certain actors/policy/repair/absent.cpp
[==[
  if (s.token == token_state::sent)
    return remove_token(std::move(s), x);]==] [==[
  if (s.token == token_state::sent && !mutants::on("absence-is-certain"))
    return remove_token(std::move(s), x);]==])

# Nor is it stopped by the mark that its successor has removed.
orderly_mutant(absence-is-certain actors/policy/repair/grant.cpp
[==[
    return {spend_token(s, x.seen.instance.name, unbegun_mark(s, x))};]==] [==[
    return {spend_token(s, x.seen.instance.name,
                        mutants::on("absence-is-certain")
                          ? std::vector<std::string>{}
                          : unbegun_mark(s, x))};]==])

orderly_mutant(absence-is-certain actors/policy/repair/tidy.cpp
[==[
  result.insert(result.end(), x.tags.tokens.begin(), x.tags.tokens.end());
  for (const auto& text : x.tags.superseded)]==] [==[
  if (!mutants::on("absence-is-certain"))
    result.insert(result.end(), x.tags.tokens.begin(), x.tags.tokens.end());
  for (const auto& text : x.tags.superseded)]==])

# What may begin yet gives its places back: a person's power-on does not wait.
orderly_mutant(doubt-keeps-no-places actors/policy/repair/ended.cpp
[==[
  if (!v.next.unsure)
    v.actions.insert(]==] [==[
  if (!v.next.unsure || mutants::on("doubt-keeps-no-places"))
    v.actions.insert(]==])

# What a former master decided is a permission to the next.
orderly_mutant(mark-is-not-read actors/policy/repair/adopt.cpp
[==[
  if (is_unbegun(x.tags, tag.id) && !is_older(x.seen, s.moved)]==] [==[
  if (!mutants::on("mark-is-not-read")
      && is_unbegun(x.tags, tag.id) && !is_older(x.seen, s.moved)]==])

# A job that luxid read late is permitted by our own note of it.
orderly_mutant(stray-is-permitted-by-its-note actors/policy/repair/adopt.cpp
[==[
    auto young = is_unbegun(x.tags, repair);
]==] [==[
    auto young = is_unbegun(x.tags, repair)
                 && !mutants::on("stray-is-permitted-by-its-note");
]==])

# A spent token is no reason to take none.
orderly_mutant(spent-token-stands actors/policy/repair/grant.cpp
[==[
  if (!r.tokens || has_token(s, x))]==] [==[
  auto spent = s.token == token_state::standing
               && mutants::on("spent-token-stands");
  if (!r.tokens || has_token(s, x) || spent)]==])

# A search that was answered while another's token stood has found all.
orderly_mutant(token-taken-is-not-asked-for actors/policy/repair/decide.cpp
[==[
  if (std::exchange(s.armed_since, never) != never)]==] [==[
  if (std::exchange(s.armed_since, never) != never
      && !mutants::on("token-taken-is-not-asked-for"))]==])

# A node marked offline is looked at for its own sake alone.
orderly_mutant(given-up-home-is-not-looked-at actors/policy/trust/belief.cpp
[==[
    return around_.given_up
]==] [==[
    return (around_.given_up && !mutants::on("given-up-home-is-not-looked-at"))
]==])

# The permit of a fence lasts, whatever the sky looks like by its next try.
orderly_mutant(storm-is-not-asked-again actors/scheduler/guards.cpp
[==[
  if (!sky.go)
    return refused(sky.why, at + rules->rounds.hold_retry, true);
  if (forbids_all]==] [==[
  if (!sky.go && !mutants::on("storm-is-not-asked-again"))
    return refused(sky.why, at + rules->rounds.hold_retry, true);
  if (forbids_all]==])

# A reset that worked is forgotten at the end of its wait.
orderly_mutant(recovered-was-never-well actors/policy/host_ha/treat.cpp
[==[
    if (s_.came_back) {]==] [==[
    if (s_.came_back && !mutants::on("recovered-was-never-well")) {]==])

# A term of another master is no reason to begin anew.
orderly_mutant(fence-outlives-its-term actors/scheduler/scheduler.cpp
[==[
  if (is_new && another)
    st.another_until = at;]==] [==[
  if (is_new && another && !mutants::on("fence-outlives-its-term"))
    st.another_until = at;]==])

# Nor does the node itself say that an order takes it away.
orderly_mutant(reserved-target-is-filled actors/policy/trust/belief.cpp
[==[
  if (around_.leaving)]==] [==[
  if (around_.leaving && !mutants::on("reserved-target-is-filled"))]==])

# A token is asked for once more where its job was not found.
orderly_mutant(token-is-written-twice actors/policy/repair/grant.cpp
[==[
  std::get<submit>(v.actions.back()).once = true;]==] [==[
  std::get<submit>(v.actions.back()).once
    = !mutants::on("token-is-written-twice");]==])

# A node under a repair event is called empty while something is on it.
orderly_mutant(left-before-it-is-empty actors/policy/maintenance/moves.cpp
  [==[  if (left.empty()) {]==]
  [==[  if (left.empty() || mutants::on("left-before-it-is-empty")) {]==])

orderly_mutant(lodgers-are-overlooked actors/policy/maintenance/situation.cpp
  [==[      return fmt::format("{} is on {}", i.name, s.node);]==]
  [==[      return mutants::on("lodgers-are-overlooked")
               ? std::string{}
               : fmt::format("{} is on {}", i.name, s.node);]==])

# Ganeti does not compare the copies of what is stopped.
orderly_mutant(stopped-disks-stay-closed actors/policy/maintenance/opcodes.cpp
  [==[  op.flag = w.admin != admin_state::up;]==]
  [==[  op.flag = w.admin != admin_state::up
            && !mutants::on("stopped-disks-stay-closed");]==])

# An emergency power-off takes it that nothing runs on a node that is offline.
orderly_mutant(epo-never-looks actors/policy/errand/look.cpp
  [==[  if (!node || !node->offline)
    return std::nullopt;]==]
  [==[  if (mutants::on("epo-never-looks") || !node || !node->offline)
    return std::nullopt;]==])

# A mark of its own counts whatever was done to the node since.
orderly_mutant(an-old-mark-is-its-own actors/policy/errand/look.cpp
  [==[  return node.serial_no != 0 && node.serial_no <= own_until;]==]
  [==[  return node.serial_no != 0
         && (node.serial_no <= own_until
             || (own_until != 0 && mutants::on("an-old-mark-is-its-own")));]==])

orderly_mutant(off-and-on-again-is-its-own actors/desk/holds.cpp
  [==[  if (auto i = st.held.find(x.node);
      i != st.held.end() && x.power == power_state::off)]==]
  [==[  if (auto i = st.held.find(x.node);
      !mutants::on("off-and-on-again-is-its-own")
      && i != st.held.end() && x.power == power_state::off)]==])

# Whatever is marked down while a reinstallation waits, that job shut down.
orderly_mutant(starts-what-was-stopped actors/policy/repair/autorepair.cpp
  [==[  else if (s.shut_by == s.token_number && (up || shows_token(s, seen)))]==]
  [==[  else if (!mutants::on("starts-what-was-stopped")
           && s.shut_by == s.token_number && (up || shows_token(s, seen)))]==])

# A silence is told when the witness has spoken, however long ago it was.
orderly_mutant(late-silence-is-of-now actors/node/collector.cpp
  [==[  if (silent && is_old(*x, now(self, self->state.ctx))) {]==]
  [==[  if (!mutants::on("late-silence-is-of-now")
      && silent && is_old(*x, now(self, self->state.ctx))) {]==])

# What is heard while the permit is asked for comes too late for the command.
orderly_mutant(nothing-is-heard-while-it-pays actors/node/witness.cpp
  [==[  if (sworn && !m.proved_down)]==]
  [==[  if (sworn && !m.proved_down
      && !mutants::on("nothing-is-heard-while-it-pays"))]==])
orderly_mutant(nothing-is-heard-while-it-pays actors/node/witness.cpp
  [==[        if (state.trust.heard_at > looked_at) {]==]
  [==[        if (state.trust.heard_at > looked_at
            && !mutants::on("nothing-is-heard-while-it-pays")) {]==])

# What was judged before its price was on disk is judged.
orderly_mutant(paid-is-judged actors/scheduler/book.cpp
  [==[        if (answer.granted) {]==]
  [==[        answer.id = state.table.by_owner.at(wanted.owner).id;
        answer.granted = answer.granted || mutants::on("paid-is-judged");
        if (answer.granted) {]==])

# A reset asks for no order that is under way.
orderly_mutant(reset-asks-no-order actors/node/witness.cpp
  [==[  if (m.phase == ha_phase::recovering && st.facts->falling)]==]
  [==[  if (m.phase == ha_phase::recovering && st.facts->falling
      && !mutants::on("reset-asks-no-order"))]==])

# A call-back of an event waits for our disk.
orderly_mutant(call-back-waits-for-our-disk actors/maintenance/event.cpp
  [==[  call_back_first<maintenance::withdraw>(]==]
  [==[  if (!mutants::on("call-back-waits-for-our-disk"))
  call_back_first<maintenance::withdraw>(]==])

# What its event gave up is nobody's stray while that lives.
orderly_mutant(given-up-is-no-stray actors/maintenance/strays.cpp
  [==[  if (!i->second.standing || !i->second.actor)]==]
  [==[  if (!i->second.standing || !i->second.actor
      || mutants::on("given-up-is-no-stray"))]==])

# However long ago a mirror was asked, its answer counts.
orderly_mutant(copies-are-asked-once actors/maintenance/event.cpp
  [==[  if (asked != st.copies_asked.end() && at - asked->second > mirror_good)]==]
  [==[  if (asked != st.copies_asked.end() && at - asked->second > mirror_good
      && !mutants::on("copies-are-asked-once"))]==])

# An order whose outcome is in the journal is given again after a restart.
orderly_mutant(ended-order-begins-anew actors/policy/errand/step.cpp
  [==[  if (ended == e.endings.end())]==]
  [==[  if (ended == e.endings.end()
      || mutants::on("ended-order-begins-anew"))]==])

# That a command was given before a restart is nothing to tell.
orderly_mutant(restart-forgets-a-command actors/policy/errand/halt.cpp
  [==[  if (r.commanded && !is_switched(s(), r))]==]
  [==[  if (r.commanded && !is_switched(s(), r)
      && !mutants::on("restart-forgets-a-command"))]==])

# That a power-off had worked is forgotten at the second restart.
orderly_mutant(worked-is-not-kept actors/policy/errand/fields.cpp
  [==[  number("worked", r.worked);]==]
  [==[  number("worked", r.worked && !mutants::on("worked-is-not-kept"));]==])

# After a restart a row that waited goes on with what it had seen.
orderly_mutant(waiting-row-looks-at-nothing actors/policy/errand/resume.cpp
  [==[    if (at(i).due == never || looks_first(i))]==]
  [==[    if (at(i).due == never
        || (looks_first(i) && !mutants::on("waiting-row-looks-at-nothing")))]==])

# After a restart a row waits for the right to act anew.
orderly_mutant(right-is-waited-for-anew actors/policy/errand/fields.cpp
  [==[  when("unright", r.unright);]==]
  [==[  when("unright",
       mutants::on("right-is-waited-for-anew") ? never : r.unright);]==])

# What waited behind a person's command leaves after it.
orderly_mutant(decided-before-is-done-after actors/power/oob.cpp
  [==[  if (report.commanded && !order.who.empty())]==]
  [==[  if (report.commanded && !order.who.empty()
      && !mutants::on("decided-before-is-done-after"))]==])

# An old order makes a younger reading old.
orderly_mutant(old-order-outdates-a-reading actors/policy/trust/readings.cpp
  [==[ || s_.power_since > wish.at + soon)]==]
  [==[
      || (s_.power_since > wish.at + soon
          && !mutants::on("old-order-outdates-a-reading")))]==])

# What was off and is on gets no time to boot.
orderly_mutant(return-is-no-boot actors/policy/trust/readings.cpp
  [==[             && std::exchange(s_.went_off, false) && wanted != power_state::on]==]
  [==[             && std::exchange(s_.went_off, false) && wanted != power_state::on
             && !mutants::on("return-is-no-boot")]==])

# Nor what a person had marked offline and switched off by hand.
orderly_mutant(marked-off-is-no-boot actors/policy/trust/readings.cpp
  [==[    s_.seen_off = e.found;
    s_.went_off = true;]==]
  [==[    s_.seen_off = e.found;
    s_.went_off = !mutants::on("marked-off-is-no-boot");]==])

# A job that is found by its trail has made no new disks.
orderly_mutant(trail-tells-of-no-disks actors/jobs/submitter.cpp
  [==[  x.renews_disks = act == act_kind::reinstall;]==]
  [==[  x.renews_disks = act == act_kind::reinstall
                   && !mutants::on("trail-tells-of-no-disks");]==])

# Who takes a tag away wants down what orderly had shut down.
orderly_mutant(taken-tag-keeps-it-down actors/policy/repair/decide.cpp
  [==[  s.wanted_up = down;
  s.repair = x.fresh;]==]
  [==[  s.wanted_up = down && !mutants::on("taken-tag-keeps-it-down");
  s.repair = x.fresh;]==])

# An event moves what is stopped by a bare failover, as if no disk were to be opened.
orderly_mutant(event-opens-no-disks actors/policy/maintenance/opcodes.cpp
  [==[    auto stopped = w.admin != admin_state::up;]==]
  [==[    auto stopped = w.admin != admin_state::up
                   && !mutants::on("event-opens-no-disks");
    if (mutants::on("event-opens-no-disks")
        && w.admin != admin_state::up) {
      op.kind = op_kind::instance_failover;
      op.instance = w.instance;
      op.target = w.target;
      break;
    }]==])

# Balancing moves what is stopped without opening its disks.
orderly_mutant(balancing-opens-no-disks actors/balance/planner_words.cpp
  [==[    } else if (!runs) {]==]
  [==[    } else if (!runs && mutants::on("balancing-opens-no-disks")) {
      op.kind = op_kind::instance_failover;
      op.flag = false;
    } else if (!runs) {]==])

# A repair command keeps others off its node for as long as its job is there.
orderly_mutant(late-command-keeps-its-node actors/policy/maintenance/opcodes.cpp
  [==[         && w.overdue;]==]
  [==[         && w.overdue && !mutants::on("late-command-keeps-its-node");]==])

# The jobs of a repair are sought under the name that the instance has now.
orderly_mutant(former-names-are-forgotten actors/instance/kept.cpp
  [==[  if (!was.empty())]==]
  [==[  if (!was.empty() && !mutants::on("former-names-are-forgotten"))]==])

# What failed without a command holds a reset as if it had switched something.
orderly_mutant(failed-order-may-boot actors/policy/errand/leaving.cpp
  [==[(is_switched(s, r) || tried(r)))]==]
  [==[(is_switched(s, r) || tried(r)
                                      || (r.state == row_state::failed
                                          && mutants::on("failed-order-may-boot"))))]==])

# An answer from before a person's order ends what that wished.
orderly_mutant(old-answer-ends-a-wish actors/power/wishes.cpp
  [==[order.answered_at > kept.wish.at;]==]
  [==[(order.answered_at > kept.wish.at
              || mutants::on("old-answer-ends-a-wish"));]==])
orderly_mutant(old-answer-ends-a-wish actors/power/wishes.cpp
  [==[  auto answers = std::min(report.at, order.answered_at)]==]
  [==[  auto answers = (mutants::on("old-answer-ends-a-wish")
                    ? report.at
                    : std::min(report.at, order.answered_at))]==])

# A person's word is about a name, whatever machine has it.
orderly_mutant(word-is-about-a-name actors/policy/trust/word.cpp
  [==[    if (j_.machine != s_.machines)]==]
  [==[    if (j_.machine != s_.machines
        && !mutants::on("word-is-about-a-name"))]==])

# A reload that names a helper is heeded at the next start.
orderly_mutant(reload-is-not-heeded actors/node/node.cpp
  [==[  if (st.helpers == helpers)]==]
  [==[  if (st.helpers == helpers || mutants::on("reload-is-not-heeded"))]==])

# What read on once counts for ever.
orderly_mutant(on-is-for-ever actors/policy/trust/readings.cpp
  [==[  if (s_.power != power_state::on)]==]
  [==[  if (s_.power != power_state::on || mutants::on("on-is-for-ever"))]==])

# A pending tag that is being replaced was taken away.
orderly_mutant(tag-between-is-gone actors/policy/repair/decide.cpp
  [==[    if (auto job = worked_on(x); !job.empty())]==]
  [==[    if (auto job = worked_on(x);
        !job.empty() && !mutants::on("tag-between-is-gone"))]==])

# That a machine may be opened is judged once, when its job leaves.
orderly_mutant(untrue-tags-are-left actors/policy/maintenance/ending.cpp
  [==[  if (!has(s, work_kind::untag) && has_tag(node, s.tag))]==]
  [==[  if (!has(s, work_kind::untag) && has_tag(node, s.tag)
      && !mutants::on("untrue-tags-are-left"))]==])

orderly_mutant(any-tag-tells-of-failure actors/policy/maintenance/ending.cpp
  [==[  if (s.tagged && !is_untrue(s)) {]==]
  [==[  if (s.tagged
      && (!is_untrue(s) || mutants::on("any-tag-tells-of-failure"))) {]==])

orderly_mutant(the-disk-holds-no-order-up actors/desk/errands.cpp
[==[
    if (age <= st.ctx->rules()->cluster.picture_max_age
]==] [==[
    if (mutants::on("the-disk-holds-no-order-up")
        || age <= st.ctx->rules()->cluster.picture_max_age
]==])

orderly_mutant(words-behind-readings-end actors/node/memory.cpp
[==[
    st.word_kept = st.machine.word
]==] [==[
    st.word_kept = (st.machine.word && !mutants::on("words-behind-readings-end"))
]==])

orderly_mutant(effects-are-not-seen actors/policy/repair/effect.cpp
[==[
  if (s.stage != stage::idle || s.moved == never || is_older(x.seen, s.moved))
]==] [==[
  if (mutants::on("effects-are-not-seen") || s.stage != stage::idle
      || s.moved == never || is_older(x.seen, s.moved))
]==])

orderly_mutant(permission-tells-of-disks actors/policy/repair/effect.cpp
[==[
  return s.cut || (!s.left.empty() && x.seen.instance.primary != s.left);
]==] [==[
  if (mutants::on("permission-tells-of-disks")
      && s.type == tags::repair_type::reinstall && s.tries > 0)
    return true;
  return s.cut || (!s.left.empty() && x.seen.instance.primary != s.left);
]==])

orderly_mutant(permission-tells-the-act actors/policy/repair/adopt.cpp
[==[
  auto back = ours && job.status == job_status::canceled && !job.renews_disks;
]==] [==[
  auto back
    = ours && job.status == job_status::canceled && !job.renews_disks
      && !(mutants::on("permission-tells-the-act")
           && s.type == tags::repair_type::reinstall);
]==])

orderly_mutant(a-reset-that-worked-counts actors/policy/host_ha/treat.cpp
[==[
    if (s_.came_back) // likewise, if anything is wrong
]==] [==[
    if (s_.came_back && !mutants::on("a-reset-that-worked-counts"))
]==])

orderly_mutant(late-effects-are-judged actors/policy/repair/effect.cpp
[==[
  return is_move(s.act) && !s.last_failed && s.moved != never
]==] [==[
  return !mutants::on("late-effects-are-judged") && is_move(s.act)
         && !s.last_failed && s.moved != never
]==])

orderly_mutant(old-marks-are-forgotten actors/policy/errand/begin.cpp
[==[
                   && ((is_epo_off(s()) && r.own_until == 0)
]==] [==[
                   && ((is_epo_off(s()) && r.own_until == 0
                        && !mutants::on("old-marks-are-forgotten"))
]==])

orderly_mutant(holds-are-supposed actors/policy/errand/advice.cpp
[==[
    if (r.kind == row_kind::node && !is_left_on(r) && hold_now(r.object))
]==] [==[
    if (r.kind == row_kind::node && !is_left_on(r)
        && (hold_now(r.object) || mutants::on("holds-are-supposed")))
]==])

orderly_mutant(what-was-on-is-undone actors/policy/errand/words.cpp
[==[
  if (verb == power_verb::on && r.was_on)
]==] [==[
  if (verb == power_verb::on && r.was_on
      && !mutants::on("what-was-on-is-undone"))
]==])

orderly_mutant(epo-on-goes-by-the-record actors/policy/errand/plan_epo.cpp
[==[
             && (held == w.holds->end() || w.read_on->count(node.name) != 0)) {
]==] [==[
             && (held == w.holds->end() || w.read_on->count(node.name) != 0
                 || mutants::on("epo-on-goes-by-the-record"))) {
]==])

orderly_mutant(answers-count-for-ever actors/desk/holds.cpp
[==[
  if (x.answered_at == never)
    return true;
]==] [==[
  if (x.answered_at == never || mutants::on("answers-count-for-ever"))
    return true;
]==])

orderly_mutant(given-up-means-one actors/policy/maintenance/noted.cpp
[==[
  if (s.action != event_action::live_repair && x.seen.given_up != never
]==] [==[
  if (s.action != event_action::live_repair && x.seen.given_up != never
      && !mutants::on("given-up-means-one")
]==])

orderly_mutant(old-offline-marks-count actors/policy/maintenance/life.cpp
[==[
  auto back = s.phase == event_phase::evacuating && node.drained;
]==] [==[
  auto back = s.phase == event_phase::evacuating && node.drained
              && !mutants::on("old-offline-marks-count");
]==])

orderly_mutant(liars-off-is-done actors/policy/errand/step.cpp
[==[
  auto unbelieved = report.confirmed && verb == power_verb::off
]==] [==[
  auto unbelieved = !mutants::on("liars-off-is-done") && report.confirmed
                    && verb == power_verb::off
]==])

orderly_mutant(liars-come-first actors/policy/errand/begin.cpp
[==[
    order.programs = w_.believed_first(node);
]==] [==[
    if (!mutants::on("liars-come-first"))
      order.programs = w_.believed_first(node);
]==])

orderly_mutant(one-reading-tells-of-disks actors/policy/repair/effect.cpp
[==[
  else if (s.left_seen != x.seen.read_at)
    s.left.clear();
]==] [==[
  if (!s.left.empty() && s.left_seen != never
      && (s.left_seen != x.seen.read_at
          || mutants::on("one-reading-tells-of-disks")))
    s.left.clear();
]==])

orderly_mutant(marks-go-when-it-is-noticed actors/policy/maintenance/life.cpp
[==[
  v.next.given_up = v.next.mark_seen;
]==] [==[
  v.next.given_up = mutants::on("marks-go-when-it-is-noticed")
                      ? x.now
                      : v.next.mark_seen;
]==])

orderly_mutant(an-epo-takes-marks-as-a-person actors/policy/maintenance/life.cpp
[==[
  if (s.absent > 0) {
]==] [==[
  if (s.absent > 0) {
    if (mutants::on("an-epo-takes-marks-as-a-person"))
      s.given_up = s.mark_seen;
]==])

orderly_mutant(alone-is-shared actors/policy/guards/reservations.cpp
[==[
  if (wanted.alone || (held.alone && !is_destructive(wanted.act)))
]==] [==[
  if (!mutants::on("alone-is-shared")
      && (wanted.alone || (held.alone && !is_destructive(wanted.act))))
]==])

orderly_mutant(alone-is-shared actors/policy/maintenance/moves.cpp
[==[
  const auto& all = *x.seen.picture;
  auto is_there
]==] [==[
  const auto& all = *x.seen.picture;
  if (mutants::on("alone-is-shared"))
    return {};
  auto is_there
]==])

orderly_mutant(words-age-at-instances-only actors/policy/trust/waiting.cpp
[==[
  return now_ - x->at > (by_word ? r_.word_max_age : r_.proof_max_age);
]==] [==[
  if (mutants::on("words-age-at-instances-only") && by_word)
    return false;
  return now_ - x->at > (by_word ? r_.word_max_age : r_.proof_max_age);
]==])

orderly_mutant(stuck-fence-has-a-place actors/policy/guards/reservations.cpp
[==[
         && !held.stuck;
]==] [==[
         && (mutants::on("stuck-fence-has-a-place") || !held.stuck);
]==])

orderly_mutant(failover-waits-behind-what-waits actors/policy/guards/reservations.cpp
[==[
        ? overtakes(wanted, held) || held.act == wanted.act
]==] [==[
        ? (!mutants::on("failover-waits-behind-what-waits")
           && overtakes(wanted, held))
            || held.act == wanted.act
]==])

orderly_mutant(what-hangs-is-back actors/desk/holds.cpp
[==[
            && (on->second == never || h.off_since_then));
]==] [==[
            && (on->second == never || h.off_since_then
                || mutants::on("what-hangs-is-back")));
]==])

orderly_mutant(disk-moves-of-the-plan actors/policy/balance/moves.cpp
[==[
  if (!limits.disk_moves && copies_disks(m.what))
]==] [==[
  if (!limits.disk_moves && copies_disks(m.what)
      && !mutants::on("disk-moves-of-the-plan"))
]==])

orderly_mutant(ended-commands-are-not-sought actors/maintenance/strays.cpp
[==[
  st.search.asked = true;
]==] [==[
  if (mutants::on("ended-commands-are-not-sought"))
    return true;
  st.search.asked = true;
]==])

orderly_mutant(nobody-is-left actors/overseer/overseer.cpp
[==[
  tell_left(self, st.treats_all, !rules->host_ha.opt_in,
]==] [==[
  tell_left(self, st.treats_all,
            !rules->host_ha.opt_in || mutants::on("nobody-is-left"),
]==])

orderly_mutant(refused-is-failed actors/policy/maintenance/work.cpp
[==[
  if (e.phase == job_phase::refused && !e.absent && counted(s, w) < tries_max) {
]==] [==[
  if (!mutants::on("refused-is-failed")
      && e.phase == job_phase::refused && !e.absent && counted(s, w) < tries_max) {
]==])

orderly_mutant(held-mirror-is-a-wish actors/policy/repair/standing.cpp
[==[
  if (may.held && seen.home_is_free) {
]==] [==[
  if (may.held && seen.home_is_free
      && !mutants::on("held-mirror-is-a-wish")) {
]==])

orderly_mutant(words-are-seen-in-coarse-grains actors/policy/host_ha/watch.cpp
[==[
  auto grain = std::min(word_grain, r_.evidence_max_age / 2);
]==] [==[
  auto grain = mutants::on("words-are-seen-in-coarse-grains")
                 ? word_grain
                 : std::min(word_grain, r_.evidence_max_age / 2);
]==])

orderly_mutant(lasts-in-one-life actors/policy/foresight/lasting.cpp
[==[
    auto lasted = found.since != never && found.since < first_
]==] [==[
    auto lasted = found.since != never && found.since < first_
                  && !mutants::on("lasts-in-one-life")
]==])

orderly_mutant(absences-hide-what-a-person-meant actors/policy/maintenance/event.cpp
[==[
  if (s.marked || s.put_out)
    v.next.mark_seen = now;
]==] [==[
  if ((s.marked || s.put_out)
      && !mutants::on("absences-hide-what-a-person-meant"))
    v.next.mark_seen = now;
]==])

orderly_mutant(word-said-again-is-none actors/policy/trust/word.cpp
[==[
  auto longest = by_word ? r_.word_max_age / 2 : r_.of_trust.proof_max_age;
]==] [==[
  auto longest = by_word ? r_.word_max_age / 2 : r_.of_trust.proof_max_age;
  if (mutants::on("word-said-again-is-none") && by_word)
    longest = r_.word_max_age;
]==])

orderly_mutant(failures-of-all-kinds-are-told-once actors/policy/repair/standing.cpp
[==[
  std::erase_if(tags.failures, [type](const auto& x) {
]==] [==[
  std::erase_if(tags.failures, [type](const auto& x) {
    if (mutants::on("failures-of-all-kinds-are-told-once"))
      return false;
]==])

orderly_mutant(whoever-waits-beside-a-stuck-fence-asks actors/policy/guards/reservations.cpp
[==[
      return held.what.act != act_kind::rebalance && !held.stuck
]==] [==[
      return held.what.act != act_kind::rebalance
             && (!held.stuck
                 || mutants::on("whoever-waits-beside-a-stuck-fence-asks"))
]==])

orderly_mutant(half-a-reinstallation-is-none actors/policy/repair/warn.cpp
[==[
  if (left.empty() || !acts(x.limits) || before.phase == phase::failed
]==] [==[
  if (mutants::on("half-a-reinstallation-is-none") || left.empty()
      || !acts(x.limits) || before.phase == phase::failed
]==])

# What the activity checks found speaks for an act however long it was held.
orderly_mutant(held-act-asks-no-activity actors/node/witness.cpp
[==[
               st.machine, rules_of(*rules_for(st)), now(self, st.ctx)))
]==] [==[
               st.machine, rules_of(*rules_for(st)), now(self, st.ctx))
             && !mutants::on("held-act-asks-no-activity"))
]==])

# What the node said while its reset waited counts for nothing.
orderly_mutant(waiting-order-forgets-answers actors/node/witness.cpp
[==[
  return st.trust.heard_at > st.ordered_at
]==] [==[
  return st.trust.heard_at > st.ordered_at
         && !mutants::on("waiting-order-forgets-answers")
]==])

# A command leaves by a helper that is not the node's any more.
orderly_mutant(former-helper-is-called actors/node/witness.cpp
[==[
    return "its power control is another one by now";
]==] [==[
    return mutants::on("former-helper-is-called")
             ? ""
             : "its power control is another one by now";
]==])

# A power that read off once is off until it reads on.
orderly_mutant(unread-power-is-off actors/power/levels.cpp
[==[
  } else if (op.order.lost_power && said.state == power_state::unknown) {
]==] [==[
  } else if (op.order.lost_power && said.state == power_state::unknown
             && !mutants::on("unread-power-is-off")) {
]==])

# What was silent while it was left alone gets no time to boot.
orderly_mutant(treated-again-is-no-boot actors/policy/host_ha/boot.cpp
[==[
  if (silent && now_ - s_.since >= boot_least)
]==] [==[
  if (silent && now_ - s_.since >= boot_least
      && !mutants::on("treated-again-is-no-boot"))
]==])

# A reset that waits is not asked how many are permitted by now.
orderly_mutant(reset-is-permitted-for-ever actors/node/witness.cpp
[==[
    return "the settings permit no more resets by now";
]==] [==[
    return mutants::on("reset-is-permitted-for-ever")
             ? ""
             : "the settings permit no more resets by now";
]==])

# A fence is a death, though the node has worked since.
orderly_mutant(fence-of-before-it-lived-counts actors/policy/trust/belief.cpp
[==[
  auto lived = m.lived != never && s_.wish.at > m.lived;
]==] [==[
  auto lived = m.lived != never && s_.wish.at > m.lived
               && !mutants::on("fence-of-before-it-lived-counts");
]==])

# A person's cycle that leaves the node off is its death.
orderly_mutant(cycle-that-ends-off-is-a-death actors/policy/trust/belief.cpp
[==[
  auto by_order = !wish.switched_off.empty() && switched < m.since;
]==] [==[
  auto by_order = !wish.switched_off.empty() && switched < m.since
                  && !mutants::on("cycle-that-ends-off-is-a-death");
]==])

# A reset after which the power is not known has failed.
orderly_mutant(reset-that-worked-unread-has-failed actors/power/levels.cpp
[==[
  } else if (worked_unread(op)) {
]==] [==[
  } else if (worked_unread(op)
             && !mutants::on("reset-that-worked-unread-has-failed")) {
]==])

# A reset leaves whoever may not be treated by then.
orderly_mutant(reset-asks-no-eligibility actors/node/witness.cpp
[==[
  if (m.phase == ha_phase::recovering && !m.eligible)
]==] [==[
  if (m.phase == ha_phase::recovering && !m.eligible
      && !mutants::on("reset-asks-no-eligibility"))
]==])

# A command does not ask whether its node is back.
orderly_mutant(command-sees-no-return actors/node/witness.cpp
[==[
  return read == power_state::on && st.machine.phase != ha_phase::fenced
]==] [==[
  return read == power_state::on && st.machine.phase != ha_phase::fenced
         && !mutants::on("command-sees-no-return")
]==])

# After a restart nobody knows that a person had it left alone.
orderly_mutant(unfit-is-forgotten actors/node/memory.cpp
[==[
    st.unfit_by = criterion_from(i->second.number("unfit_by"));
]==] [==[
    if (!mutants::on("unfit-is-forgotten"))
      st.unfit_by = criterion_from(i->second.number("unfit_by"));
]==])

# A cycle that failed has its node off by order for ever.
orderly_mutant(failed-cycle-is-an-off actors/power/wishes.cpp
[==[
  auto lived = order.answered_at > kept.wish.at + unhurt_for;
]==] [==[
  auto lived = order.answered_at > kept.wish.at + unhurt_for
               && !mutants::on("failed-cycle-is-an-off");
]==])

# A pending tag of a lesser repair is all that permits anything.
orderly_mutant(lesser-tag-hides-the-policy actors/policy/repair/standing.cpp
[==[
  return policy || may_be_repaired(tags, may, type);
]==] [==[
  return (policy && !mutants::on("lesser-tag-hides-the-policy"))
         || may_be_repaired(tags, may, type);
]==])

# A word that a node is off, and what it holds lost, changes nothing.
orderly_mutant(word-leaves-what-was-switched-off actors/policy/trust/belief.cpp
[==[
  auto given_up = m.given_up > s_.wish.at;
]==] [==[
  auto given_up = m.given_up > s_.wish.at
                  && !mutants::on("word-leaves-what-was-switched-off");
]==])

orderly_mutant(absence-is-no-matter actors/node/node.cpp
[==[
                                  std::exchange(st.away, false)});
]==] [==[
                                  std::exchange(st.away, false)
                                    && !mutants::on("absence-is-no-matter")});
]==])

orderly_mutant(only-one-boot actors/policy/host_ha/boot.cpp
[==[
  return is_raised_lately(s, r, now) && s.boots >= boots_max;
]==] [==[
  return is_raised_lately(s, r, now)
         && (s.boots >= boots_max || mutants::on("only-one-boot"));
]==])

orderly_mutant(boots-are-not-counted actors/policy/host_ha/boot.cpp
[==[
  s_.boots = is_raised_lately(s_, r_, now_) ? s_.boots + 1 : 1;
]==] [==[
  s_.boots = is_raised_lately(s_, r_, now_)
                 && !mutants::on("boots-are-not-counted")
               ? s_.boots + 1
               : 1;
]==])

orderly_mutant(orders-of-persons-keep actors/power/leaving.cpp
[==[
  return op.intended_at != never && at - op.intended_at > late;
]==] [==[
  if (by_person(op) && mutants::on("orders-of-persons-keep"))
    return false;
  return op.intended_at != never && at - op.intended_at > late;
]==])

orderly_mutant(unseen-acts-wait actors/policy/host_ha/life.cpp
[==[
  return s_.unseen_since != never && now_ - s_.unseen_since > sample_lasts(r_);
]==] [==[
  return s_.unseen_since != never && now_ - s_.unseen_since > sample_lasts(r_)
         && !mutants::on("unseen-acts-wait");
]==])

orderly_mutant(mute-fences-go-on actors/policy/host_ha/power.cpp
[==[
  } else if (!wants_for_power() && s_.unread_fences < unread_max) {
]==] [==[
  } else if (!wants_for_power()
             && (s_.unread_fences < unread_max
                 || mutants::on("mute-fences-go-on"))) {
]==])

orderly_mutant(observers-tell-no-copy actors/policy/repair/warn.cpp
[==[
    = x.wants.copy_hinders && tags_permit(x, tags::repair_type::failover);
]==] [==[
    = x.wants.copy_hinders && tags_permit(x, tags::repair_type::failover)
      && (acts(x.limits) || !mutants::on("observers-tell-no-copy"));
]==])

orderly_mutant(standby-was-the-watch actors/scheduler/leader.cpp
[==[
  if (next.held || !next.master.empty())
    st.ctx->set_duty(]==] [==[
  if (next.held
      || (!mutants::on("standby-was-the-watch") && !next.master.empty()))
    st.ctx->set_duty(]==])

orderly_mutant(any-life-is-on-duty actors/scheduler/leader.cpp
[==[
  st.peers = std::move(peers);
]==] [==[
  st.peers = std::move(peers);
  if (mutants::on("any-life-is-on-duty"))
    st.ctx->set_duty(duty::ours, self->clock().now());
]==])

orderly_mutant(sleep-is-no-absence actors/journal/journal.cpp
[==[
    return off_duty;
]==] [==[
    return mutants::on("sleep-is-no-absence") ? millis{0} : off_duty;
]==])

orderly_mutant(suspects-begin-anew actors/policy/host_ha/power.cpp
[==[
  if (rests || !may_boot_yet())
]==] [==[
  if (rests || !may_boot_yet() || mutants::on("suspects-begin-anew"))
]==])

orderly_mutant(boot-is-read-once actors/policy/host_ha/boot.cpp
[==[
  if (waits && (s_.power == power_state::unknown || old)) {
]==] [==[
  if (waits
      && (s_.power == power_state::unknown
          || (old && !mutants::on("boot-is-read-once")))) {
]==])

orderly_mutant(guess-lasts actors/policy/host_ha/boot.cpp
[==[
  auto least = s_.raise_guessed ? millis{0} : millis{boot_least};
]==] [==[
  auto least = s_.raise_guessed && !mutants::on("guess-lasts")
                 ? millis{0}
                 : millis{boot_least};
]==])

orderly_mutant(guesses-are-not-counted actors/policy/host_ha/boot.cpp
[==[
  return !has_booted_enough(s_, r_, now_);
]==] [==[
  return mutants::on("guesses-are-not-counted")
         || !has_booted_enough(s_, r_, now_);
]==])

orderly_mutant(blind-acts-forget actors/policy/host_ha/life.cpp
[==[
    s_.recoveries = done;
]==] [==[
    s_.recoveries = mutants::on("blind-acts-forget") ? 0 : done;
]==])

orderly_mutant(mute-fences-are-kept actors/policy/host_ha/watch.cpp
[==[
  s_.unread_fences = 0; // its silence did not decide: its power counts again
]==] [==[
  if (!mutants::on("mute-fences-are-kept"))
    s_.unread_fences = 0;
]==])

orderly_mutant(silent-is-not-read actors/policy/trust/belief.cpp
[==[
  if (s_.unheard_since == never)
    return false;
  switch (m.phase) {
]==] [==[
  if (s_.unheard_since == never || mutants::on("silent-is-not-read"))
    return false;
  switch (m.phase) {
]==])

orderly_mutant(errands-outlive-an-absence actors/policy/errand/resume.cpp
[==[
  auto away = now_ - std::max(e.watched, last);
]==] [==[
  auto away = mutants::on("errands-outlive-an-absence")
                ? millis{0}
                : now_ - std::max(e.watched, last);
]==])

orderly_mutant(record-rests-on-an-old-reading actors/policy/errand/resume.cpp
[==[
  return step_at(i) == step_kind::record
]==] [==[
  return step_at(i) == step_kind::record
         && !(mutants::on("record-rests-on-an-old-reading")
              && switch_verb(s()) == power_verb::on)
]==])

orderly_mutant(undo-forgets-the-drain actors/policy/errand/words.cpp
[==[
  return r.was_drained ? drain_command(r.object)
]==] [==[
  return r.was_drained && !mutants::on("undo-forgets-the-drain")
           ? drain_command(r.object)
]==])

orderly_mutant(rows-wait-blindly actors/policy/errand/settle.cpp
[==[
  if (!r.turned || !node || node->offline != r.was_offline || !minds)
    return {};
]==] [==[
  if (!r.turned || !node || node->offline != r.was_offline || !minds
      || mutants::on("rows-wait-blindly"))
    return {};
]==])

orderly_mutant(unlooked-is-heard actors/node/node.cpp
[==[
  auto silent = st.unlooked || may_have_been_off(st.trust, now(self, st.ctx));
]==] [==[
  auto silent = (st.unlooked && !mutants::on("unlooked-is-heard"))
                || may_have_been_off(st.trust, now(self, st.ctx));
]==])

orderly_mutant(unprotected-is-no-time-off actors/policy/host_ha/eligibility.cpp
[==[
         || failed == unprotected;
]==] [==[
         || (failed == unprotected
             && !mutants::on("unprotected-is-no-time-off"));
]==])

orderly_mutant(boots-of-before-an-absence-count actors/policy/host_ha/boot.cpp
[==[
  auto sure = watched && (known || may_boot_yet()) && !s_.raise_guessed;
]==] [==[
  auto sure = (watched || mutants::on("boots-of-before-an-absence-count"))
              && (known || may_boot_yet()) && !s_.raise_guessed;
]==])

orderly_mutant(boot-of-long-ago-is-the-last actors/policy/host_ha/boot.cpp
[==[
  auto known = read && s_.raised != never && s_.raised >= s_.since
]==] [==[
  auto known = (read || mutants::on("boot-of-long-ago-is-the-last"))
               && s_.raised != never && s_.raised >= s_.since
]==])

orderly_mutant(known-jobs-are-not-told actors/jobs/submitter.cpp
[==[
  } else if (x.stage == stage::watching) {
    // It is in the queue already: its owner's patience is that for a job.
]==] [==[
  } else if (x.stage == stage::watching
             && !mutants::on("known-jobs-are-not-told")) {
    // It is in the queue already: its owner's patience is that for a job.
]==])

orderly_mutant(the-active-are-read actors/policy/trust/belief.cpp
[==[
    return m.held.empty() && s_.unheard_since <= m.since;
]==] [==[
    return m.held.empty() && s_.unheard_since <= m.since
           && !mutants::on("the-active-are-read");
]==])

orderly_mutant(degraded-are-not-read actors/policy/trust/belief.cpp
[==[
  case ha_phase::degraded:
    return true;
]==] [==[
  case ha_phase::degraded:
    return !mutants::on("degraded-are-not-read");
]==])

orderly_mutant(returned-are-not-read actors/policy/trust/belief.cpp
[==[
    return !m.maintenance;
]==] [==[
    return !m.maintenance && !mutants::on("returned-are-not-read");
]==])

orderly_mutant(one-off-is-no-power actors/policy/host_ha/power.cpp
[==[
  auto certain = may_boot_yet() || was_off;
]==] [==[
  auto certain = may_boot_yet() || was_off || mutants::on("one-off-is-no-power");
]==])

orderly_mutant(ready-is-judged-once actors/policy/maintenance/ending.cpp
  [==[  if (s.tagged && !why.empty()) {]==]
  [==[  if (s.tagged && !why.empty() && !mutants::on("ready-is-judged-once")) {]==])

# Whoever canceled a job was a person, unless another master is known by then.
orderly_mutant(cancel-is-a-persons actors/jobs/queue.cpp
  [==[  if (x.status != job_status::canceled || x.called_back || x.usurped)]==]
  [==[  if (x.status != job_status::canceled || x.called_back || x.usurped
      || mutants::on("cancel-is-a-persons"))]==])

# Only the token of the repair that comes first is in the way.
orderly_mutant(token-behind-stands actors/policy/repair/decide.cpp
  [==[  if (!x.tags.armed.empty())
    return]==]
  [==[  if (mutants::on("token-behind-stands")
        ? token_of_another(x, s.repair) != nullptr
        : !x.tags.armed.empty())
    return]==])
orderly_mutant(token-behind-stands actors/policy/repair/decide.cpp
  [==[    if (!x.tags.armed.empty()) {]==]
  [==[    if (mutants::on("token-behind-stands")
          ? token_of_another(x, p->tag.id) != nullptr
          : !x.tags.armed.empty()) {]==])

# An answer says how it is when it comes, not when it was asked for.
orderly_mutant(answer-is-of-now actors/policy/host_ha/watch.cpp
  [==[  auto asked = e.asked == never ? now_ : e.asked;]==]
  [==[  auto asked = e.asked == never || mutants::on("answer-is-of-now")
                 ? now_
                 : e.asked;]==])

# While an act is held its node's power is not read.
orderly_mutant(held-act-reads-no-power actors/policy/host_ha/treat.cpp
  [==[  // While it is held people may mend it: off, and on again.
  emit(read_power{});]==]
  [==[  if (!mutants::on("held-act-reads-no-power"))
    emit(read_power{});]==])

orderly_mutant(removed-node-counts actors/cluster/cluster.cpp
  [==[  gone.counted = false; // the storm guard counts who is there]==]
  [==[  gone.counted = mutants::on("removed-node-counts");]==])

orderly_mutant(end-is-not-judged-anew actors/policy/repair/closing.cpp
  [==[  if (!only_ends(s.ops))
    return {};]==]
  [==[  if (!only_ends(s.ops) || mutants::on("end-is-not-judged-anew"))
    return {};]==])

orderly_mutant(no-room-is-a-failure-elsewhere actors/policy/repair/adopt.cpp
  [==[  return !job.renews_disks && job.status == job_status::error
]==]
  [==[  return !mutants::on("no-room-is-a-failure-elsewhere")
         && !job.renews_disks && job.status == job_status::error
]==])

orderly_mutant(failed-migration-denies-a-failover
  actors/policy/repair/closing.cpp
  [==[!(s.failed_at_home && is_gone(x.seen.primary));]==]
  [==[(!(s.failed_at_home && is_gone(x.seen.primary))
                         || mutants::on("failed-migration-denies-a-failover"));]==])

orderly_mutant(token-job-is-forgotten actors/policy/repair/resume.cpp
  [==[    if (loses_no_tag(s.ops)) // only in the way]==]
  [==[    if (loses_no_tag(s.ops) && !mutants::on("token-job-is-forgotten"))]==])

orderly_mutant(silence-forgets-an-off actors/policy/host_ha/power.cpp
  [==[                || (s_.went_off && e.power == power_state::unknown);]==]
  [==[                || (s_.went_off && e.power == power_state::unknown
                    && !mutants::on("silence-forgets-an-off"));]==])

orderly_mutant(off-is-of-another-incident actors/policy/host_ha/treat.cpp
  [==[  s_.went_off = went_off; // if it reads on next, it boots]==]
  [==[  s_.went_off = went_off && !mutants::on("off-is-of-another-incident");]==])

orderly_mutant(suspect-keeps-its-incident actors/policy/host_ha/power.cpp
  [==[  if (is_watching() && !seen_now) {]==]
  [==[  if (is_watching() && !seen_now
      && !mutants::on("suspect-keeps-its-incident")) {]==])

orderly_mutant(boot-that-is-over-counts actors/policy/host_ha/boot.cpp
  [==[s_.phase == ha_phase::recovered && s_.came_back)]==]
  [==[s_.phase == ha_phase::recovered && s_.came_back
           && !mutants::on("boot-that-is-over-counts"))]==])

orderly_mutant(cycle-is-over-at-a-restart actors/policy/errand/leaving.cpp
  [==[tried(r) && r.interrupted && r.until != never;]==]
  [==[tried(r) && r.interrupted && r.until != never
                      && !mutants::on("cycle-is-over-at-a-restart");]==])

orderly_mutant(orders-are-called-alike actors/policy/errand/words.cpp
  [==[  auto name = s.stamp.empty() ? s.id : s.id + stamp_dot + s.stamp;]==]
  [==[  auto name = s.stamp.empty() || mutants::on("orders-are-called-alike")
                ? s.id
                : s.id + stamp_dot + s.stamp;]==])

orderly_mutant(pause-is-told-to-who-asks-first actors/scheduler/scheduler.cpp
  [==[    if (!p.granted)
      note_pause(self, wanted);
    return p;]==]
  [==[    if (!p.granted && !mutants::on("pause-is-told-to-who-asks-first"))
      note_pause(self, wanted);
    return p;]==])

orderly_mutant(daemons-draw-alike actors/policy/repair/adopt.cpp
  [==[  auto drawn = dice_of(fresh) % daemons;]==]
  [==[  auto drawn = mutants::on("daemons-draw-alike")
                 ? 0
                 : dice_of(fresh) % daemons;]==])

orderly_mutant(recovered-sees-no-trouble actors/policy/host_ha/watch.cpp
  [==[                 || s_.phase == ha_phase::recovered
                 || s_.phase == ha_phase::fencing;]==]
  [==[                 || (s_.phase == ha_phase::recovered
                     && !mutants::on("recovered-sees-no-trouble"))
                 || s_.phase == ha_phase::fencing;]==])

orderly_mutant(cut-verdict-is-overtaken actors/policy/repair/decide.cpp
  [==[!was_cut(s, x) && !is_left_down(s, x);]==]
  [==[((!was_cut(s, x) && !is_left_down(s, x))
                       || mutants::on("cut-verdict-is-overtaken"));]==])

orderly_mutant(event-tells-at-the-end actors/maintenance/event.cpp
  [==[      tell(self, standing);
      act();]==]
  [==[      if (!mutants::on("event-tells-at-the-end"))
        tell(self, standing);
      act();]==])

orderly_mutant(recovered-keeps-its-incident actors/policy/host_ha/power.cpp
  [==[  forget_incident();
  open_incident();
  s_.due = now_ + r_.recovery_wait;]==]
  [==[  s_.recoveries = 0;
  if (!mutants::on("recovered-keeps-its-incident")) {
    forget_incident();
    open_incident();
  }
  s_.due = now_ + r_.recovery_wait;]==])

orderly_mutant(absence-hides-what-a-home-wrote actors/instance/seen.cpp
[==[
  auto missed = since < home->second.watched_since;
]==] [==[
  auto missed = since < home->second.watched_since
                && !mutants::on("absence-hides-what-a-home-wrote");
]==])

orderly_mutant(places-hide-a-job-that-was-found actors/instance/instance.cpp
[==[
      reserve_again(self, e.joins);
]==] [==[
      reserve_again(self, e.joins);
    if (!e.joins.empty() && mutants::on("places-hide-a-job-that-was-found"))
      return;
]==])

orderly_mutant(silence-that-is-over-leaves-no-copy actors/instance/seen.cpp
[==[
  return wrote ? since : never;
]==] [==[
  return wrote && !mutants::on("silence-that-is-over-leaves-no-copy") ? since
                                                                      : never;
]==])

orderly_mutant(absence-keeps-a-home-quiet actors/policy/trust/daemons.cpp
[==[
  s_.quiet = false;
  s_.watched_since = now_;
]==] [==[
  s_.quiet = s_.quiet && mutants::on("absence-keeps-a-home-quiet");
  s_.watched_since = now_;
]==])

orderly_mutant(absence-is-no-boot-of-whom-we-treat actors/policy/host_ha/power.cpp
[==[
    = is_watching() || s_.phase == ha_phase::fencing || (resets && !lately);
]==] [==[
    = is_watching()
      || (!mutants::on("absence-is-no-boot-of-whom-we-treat")
          && s_.phase == ha_phase::fencing)
      || (resets
          && !(mutants::on("absence-is-no-boot-of-whom-we-treat")
                 ? s_.recovery_dispatched
                 : lately));
]==])

orderly_mutant(aged-deadlines-run-out actors/jobs/submitter.cpp
[==[
    if (before.aged.count(key) != 0)
]==] [==[
    if (before.aged.count(key) != 0 && !mutants::on("aged-deadlines-run-out"))
]==])

orderly_mutant(off-is-read-once actors/power/levels.cpp
[==[
         && op.before == power_state::off && !contrary_level(op);
]==] [==[
         && op.before == power_state::off && !contrary_level(op)
         && !mutants::on("off-is-read-once");
]==])

orderly_mutant(liars-off-makes-a-boot actors/node/carry_out.cpp
[==[
  e.read = read_by(self, report);
  e.came_on = report.came_on && e.read == power_state::on;
]==] [==[
  e.read = read_by(self, report);
  if (report.came_on && mutants::on("liars-off-makes-a-boot"))
    e.read = power_state::on;
  e.came_on = report.came_on && e.read == power_state::on;
]==])

# --- the program -------------------------------------------------------------

orderly_write_mutants(mutated)
file(GLOB mutant_tests CONFIGURE_DEPENDS
  "${CMAKE_SOURCE_DIR}/tests/mutants/*.cpp")
add_executable(test_mutants ${mutant_tests} ${mutated})
target_compile_definitions(test_mutants PRIVATE
  ORDERLY_SOURCE_DIR="${CMAKE_SOURCE_DIR}"
  ORDERLY_BINARY_DIR="${CMAKE_BINARY_DIR}")
target_link_libraries(test_mutants PRIVATE test_main orderly_sim)
set(tests_together ${mutant_tests})
list(FILTER tests_together INCLUDE REGEX "_test.cpp$")
set_source_files_properties(${tests_together} PROPERTIES UNITY_GROUP tests)
set_target_properties(test_mutants PROPERTIES
  UNITY_BUILD ${ORDERLY_UNITY} UNITY_BUILD_MODE GROUP)
target_compile_options(test_mutants PRIVATE -O0)
target_precompile_headers(test_mutants REUSE_FROM test_sim)
# In parts, so that several run at a time, and none is long on a slow machine.
set(parts 6)
set(turn 0)
foreach(file ${tests_together})
  get_filename_component(tag "${file}" NAME_WE)
  list(APPEND mutants_${turn} "[#${tag}]")
  math(EXPR turn "(${turn} + 1) % ${parts}")
endforeach()
foreach(turn RANGE 1 ${parts})
  math(EXPR part "${turn} - 1")
  list(JOIN mutants_${part} "," tags)
  add_test(NAME test_mutants_${turn}
    COMMAND test_mutants --filenames-as-tags -w NoTests "${tags}")
  set_tests_properties(test_mutants_${turn} PROPERTIES
    LABELS long TIMEOUT 1200)
endforeach()
