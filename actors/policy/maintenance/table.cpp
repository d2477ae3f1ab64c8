// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/policy/maintenance/table.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace orderly::maintenance {

const std::vector<passage>& passages() {
  using p = event_phase;
  constexpr auto removed = "its node is no more";
  constexpr auto unheard
    = "no job of it ran yet, and it would not begin any more";
  constexpr auto broken = "a job fails, or nothing can be done";
  constexpr auto stopped
    = "a person cancels it, or takes its mark of the node away";
  static const std::vector<passage> all{
    {p::noted, p::repairing, "its turn; a live-repair"},
    {p::noted, p::draining, "its turn; an evacuation"},
    {p::noted, p::failing, "its turn; nothing can be done"},
    {p::noted, p::canceled, stopped},
    {p::noted, p::forgotten,
     "it is not reported any more, or its node is gone"},
    {p::repairing, p::tagging, "the command ended well"},
    {p::repairing, p::failing, broken},
    {p::repairing, p::canceled, stopped},
    {p::repairing, p::noted, unheard},
    {p::repairing, p::forgotten,
     "its node is no more, or reports nothing before the first job"},
    {p::draining, p::evacuating, "the node is drained"},
    {p::draining, p::failing, broken},
    {p::draining, p::canceled, stopped},
    {p::draining, p::noted, unheard},
    {p::draining, p::forgotten,
     "its node is no more, or reports nothing before the first job"},
    {p::evacuating, p::closing, "nothing is left on the node"},
    {p::evacuating, p::failing,
     "a job fails, or only what cannot move is left"},
    {p::evacuating, p::canceled, stopped},
    {p::evacuating, p::noted, unheard},
    {p::evacuating, p::forgotten,
     "its node is no more, or reports nothing before the first job"},
    {p::closing, p::tagging, "the node is offline and empty"},
    {p::closing, p::evacuating, "something came to the node"},
    {p::closing, p::failing, broken},
    {p::closing, p::canceled, stopped},
    {p::closing, p::forgotten, removed},
    {p::tagging, p::closing, "the node is no longer empty and offline"},
    {p::tagging, p::completed, "the tag is written"},
    {p::tagging, p::forgotten, removed},
    {p::failing, p::failed, "no job is left, and the tag is written"},
    {p::failing, p::forgotten, removed},
    {p::completed, p::acknowledged, "its tag is removed, still reported"},
    {p::completed, p::forgotten, "its tag is removed, no longer reported"},
    {p::acknowledged, p::forgotten, "it is no longer reported"},
    {p::failed, p::forgotten, "its tag is removed"},
    {p::canceled, p::forgotten, "it is no longer reported"},
  };
  return all;
}

bool leads(event_phase from, event_phase to) {
  const auto& all = passages();
  return std::any_of(all.begin(), all.end(), [&](const passage& x) {
    return x.from == from && x.to == to;
  });
}

std::string diagram() {
  std::string result;
  for (const auto& x : passages())
    result += fmt::format("{} -> {}: {}\n", to_string(x.from), to_string(x.to),
                          x.when);
  return result;
}

} // namespace orderly::maintenance
