// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/htools/options/option_table.hpp"

namespace orderly::io::htools {

namespace {

constexpr const char* of_hscan = R"(
Examples:
  hscan -L                         writes LOCAL.data of the cluster of this host
  hscan -d /tmp -p cluster1 https://watch:secret@cluster2:5443
                                   two clusters by their remote API
)";

} // namespace

std::string examples_of(tool of) {
  switch (of) {
  case tool::hbal:
    return R"(
Examples:
  hbal -L -C                       the commands that balance the only group
  hbal -L -G rack2 -X              balance rack2 by jobs
  hbal -t cluster.txt -p -S after  before and after, the end in after.balanced
)";
  case tool::hail:
    return R"(
Examples:
  hail request.json                where the instance of the request goes
  hail -v -v request.json          the same, with what was read
)";
  case tool::hcheck:
    return R"(
Examples:
  hcheck -L                        is every group well? (ends with 1 if not)
  hcheck -L --machine-readable     the same for scripts
)";
  case tool::hspace:
    return R"(
Examples:
  hspace -L                        how many more instances fit
  hspace --simulate=p,20,400g,64g,16 --standard-alloc=50g,4g,2
                                   the same on twenty nodes that are to be bought
)";
  case tool::hinfo:
    return R"(
Examples:
  hinfo -L                         groups with their scores
  hinfo -L -p --output=json        nodes, too, for programs
)";
  case tool::hroller:
    return R"(
Examples:
  hroller -L --node-tags=needsreboot --one-step-only
                                   nodes with that tag to restart at once
  hroller -L --print-moves         all rounds, and where instances go that have
                                   no mirror
  hroller -t cluster.txt --search=exact -v
                                   the groups that Ganeti's hroller has
)";
  case tool::hscan:
    return of_hscan;
  case tool::hsqueeze:
    return R"(
Examples:
  hsqueeze -L -v                   which nodes could be off, and why not more
  hsqueeze -L -C                   the commands for it
  hsqueeze -t cluster.txt --target-resources=4 -S after
                                   leave more room; the end is in after.squeezed
  hsqueeze -L -X                   carry it out
)";
  }
  return {};
}

} // namespace orderly::io::htools
