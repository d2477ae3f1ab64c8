// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/report/cluster_keys.hpp"

namespace orderly::io::report {

void cluster_keys::take(const std::string& key, instant now) {
  if (key.empty() || (!kept_.empty() && kept_.front().key == key))
    return;
  std::erase_if(kept_, [&](const entry& x) {
    return x.key == key // it came back
           || (x.replaced != never && now - x.replaced >= old_counts);
  });
  if (!kept_.empty() && kept_.front().replaced == never)
    kept_.front().replaced = now;
  kept_.insert(kept_.begin(), entry{key, never});
  if (kept_.size() > kept_max)
    kept_.pop_back();
}

std::vector<std::string> cluster_keys::at(instant now) const {
  std::vector<std::string> result;
  for (const auto& x : kept_)
    if (x.replaced == never || now - x.replaced < old_counts)
      result.push_back(x.key);
  return result;
}

} // namespace orderly::io::report
