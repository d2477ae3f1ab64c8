// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/htools/tools/plan_json.hpp"

#include "actors/planning/search/net_form.hpp"
#include "io/htools/formats/fields.hpp"
#include "io/htools/formats/json_value.hpp"

#include <fmt/format.h>

namespace orderly::io::htools {

namespace {

using namespace planning;

class writer {
public:
  writer(const told_plan& x, const plan_names& names)
    : x_(x), names_(names), terms_(changes_of(x.before, x.steps, x.rules)) {
    // nop
  }

  std::string steps() const {
    std::vector<std::string> all;
    for (std::size_t k = 0; k < x_.steps.size(); ++k)
      all.push_back(step_text(k));
    return join(all, ',');
  }

  std::string explained(const std::vector<int>& instances) const {
    std::vector<std::string> all;
    for (auto i : instances)
      all.push_back(fmt::format("{{\"instance\":{},\"why\":{}}}", instance(i),
                                json_text(explain_text(x_, i, names_))));
    return join(all, ',');
  }

private:
  std::string instance(int i) const {
    const auto& p = x_.before;
    auto at = p.instance_index[static_cast<std::size_t>(i)];
    return json_text(p.source->instances[static_cast<std::size_t>(at)].name);
  }

  std::string place(planning::place where) const {
    const auto& p = x_.before;
    std::vector<std::string> all;
    for (auto n : {where.primary, where.secondary})
      if (n >= 0) {
        auto at = p.node_index[static_cast<std::size_t>(n)];
        all.push_back(
          json_text(p.source->nodes[static_cast<std::size_t>(at)].name));
      }
    return join(all, ',');
  }

  std::string step_text(std::size_t k) const {
    const auto& s = x_.steps[k];
    std::vector<std::string> terms;
    for (const auto& t : terms_[k])
      terms.push_back(fmt::format("{}:{}", json_text(t.name),
                                  json_number(t.after - t.before)));
    return fmt::format(
      "{{\"instance\":{},\"from\":[{}],\"to\":[{}],\"moves\":{},\"score\":{},"
      "\"cost\":{},\"terms\":{{{}}}}}",
      instance(s.what.instance), place(s.from), place(s.to),
      json_text(moves_text(s.what, names_)), json_number(s.score),
      json_number(cost_of(x_.before, s.what)), join(terms, ','));
  }

  const told_plan& x_;
  const plan_names& names_;
  std::vector<std::vector<term_change>> terms_;
};

std::string sets_text(const std::vector<std::vector<std::size_t>>& sets) {
  std::vector<std::string> all;
  for (const auto& set : sets) {
    std::vector<std::string> numbers;
    for (auto k : set)
      numbers.push_back(std::to_string(k));
    all.push_back("[" + join(numbers, ',') + "]");
  }
  return join(all, ',');
}

} // namespace

std::string plan_json(const told_plan& x, const searched& how,
                      const plan_names& names,
                      const std::vector<int>& explained) {
  writer w{x, names};
  return fmt::format(
    "{{\"nodes\":{},\"instances\":{},\"search\":\"{}\","
    "\"initial\":{},\"final\":{},\"lowest\":{},\"cut\":{},"
    "\"steps\":[{}],\"job_sets\":[{}],\"explained\":[{}]}}\n",
    x.before.node_count(), x.before.instance_count(),
    how.exact ? "exact" : "fast", json_number(how.found.initial),
    json_number(how.found.final), json_number(how.found.lowest), how.cut,
    w.steps(), sets_text(sets_of(how)), w.explained(explained));
}

} // namespace orderly::io::htools
