# SPDX-FileCopyrightText: the orderly authors
# SPDX-License-Identifier: BSD-2-Clause
#
# The shipped helper programs against simulated controllers: IPMI, Redfish and
# a fence agent; and against hostile ones.

add_executable(oob_call tests/programs/oob_call.cpp)
target_link_libraries(oob_call PRIVATE orderly_flags orderly_io)
add_test(NAME bmc
  COMMAND "${CMAKE_SOURCE_DIR}/tests/testbed/bmc/run.py"
          --call $<TARGET_FILE:oob_call>)
set_tests_properties(bmc PROPERTIES
  LABELS bmc RUN_SERIAL TRUE SKIP_RETURN_CODE 77 TIMEOUT 900)

add_test(NAME hostile_controllers
  COMMAND "${CMAKE_SOURCE_DIR}/tests/testbed/bmc/hostile.py")
set_tests_properties(hostile_controllers PROPERTIES
  LABELS bmc SKIP_RETURN_CODE 77 TIMEOUT 900)
