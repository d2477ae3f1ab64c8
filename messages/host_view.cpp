// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "messages/host_view.hpp"

namespace orderly {

std::optional<host_view> view_of(ha_phase x) {
  switch (x) {
  case ha_phase::available:
    return host_view{"Up"};
  case ha_phase::suspect:
  case ha_phase::checking:
    return host_view{"Up(Investigating)"};
  case ha_phase::degraded:
    return host_view{"Alert"};
  case ha_phase::recovering:
  case ha_phase::recovered:
  case ha_phase::fencing:
    return host_view{"Disconnected"};
  case ha_phase::fenced:
    return host_view{"Down", false};
  case ha_phase::disabled:
  case ha_phase::ineligible:
    break;
  }
  return std::nullopt;
}

} // namespace orderly
