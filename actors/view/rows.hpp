// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The rows that a scene is made of. A row is made again only if something of it
// may have changed, and is the old one, at the old address, if nothing did:
// what readers made of it stays good. Used by the view.

#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace orderly {

template <class Row, class Record>
class row_book {
public:
  using row_ptr = std::shared_ptr<const Row>;

  /// Anything may have changed of all of them.
  void doubt_all() { all_ = true; }

  void doubt(const std::string& name) {
    if (!all_)
      some_.insert(name);
  }

  /// A row for each of `records`, which are sorted by name.
  const std::vector<row_ptr>&
  rows(const std::vector<Record>& records,
       const std::function<Row(const Record&)>& make) {
    if (all_)
      remake_all(records, make);
    else
      for (const auto& name : some_)
        remake(records, name, make);
    all_ = false;
    some_.clear();
    return rows_;
  }

private:
  template <class Things, class Name>
  static auto place_of(Things& all, const std::string& wanted, Name name) {
    auto i = std::lower_bound(
      all.begin(), all.end(), wanted,
      [&](const auto& x, const std::string& text) { return name(x) < text; });
    return i != all.end() && name(*i) == wanted ? i : all.end();
  }

  static const std::string& name_of(const row_ptr& x) { return x->name; }

  static row_ptr renewed(const row_ptr& old, Row fresh) {
    return old && *old == fresh ? old
                                : std::make_shared<const Row>(std::move(fresh));
  }

  void remake_all(const std::vector<Record>& records,
                  const std::function<Row(const Record&)>& make) {
    std::vector<row_ptr> fresh;
    fresh.reserve(records.size());
    for (const auto& record : records) {
      auto i = place_of(rows_, record.name, name_of);
      fresh.push_back(renewed(i == rows_.end() ? nullptr : *i, make(record)));
    }
    rows_.swap(fresh);
  }

  void remake(const std::vector<Record>& records, const std::string& name,
              const std::function<Row(const Record&)>& make) {
    auto row = place_of(rows_, name, name_of);
    auto record = place_of(
      records, name, [](const Record& x) -> auto& { return x.name; });
    if (row != rows_.end() && record != records.end())
      *row = renewed(*row, make(*record));
  }

  std::vector<row_ptr> rows_;  ///< by name
  std::set<std::string> some_; ///< in doubt
  bool all_ = true;
};

} // namespace orderly
