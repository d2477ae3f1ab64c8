// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/htools/jobs/stop_signals.hpp"

#include <string_view>

#include <unistd.h>

namespace orderly::io::htools {

namespace {

// A handler reaches nothing else.
volatile std::sig_atomic_t wanted = 0;
volatile std::sig_atomic_t write_to = -1;

void tell(std::string_view text) {
  [[maybe_unused]] auto done = ::write(write_to, text.data(), text.size());
}

void on_interrupt(int) {
  wanted = 1;
  tell("Cancel request registered, will exit at the end of the current job "
       "set...\n");
}

void on_terminate(int) {
  tell("Double cancel request, exiting now...\n");
  ::_exit(2);
}

} // namespace

stop_signals::stop_signals(int descriptor) {
  wanted = 0;
  write_to = descriptor;

  struct sigaction action {};

  action.sa_flags = SA_RESTART;
  action.sa_handler = &on_interrupt;
  ::sigaction(SIGINT, &action, &old_int_);
  action.sa_handler = &on_terminate;
  ::sigaction(SIGTERM, &action, &old_term_);
}

stop_signals::~stop_signals() {
  ::sigaction(SIGINT, &old_int_, nullptr);
  ::sigaction(SIGTERM, &old_term_, nullptr);
}

bool stop_signals::is_stop_wanted() const {
  return wanted != 0;
}

} // namespace orderly::io::htools
