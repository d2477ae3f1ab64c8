// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// No bytes crash the readers of tags; what they accept is ours, survives
// being written and read again, and what they do not accept is reported. The
// input is taken as many tags, one a line; as settings of the cluster too.

#include "actors/policy/repair/permission.hpp"
#include "actors/policy/repair/tag_oddities.hpp"
#include "actors/policy/settings/cluster_settings.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

namespace {

using namespace orderly;
using texts = std::vector<std::string>;

void demand(bool holds) {
  if (!holds)
    std::abort();
}

/// Every second line gets past the prefix for certain.
texts lines_of(std::string_view bytes) {
  texts result;
  for (;;) {
    auto end = bytes.find('\n');
    std::string line{bytes.substr(0, end)};
    if (result.size() % 2 == 0)
      line.insert(0, tags::prefix);
    result.push_back(std::move(line));
    if (end == std::string_view::npos)
      return result;
    bytes.remove_prefix(end + 1);
  }
}

bool is_ours(const std::string& text) {
  return text.compare(0, tags::prefix.size(), tags::prefix) == 0;
}

void check_one(const std::string& text) {
  auto tag = tags::parse(text);
  demand(!tag || is_ours(text));
  demand(tag || !is_ours(text) || !oddity(text).empty());
  if (!tag)
    return;
  auto written = tags::format(*tag);
  demand(text.size() > tags::length_max || written.size() <= tags::length_max);
  auto again = tags::parse(written);
  demand(again && tags::format(*again) == written);
  if (const auto* p = std::get_if<tags::pending>(&*tag))
    demand(tags::has_room_for_result(*p) == oddity(text).empty());
}

void check_sentences(const texts& all) {
  auto said = oddities(all, "instance web1");
  demand(said.size() <= oddities_max + 1);
  for (const auto& sentence : said) {
    demand(sentence.size() < 2000);
    demand(std::all_of(sentence.begin(), sentence.end(),
                       [](char c) { return c >= ' ' && c <= '~'; }));
  }
}

/// The tags fall to instance, group and cluster in turn.
void check_permission(const texts& all) {
  texts on[3];
  for (std::size_t i = 0; i < all.size(); ++i)
    on[i % 3].push_back(all[i]);
  tag_opinion of[3]
    = {{on[0], "instance i"}, {on[1], "group g"}, {on[2], "cluster"}};
  constexpr instant start{seconds{1700000000}};
  auto now = start;
  for (int turns = 0; turns < 8; ++turns) {
    auto may = permission_of("i", on[0], "g", on[1], on[2], now);
    demand(may == permission_of("i", of[0], "g", of[1], of[2], now));
    demand(!may.source.empty() && !describe(may).empty());
    for (int i = 0; i < 3; ++i)
      demand(of[i].expired(now) == expired_suspends(on[i], now));
    auto next = of[0].changes_after(now);
    if (!next)
      return;
    // Until then the instance's own word stands.
    auto just_before = *next - millis{1};
    const auto* a = of[0].at(now);
    const auto* b = of[0].at(just_before);
    demand(a == b);
    now = *next;
  }
}

/// Every second line gets past the key for certain.
texts settings_of(const texts& all) {
  const auto& known = cluster_settings();
  texts result;
  for (std::size_t i = 0; i < all.size(); ++i)
    result.push_back(
      i % 2 == 0
        ? std::string{setting_tag_prefix} + all[i]
        : setting_tag(known[all[i].size() % known.size()].key, all[i]));
  return result;
}

/// Each tag is heeded or told, what is heeded fits, and to read it again
/// changes nothing.
void check_settings(const texts& all) {
  auto found = read_setting_tags(all, {}, {});
  for (const auto& tag : all) {
    auto told = std::any_of(
      found.unheeded.begin(), found.unheeded.end(),
      [&](const auto& x) { return x.tag == tag && !x.why.empty(); });
    auto heeded = std::any_of(
      found.values.begin(), found.values.end(),
      [&](const auto& x) { return setting_tag(x.first, x.second) == tag; });
    demand(told != heeded);
  }
  demand(contradictions(with_texts({}, found.values)).empty());
  for (const auto& [key, value] : found.values)
    demand(is_same_setting(key, value,
                           setting_text(with_texts({}, found.values), key)));
  auto again = read_setting_tags(all, {}, found.values);
  demand(again.values == found.values && again.unheeded == found.unheeded);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  auto all = lines_of({reinterpret_cast<const char*>(data), size});
  for (const auto& text : all)
    check_one(text);
  check_sentences(all);
  check_permission(all);
  if (all.size() <= 8) // a reading of all settings is slow
    check_settings(settings_of(all));
  return 0;
}
