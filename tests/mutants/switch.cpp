// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "tests/mutants/switch.hpp"

#include <random>
#include <utility>

namespace orderly::mutants {

namespace {

std::set<std::string> active;
std::set<std::string> reached;

} // namespace

bool on(const std::string& name) {
  // Almost always nothing is on, and this is asked very often.
  if (active.empty() || active.count(name) == 0)
    return false;
  reached.insert(name);
  return true;
}

std::uint64_t real_chance() {
  std::random_device source;
  return source();
}

defects::defects(std::set<std::string> names) {
  active = std::move(names);
  reached.clear();
}

defects::~defects() {
  active.clear();
}

std::set<std::string> defects::unreached() const {
  std::set<std::string> result;
  for (const auto& name : active)
    if (reached.count(name) == 0)
      result.insert(name);
  return result;
}

} // namespace orderly::mutants
