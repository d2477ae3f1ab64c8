// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// One HTTP question and its answer, over TCP or over TLS, on an open way or one
// that is opened first. Used by all who ask monitors, agents, node daemons and
// Ganeti's remote API. A status is an answer, whatever it is: no redirection is
// followed.

#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/system/error_code.hpp>

namespace orderly::io {

using plain_way = boost::beast::tcp_stream;
using tls_way = boost::asio::ssl::stream<boost::beast::tcp_stream>;

struct exchange_question {
  std::string host;
  std::string target = "/";
  std::string body = {}; ///< it is posted; empty: nothing is, it is only asked
  std::string accept = {};
  std::string authorization = {};
  bool keep_open = false; ///< for another question; else the way is closed
};

struct exchange_rules {
  /// Where to connect to, the first that takes it; empty: the way is open.
  std::vector<boost::asio::ip::tcp::endpoint> places = {};
  std::chrono::steady_clock::time_point until = {}; ///< for all of it
  std::uint32_t head_max = 8192;
  std::uint64_t body_max = 0;
  /// Hears what the answer holds of memory as it grows; false: it is too much.
  std::function<bool(std::size_t)> room = {};
};

enum class exchange_step {
  connecting,
  greeting, ///< TLS
  asking,
  hearing,
  answered,
};

/// How it ended: answered, or where and why not. Why is
/// `beast::error::timeout` if it was too late, `http::error::body_limit` or
/// `header_limit` if it was too long, and not enough memory if there was no
/// room.
struct exchange_end {
  exchange_step at = exchange_step::connecting;
  boost::system::error_code why = {};
  unsigned status = 0;
  std::string body = {};
  bool open = false; ///< the way is, for another question
};

/// Ends the exchange: `done` is not called any more, and the way is closed.
using exchange_stopper = std::function<void()>;

using exchange_callback = std::function<void(exchange_end)>;

/// `done` is called once, on the way's loop, never before this returned. Unless
/// the end says so the way is closed by then.
exchange_stopper exchange(std::shared_ptr<plain_way> way,
                          exchange_question what, exchange_rules rules,
                          exchange_callback done);
exchange_stopper exchange(std::shared_ptr<tls_way> way, exchange_question what,
                          exchange_rules rules, exchange_callback done);

} // namespace orderly::io
