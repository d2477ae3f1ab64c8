// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/htools/monitors/ask_monitors.hpp"

#include "io/loop/answer_head.hpp"

#include <functional>
#include <memory>
#include <string>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/http/write.hpp>
#include <fmt/format.h>

namespace orderly::io::htools {

namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace web = boost::beast::http;
using boost::system::error_code;

constexpr std::uint32_t header_max = 8192;
constexpr std::uint64_t body_max = 256 * 1024; ///< a line for each CPU

using report_callback = std::function<void(result<std::string>)>;

/// One question and its answer; kept alive by its handlers.
class exchange : public std::enable_shared_from_this<exchange> {
public:
  exchange(asio::io_context& where, report_callback done)
    : stream_(where), done_(std::move(done)) {
    // nop
  }

  void start(const asio::ip::tcp::endpoint& node, const std::string& path,
             std::chrono::milliseconds time_limit) {
    request_.method(web::verb::get);
    request_.target(path);
    request_.version(11);
    request_.set(web::field::host, node.address().to_string());
    request_.set(web::field::connection, "close");
    answer_.header_limit(header_max);
    answer_.body_limit(body_max);
    stream_.expires_after(time_limit); // for all that follows
    stream_.async_connect(node, [self = shared_from_this()](error_code x) {
      if (x)
        self->fail(x);
      else
        self->ask();
    });
  }

private:
  void ask() {
    web::async_write(stream_, request_,
                     [self = shared_from_this()](error_code x, std::size_t) {
                       if (x)
                         self->fail(x);
                       else
                         self->listen();
                     });
  }

  void listen() {
    read_answer_head(stream_, buffer_, answer_, header_max,
                     [self = shared_from_this()](error_code x) {
                       if (x)
                         self->fail(x);
                       else
                         self->read_on();
                     });
  }

  void read_on() {
    web::async_read(stream_, buffer_, answer_,
                    [self = shared_from_this()](error_code x, std::size_t) {
                      if (x)
                        self->fail(x);
                      else
                        self->end(self->judge());
                    });
  }

  [[nodiscard]] result<std::string> judge() const {
    const auto& got = answer_.get();
    if (got.result() == web::status::ok)
      return got.body();
    return fault{fault_kind::bad_input,
                 fmt::format("answers HTTP {}", got.result_int())};
  }

  void fail(const error_code& x) {
    auto late = x == beast::error::timeout;
    end(fault{late ? fault_kind::timed_out : fault_kind::unreachable,
              late ? std::string{"does not answer in time"}
                   : "cannot be asked: " + x.message()});
  }

  void end(result<std::string> x) {
    stream_.close();
    done_(std::move(x));
  }

  beast::tcp_stream stream_;
  report_callback done_;
  web::request<web::empty_body> request_;
  web::response_parser<web::string_body> answer_;
  beast::flat_buffer buffer_{header_max + body_max};
};

/// All questions: so many under way, the others in line.
class round {
public:
  round(const std::vector<live_node>& nodes, const monitor_rules& rules)
    : nodes_(nodes), rules_(rules) {
    // nop
  }

  std::map<node_name, result<std::string>> run() {
    auto end = std::chrono::steady_clock::now() + rules_.time_limit;
    for (std::size_t i = 0; i < rules_.parallel_max; ++i)
      ask_next();
    context_.run_until(end);
    for (const auto& node : nodes_)
      found_.emplace(node.name, fault{fault_kind::timed_out,
                                      "was not waited for: the time is up"});
    return std::move(found_);
  }

private:
  void ask_next() {
    while (next_ < nodes_.size()) {
      const auto& node = nodes_[next_++];
      error_code problem;
      auto address = asio::ip::make_address(node.address, problem);
      if (problem && rules_.by_name) {
        look_up(node);
        return;
      }
      // The unspecified address would lead to ourselves.
      if (problem || address.is_unspecified() || address.is_multicast()) {
        found_.emplace(
          node.name,
          fault{
            fault_kind::bad_input,
            fmt::format("cannot be asked: '{}' is not the IP address of a node",
                        node.address)});
        continue;
      }
      ask(node.name, {address, rules_.port});
      return;
    }
  }

  void ask(const node_name& name, const asio::ip::tcp::endpoint& where) {
    auto done = [this, name](result<std::string> x) {
      found_.emplace(name, std::move(x));
      ask_next();
    };
    std::make_shared<exchange>(context_, std::move(done))
      ->start(where, rules_.path, rules_.node_limit);
  }

  void look_up(const live_node& node) {
    names_.async_resolve(
      node.address, std::to_string(rules_.port),
      [this, name = node.name](error_code x, const auto& found) {
        if (!x && !found.empty()) {
          ask(name, found.begin()->endpoint());
          return;
        }
        found_.emplace(name, fault{fault_kind::unreachable,
                                   "cannot be asked: " + x.message()});
        ask_next();
      });
  }

  const std::vector<live_node>& nodes_;
  const monitor_rules& rules_;
  std::size_t next_ = 0;
  std::map<node_name, result<std::string>> found_;
  asio::io_context context_{1}; ///< goes first, with what is under way
  asio::ip::tcp::resolver names_{context_};
};

} // namespace

std::map<node_name, result<std::string>>
ask_monitors(const std::vector<live_node>& nodes, const monitor_rules& rules) {
  return round{nodes, rules}.run();
}

} // namespace orderly::io::htools
