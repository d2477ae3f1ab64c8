// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/ganeti/port.hpp"

#include "io/ganeti/port_actors.hpp"
#include "io/loop/loop.hpp"

#include <caf/actor_system.hpp>

#include <array>

#include <unistd.h>

namespace orderly::io {

namespace {

std::string host_name() {
  std::array<char, 256> name{};
  if (::gethostname(name.data(), name.size() - 1) != 0)
    return {};
  return name.data();
}

} // namespace

std::string own_node(const settings& s) {
  return s.leader.own_node.empty() ? host_name() : s.leader.own_node;
}

ganeti_ports spawn_ganeti_ports(caf::actor_system& system, loop& on,
                                const settings& s,
                                std::function<void(const std::string&)> tell,
                                std::function<millis()> poll_timeout) {
  if (!poll_timeout)
    poll_timeout = [limit = s.cluster.poll_timeout] { return limit; };
  auto own = own_node(s);
  auto jobs = system.spawn(ganeti_job_port, &on, s.cluster.luxi_socket,
                           std::move(poll_timeout));
  auto cluster = system.spawn(ganeti_cluster_port, &on, s.cluster.luxi_socket,
                              std::move(own), jobs, std::move(tell));
  return {cluster, jobs};
}

} // namespace orderly::io
