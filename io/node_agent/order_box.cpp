// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/node_agent/order_box.hpp"

#include "io/files/descriptor.hpp"
#include "io/files/small_file.hpp"
#include "io/ownership/path.hpp"
#include "io/report/digest.hpp"

#include <cerrno>
#include <cstdio>

#include <fmt/format.h>
#include <unistd.h>

namespace orderly::io::node_agent {

namespace {

/// Of the newest ones: a line each.
constexpr std::size_t taken_max = 200;

/// An intent may be any text; its digest is a word.
std::string line_of(const std::string& intent) {
  return report::sha256_hex(intent) + "\n";
}

} // namespace

order_box::order_box(const std::string& folder)
  : kept_at_(folder + "/deposited.json"),
    claimed_at_(folder + "/claimed.json"),
    taken_at_(folder + "/taken") {
  // nop
}

std::string order_box::why_not_ours(const std::string& file) {
  if (auto way = doubt_way(file); !way.text.empty())
    return "others could deposit an order: " + way.text;
  auto itself = doubt_file(file);
  return itself.error == 0 && !itself.text.empty()
           ? "somebody else has deposited an order: " + itself.text
           : std::string{};
}

std::string order_box::claim() const {
  if (auto why = why_not_ours(kept_at_); !why.empty())
    return why;
  if (::rename(kept_at_.c_str(), claimed_at_.c_str()) == 0 || errno == ENOENT)
    return why_not_ours(claimed_at_);
  return fmt::format("cannot rename {} to {}: {}", kept_at_, claimed_at_,
                     system_text());
}

result<std::string> order_box::taken() const {
  auto known = read_small(taken_at_);
  if (!known && known.why().kind == fault_kind::not_found)
    return std::string{};
  return known;
}

std::string order_box::keep(const report::repair_order& what) {
  if (auto why = why_not_ours(kept_at_); !why.empty())
    return why;
  auto known = taken();
  if (!known)
    return known.why().text;
  if (known->find(line_of(what.intent)) != std::string::npos)
    return "it was taken before: no order runs twice";
  return write_small(kept_at_, report::order_text(what));
}

result<report::repair_order> order_box::take(instant now) {
  if (auto why = claim(); !why.empty())
    return fault{fault_kind::refused, why};
  auto text = read_small(claimed_at_, report::order_max);
  if (!text && text.why().kind == fault_kind::not_found)
    return fault{fault_kind::not_found,
                 "no order is deposited at this node, or it was taken before: "
                 "orderlyd gives it to orderly-agent right before its job"};
  if (!text)
    return text.why();
  auto order = report::read_order_text(*text);
  auto known = taken();
  if (!known)
    return known.why();
  auto again
    = order && known->find(line_of(order->intent)) != std::string::npos;
  if (order && !again) {
    auto line = line_of(order->intent);
    auto size = line.size() * (taken_max - 1);
    auto kept
      = known->size() > size ? known->substr(known->size() - size) : *known;
    if (auto why = write_small(taken_at_, kept + line); !why.empty())
      return fault{fault_kind::io, why};
  }
  if (::unlink(claimed_at_.c_str()) != 0)
    return fault{fault_kind::io, fmt::format("cannot remove {}: {}",
                                             claimed_at_, system_text())};
  if (!order)
    return order;
  if (again)
    return fault{
      fault_kind::not_found,
      "the order that is deposited at this node was taken before: no "
      "order runs twice"};
  if (now - order->time > good_for || order->time - now > good_for)
    return fault{fault_kind::refused,
                 fmt::format("the order for '{}' is older than {} min: what "
                             "spoke for it is not known any more",
                             order->command, good_for / minutes{1})};
  return order;
}

} // namespace orderly::io::node_agent
