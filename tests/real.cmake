# SPDX-FileCopyrightText: the orderly authors
# SPDX-License-Identifier: BSD-2-Clause
#
# orderlyd against six nodes of real Ganeti on this machine: one testbed, which
# each step finds healthy, and one test a step, so that a failure has a name.
# Steps mostly wait, so other tests run beside them.
# Those of `real_more` are run by `./dev real --all` alone: what they show is
# shown elsewhere, too (drills, conformance, the programs' own tests; only that
# Ganeti itself goes along is theirs), and a busy machine needs two minutes for
# each. With them ./dev real takes half an hour, without them 18 minutes.

set(real_core
  service repair crashes promises lost-answers harep power orders words epo
  events live-repair)
set(real_more
  hung-controller no-permission luxid-dies every-repair suspended asked-for
  readd hail balance hbal event-crashes)
set(real_steps ${real_core} ${real_more})
set(real_run "${CMAKE_SOURCE_DIR}/tests/testbed/real/run.py")

string(REPLACE ";" "," real_list "${real_steps}")
add_test(NAME real_testbed_up COMMAND "${real_run}" --up "${real_list}")
set_tests_properties(real_testbed_up PROPERTIES
  FIXTURES_SETUP real_testbed TIMEOUT 900)
add_test(NAME real_testbed_down COMMAND "${real_run}" --down)
set_tests_properties(real_testbed_down PROPERTIES
  FIXTURES_CLEANUP real_testbed TIMEOUT 300)

foreach(step IN LISTS real_steps)
  add_test(NAME "real_${step}"
    COMMAND "${real_run}" --only "${step}" --keep
            --orderlyd $<TARGET_FILE:orderlyd>
            --orderly $<TARGET_FILE:orderly>
            --agent $<TARGET_FILE:orderly-agent>
            --htools $<TARGET_FILE:orderly-htools>)
  set_tests_properties("real_${step}" PROPERTIES
    FIXTURES_REQUIRED real_testbed TIMEOUT 1200 LABELS real
    RESOURCE_LOCK real_testbed SKIP_RETURN_CODE 77)
endforeach()

foreach(step IN LISTS real_more)
  set_tests_properties("real_${step}" PROPERTIES LABELS "real;more")
endforeach()

set_tests_properties(real_testbed_up real_testbed_down PROPERTIES
  LABELS real RESOURCE_LOCK real_testbed SKIP_RETURN_CODE 77)

# The units as they are shipped, under a systemd that is booted for it.
add_test(NAME real_systemd
  COMMAND "${CMAKE_SOURCE_DIR}/tests/testbed/systemd/run.py"
          --programs "${CMAKE_BINARY_DIR}/bin")
set_tests_properties(real_systemd PROPERTIES
  LABELS real SKIP_RETURN_CODE 77 TIMEOUT 600)
