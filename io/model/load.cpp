// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/model/load.hpp"

namespace orderly::io::model {

namespace {

using namespace planning;

/// Vcpus in use on each node.
std::vector<double> vcpus_in_use(const cluster& c) {
  std::vector<double> result(c.nodes.size());
  for (const auto& x : c.instances)
    if (x.primary >= 0 && is_online(x) && !x.forthcoming)
      result[at(x.primary)] += static_cast<double>(x.vcpus);
  return result;
}

} // namespace

std::vector<node_name> nodes_in_use(const cluster& c) {
  auto vcpus = vcpus_in_use(c);
  std::vector<node_name> result;
  for (std::size_t n = 0; n < c.nodes.size(); ++n)
    if (vcpus[n] > 0)
      result.push_back(c.nodes[n].name);
  return result;
}

void share_load(cluster& c, const std::map<node_name, double>& busy) {
  auto vcpus = vcpus_in_use(c);
  double all_busy = 0;
  double all_vcpus = 0;
  for (std::size_t n = 0; n < c.nodes.size(); ++n) {
    auto found = busy.find(c.nodes[n].name);
    if (found == busy.end() || !(vcpus[n] > 0))
      continue;
    all_busy += found->second;
    all_vcpus += vcpus[n];
  }
  if (!(all_vcpus > 0))
    return;
  for (auto& x : c.instances) {
    auto of_one = all_busy / all_vcpus;
    if (x.primary >= 0 && vcpus[at(x.primary)] > 0) {
      auto found = busy.find(c.nodes[at(x.primary)].name);
      if (found != busy.end())
        of_one = found->second / vcpus[at(x.primary)];
    }
    x.use[load_cpu] = of_one * static_cast<double>(x.vcpus);
  }
}

} // namespace orderly::io::model
