// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What an instance's actor writes down.

#include "actors/instance/parts.hpp"
#include "messages/codes.hpp"

namespace orderly {

std::vector<journal_entry>
instance_parts::rows_of(self_ptr self, std::string why,
                        const std::vector<autorepair::action>& all) {
  const auto& st = self->state;
  auto entry = [&](entry_kind kind, std::string code, std::string text) {
    auto e = entry_about(self, st.ctx, instance_object(st.instance), kind,
                         std::move(code), std::move(text));
    e.incident = st.machine.repair;
    return e;
  };
  auto kind = why.empty() ? entry_kind::note : entry_kind::decision;
  std::vector<journal_entry> rows;
  rows.push_back(entry(kind, to_string(st.machine.phase), std::move(why)));
  for (const auto& x : all)
    if (const auto* what = std::get_if<autorepair::tell>(&x))
      rows.push_back(entry(codes::is_alert(what->code) ? entry_kind::alert
                                                       : entry_kind::decision,
                           what->code, what->text));
  return rows;
}

} // namespace orderly
