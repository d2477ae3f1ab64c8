// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/cluster/tagged_settings.hpp"

#include "actors/policy/settings/cluster_settings.hpp"
#include "messages/codes.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace orderly {

namespace {

/// More are one and the same mistake.
constexpr std::size_t told_max = 20;

/// From which of the two a value is.
std::string source_of(const setting_texts& tagged, const std::string& key) {
  auto i = tagged.find(key);
  return i == tagged.end() ? "as its tag is gone, by the settings file"
                           : fmt::format("by the tag {} of the cluster",
                                         setting_tag(key, i->second));
}

void tell_change(cluster_self self, const settings& was, const settings& is,
                 const setting_texts& tagged) {
  auto& st = self->state;
  for (const auto& x : cluster_settings()) {
    auto before = setting_text(was, x.key);
    auto after = setting_text(is, x.key);
    if (before != after)
      record(
        self, st.peers.of_nodes.journal,
        entry_about(self, st.ctx, whole_cluster, entry_kind::decision,
                    codes::setting,
                    fmt::format("{} is {} from now on, {}; it was {}", x.key,
                                after, source_of(tagged, x.key), before)));
  }
}

std::string text_about(const unheeded_tag& x) {
  return fmt::format("the tag {} of the cluster is not heeded, and what was in "
                     "force stays: it {}; set it right with 'orderly cluster "
                     "set', or remove it with 'gnt-cluster remove-tags {}'",
                     x.tag, x.why, x.tag);
}

/// While one tag takes the place of another both are there for a moment.
void tell_unheeded(cluster_self self, const std::vector<unheeded_tag>& all) {
  auto& st = self->state;
  auto& seen = st.settings_seen;
  auto before = std::exchange(seen.several, {});
  std::set<std::string> still;
  for (const auto& x : all) {
    if (x.one_of_many)
      seen.several.push_back(x.tag);
    auto known = seen.told.count(x.tag) > 0;
    auto too_soon
      = x.one_of_many
        && std::find(before.begin(), before.end(), x.tag) == before.end();
    if (!known && (too_soon || still.size() >= told_max))
      continue;
    still.insert(x.tag);
    if (!known)
      record(self, st.peers.of_nodes.journal,
             entry_about(self, st.ctx, whole_cluster, entry_kind::alert,
                         codes::bad_setting, text_about(x)));
  }
  seen.told = std::move(still);
}

} // namespace

void heed_settings(cluster_self self, const cluster_record& read) {
  auto& st = self->state;
  auto& seen = st.settings_seen;
  auto was = st.ctx->rules();
  // A pass from cron goes by its command line; and what was asked for long ago
  // may be an older state of the cluster than the one that is in force.
  if (was->autorepair.single_pass
      || now(self, st.ctx) - st.asked_at > was->cluster.picture_max_age)
    return;
  auto tags = setting_tags_among(read.tags);
  auto file = st.ctx->of_file();
  if (tags == seen.tags && file == seen.file && seen.several.empty())
    return;
  seen.tags = std::move(tags);
  seen.file = std::move(file);
  auto found = read_setting_tags(seen.tags, *seen.file, st.ctx->of_cluster());
  st.ctx->heed(found.values);
  tell_change(self, *was, *st.ctx->rules(), found.values);
  tell_unheeded(self, found.unheeded);
}

} // namespace orderly
