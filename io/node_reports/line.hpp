// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// One connection to one agent or node daemon, over TLS, which stays open
// between questions. One question at a time. Used on the loop's thread.

#pragma once

#include "io/door/tls.hpp"
#include "io/node_reports/allowance.hpp"
#include "messages/result.hpp"
#include "messages/time.hpp"

#include <functional>
#include <memory>
#include <string>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>

namespace orderly::io::node_reports {

struct line_question {
  std::string target;
  std::string body = {}; ///< it is posted; empty: nothing is, it is only asked
};

struct line_answer {
  unsigned status = 0;
  std::string body;
};

class line {
public:
  using callback = std::function<void(result<line_answer>)>;

  /// `room` is that of all lines of the loop.
  line(boost::asio::io_context& where, std::shared_ptr<allowance> room);
  ~line(); ///< an open question is never answered

  line(const line&) = delete;
  line& operator=(const line&) = delete;

  [[nodiscard]] bool busy() const;

  /// Closes the connection, if no question is open.
  void hang_up();

  /// Asks `what` at `node`. An open connection is used again if it is
  /// to that place and with that side. `done` is called once, never before
  /// this returned, and at the latest after `time_limit`.
  void ask(const boost::asio::ip::tcp::endpoint& node,
           std::shared_ptr<http::tls_side> side, line_question what,
           millis time_limit, callback done);

private:
  class talks;
  std::shared_ptr<talks> talks_;
};

} // namespace orderly::io::node_reports
