# SPDX-FileCopyrightText: the orderly authors
# SPDX-License-Identifier: BSD-2-Clause
#
# Plays scenarios of a conformance suite.

execute_process(
  COMMAND "${SIM}" conformance "${SUITE}" --only "${ONLY}"
  RESULT_VARIABLE code)
if(NOT code EQUAL 0)
  message(FATAL_ERROR "scenarios ${ONLY} of ${SUITE} are not all met")
endif()
