// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/htools/hail/all_groups.hpp"

#include "io/htools/formats/fields.hpp"
#include "io/htools/formats/json_value.hpp"
#include "io/htools/hail/text.hpp"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

namespace orderly::io::htools {

namespace {

using namespace planning;

struct row {
  int group = -1;
  const allocation* best = nullptr; ///< none: see why
  std::string why;
};

class listing {
public:
  listing(const placement& p, const group_choice& x, int instance)
    : p_(p), x_(x), disks_(spec_of(p, instance).disks) {
    // nop
  }

  std::string text() {
    for (std::size_t g = 0; g < p_.source->groups.size(); ++g)
      if (has_storage(static_cast<int>(g)))
        rows_.push_back(row_of(static_cast<int>(g)));
    // Of equals the last one wins, as where hail chooses.
    std::reverse(rows_.begin(), rows_.end());
    std::stable_sort(
      rows_.begin(), rows_.end(),
      [this](const row& a, const row& b) { return comes_before(a, b); });
    std::vector<std::string> all;
    for (const auto& r : rows_)
      all.push_back(shown_row(r));
    return "[" + join(all, ',') + "]";
  }

private:
  const node_group& group(int g) const { return p_.source->groups[at(g)]; }

  bool has_storage(int g) const {
    const auto& good = group(g).policy.templates;
    return std::find(good.begin(), good.end(), disks_) != good.end();
  }

  row row_of(int g) const {
    row r{g, nullptr, "it has no nodes"};
    for (auto u : x_.unconnected)
      if (u == g)
        r.why = "it is not connected to a network of the instance";
    for (const auto& t : x_.tried) {
      if (t.group != g)
        continue;
      r.best = t.found.best ? &*t.found.best : nullptr;
      r.why = t.error.empty() ? describe(p_, t.found) : t.error;
    }
    return r;
  }

  bool comes_before(const row& a, const row& b) const {
    auto policy = [this](const row& r) { return group(r.group).allocation; };
    if (policy(a) != policy(b))
      return policy(a) < policy(b);
    if (!a.best || !b.best)
      return a.best && !b.best;
    return std::tie(a.best->lost, a.best->score)
           < std::tie(b.best->lost, b.best->score);
  }

  std::string shown_row(const row& r) const {
    auto begin = fmt::format("{{\"group\":{},\"uuid\":{},\"policy\":\"{}\"",
                             json_text(group(r.group).name),
                             json_text(group(r.group).uuid),
                             name_of(group(r.group).allocation));
    if (!r.best)
      return fmt::format("{},\"why\":{}}}", begin, json_text(r.why));
    // Dedicated nodes are judged by what is lost, which is no one number.
    auto score = r.best->lost ? "null" : json_number(r.best->score);
    return fmt::format("{},\"score\":{},\"nodes\":{}}}", begin, score,
                       text_list(node_names(p_, r.best->what.where)));
  }

  const placement& p_;
  const group_choice& x_;
  disk_template disks_;
  std::vector<row> rows_;
};

} // namespace

std::string all_groups(const placement& p, const group_choice& x,
                       int instance) {
  return listing{p, x, instance}.text();
}

} // namespace orderly::io::htools
