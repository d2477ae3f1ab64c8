# SPDX-FileCopyrightText: the orderly authors
# SPDX-License-Identifier: BSD-2-Clause
#
# Tests that are programs and scripts of their own.

add_executable(journal_writer tests/programs/journal_writer.cpp)
target_link_libraries(journal_writer PRIVATE orderly_flags orderly_io)
add_test(NAME journal_faults
  COMMAND "${CMAKE_SOURCE_DIR}/tests/io/sqlite/journal_faults.sh"
          $<TARGET_FILE:journal_writer>)
set_tests_properties(journal_faults PROPERTIES
  LABELS long SKIP_RETURN_CODE 77 TIMEOUT 600)

include("${CMAKE_CURRENT_LIST_DIR}/real.cmake")

add_test(NAME demo_repairs
  COMMAND "${CMAKE_SOURCE_DIR}/tests/programs/demo.sh"
          $<TARGET_FILE:orderlyd> $<TARGET_FILE:orderly>)
set_tests_properties(demo_repairs PROPERTIES LABELS long TIMEOUT 900)

add_test(NAME programs_are_hardened
  COMMAND "${CMAKE_SOURCE_DIR}/tests/programs/hardened.sh"
          "${CMAKE_SOURCE_DIR}/configs/orderlyd.service"
          $<TARGET_FILE:orderlyd> $<TARGET_FILE:orderly>
          $<TARGET_FILE:orderly-agent> $<TARGET_FILE:orderly-repair>
          $<TARGET_FILE:orderly-htools>)
set_tests_properties(programs_are_hardened PROPERTIES
  SKIP_RETURN_CODE 77 TIMEOUT 120)

