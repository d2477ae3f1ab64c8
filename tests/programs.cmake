# SPDX-FileCopyrightText: the orderly authors
# SPDX-License-Identifier: BSD-2-Clause
#
# Tests that are programs and scripts of their own.

add_executable(journal_writer tests/programs/journal_writer.cpp)
target_link_libraries(journal_writer PRIVATE orderly_flags orderly_io)
add_test(NAME journal_faults
  COMMAND "${CMAKE_SOURCE_DIR}/tests/io/journal_faults.sh"
          $<TARGET_FILE:journal_writer>)
set_tests_properties(journal_faults PROPERTIES
  SKIP_RETURN_CODE 77 TIMEOUT 600)

# orderlyd against five nodes of real Ganeti on this machine.
add_test(NAME real_cluster
  COMMAND "${CMAKE_SOURCE_DIR}/tests/testbed/real/run.py"
          --orderlyd $<TARGET_FILE:orderlyd> --orderly $<TARGET_FILE:orderly>)
set_tests_properties(real_cluster PROPERTIES
  LABELS real RUN_SERIAL TRUE SKIP_RETURN_CODE 77 TIMEOUT 1500)

add_test(NAME demo_repairs
  COMMAND "${CMAKE_SOURCE_DIR}/tests/programs/demo.sh"
          $<TARGET_FILE:orderlyd> $<TARGET_FILE:orderly>)
set_tests_properties(demo_repairs PROPERTIES TIMEOUT 180)
