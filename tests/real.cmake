# SPDX-FileCopyrightText: the orderly authors
# SPDX-License-Identifier: BSD-2-Clause
#
# orderlyd against six nodes of real Ganeti on this machine: one testbed, which
# each step finds healthy, and one test a step, so that a failure has a name.

set(real_steps
  service repair crashes hung-controller promises no-permission luxid-dies
  lost-answers every-repair suspended asked-for harep power readd orders words
  epo hail balance hbal)
set(real_run "${CMAKE_SOURCE_DIR}/tests/testbed/real/run.py")

string(REPLACE ";" "," real_list "${real_steps}")
add_test(NAME real_testbed_up COMMAND "${real_run}" --up "${real_list}")
set_tests_properties(real_testbed_up PROPERTIES
  FIXTURES_SETUP real_testbed TIMEOUT 400)
add_test(NAME real_testbed_down COMMAND "${real_run}" --down)
set_tests_properties(real_testbed_down PROPERTIES
  FIXTURES_CLEANUP real_testbed TIMEOUT 120)
set(real_tests real_testbed_up real_testbed_down)

foreach(step IN LISTS real_steps)
  add_test(NAME "real_${step}"
    COMMAND "${real_run}" --only "${step}" --keep
            --orderlyd $<TARGET_FILE:orderlyd>
            --orderly $<TARGET_FILE:orderly>
            --htools $<TARGET_FILE:orderly-htools>)
  set_tests_properties("real_${step}" PROPERTIES
    FIXTURES_REQUIRED real_testbed TIMEOUT 600)
  list(APPEND real_tests "real_${step}")
endforeach()

set_tests_properties(${real_tests} PROPERTIES
  LABELS real RUN_SERIAL TRUE SKIP_RETURN_CODE 77)
