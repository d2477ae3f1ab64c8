// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// How a port actor asks luxid: a question gets a ticket, the reply comes back
// to the actor as a message, and what is to be done with it runs there, in
// the actor's own handler. Used by the two ports of this folder.
//
//   actor --ask--> luxi_client --(loop's thread)--> luxi_done --> actor: done

#pragma once

#include "io/ganeti/decode.hpp"
#include "io/ganeti/luxi_client.hpp"
#include "messages/protocol/ports.hpp"

#include <caf/actor_addr.hpp>
#include <caf/actor_cast.hpp>
#include <caf/send.hpp>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>

namespace orderly::io {

/// The reply to the question with that ticket.
struct luxi_done {
  std::uint64_t ticket = 0;
  std::shared_ptr<const result<std::string>> reply;
};

/// The cluster's newest picture, for the job port.
struct picture_seen {
  cluster_picture picture;
};

using cluster_port_actor = cluster_port::extend<caf::reacts_to<luxi_done>>;
using job_port_actor
  = job_port::extend<caf::reacts_to<luxi_done>, caf::reacts_to<picture_seen>>;

/// Part of a port actor's state.
class asking {
public:
  using reply_function = std::function<void(const result<std::string>&)>;

  /// Replies go to `self`, as long as it lives.
  template <class Self>
  void start(Self* self) {
    using handle = typename Self::actor_hdl;
    // Weak: an open question does not keep the port alive.
    send_ = [to = self->address()](luxi_done reply) {
      if (auto port = caf::actor_cast<handle>(to))
        caf::anon_send(port, std::move(reply));
    };
  }

  /// `then` runs in the actor once it passes the reply to `done`.
  void ask(luxi_client& client, const luxi_question& question,
           millis time_limit, reply_function then);

  void done(const luxi_done& reply);

private:
  std::function<void(luxi_done)> send_;
  std::uint64_t last_ticket_ = 0;
  std::map<std::uint64_t, reply_function> open_;
};

} // namespace orderly::io

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::io::luxi_done)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::io::picture_seen)
