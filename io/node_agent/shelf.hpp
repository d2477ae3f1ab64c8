// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Has each collector look on its own clock, and keeps what it saw last. Who
// asks gets that, with its age, and waits for nothing. All of it runs on the
// loop's thread.

#pragma once

#include "io/loop/loop.hpp"
#include "io/node_agent/collector.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace orderly::io::node_agent {

class shelf {
public:
  explicit shelf(loop& on);
  ~shelf();

  shelf(const shelf&) = delete;
  shelf& operator=(const shelf&) = delete;

  /// It has its first look at once.
  void add(std::unique_ptr<collector> x);

  /// Other settings; whom they concern looks at once, or right after the look
  /// that is under way.
  void take(const agent_settings& s);

  /// `[[NAME, CATEGORY, KIND], ...]`.
  [[nodiscard]] std::string list() const;

  /// The report of one; nothing: there is no such collector.
  [[nodiscard]] std::optional<std::string>
  report(const std::string& category, const std::string& name) const;

  /// All of them in a list.
  [[nodiscard]] std::string all() const;

private:
  struct row;

  loop& on_;
  std::vector<std::shared_ptr<row>> rows_;
};

} // namespace orderly::io::node_agent
