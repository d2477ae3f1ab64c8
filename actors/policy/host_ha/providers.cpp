// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/policy/host_ha/providers.hpp"

#include "messages/ascii.hpp"

#include <algorithm>
#include <map>

namespace orderly::host_ha {

namespace {

/// As Ganeti and CloudStack call them.
const std::map<std::string, family>& words() {
  static const std::map<std::string, family> all{
    {"kvm", family::kvm},
    {"lxc", family::lxc},
    {"xen", family::xen},
    {"xen-pvm", family::xen},
    {"xen-hvm", family::xen},
    {"xenserver", family::xen},
    {"chroot", family::chroot},
    {"fake", family::fake},
    {"simulator", family::simulator}};
  return all;
}

} // namespace

const char* to_string(family x) {
  switch (x) {
  case family::kvm:
    return "kvm";
  case family::lxc:
    return "lxc";
  case family::xen:
    return "xen";
  case family::chroot:
    return "chroot";
  case family::fake:
    return "fake";
  case family::simulator:
    return "simulator";
  }
  return "?";
}

std::optional<family> family_from(const std::string& text) {
  auto i = words().find(lowered(text));
  return i == words().end() ? std::nullopt : std::optional{i->second};
}

const std::vector<provider_card>& providers() {
  using enum family;
  static const std::vector<provider_card> all{
    {usual_provider, "ganeti", {kvm, lxc, xen, chroot, fake}},
    {"kvmhaprovider", "KVMHAProvider", {kvm, lxc}},
    {"simulatorhaprovider", "SimulatorHAProvider", {simulator}, false}};
  return all;
}

const provider_card* provider_named(const std::string& text) {
  const auto& all = providers();
  auto i = std::find_if(
    all.begin(), all.end(),
    [word = lowered(text)](const provider_card& x) { return x.name == word; });
  return i == all.end() ? nullptr : &*i;
}

bool serves(const provider_card& x, std::optional<family> of) {
  if (!of)
    return x.of_clusters;
  return std::find(x.families.begin(), x.families.end(), *of)
         != x.families.end();
}

std::string known_providers() {
  std::string result;
  for (const auto& x : providers())
    result += (result.empty() ? "" : ", ") + x.name;
  return result;
}

} // namespace orderly::host_ha
