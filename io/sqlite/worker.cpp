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
  std::function<void()> when_idle;
  std::chrono::milliseconds idle = std::chrono::hours{1};
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

void worker::when_idle(std::chrono::milliseconds idle,
                       std::function<void()> job) {
  {
    std::lock_guard guard{queue_->mutex};
    queue_->idle = idle;
    queue_->when_idle = std::move(job);
  }
  // Its wait began with another one.
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
      auto called = q.news.wait_for(
        guard, q.idle, [&q] { return q.stopping || !q.jobs.empty(); });
      if (q.stopping)
        return;
      job = called ? std::move(q.jobs.front()) : q.when_idle;
      if (called)
        q.jobs.pop_front();
    }
    if (job)
      job();
  }
}

} // namespace orderly::io
