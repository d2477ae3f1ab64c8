// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// One connection: reads requests, has them handled, writes the answers, one
// after the other. Every wait has a deadline, which the server looks after.
// Used by the server only; all of it runs on the loop's thread.
//
// With TLS the handshake comes first, while it is idle.
//
//   idle --bytes--> reading --complete--> handling --answer--> writing --> idle
//     |                |                     |                    |
//     +-- too long: close                    +-- too long: 504    +-->
//     lingering
//                      +-- too long, too large, garbage: 4xx ----------^

#pragma once

#include "io/door/limits.hpp"
#include "io/door/message.hpp"

#include <chrono>
#include <memory>

#include <boost/asio/generic/stream_protocol.hpp>

namespace orderly::io::http {

class tls_side;

/// Who is at the other end.
struct peer {
  door_kind through = door_kind::tcp;
  std::uint32_t uid = 0; ///< only of unix sockets
  std::string name;      ///< whose share of the connections this is
};

using steady_time = std::chrono::steady_clock::time_point;

/// What a server has for all of its sessions.
struct session_rules {
  limits bounds;
  handler handle;
  /// An exception ended a session, by its text.
  std::function<void(const std::string&)> failed;
};

/// May one that has shown its certificate stay?
using admission = std::function<bool()>;

class session {
public:
  enum class phase {
    greeting, ///< TLS: it has shown nothing yet
    idle,
    reading,
    handling,
    writing,
    lingering,
    done
  };

  virtual ~session() = default;

  /// Ends it at once, without `closed`.
  virtual void close() = 0;

  /// Does what is due by then.
  virtual void look(steady_time now) = 0;

  [[nodiscard]] virtual phase at() const = 0;

  /// When it began to be as it is.
  [[nodiscard]] virtual steady_time since() const = 0;
};

/// Serves `socket` until it ends, then calls `closed`. To be kept until then.
/// `tls`: what it is served with; null: nothing is hidden. `admitted` is asked
/// once it has shaken hands, and without TLS never.
std::shared_ptr<session>
start_session(boost::asio::generic::stream_protocol::socket socket,
              std::shared_ptr<tls_side> tls, peer who,
              std::shared_ptr<const session_rules> rules,
              std::function<void()> closed, admission admitted);

} // namespace orderly::io::http
