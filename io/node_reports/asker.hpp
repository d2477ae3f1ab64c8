// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Asks agents for their reports, and believes them or not. Used by the port,
// on the loop's thread; made and destroyed there, or when the loop has stopped.

#pragma once

#include "io/node_reports/line.hpp"
#include "io/node_reports/papers.hpp"
#include "messages/event.hpp"

#include <functional>
#include <map>
#include <memory>
#include <string>

namespace orderly::io::node_reports {

struct asker_rules {
  std::uint16_t port = 1817;
  std::string folder; ///< of Ganeti's files
  /// Hears of trouble of our own, once until it is another.
  std::function<void(const std::string&)> tell;
};

class asker {
public:
  using callback = std::function<void(diagnosis)>;
  using order_kept = std::function<void(deposit_answer)>;

  asker(boost::asio::io_context& where, asker_rules rules);

  /// `done` is called once, at the latest after the question's limit.
  void ask(const ask_diagnosis& what, callback done);

  /// Gives the order to the node's agent, over a line of its own; likewise.
  void keep_order(const deposit_repair& what, const order_kept& done);

private:
  struct known {
    std::unique_ptr<line> way;
    instant asked = never;
    instant last = never; ///< the time in the last envelope that was believed
  };

  known& known_as(const ask_diagnosis& what, instant now);
  void hang_up(const std::string& uuid);
  void say(const std::string& trouble);
  diagnosis judge(const ask_diagnosis& what, const std::string& salt,
                  const line_answer& got);
  diagnosis believe(const ask_diagnosis& what, const std::string& salt,
                    const std::string& envelope);

  boost::asio::io_context& where_;
  asker_rules rules_;
  papers papers_;
  std::shared_ptr<allowance> room_ = std::make_shared<allowance>();
  std::map<std::string, known> nodes_; ///< by UUID
  std::string trouble_;
};

} // namespace orderly::io::node_reports
