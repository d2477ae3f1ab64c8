// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/htools/monitors/ask_monitors.hpp"

#include "io/exchange/exchange.hpp"

#include <memory>
#include <string>
#include <utility>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/error.hpp>
#include <fmt/format.h>

namespace orderly::io::htools {

namespace {

namespace asio = boost::asio;
using boost::system::error_code;

constexpr std::uint64_t body_max = 256 * 1024; ///< a line for each CPU

result<std::string> judge(exchange_end x) {
  if (x.why == boost::beast::error::timeout)
    return fault{fault_kind::timed_out, "does not answer in time"};
  if (x.at != exchange_step::answered)
    return fault{fault_kind::unreachable,
                 "cannot be asked: " + x.why.message()};
  if (x.status == 200)
    return std::move(x.body);
  return fault{fault_kind::bad_input, fmt::format("answers HTTP {}", x.status)};
}

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
    exchange(std::make_shared<plain_way>(context_),
             {.host = where.address().to_string(), .target = rules_.path},
             {.places = {where},
              .until = std::chrono::steady_clock::now() + rules_.node_limit,
              .body_max = body_max},
             [this, name](exchange_end x) {
               found_.emplace(name, judge(std::move(x)));
               ask_next();
             });
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
