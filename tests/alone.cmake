# SPDX-FileCopyrightText: the orderly authors
# SPDX-License-Identifier: BSD-2-Clause
#
# The target `alone` of ORDERLY_ALONE: each source file, and each header that no
# source file reads first, by itself.

# Otherwise they are compiled with the broken daemon only.
file(GLOB sources CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/tests/mutants/*.cpp")
add_library(alone_mutants OBJECT ${sources})
target_link_libraries(alone_mutants PRIVATE orderly_actors orderly_sim)
target_compile_definitions(alone_mutants PRIVATE
  ORDERLY_SOURCE_DIR="${CMAKE_SOURCE_DIR}"
  ORDERLY_BINARY_DIR="${CMAKE_BINARY_DIR}")

# NAME.cpp begins with NAME.hpp, which is looked at thereby. A header without
# one gets a source file that includes it and nothing else.
set(folders actors io messages sim tests)
set(readers)
foreach(folder ${folders})
  file(GLOB_RECURSE headers RELATIVE "${CMAKE_SOURCE_DIR}" CONFIGURE_DEPENDS
    "${CMAKE_SOURCE_DIR}/${folder}/*.hpp")
  foreach(header ${headers})
    string(REGEX REPLACE "hpp$" "cpp" source "${header}")
    if(NOT EXISTS "${CMAKE_SOURCE_DIR}/${source}")
      file(CONFIGURE OUTPUT "${CMAKE_BINARY_DIR}/headers/${source}"
        CONTENT "#include \"${header}\"\n")
      list(APPEND readers "${CMAKE_BINARY_DIR}/headers/${source}")
    endif()
  endforeach()
endforeach()
add_library(alone_headers OBJECT ${readers})
target_link_libraries(alone_headers PRIVATE orderly_actors orderly_io
  orderly_sim orderly_io_crew orderly_io_daemon)

get_property(targets DIRECTORY "${CMAKE_SOURCE_DIR}" PROPERTY
  BUILDSYSTEM_TARGETS)
set(objects)
set(looked_at)
foreach(target ${targets})
  get_target_property(type ${target} TYPE)
  get_target_property(sources ${target} SOURCES)
  if(sources AND NOT type STREQUAL "UTILITY")
    list(APPEND objects $<TARGET_OBJECTS:${target}>)
    list(APPEND looked_at ${sources})
  endif()
endforeach()
foreach(folder ${folders})
  file(GLOB_RECURSE sources RELATIVE "${CMAKE_SOURCE_DIR}" CONFIGURE_DEPENDS
    "${CMAKE_SOURCE_DIR}/${folder}/*.cpp")
  foreach(source ${sources})
    if(NOT source IN_LIST looked_at
       AND NOT "${CMAKE_SOURCE_DIR}/${source}" IN_LIST looked_at)
      message(FATAL_ERROR "tests/alone.cmake: ${source} is in no target, so "
        "nobody looks whether it compiles. Name it where its neighbours are, "
        "or remove it.")
    endif()
  endforeach()
endforeach()
add_custom_target(alone DEPENDS ${objects})
