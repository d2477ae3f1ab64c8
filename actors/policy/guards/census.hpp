// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// How many nodes should live, and how many of them are in trouble: what the
// storm guard weighs. A changed node costs its own change, however many others
// there are.

#pragma once

#include "messages/standing.hpp"

#include <cstdint>
#include <map>

namespace orderly {

class census {
public:
  /// What was known of that node is replaced.
  void take(const node_standing& x);

  /// The last standing of that node; null: never heard of.
  [[nodiscard]] const node_standing* find(const node_name& name) const;

  [[nodiscard]] std::uint32_t nodes() const { return nodes_; }

  [[nodiscard]] std::uint32_t troubled() const { return troubled_; }

private:
  std::map<node_name, node_standing> by_name_;
  std::uint32_t nodes_ = 0;
  std::uint32_t troubled_ = 0;
};

} // namespace orderly
