// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/cli/setting_options.hpp"

#include "actors/policy/settings/cluster_settings.hpp"
#include "messages/ascii.hpp"
#include "messages/nearest.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace orderly::power {

namespace {

mistake no_setting(const std::string& name) {
  std::vector<std::string> known;
  for (const auto& x : cluster_settings())
    known.push_back(x.key);
  auto near = nearest(name, known);
  return senseless(fmt::format(
    "there is no setting '{}' of the cluster{}; 'orderly cluster settings' "
    "lists them",
    name, near.empty() ? "" : fmt::format(", is {} meant?", near)));
}

} // namespace

mistake take_cluster(const std::vector<std::string>& words, values&,
                     errand_request& into) {
  constexpr const char* known = "settings, set, unset";
  if (words.empty())
    return senseless(fmt::format("what to do is missing: one of {}", known));
  if (std::any_of(words.begin() + 1, words.end(), is_blank))
    return senseless(
      "an argument is empty; is a variable of your shell unset?");
  setting_errand x;
  const auto& action = words.front();
  std::size_t wanted = 1;
  if (action == "set") {
    x.action = setting_action::set;
    wanted = 3;
  } else if (action == "unset") {
    x.action = setting_action::unset;
    wanted = 2;
  } else if (action != "settings") {
    return senseless(fmt::format("there is no 'cluster {}', it must be one of "
                                 "{}",
                                 action, known));
  }
  if (words.size() != wanted)
    return senseless(wanted == 1   ? "settings takes no names"
                     : wanted == 2 ? "Please name one setting: unset KEY"
                                   : "Please give a setting and its value: set "
                                     "KEY VALUE");
  if (wanted > 1) {
    const auto* setting = cluster_setting_named(words[1]);
    if (setting == nullptr)
      return no_setting(words[1]);
    x.key = setting->key;
  }
  if (wanted > 2)
    x.value = words[2]; // judged by orderlyd, who knows what it must fit
  into.what = std::move(x);
  return {};
}

} // namespace orderly::power
