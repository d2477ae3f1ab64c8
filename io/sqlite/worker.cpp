// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/sqlite/worker.hpp"

#include <condition_variable>
#include <csignal>
#include <deque>
#include <mutex>

#include <pthread.h>

namespace orderly::io {

struct worker::queue {
  std::mutex mutex;
  std::condition_variable news;
  std::deque<std::function<void()>> jobs;
  std::function<void()> routine; ///< what `each` was given
  std::chrono::milliseconds interval = std::chrono::hours{1};
  std::chrono::steady_clock::time_point due = std::chrono::steady_clock::now();
  bool stopping = false;
};

worker::worker() : queue_(std::make_shared<queue>()) {
  thread_ = std::thread{[q = queue_] { serve(*q); }};
}

worker::~worker() {
  std::deque<std::function<void()>> dropped;
  {
    std::lock_guard guard{queue_->mutex};
    queue_->stopping = true;
    dropped.swap(queue_->jobs);
  }
  queue_->news.notify_one();
  // A job may hold the last reference to our owner: then we end on our own
  // thread, which cannot wait for itself.
  if (thread_.get_id() == std::this_thread::get_id())
    thread_.detach();
  else
    thread_.join();
}

void worker::post(std::function<void()> job) {
  {
    std::lock_guard guard{queue_->mutex};
    queue_->jobs.push_back(std::move(job));
  }
  queue_->news.notify_one();
}

void worker::each(std::chrono::milliseconds interval,
                  std::function<void()> job) {
  {
    std::lock_guard guard{queue_->mutex};
    queue_->interval = interval;
    queue_->due = std::chrono::steady_clock::now() + interval;
    queue_->routine = std::move(job);
  }
  // It waits for another time.
  post([] {});
}

void worker::serve(queue& q) {
  // Signals are for the main thread.
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, nullptr);
  pthread_setname_np(pthread_self(), "journal");
  for (;;) {
    std::function<void()> job;
    {
      std::unique_lock guard{q.mutex};
      q.news.wait_until(guard, q.due,
                        [&q] { return q.stopping || !q.jobs.empty(); });
      if (q.stopping)
        return;
      if (auto at = std::chrono::steady_clock::now(); at >= q.due) {
        q.due = at + q.interval;
        job = q.routine;
      } else if (!q.jobs.empty()) {
        job = std::move(q.jobs.front());
        q.jobs.pop_front();
      }
    }
    if (job)
      job();
  }
}

} // namespace orderly::io
