// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What the outside answers about one host of a timeline, by the names of its
// inputs. A list is used up one call after the other, and its last one stays.

#pragma once

#include <nlohmann/json.hpp>

#include <map>
#include <string>
#include <vector>

namespace orderly::sim::timelines {

using nlohmann::json;

class answers {
public:
  /// The usual ones.
  answers();

  /// One answer or a list of them, which begins anew. Throws
  /// std::invalid_argument if there is no such input, or the list is empty.
  void set(const std::string& name, const json& value);

  /// To this call; the next one gets the one after it.
  json next(const std::string& name);

  /// To the next call.
  [[nodiscard]] const json& shown(const std::string& name) const;

  [[nodiscard]] bool is_on(const std::string& name) const;
  std::string word(const std::string& name);

  /// What is shown under each name.
  [[nodiscard]] json all() const;

private:
  std::map<std::string, std::vector<json>> all_;
};

} // namespace orderly::sim::timelines
