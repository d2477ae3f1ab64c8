// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/htools/options/option_table.hpp"

namespace orderly::io::htools {

namespace {

constexpr const char* of_hail = R"(
Examples:
  hail request.json                where the instance of the request goes
  hail -v -v request.json          the same, with what was read
  hail --all-groups request.json   and where it would go in each group
)";

constexpr const char* of_hscan = R"(
Examples:
  hscan -L                         writes LOCAL.data of the cluster of this host
  hscan -d /tmp -p cluster1 https://watch:secret@cluster2:5443
                                   two clusters by their remote API
)";

constexpr const char* of_hwhatif = R"(
Changes, all of which together are one; their order means nothing:
  lose=NODE,group:G                these nodes die, with what their disks hold
  drain=NODE,group:G               all leave them, and nothing comes
  empty=GROUP                      all instances go to other groups, and nothing
                                   comes any more
  add=N*like:NODE                  N more nodes that are like this one is now
  add=N*MEMORY,DISK,CPUS@GROUP     N more of these sizes
  ram=NODE:+SIZE, ram=group:G:+SIZE
                                   more memory on each of them
  grow=N*MEMORY,DISK,VCPUS,TEMPLATE[:POOL][@GROUP]
                                   N more instances
Sizes are in MiB, or have a unit: 65536, 64g, 2t. It ends with 0 if all is well
without a move, with 10 if the moves that it shows make it well, with 11 if it
is not well then, and with 1 on an error.

Examples:
  hwhatif -L lose=node7            what if node7 dies?
  hwhatif -L drain=group:rack2     could rack2 be switched off?
  hwhatif -t cluster.txt lose=node7 add=1*like:node8 --link 10g
                                   node7 is replaced by one like node8
  hwhatif -L grow=200*4g,50g,2,drbd@rack1 --output=json
                                   have 200 more instances a place in rack1?
  hwhatif -L lose=group:rack2 --advise
                                   how few nodes would replace rack2?
)";

constexpr const char* of_hgroups = R"(
Commands:
  show [INSTANCE...]               groups, whether they are healthy, and what may
                                   cross; of instances: where they may go
  redistribute                     make unhealthy groups well, with room of others
  empty GROUP, --most-free, --all  can all instances go to other groups, and how?
  load                             even the load of groups

-X carries a plan out by jobs, round by round; empty -X that of the group with
most free resources. Nothing crosses without --group-moves, and nothing that is tagged, or whose
group or cluster is tagged, htools:groupmoves:none. It ends with 0 if it is
reached or there is nothing to do, with 1 on an error, with 2 if it was called
wrongly, and with 3 if it is not reached; then it says why.

Examples:
  hgroups show -L                  how are the groups?
  hgroups show -L web1             where may web1 go, and what keeps it out?
  hgroups empty rack2 -L --group-moves=asked
                                   could rack2 be switched off, and how?
  hgroups empty -L -X --group-moves=asked
                                   empty the one that frees most, now
  hgroups redistribute -t cluster.txt --pools=pools.json --group-moves=repair
  hgroups load -L -U load.txt --group-moves=auto --output=json
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
    return of_hail;
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
  case tool::hwhatif:
    return of_hwhatif;
  case tool::hgroups:
    return of_hgroups;
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
