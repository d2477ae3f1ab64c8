// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/node_reports/line.hpp"

#include "io/exchange/exchange.hpp"
#include "io/report/envelope.hpp"

#include <utility>

#include <boost/beast/core/error.hpp>
#include <boost/beast/http/error.hpp>

namespace orderly::io::node_reports {

namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
using boost::system::error_code;

fault failed(const exchange_end& x) {
  auto say = [&x](const char* what) {
    return fault{fault_kind::unreachable, what + x.why.message()};
  };
  switch (x.at) {
  case exchange_step::connecting:
    return say("cannot be reached: ");
  case exchange_step::greeting:
    return say("does not take us, or is not of this cluster: ");
  case exchange_step::asking:
    return say("cannot be asked: ");
  default:
    return say("ends the connection: ");
  }
}

} // namespace

class line::talks : public std::enable_shared_from_this<talks> {
public:
  talks(asio::io_context& where, std::shared_ptr<allowance> room)
    : where_(where), room_(std::move(room)) {
    // nop
  }

  [[nodiscard]] bool busy() const { return static_cast<bool>(done_); }

  void start(const asio::ip::tcp::endpoint& node,
             std::shared_ptr<http::tls_side> side, line_question what,
             millis time_limit, callback done) {
    done_ = std::move(done);
    what_ = std::move(what);
    until_ = std::chrono::steady_clock::now() + time_limit;
    if (node != node_ || side != side_)
      close();
    node_ = node;
    side_ = std::move(side);
    ask();
  }

  /// Nobody wants an answer any more.
  void stop() {
    done_ = nullptr;
    if (stopper_)
      stopper_();
    close();
  }

  void close() {
    if (auto old = std::exchange(way_, nullptr))
      beast::get_lowest_layer(*old).close();
  }

private:
  void ask() {
    used_ = way_ != nullptr;
    exchange_rules rules{.until = until_, .body_max = report::envelope_max};
    if (!used_) {
      way_ = std::make_shared<tls_way>(where_, side_->context());
      rules.places = {node_};
    }
    auto held = std::make_shared<allowance::share>(room_);
    rules.room = [held](std::size_t bytes) { return held->grow_to(bytes); };
    stopper_
      = exchange(way_,
                 {.host = node_.address().to_string(),
                  .target = what_.target,
                  .body = what_.body,
                  .keep_open = true},
                 std::move(rules), [self = shared_from_this()](exchange_end x) {
                   self->hear(std::move(x));
                 });
  }

  void hear(exchange_end x) {
    if (!x.open)
      close();
    if (x.at == exchange_step::answered)
      return end(line_answer{x.status, std::move(x.body)});
    if (x.why == beast::error::timeout)
      return end(fault{fault_kind::timed_out, "does not answer in time"});
    if (x.why == boost::system::errc::not_enough_memory)
      return end(
        fault{fault_kind::bad_input,
              "answers more than there is room for beside other nodes"});
    if (x.why == beast::http::error::body_limit)
      return end(fault{fault_kind::bad_input, "answers too much"});
    // A line that was open may have been closed while nobody looked.
    if (used_)
      return ask();
    end(failed(x));
  }

  void end(result<line_answer> x) {
    std::exchange(done_, nullptr)(std::move(x));
  }

  asio::io_context& where_;
  std::shared_ptr<allowance> room_;
  std::shared_ptr<http::tls_side> side_;
  std::shared_ptr<tls_way> way_; ///< open, or on its way to that
  asio::ip::tcp::endpoint node_;
  line_question what_;
  std::chrono::steady_clock::time_point until_;
  exchange_stopper stopper_;
  callback done_;
  bool used_ = false; ///< the line was open before this question
};

line::line(asio::io_context& where, std::shared_ptr<allowance> room)
  : talks_(std::make_shared<talks>(where, std::move(room))) {
  // nop
}

line::~line() {
  talks_->stop();
}

void line::hang_up() {
  if (!busy())
    talks_->close();
}

bool line::busy() const {
  return talks_->busy();
}

void line::ask(const asio::ip::tcp::endpoint& node,
               std::shared_ptr<http::tls_side> side, line_question what,
               millis time_limit, callback done) {
  talks_->start(node, std::move(side), std::move(what), time_limit,
                std::move(done));
}

} // namespace orderly::io::node_reports
