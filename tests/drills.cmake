# SPDX-FileCopyrightText: the orderly authors
# SPDX-License-Identifier: BSD-2-Clause
#
# Tests that are runs of orderly-sim: all drills, a swarm, and that a seed
# gives the same run in any surroundings.

file(GLOB_RECURSE drills_of_ideas CONFIGURE_DEPENDS
  "${CMAKE_SOURCE_DIR}/sim/drills/*.drill")
set(drills_of_attacks ${drills_of_ideas})
list(FILTER drills_of_ideas EXCLUDE REGEX "/sim/drills/attack/")
list(FILTER drills_of_attacks INCLUDE REGEX "/sim/drills/attack/")

add_test(NAME drills COMMAND orderly-sim drill ${drills_of_ideas})
set_tests_properties(drills PROPERTIES TIMEOUT 1200)

add_test(NAME drills_of_attacks COMMAND orderly-sim drill ${drills_of_attacks})
set_tests_properties(drills_of_attacks PROPERTIES LABELS long TIMEOUT 1200)

add_test(NAME swarm_20 COMMAND orderly-sim swarm --seeds 20)
set_tests_properties(swarm_20 PROPERTIES TIMEOUT 900)

add_test(NAME swarm_180 COMMAND orderly-sim swarm --seed 21 --seeds 180)
set_tests_properties(swarm_180 PROPERTIES LABELS long TIMEOUT 900)

add_test(NAME trace_is_repeatable
  COMMAND "${CMAKE_COMMAND}" "-DSIM=$<TARGET_FILE:orderly-sim>"
          -P "${CMAKE_SOURCE_DIR}/tests/trace_is_repeatable.cmake")
set_tests_properties(trace_is_repeatable PROPERTIES TIMEOUT 900)

add_test(NAME hunt_goes_on
  COMMAND "${CMAKE_COMMAND}" "-DSIM=$<TARGET_FILE:orderly-sim>"
          "-DDRILL=${CMAKE_SOURCE_DIR}/sim/drills/host-ha/host-power-loss-with-bmc.drill"
          -P "${CMAKE_SOURCE_DIR}/tests/hunt_goes_on.cmake")
set_tests_properties(hunt_goes_on PROPERTIES TIMEOUT 900)

add_test(NAME drill_is_compared
  COMMAND "${CMAKE_COMMAND}" "-DSIM=$<TARGET_FILE:orderly-sim>"
          -P "${CMAKE_SOURCE_DIR}/tests/drill_is_compared.cmake")
set_tests_properties(drill_is_compared PROPERTIES TIMEOUT 900)

add_test(NAME timelines_1000 COMMAND orderly-sim timelines --count 1000)
set_tests_properties(timelines_1000 PROPERTIES LABELS long TIMEOUT 600)

add_test(NAME timelines_on_actors_100
  COMMAND orderly-sim timelines --on-actors --count 100)
set_tests_properties(timelines_on_actors_100 PROPERTIES TIMEOUT 120)

add_test(NAME timelines_on_actors_1000
  COMMAND orderly-sim timelines --on-actors --seed 7 --count 1000)
set_tests_properties(timelines_on_actors_1000 PROPERTIES LABELS long TIMEOUT 600)

add_test(NAME walk_20000 COMMAND orderly-sim walk --events 20000)
set_tests_properties(walk_20000 PROPERTIES TIMEOUT 120)

# So that each pair of state and event that can be brought about is met often.
add_test(NAME walk_4000000
  COMMAND orderly-sim walk --events 4000000 --least 20)
set_tests_properties(walk_4000000 PROPERTIES LABELS long TIMEOUT 600)

# Another suite may be named: more exist than are kept here.
set(CONFORMANCE_SUITES "${CMAKE_SOURCE_DIR}/tests/conformance"
  CACHE PATH "folder of the conformance suites")
add_test(NAME conformance_repair
  COMMAND "${CMAKE_COMMAND}" "-DSIM=$<TARGET_FILE:orderly-sim>"
          "-DSUITE=${CONFORMANCE_SUITES}/repair.json" "-DONLY=H*"
          -P "${CMAKE_SOURCE_DIR}/tests/conformance.cmake")
set_tests_properties(conformance_repair PROPERTIES TIMEOUT 1200)

add_test(NAME conformance_power
  COMMAND "${CMAKE_COMMAND}" "-DSIM=$<TARGET_FILE:orderly-sim>"
          "-DSUITE=${CONFORMANCE_SUITES}/repair.json" "-DONLY=O*"
          -P "${CMAKE_SOURCE_DIR}/tests/conformance.cmake")
set_tests_properties(conformance_power PROPERTIES TIMEOUT 1200)

add_test(NAME conformance_host_ha
  COMMAND "${CMAKE_COMMAND}" "-DSIM=$<TARGET_FILE:orderly-sim>"
          "-DSUITE=${CMAKE_SOURCE_DIR}/sim/timelines/fleets.json" "-DONLY=*"
          -P "${CMAKE_SOURCE_DIR}/tests/conformance.cmake")
set_tests_properties(conformance_host_ha PROPERTIES TIMEOUT 600)

add_test(NAME conformance_maintenance
  COMMAND "${CMAKE_COMMAND}" "-DSIM=$<TARGET_FILE:orderly-sim>"
          "-DSUITE=${CONFORMANCE_SUITES}/repair.json" "-DONLY=M*"
          -P "${CMAKE_SOURCE_DIR}/tests/conformance.cmake")
set_tests_properties(conformance_maintenance PROPERTIES TIMEOUT 1200)
