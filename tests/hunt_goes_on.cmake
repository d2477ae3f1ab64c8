# SPDX-FileCopyrightText: the orderly authors
# SPDX-License-Identifier: BSD-2-Clause
#
# A hunt ends in time and the next one goes on where it ended; neighbours of a
# drill are played by all processes together. SIM is the path of orderly-sim,
# DRILL that of a drill.

set(here "${CMAKE_CURRENT_BINARY_DIR}/hunt-tmp")
file(REMOVE_RECURSE "${here}")

function(run out expected)
  execute_process(
    COMMAND ${ARGN} TIMEOUT 100
    OUTPUT_VARIABLE text ERROR_VARIABLE told RESULT_VARIABLE code)
  if(NOT code MATCHES "^(${expected})$")
    message(FATAL_ERROR "${ARGN}: exit code ${code}, printed '${text}${told}'")
  endif()
  set(${out} "${text}${told}" PARENT_SCOPE)
endfunction()

# What it finds is another matter.
set(hunt "${SIM}" swarm --hunt 0.05 --nodes 3 --instances 3 --hours 1 --seed 40
    --folder "${here}" --jobs 2)
run(first "0|1" ${hunt})
if(NOT first MATCHES "hunting from seed 40 "
   OR NOT first MATCHES "pairs of state and fault were met"
   OR NOT first MATCHES "goes on at seed ([0-9]+)")
  message(FATAL_ERROR "the first hunt said '${first}'")
endif()
set(next "${CMAKE_MATCH_1}")
if(next LESS 41)
  message(FATAL_ERROR "the first hunt played no seed to its end: '${first}'")
endif()
run(second "0|1" ${hunt})
if(NOT second MATCHES "hunting from seed ${next} ")
  message(FATAL_ERROR "the second hunt did not go on at ${next}: '${second}'")
endif()
file(WRITE "${here}/state" "something else\n")
run(third "2" ${hunt})
if(NOT third MATCHES "move it away")
  message(FATAL_ERROR "a state that cannot be read is told by '${third}'")
endif()

run(around "0" "${SIM}" drill --around 5 --jobs 2 "${DRILL}")
if(NOT around MATCHES "5 neighbours of 1 drills: 5 passed, 0 failed")
  message(FATAL_ERROR "five neighbours gave '${around}'")
endif()
run(none "2" "${SIM}" drill --around 5 "${here}/no.drill")
file(REMOVE_RECURSE "${here}")
message(STATUS "hunted to seed ${next}, and around ${DRILL}")
