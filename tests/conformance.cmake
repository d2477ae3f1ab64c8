# SPDX-FileCopyrightText: the orderly authors
# SPDX-License-Identifier: BSD-2-Clause
#
# Plays a conformance suite that lies outside of this tree. A suite that is
# not there is no failure, but it is said, and ctest counts it as skipped.

if(NOT EXISTS "${SUITE}")
  message("SKIPPED: there is no suite at ${SUITE}; nothing was compared")
  return()
endif()
execute_process(
  COMMAND "${SIM}" conformance "${SUITE}" --only "${ONLY}"
  RESULT_VARIABLE code)
if(NOT code EQUAL 0)
  message(FATAL_ERROR "scenarios ${ONLY} of ${SUITE} are not all met")
endif()
