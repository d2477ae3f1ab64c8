// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/htools/formats/fields.hpp"
#include "io/htools/options/option_table.hpp"

namespace orderly::io::htools {

namespace {

using t = takes;

setter roll(bool roll_choice::*field, bool to = true) {
  return set_text(
    [=](tool_options& o, const std::string&) { o.roll.*field = to; });
}

} // namespace

std::vector<option> roll_options() {
  return {
    {0, "offline-maintenance", t::nothing, "",
     "all instances are shut down before, so none has to move",
     roll(&roll_choice::offline_maintenance)},
    {0, "node-tags", t::value, "TAG,...",
     "restart only nodes that have one of these tags",
     set_text([](tool_options& o, const std::string& x) {
       o.roll.node_tags = split_words(x, ',');
     })},
    {0, "full-evacuation", t::nothing, "", "mirrors leave the nodes, too",
     roll(&roll_choice::full_evacuation)},
    {0, "skip-non-redundant", t::nothing, "",
     "leave out nodes with an instance that has no mirror",
     roll(&roll_choice::skip_non_redundant)},
    {0, "ignore-non-redundant", t::nothing, "",
     "as if there were no instances without a mirror",
     roll(&roll_choice::ignore_non_redundant)},
    {0, "one-step-only", t::nothing, "",
     "print the first round only, one node a line",
     roll(&roll_choice::first_only)},
    {0, "print-moves", t::nothing, "",
     "print where instances are during each round", roll(&roll_choice::moves)},
    {0, "no-headers", t::nothing, "", "do not show a header line",
     set_flag(&tool_options::headers, false)},
    {'f', "force", t::nothing, "", "go on even if no node is the master",
     roll(&roll_choice::force)},
  };
}

} // namespace orderly::io::htools
