// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The agent as a whole: collectors on a shelf, and a door at which they are
// asked for. Paths are those of Ganeti's monitor; with `?rsalt=SALT` the answer
// comes in an envelope, and `&node=UUID` says whom the asker believes to ask.

#pragma once

#include "io/loop/loop.hpp"
#include "io/node_agent/settings.hpp"

#include <functional>
#include <memory>
#include <string>

namespace orderly::io::node_agent {

class agent {
public:
  /// `tell` hears what a person should know, on the loop's thread or within
  /// this call. Fails where a restart would not help.
  static result<std::unique_ptr<agent>>
  start(loop& on, const agent_settings& s,
        std::function<void(const std::string&)> tell);

  /// After the loop has stopped.
  ~agent();

  agent(const agent&) = delete;
  agent& operator=(const agent&) = delete;

  /// Other settings, of which what is settled is as it was. On the loop's
  /// thread.
  void take(const agent_settings& s);

  /// The port that is really listened on.
  [[nodiscard]] std::uint16_t port() const;

  /// Of its own key.
  [[nodiscard]] std::string fingerprint() const;

private:
  struct impl;
  explicit agent(std::shared_ptr<impl> x);
  std::shared_ptr<impl> impl_;
};

} // namespace orderly::io::node_agent
