// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/loop/loop.hpp"

#include <atomic>
#include <exception>
#include <thread>
#include <utility>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

namespace orderly::io {

struct loop::impl {
  boost::asio::io_context context{1};
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> guard
    = boost::asio::make_work_guard(context);
  loop_rules rules;
  std::atomic<std::uint64_t> failures = 0;
  std::thread thread;

  void serve() {
    pthread_setname_np(pthread_self(), rules.name.substr(0, 15).c_str());
    // Of this thread alone, on Linux.
    if (rules.niceness != 0)
      ::setpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()),
                    rules.niceness);
    // What one handler lets out must not end the others.
    while (!context.stopped()) {
      try {
        context.run();
      } catch (const std::exception& e) {
        note(e.what());
      } catch (...) {
        note("unknown");
      }
    }
  }

  void note(const char* why) {
    ++failures;
    if (rules.failed)
      rules.failed(why);
  }
};

loop::loop(loop_rules rules) : impl_(std::make_unique<impl>()) {
  impl_->rules = std::move(rules);
  impl_->thread = std::thread([x = impl_.get()] { x->serve(); });
}

std::uint64_t loop::failures() const {
  return impl_->failures;
}

loop::~loop() {
  stop();
}

boost::asio::io_context& loop::context() {
  return impl_->context;
}

void loop::post(std::function<void()> work) {
  boost::asio::post(impl_->context, std::move(work));
}

void loop::stop() {
  impl_->guard.reset();
  impl_->context.stop();
  if (impl_->thread.joinable())
    impl_->thread.join();
}

} // namespace orderly::io
