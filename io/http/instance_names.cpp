// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/http/instance_names.hpp"

#include "messages/nearest.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace orderly::io::http {

namespace {

constexpr size_t near_max = 3;

/// Names of `all` that `typed` may have been meant to be.
std::vector<std::string> names_near(const std::string& typed,
                                    const std::vector<instance_row>& all) {
  std::vector<std::string> result;
  std::vector<std::string> alike;
  auto slip = std::max<size_t>(2, typed.size() / 3);
  for (const auto& x : all) {
    if (result.size() < near_max && x.name.rfind(typed, 0) == 0)
      result.push_back(x.name);
    auto bigger = std::max(x.name.size(), typed.size());
    if (bigger - std::min(x.name.size(), typed.size()) <= slip)
      alike.push_back(x.name);
  }
  auto best = nearest(typed, alike);
  if (!best.empty() && result.size() < near_max
      && std::find(result.begin(), result.end(), best) == result.end())
    result.push_back(best);
  return result;
}

} // namespace

const instance_row* only_one(const std::string& typed,
                             const std::vector<instance_row>& all) {
  const instance_row* found = nullptr;
  for (const auto& x : all) {
    if (x.name == typed)
      return &x;
    if (x.name.rfind(typed + ".", 0) != 0)
      continue;
    if (found != nullptr)
      return nullptr;
    found = &x;
  }
  return found;
}

response no_instance(const std::string& name,
                     const std::vector<instance_row>& all) {
  auto answer = fmt::format("there is no instance '{}' in the last reading of "
                            "the cluster",
                            name);
  auto near = names_near(name, all);
  if (!near.empty())
    answer += fmt::format("; did you mean '{}'?", fmt::join(near, "' or '"));
  return error_response(404, "not-found", answer);
}

} // namespace orderly::io::http
