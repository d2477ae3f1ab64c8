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
