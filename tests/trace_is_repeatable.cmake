# SPDX-FileCopyrightText: the orderly authors
# SPDX-License-Identifier: BSD-2-Clause
#
# Law S24: one seed, one trace, whatever the surroundings. SIM is the path of
# orderly-sim.

function(trace out folder)
  file(MAKE_DIRECTORY "${folder}")
  execute_process(
    COMMAND "${CMAKE_COMMAND}" -E env ${ARGN}
    WORKING_DIRECTORY "${folder}"
    OUTPUT_VARIABLE text
    RESULT_VARIABLE code)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "${ARGN}: exit code ${code}, printed '${text}'")
  endif()
  if(NOT text MATCHES "^[0-9a-f]+ [1-9][0-9]* steps\n$")
    message(FATAL_ERROR "${ARGN}: this is no trace: '${text}'")
  endif()
  set(${out} "${text}" PARENT_SCOPE)
endfunction()

# Length of the environment and of the path shift the stack, a private memory
# arena the heap; the rest is what programs tend to look at.
string(REPEAT "x" 5000 filler)
set(here "${CMAKE_CURRENT_BINARY_DIR}/trace-tmp")
trace(first "${here}" "${SIM}" trace --seed 7)
trace(second "${here}/another/folder"
  TZ=Pacific/Auckland LC_ALL=C HOME=/ USER=nobody "FILLER=${filler}"
  MALLOC_ARENA_MAX=1 MALLOC_PERTURB_=170 "${SIM}" trace --seed 7)
trace(other "${here}" "${SIM}" trace --seed 8)
file(REMOVE_RECURSE "${here}")

if(NOT first STREQUAL second)
  message(FATAL_ERROR "seed 7 gave two traces: ${first} and ${second}")
endif()
if(first STREQUAL other)
  message(FATAL_ERROR "seeds 7 and 8 gave the same trace ${first}")
endif()
message(STATUS "seed 7 gave twice ${first}")
