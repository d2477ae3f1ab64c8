// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/loop/loop.hpp"

#include <thread>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>

namespace orderly::io {

struct loop::impl {
  boost::asio::io_context context{1};
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> guard
    = boost::asio::make_work_guard(context);
  std::thread thread;
};

loop::loop() : impl_(std::make_unique<impl>()) {
  impl_->thread = std::thread([x = impl_.get()] { x->context.run(); });
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