# Two minutes of what strangers, disks, clocks and those whom it asks can do;
# `./dev siege` takes longer.
add_library(clock_steps MODULE tests/programs/clock_steps.cpp)
set_target_properties(clock_steps PROPERTIES PREFIX ""
  LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")
target_link_options(clock_steps PRIVATE -shared)
# Under sanitizers in every build: what strangers can reach.
file(GLOB besieged CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/io/door/*.cpp"
  "${CMAKE_SOURCE_DIR}/io/json/*.cpp" "${CMAKE_SOURCE_DIR}/io/query/*.cpp")
add_executable(besieged_readers tests/programs/besieged_readers.cpp ${besieged}
  "${CMAKE_SOURCE_DIR}/io/loop/loop.cpp")
target_compile_options(besieged_readers PRIVATE -O1 -U_FORTIFY_SOURCE
  -fsanitize=address,undefined -fno-sanitize-recover=all)
set_target_properties(besieged_readers PROPERTIES
  UNITY_BUILD ${ORDERLY_UNITY})
target_link_options(besieged_readers PRIVATE -fsanitize=address,undefined)
target_link_libraries(besieged_readers PRIVATE orderly_flags orderly_messages
  Boost::system fmt::fmt nlohmann_json::nlohmann_json OpenSSL::SSL
  Threads::Threads)
add_test(NAME siege_short
  COMMAND "${CMAKE_SOURCE_DIR}/tests/programs/siege.py" --short
          --orderlyd $<TARGET_FILE:orderlyd>
          --clock-steps $<TARGET_FILE:clock_steps>
          --readers $<TARGET_FILE:besieged_readers>)
set_tests_properties(siege_short PROPERTIES LABELS long TIMEOUT 900)

# `./dev alone` notices what a file forgot to include.
add_test(NAME forgotten_include
  COMMAND "${CMAKE_SOURCE_DIR}/tests/programs/forgotten_include.sh"
          "${CMAKE_CXX_COMPILER}")
set_tests_properties(forgotten_include PROPERTIES TIMEOUT 120)

# What it makes is nobody else's, and --check names what is others'.
add_test(NAME modes_of_files
  COMMAND "${CMAKE_SOURCE_DIR}/tests/programs/modes_of_files.py"
          $<TARGET_FILE:orderlyd>)
set_tests_properties(modes_of_files PROPERTIES TIMEOUT 300)

# What could not be printed is an error of each program.
add_test(NAME lost_output
  COMMAND "${CMAKE_SOURCE_DIR}/tests/programs/lost_output.sh"
          "${CMAKE_BINARY_DIR}/bin" "${CMAKE_SOURCE_DIR}")
set_tests_properties(lost_output PROPERTIES TIMEOUT 120)

# Settings that hold for nobody are told.
add_test(NAME names_of_nobody
  COMMAND "${CMAKE_SOURCE_DIR}/tests/programs/names_of_nobody.py"
          $<TARGET_FILE:orderlyd>)
set_tests_properties(names_of_nobody PROPERTIES TIMEOUT 300)

# What it takes to start is said where it is missing.
add_test(NAME few_files
  COMMAND "${CMAKE_SOURCE_DIR}/tests/programs/limits/few_files.sh"
          $<TARGET_FILE:orderlyd>)
set_tests_properties(few_files PROPERTIES TIMEOUT 120)

# With too little memory it says so, ends, and forgets nothing.
add_test(NAME short_memory
  COMMAND "${CMAKE_SOURCE_DIR}/tests/programs/limits/short_memory.py"
          $<TARGET_FILE:orderlyd>)
set_tests_properties(short_memory PROPERTIES TIMEOUT 600)

# Nor is the agent of a node, with few files or little memory, there for nobody.
add_test(NAME agent_limits
  COMMAND "${CMAKE_SOURCE_DIR}/tests/programs/limits/agent_limits.py"
          $<TARGET_FILE:orderly-agent>)
set_tests_properties(agent_limits PROPERTIES
  SKIP_RETURN_CODE 77 TIMEOUT 600)

# Nor does whoever starts it decide what it writes into.
add_test(NAME odd_starts
  COMMAND "${CMAKE_SOURCE_DIR}/tests/programs/odd_starts.sh"
          "${CMAKE_BINARY_DIR}/bin")
set_tests_properties(odd_starts PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 300)

# `orderly` is a client: whoever answers neither ends it nor steers a terminal.
add_test(NAME hostile_answers
  COMMAND "${CMAKE_SOURCE_DIR}/tests/programs/hostile_answers.py"
          "${CMAKE_BINARY_DIR}/bin")
set_tests_properties(hostile_answers PROPERTIES TIMEOUT 600)

# A browser on the same machine, which any page may have ask here.
add_test(NAME page_in_browser
  COMMAND "${CMAKE_SOURCE_DIR}/tests/programs/page/in_browser.py"
          $<TARGET_FILE:orderlyd>)
set_tests_properties(page_in_browser PROPERTIES
  SKIP_RETURN_CODE 77 TIMEOUT 300)

# Who is let in by the agent of a node, and what it says of good and bad probes.
add_test(NAME agent_reports
  COMMAND "${CMAKE_SOURCE_DIR}/tests/programs/agent.py"
          $<TARGET_FILE:orderly-agent>)
set_tests_properties(agent_reports PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 300)

# What README.md shows a newcomer.
add_test(NAME readme_drill
  COMMAND "${CMAKE_SOURCE_DIR}/tests/programs/readme_drill.py"
          $<TARGET_FILE:orderly-sim> "${CMAKE_SOURCE_DIR}")
set_tests_properties(readme_drill PROPERTIES TIMEOUT 900)

# Its terminal is what `orderly` prints, and is drawn from that alone.
add_test(NAME readme_terminal
  COMMAND "${CMAKE_SOURCE_DIR}/tests/programs/terminal_picture.py" --check
          $<TARGET_FILE:orderlyd> $<TARGET_FILE:orderly>
          "${CMAKE_SOURCE_DIR}/docs/pictures/terminal.svg")
set_tests_properties(readme_terminal PROPERTIES TIMEOUT 300)

add_test(NAME search_is_not_waited_for
  COMMAND "${CMAKE_SOURCE_DIR}/tests/programs/stop_search.py"
          $<TARGET_FILE:orderlyd>)
set_tests_properties(search_is_not_waited_for PROPERTIES TIMEOUT 900)

add_test(NAME harep_ends
  COMMAND "${CMAKE_SOURCE_DIR}/tests/programs/harep.sh"
          $<TARGET_FILE:orderly>)
set_tests_properties(harep_ends PROPERTIES TIMEOUT 900)

include("${CMAKE_CURRENT_LIST_DIR}/bmc.cmake")

# 200 controllers, some of which hang: that all are read, and how many at once.
add_executable(oob_bench tests/programs/oob_bench.cpp)
target_link_libraries(oob_bench PRIVATE orderly_flags orderly_actors orderly_io)
add_test(NAME oob_bench COMMAND oob_bench --check)
set_tests_properties(oob_bench PROPERTIES LABELS bench TIMEOUT 900)

# A plan of 200 nodes, and how long the actors of the tree take to answer while
# it is thought out.
add_executable(planner_bench tests/programs/planner_bench.cpp)
target_link_libraries(planner_bench PRIVATE orderly_flags orderly_actors
  orderly_sim)
add_test(NAME planner_bench COMMAND planner_bench --check)
set_tests_properties(planner_bench PROPERTIES LABELS bench TIMEOUT 900)

# For `./dev bench doors`: who serves the same bytes and does nothing else, and
# who asks at a fixed rate.
foreach(name plain_server paced_client)
  add_executable(${name} tests/programs/${name}.cpp)
  target_link_libraries(${name} PRIVATE orderly_flags Boost::system)
endforeach()

# Our hbal beside Debian's, line for line, on generated clusters.
add_test(NAME htools_same_as_reference
  COMMAND "${CMAKE_SOURCE_DIR}/tests/programs/htools/diff.py"
          --ours $<TARGET_FILE:orderly-htools> --seconds 100)
set_tests_properties(htools_same_as_reference PROPERTIES
  LABELS long SKIP_RETURN_CODE 77 TIMEOUT 900)

# Our hail, hcheck, hspace and hinfo beside Debian's.
add_test(NAME htools_tools_same_as_reference
  COMMAND "${CMAKE_SOURCE_DIR}/tests/programs/htools/tools_diff.py"
          --ours $<TARGET_FILE:orderly-htools>
          --clusters 300 --seconds 180)
set_tests_properties(htools_tools_same_as_reference PROPERTIES
  LABELS long SKIP_RETURN_CODE 77 TIMEOUT 900)

# The remote API as a source, over TLS.
add_test(NAME htools_rapi_source
  COMMAND "${CMAKE_SOURCE_DIR}/tests/programs/htools/rapi_source.py"
          --ours $<TARGET_FILE:orderly-htools>)
set_tests_properties(htools_rapi_source PROPERTIES TIMEOUT 300)

# Our hroller's exact search beside Debian's.
add_test(NAME htools_roll_same_as_reference
  COMMAND "${CMAKE_SOURCE_DIR}/tests/programs/htools/roll_diff.py"
          --ours $<TARGET_FILE:orderly-htools>
          --clusters 300 --seconds 240)
set_tests_properties(htools_roll_same_as_reference PROPERTIES
  LABELS long SKIP_RETURN_CODE 77 TIMEOUT 900)

# How many rounds the fast search needs after balancing, judged by a script
# that knows the cluster's file and nothing of the search.
add_test(NAME htools_rolled_rounds
  COMMAND "${CMAKE_SOURCE_DIR}/tests/programs/htools/roll_rounds.py"
          --ours $<TARGET_FILE:orderly-htools>)
set_tests_properties(htools_rolled_rounds PROPERTIES TIMEOUT 600)

# Verdicts and bounds beside linear programs that GLPK solves.
add_test(NAME htools_linear_programs
  COMMAND "${CMAKE_SOURCE_DIR}/tests/programs/htools/linear_programs.py"
          --ours $<TARGET_FILE:orderly-htools>)
set_tests_properties(htools_linear_programs PROPERTIES
  SKIP_RETURN_CODE 77 TIMEOUT 300)

# Our hsqueeze beside Debian's, and the figures of our own search.
add_test(NAME htools_squeeze_same_as_reference
  COMMAND "${CMAKE_SOURCE_DIR}/tests/programs/htools/squeeze_diff.py"
          --ours $<TARGET_FILE:orderly-htools>
          --clusters 300 --seconds 180)
set_tests_properties(htools_squeeze_same_as_reference PROPERTIES
  LABELS long SKIP_RETURN_CODE 77 TIMEOUT 900)
