// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What the settings of the cluster are, as the person sees them who is about to
// set one.

#include "actors/desk/errands.hpp"
#include "actors/policy/base/utc.hpp"
#include "actors/policy/settings/cluster_settings.hpp"

#include <fmt/format.h>

namespace orderly::desk_parts {

namespace {

constexpr const char* origin_of(bool by_tag, bool by_file) {
  return by_tag ? "tag" : by_file ? "file" : "default";
}

errand_row row_of(const cluster_setting& x, const settings& in_force,
                  const settings& file, const setting_texts& tagged) {
  errand_row row;
  row.object = x.key;
  row.kind = row_kind::setting;
  row.state = row_state::done;
  row.text = setting_text(in_force, x.key);
  row.built_in = setting_text(settings{}, x.key);
  row.step = origin_of(tagged.count(x.key) > 0,
                       setting_text(file, x.key) != row.built_in);
  return row;
}

} // namespace

errand_sheet list_settings(self_ptr self, const errand_request& asked) {
  auto& st = self->state;
  auto at = now(self, st.ctx);
  if (!st.picture)
    return errand::sheet_of(errand::refusal{"the cluster was not read yet; ask "
                                            "again in a moment",
                                            refused_for::state},
                            asked, at);
  errand::state s;
  s.asked = asked;
  s.began = s.ended = at;
  auto sheet = errand::sheet_of(s, {});
  auto rules = st.ctx->rules();
  auto file = st.ctx->of_file();
  auto tagged = st.ctx->of_cluster();
  for (const auto& x : cluster_settings())
    sheet.rows.push_back(row_of(x, *rules, *file, tagged));
  for (const auto& x :
       read_setting_tags(st.picture->tags, *file, tagged).unheeded)
    sheet.remarks.push_back(
      fmt::format("the tag {} is not heeded: it {}", x.tag, x.why));
  if (at - st.read_at > rules->cluster.picture_max_age)
    sheet.remarks.push_back(
      fmt::format("the cluster was read last at {}: its tags may be others by "
                  "now",
                  utc_text(st.read_at)));
  return sheet;
}

} // namespace orderly::desk_parts
