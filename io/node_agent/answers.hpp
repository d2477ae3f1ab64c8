// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What the agent says to whom: the request that its door has read, and what it
// gets. Used on the loop's thread.

#pragma once

#include "io/door/message.hpp"
#include "io/node_agent/credentials.hpp"
#include "io/node_agent/identity.hpp"
#include "io/node_agent/order_box.hpp"
#include "io/node_agent/settings.hpp"
#include "io/node_agent/shelf.hpp"
#include "io/report/node_key.hpp"

#include <functional>
#include <map>
#include <optional>
#include <string>

namespace orderly::io::node_agent {

class answers {
public:
  /// `tell` hears what a person should know.
  answers(loop& on, const agent_settings& s, report::node_key key,
          std::function<void(const std::string&)> tell);

  http::response answer(const http::request& x);

  /// Other settings, of which what is settled is as it was.
  void take(const agent_settings& s);

  [[nodiscard]] shelf& seen() { return seen_; }

  [[nodiscard]] credentials& papers() { return papers_; }

  [[nodiscard]] const report::node_key& key() const { return key_; }

private:
  /// Keeps an order for the node's repair command. Only a master candidate with
  /// the cluster's key gives one.
  http::response keep_order(const http::request& x);

  [[nodiscard]] std::optional<std::string>
  report_at(const std::string& rest) const;

  http::response sealed(std::string report,
                        const std::map<std::string, std::string>& query);

  agent_settings rules_;
  report::node_key key_;
  std::function<void(const std::string&)> tell_;
  credentials papers_;
  identity self_;
  order_box kept_;
  shelf seen_;
};

} // namespace orderly::io::node_agent
