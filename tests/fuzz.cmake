# SPDX-FileCopyrightText: the orderly authors
# SPDX-License-Identifier: BSD-2-Clause
#
# Each fuzz target, without a fuzzer, on its seeds and some thousand inputs made
# of them: a defect that was found stays found, in every test run.

file(GLOB targets CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/tests/fuzz/*.cpp")
add_library(short_fuzz STATIC tests/support/short_fuzz.cpp)
target_link_libraries(short_fuzz PUBLIC orderly_flags fmt::fmt)
set(planning_data "${CMAKE_SOURCE_DIR}/tests/support/planning/data")
set(seeds_htools_text "${planning_data}/cluster.txt" "${planning_data}/moves.txt")
set(seeds_iallocator "${planning_data}/hail.json"
  "${planning_data}/hail-dedicated.json")
set(seeds_luxi "${planning_data}/luxi.json")
set(seeds_settings "${CMAKE_SOURCE_DIR}/configs/orderlyd.toml"
  "${CMAKE_SOURCE_DIR}/configs/examples")
foreach(file ${targets})
  get_filename_component(name "${file}" NAME_WE)
  set(seeds ${seeds_${name}})
  if(IS_DIRECTORY "${CMAKE_SOURCE_DIR}/tests/fuzz/seeds/${name}")
    list(APPEND seeds "${CMAKE_SOURCE_DIR}/tests/fuzz/seeds/${name}")
  endif()
  add_executable(short_fuzz_${name} "${file}")
  target_link_libraries(short_fuzz_${name} PRIVATE short_fuzz orderly_io)
  set(count 100000)
  if(name STREQUAL settings) # TOML with all the help texts is slow to read
    set(count 5000)
  endif()
  add_test(NAME short_fuzz_${name}
    COMMAND short_fuzz_${name} ${count} ${seeds})
  set_tests_properties(short_fuzz_${name} PROPERTIES TIMEOUT 900)
endforeach()
