// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Something that looks at the node every now and then. Kept by the shelf, on
// the loop's thread.

#pragma once

#include "io/node_agent/settings.hpp"
#include "messages/time.hpp"

#include <functional>
#include <string>

namespace orderly::io::node_agent {

/// What one look has found.
struct sample {
  std::string data = "null"; ///< JSON, as it was spelled
  std::string probe_error;   ///< not empty: nothing is known, for this reason
};

struct about_collector {
  std::string name;
  std::string category;
  int kind = 1; ///< 0: of performance, 1: of status
  millis interval{};
};

class collector {
public:
  virtual ~collector() = default;

  [[nodiscard]] virtual const about_collector& about() const = 0;

  /// Calls `done` once, now or later; must not block. The next look begins
  /// only then.
  virtual void look(std::function<void(sample)> done) = 0;

  /// Other settings, for all looks that begin from now on. True if they say
  /// anything else to this collector: it should look soon.
  virtual bool take(const agent_settings& s) = 0;
};

} // namespace orderly::io::node_agent
