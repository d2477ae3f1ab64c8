// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "sim/timelines/answers.hpp"

#include "sim/timelines/eligible.hpp"

#include <stdexcept>

namespace orderly::sim::timelines {

answers::answers() {
  for (const auto& [key, value] : usual_inputs().items())
    all_[key] = {value};
}

void answers::set(const std::string& name, const json& value) {
  auto i = all_.find(name);
  if (i == all_.end())
    throw std::invalid_argument{"there is no input \"" + name + "\""};
  i->second = value.is_array() ? value.get<std::vector<json>>()
                               : std::vector<json>{value};
  if (i->second.empty())
    throw std::invalid_argument{"input \"" + name + "\" is an empty list"};
}

json answers::next(const std::string& name) {
  auto& mine = all_.at(name);
  auto result = mine.front();
  if (mine.size() > 1)
    mine.erase(mine.begin());
  return result;
}

const json& answers::shown(const std::string& name) const {
  return all_.at(name).front();
}

bool answers::is_on(const std::string& name) const {
  return shown(name).get<bool>();
}

std::string answers::word(const std::string& name) {
  return next(name).get<std::string>();
}

json answers::all() const {
  json result;
  for (const auto& [name, mine] : all_)
    result[name] = mine.front();
  return result;
}

} // namespace orderly::sim::timelines
