# SPDX-FileCopyrightText: the orderly authors
# SPDX-License-Identifier: BSD-2-Clause
#
# orderly-sim drill: a renewed drill passes, one with a changed transcript
# does not, and a mistake in a drill is told with its place. SIM is the path
# of orderly-sim.

set(file "${CMAKE_CURRENT_BINARY_DIR}/compared.drill")

# Plays the drill: the exit code must be `wanted` and what is printed must
# match `says`.
function(expect wanted says)
  execute_process(COMMAND "${SIM}" drill ${ARGN} "${file}"
    OUTPUT_VARIABLE text ERROR_VARIABLE text RESULT_VARIABLE code)
  if(NOT code EQUAL wanted)
    message(FATAL_ERROR "drill ${ARGN}: exit code ${code}, not ${wanted}; "
      "printed: ${text}")
  endif()
  if(NOT text MATCHES "${says}")
    message(FATAL_ERROR "drill ${ARGN}: '${says}' is not in: ${text}")
  endif()
endfunction()

file(WRITE "${file}" "world small-3n\nat 1m power node3 off\nrun 5m\n----\n")
expect(1 "another transcript than expected.*expected: \\(end\\)")
expect(0 "rewritten" --rewrite)
expect(0 "1 passed, 0 failed")

file(READ "${file}" good)
string(FIND "${good}" "----" line)
string(SUBSTRING "${good}" 0 ${line} above)
string(SUBSTRING "${good}" ${line} -1 below)
string(REPLACE "node3" "node2" wrong "${below}")
if(wrong STREQUAL below)
  message(FATAL_ERROR "the transcript does not name node3: ${below}")
endif()
file(WRITE "${file}" "${above}${wrong}")
expect(1 "another transcript than expected.*transcript line.*0 passed, 1 failed")

file(WRITE "${file}" "world small-3n\nat 1m explode\n----\n")
expect(2 "compared.drill:2: fault 'explode'")
file(REMOVE "${file}")
message(STATUS "drills are compared")
