// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/policy/guards/vote.hpp"

#include "messages/host_name.hpp"

#include <fmt/format.h>

namespace orderly {

start_verdict by_own_record(const node_name& self, const node_name& master) {
  if (is_same_host(self, master))
    return {start_step::go, {}};
  return {start_step::leave,
          fmt::format("{} is not the master, {} is", self, master)};
}

start_verdict by_vote(const node_name& self,
                      const std::vector<node_name>& nodes, const ballots& said,
                      std::uint32_t repeats) {
  std::size_t ours = 0;
  std::size_t silent = 0;
  for (const auto& name : nodes) {
    auto i = said.find(name);
    silent += i == said.end() ? 1 : 0;
    ours += i != said.end() && is_same_host(self, i->second) ? 1 : 0;
  }
  auto count
    = fmt::format("{} of {} nodes name {} as the master, {} are silent", ours,
                  nodes.size(), self, silent);
  if (2 * ours > nodes.size())
    return {start_step::go, std::move(count)};
  if (2 * (ours + silent) > nodes.size() && repeats < vote_repeats)
    return {start_step::ask_again, std::move(count)};
  return {start_step::leave, std::move(count)};
}

} // namespace orderly
