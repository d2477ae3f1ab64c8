// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/ganeti/trouble_talk.hpp"

#include <utility>

namespace orderly::io {

std::string trouble_talk::after(const std::string& trouble, time_point at) {
  if (trouble.empty()) {
    troubled_ = false;
    return std::exchange(told_, false) ? "the cluster is read again"
                                       : std::string{};
  }
  if (std::exchange(troubled_, true) || (last_ && at - *last_ < silent_for))
    return {};
  last_ = at;
  told_ = true;
  return "the cluster cannot be read: " + trouble;
}

} // namespace orderly::io
