// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/moves/labels.hpp"

#include <algorithm>

namespace orderly::planning {

namespace {

using texts = std::vector<std::string>;

bool begins(const std::string& text, const std::string& with) {
  return text.compare(0, with.size(), with) == 0;
}

/// What follows `key` in the tags that begin with it.
texts values_of(const texts& tags, const std::string& key) {
  texts result;
  for (const auto& t : tags)
    if (begins(t, key))
      result.push_back(t.substr(key.size()));
  return result;
}

texts with_colon(texts prefixes) {
  for (auto& p : prefixes)
    p += ':';
  return prefixes;
}

class numbering {
public:
  int of(const std::string& text) {
    return numbers_.emplace(text, static_cast<int>(numbers_.size()))
      .first->second;
  }

  /// The tags that begin with one of the prefixes.
  label_set chosen(const texts& tags, const texts& prefixes) {
    label_set result;
    for (const auto& t : tags)
      for (const auto& p : prefixes)
        if (begins(t, p)) {
          result.push_back(of(t));
          break;
        }
    return result;
  }

private:
  std::map<std::string, int> numbers_;
};

label_set sorted(label_set x) {
  std::sort(x.begin(), x.end());
  x.erase(std::unique(x.begin(), x.end()), x.end());
  return x;
}

/// `x::y` of htools:allowmigration.
struct allowance {
  std::string from;
  std::string to;
};

std::vector<allowance> allowances_of(const texts& tags) {
  std::vector<allowance> result;
  for (const auto& v : values_of(tags, "htools:allowmigration:")) {
    auto at = v.find("::");
    if (at != std::string::npos)
      result.push_back({v.substr(0, at), v.substr(at + 2)});
  }
  return result;
}

} // namespace

bool contains_all(const label_set& whole, const label_set& part) {
  return std::includes(whole.begin(), whole.end(), part.begin(), part.end());
}

bool has_label(const label_set& set, int x) {
  return std::binary_search(set.begin(), set.end(), x);
}

int common_labels(const label_set& a, const label_set& b) {
  int result = 0;
  for (auto x : a)
    result += has_label(b, x) ? 1 : 0;
  return result;
}

bool labels::may_migrate(int from, int to) const {
  return !any_migration
         || contains_all(accepts[static_cast<std::size_t>(to)],
                         migration[static_cast<std::size_t>(from)]);
}

labels read_labels(const cluster& c, const texts& more) {
  labels result;
  numbering numbers;
  auto exclusion = values_of(c.tags, "htools:iextags:");
  exclusion.insert(exclusion.end(), more.begin(), more.end());
  auto desired = with_colon(values_of(c.tags, "htools:desiredlocation:"));
  auto location = with_colon(values_of(c.tags, "htools:nlocation:"));
  auto migration = with_colon(values_of(c.tags, "htools:migration:"));
  auto allowed = allowances_of(c.tags);
  for (const auto& i : c.instances) {
    result.exclusion.push_back(sorted(numbers.chosen(i.tags, exclusion)));
    result.desired.push_back(sorted(numbers.chosen(i.tags, desired)));
    result.any_location |= !result.desired.back().empty();
  }
  for (const auto& n : c.nodes) {
    result.location.push_back(sorted(numbers.chosen(n.tags, location)));
    result.any_location |= !result.location.back().empty();
    result.migration.push_back(sorted(numbers.chosen(n.tags, migration)));
    result.any_migration |= !result.migration.back().empty();
    auto accepts = result.migration.back();
    for (const auto& a : allowed)
      if (has_label(result.migration.back(), numbers.of(a.to)))
        accepts.push_back(numbers.of(a.from));
    result.accepts.push_back(sorted(std::move(accepts)));
  }
  return result;
}

} // namespace orderly::planning
