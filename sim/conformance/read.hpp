// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Reads conformance suites: what each scenario is about, and where its parts
// are. What the parts mean is the business of who executes them.

#pragma once

#include "messages/result.hpp"
#include "messages/time.hpp"
#include "sim/enacted/judge.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace orderly::sim::conformance {

using nlohmann::json;

struct scenario {
  std::string id;
  std::string profile; ///< `agree`, `design`, ...
  std::string title;
  std::string tool; ///< what it is about: `harep`, `maintd`, ...
  json given;       ///< objects, empty if the suite has none
  json when;
  json expect;
  json whole; ///< all of it, for kinds that have keys of their own
};

struct suite {
  std::string name; ///< of the file
  instant clock;    ///< when every scenario begins
  std::vector<scenario> scenarios;
};

/// `name` is what faults call the text: they name scenario and key, too.
result<suite> read_suite(const std::string& text, const std::string& name);

/// Does `text` look like `pattern`, in which `*` is anything and `?` any one
/// character?
bool like(const std::string& pattern, const std::string& text);

/// Which scenarios are played: those that some pattern of each list is like.
/// An empty list is everything.
struct selection {
  std::vector<std::string> ids;
  std::vector<std::string> profiles{};
  std::string emit{}; ///< file for what timelines showed; empty: none
  enacted::player on = enacted::player::both; ///< of timelines of host HA
};

bool selected(const selection& by, const scenario& x);

} // namespace orderly::sim::conformance
