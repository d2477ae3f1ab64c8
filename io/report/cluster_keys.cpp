// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/report/cluster_keys.hpp"

namespace orderly::io::report {

namespace {

/// Nor does one that was replaced in what is the future by now.
bool is_over(instant replaced, instant now) {
  return replaced != never
         && (replaced > now || now - replaced >= cluster_keys::old_counts);
}

} // namespace

void cluster_keys::take(const std::string& key, instant now) {
  if (key.empty() || (!kept_.empty() && kept_.front().key == key))
    return;
  std::erase_if(kept_, [&](const entry& x) {
    return x.key == key // it came back
           || is_over(x.replaced, now);
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
    if (!is_over(x.replaced, now))
      result.push_back(x.key);
  return result;
}

} // namespace orderly::io::report
