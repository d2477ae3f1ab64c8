// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/cli/ha_options.hpp"

#include "messages/ascii.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace orderly::power {

namespace {

constexpr std::array ha_actions{ha_action::list,      ha_action::providers,
                                ha_action::configure, ha_action::enable,
                                ha_action::disable,   ha_action::settings};
constexpr const char* ha_words
  = "list, providers, configure, enable, disable, settings";

bool changes(ha_action x) {
  return x == ha_action::configure || x == ha_action::enable
         || x == ha_action::disable;
}

/// Nodes, a group or the cluster, and no two of them.
mistake take_scope(const std::vector<std::string>& names, values& v,
                   ha_errand& into) {
  const auto* group = v.text("group");
  if (group != nullptr && is_blank(*group))
    return no_name();
  auto whole = v.has("cluster");
  if (static_cast<int>(!names.empty()) + static_cast<int>(group != nullptr)
        + static_cast<int>(whole)
      > 1)
    return refused("Only one of --cluster, --group and node names is allowed");
  into.names = names;
  if (group != nullptr) {
    into.scope = ha_scope::group;
    into.names = {*group};
  }
  if (into.action == ha_action::settings && !names.empty())
    return refused("Settings are those of a group or of the cluster: use "
                   "--group GROUP or --cluster");
  if (whole && changes(into.action))
    into.scope = ha_scope::cluster;
  if (changes(into.action) && !whole && into.names.empty())
    return refused("Please say whose switch is meant: node names, --group "
                   "GROUP or --cluster");
  return {};
}

} // namespace

mistake take_ha(const std::vector<std::string>& words, values& v,
                errand_request& into) {
  if (words.empty())
    return senseless(fmt::format("what to do is missing: one of {}", ha_words));
  auto i = std::find_if(ha_actions.begin(), ha_actions.end(), [&](ha_action x) {
    return words.front() == to_string(x);
  });
  if (i == ha_actions.end())
    return senseless(fmt::format("there is no 'ha {}', it must be one of {}",
                                 words.front(), ha_words));
  ha_errand x;
  x.action = *i;
  std::vector<std::string> names{words.begin() + 1, words.end()};
  if (std::any_of(names.begin(), names.end(), is_blank))
    return no_name();
  if (auto bad = take_scope(names, v, x))
    return bad;
  const auto* provider = v.text("provider");
  if (x.action == ha_action::configure && (!provider || is_blank(*provider)))
    return refused("Please name the provider with --provider; 'orderly ha "
                   "providers' lists them");
  if (x.action != ha_action::configure && provider != nullptr)
    return senseless("--provider is for 'ha configure' only");
  if (x.action == ha_action::configure && x.scope != ha_scope::nodes)
    return refused("Providers are configured for nodes: please name them");
  if (provider != nullptr)
    x.provider = *provider;
  into.what = std::move(x);
  return {};
}

} // namespace orderly::power
