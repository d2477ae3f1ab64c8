// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Who can treat hosts, and of which kind they must be.

#pragma once

#include <optional>
#include <string>
#include <vector>

namespace orderly::host_ha {

/// What runs the instances of a host.
enum class family { kvm, lxc, xen, chroot, fake, simulator };

const char* to_string(family x);

/// In any spelling of case; nullopt: there is none of that name.
std::optional<family> family_from(const std::string& text);

/// Whoever can treat hosts.
struct provider_card {
  std::string name;  ///< in lower case, as it is kept
  std::string shown; ///< as the seed spells it
  std::vector<family> families;
  bool of_clusters = true; ///< treats nodes of clusters; else simulated hosts
};

const std::vector<provider_card>& providers();

/// In any spelling of case; null: there is none of that name.
const provider_card* provider_named(const std::string& text);

/// May that provider treat hosts of this family? A node whose family is not
/// known is one of a cluster, whatever it is.
bool serves(const provider_card& x, std::optional<family> of);

/// "ganeti, kvmhaprovider, ...", for sentences.
std::string known_providers();

/// The one of nodes that nobody configured, where nobody has to.
inline constexpr const char* usual_provider = "ganeti";

} // namespace orderly::host_ha
