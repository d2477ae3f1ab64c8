// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/http/answer_limit.hpp"

#include <atomic>

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

namespace orderly::io::http {

struct first_only::state {
  std::atomic<bool> claimed = false;
};

first_only::first_only() : state_(std::make_shared<state>()) {
  // nop
}

bool first_only::claim() const {
  return !state_->claimed.exchange(true);
}

std::function<void()> set_limit(loop& on, millis limit, first_only first,
                                std::function<void()> expired) {
  auto timer = std::make_shared<boost::asio::steady_timer>(on.context());
  on.post([timer, limit, first, expired = std::move(expired)] {
    timer->expires_after(limit);
    timer->async_wait(
      [timer, first, expired](const boost::system::error_code& e) {
        if (!e && first.claim())
          expired();
      });
  });
  std::weak_ptr<boost::asio::steady_timer> weak = timer;
  return [&on, weak] {
    on.post([weak] {
      if (auto x = weak.lock())
        x->cancel();
    });
  };
}

} // namespace orderly::io::http
