// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "messages/plan.hpp"

namespace orderly {

const char* to_string(balance_phase x) {
  switch (x) {
  case balance_phase::off:
    return "off";
  case balance_phase::resting:
    return "resting";
  case balance_phase::held:
    return "held";
  case balance_phase::reading:
    return "reading";
  case balance_phase::planning:
    return "planning";
  case balance_phase::moving:
    return "moving";
  }
  return "?";
}

} // namespace orderly
