// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// One thread that does blocking work in order, so that CAF's shared threads
// never wait for a disk. Owned by the journal port.

#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <thread>

namespace orderly::io {

class worker {
public:
  worker(); ///< starts the thread

  /// Lets the job under way end and drops the others.
  ~worker();

  worker(const worker&) = delete;
  worker& operator=(const worker&) = delete;

  /// Runs `job` after all earlier ones. Jobs do not throw.
  void post(std::function<void()> job);

  /// Runs `job` again and again after so long, between the others.
  void each(std::chrono::milliseconds interval, std::function<void()> job);

private:
  struct queue;

  static void serve(queue& q);

  std::shared_ptr<queue> queue_;
  std::thread thread_;
};

} // namespace orderly::io
