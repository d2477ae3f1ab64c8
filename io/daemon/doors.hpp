// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// All ways in, and the threads behind them: open before there is a tree, for
// whoever comes first has the place; and away from the thread that looks after
// nodes, so that a crowd of readers keeps nobody else waiting.

#pragma once

#include "actors/policy/settings/settings.hpp"
#include "io/daemon/alerts.hpp"
#include "io/daemon/gate.hpp"
#include "io/daemon/room.hpp"
#include "io/door/server.hpp"
#include "io/loop/loop.hpp"

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace orderly {

class doors {
public:
  /// `inherited`: sockets that somebody opened for us.
  doors(const settings& rules, std::vector<int> inherited,
        std::shared_ptr<alerts> tells, std::shared_ptr<free_room> room);

  /// Empty, or why none of it can ever work.
  std::string open();

  /// There is somebody behind them now.
  void connect(gate_actor gate, context_ptr ctx);

  /// Nobody comes in any more.
  void close();

  /// Where: "http://127.0.0.1:1816/ and /run/orderly/orderly.sock".
  [[nodiscard]] std::string places() const;

private:
  void hear(const io::http::door_standing& x);
  void hear_failure(const std::string& why);
  std::string metrics() const;
  [[nodiscard]] settings_ptr in_force() const;
  std::shared_ptr<const io::http::audience> audience_now();

  const settings rules_;
  std::vector<int> inherited_;
  std::shared_ptr<alerts> alerts_;
  std::shared_ptr<free_room> room_;
  std::shared_ptr<gate_way> way_ = std::make_shared<gate_way>();
  mutable std::mutex mutex_;
  context_ptr ctx_;     ///< of whoever is behind them; null: nobody yet
  settings_ptr heeded_; ///< those that `audience_` was made of
  std::shared_ptr<const io::http::audience> audience_;
  std::map<io::http::door_kind, bool> open_;
  std::uint64_t failures_ = 0;
  io::loop kitchen_;
  io::loop loop_;
  std::unique_ptr<io::http::server> server_;
};

/// How other machines could read here, a sentence; empty: they cannot.
std::string exposure_of(const settings& rules);

} // namespace orderly
