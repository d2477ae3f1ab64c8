// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// File descriptors that are kept for the way in of those who give orders: when
// strangers, probes and helpers have used up all others, a person can still
// say stop. Used by the server.

#pragma once

#include <vector>

namespace orderly::io::http {

class spare_files {
public:
  explicit spare_files(unsigned count) : wanted_(count) { refill(); }

  ~spare_files();

  spare_files(const spare_files&) = delete;
  spare_files& operator=(const spare_files&) = delete;

  /// Gives one back to the system, for whoever asks next; false: none is left.
  bool give();

  /// Takes back what can be had.
  void refill();

private:
  unsigned wanted_;
  std::vector<int> kept_;
};

} // namespace orderly::io::http
