// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/htools/groups/names.hpp"

#include <array>

namespace orderly::io::htools {

using namespace planning;

namespace {

struct barrier_words {
  const char* name;
  const char* words;
};

/// In the order of the barriers.
constexpr std::array<barrier_words, 13> of_barriers{{
  {"none", "nothing keeps it out"},
  {"permission", "--group-moves does not permit it"},
  {"tag", "the tag htools:groupmoves:none forbids it"},
  {"excluded", "it is excluded from all moves"},
  {"own_disks", "its disks are on its node alone and cannot be copied"},
  {"apart", "its mirror is not in the group of its node"},
  {"no_copy", "no node that holds its disks is in service"},
  {"unallocable", "the group is unallocable"},
  {"no_node", "too few nodes of the group are in service"},
  {"network", "the group lacks a network of it"},
  {"policy", "the group's policy does not allow its size"},
  {"storage", "too few nodes of the group reach its volumes"},
  {"migration", "migration tags forbid the way there"},
}};

} // namespace

const char* name_of(barrier x) {
  return of_barriers[static_cast<std::size_t>(x)].name;
}

const char* words_of(barrier x) {
  return of_barriers[static_cast<std::size_t>(x)].words;
}

const char* name_of(group_health x) {
  switch (x) {
  case group_health::healthy:
    return "healthy";
  case group_health::weakly:
    return "weakly_unhealthy";
  case group_health::unhealthy:
    break;
  }
  return "unhealthy";
}

const char* name_of(empty_verdict x) {
  switch (x) {
  case empty_verdict::can:
    return "can";
  case empty_verdict::cannot:
    return "cannot";
  case empty_verdict::not_found:
    break;
  }
  return "not_found";
}

const char* name_of(resource x) {
  switch (x) {
  case resource::memory:
    return "memory_mib";
  case resource::disk:
    return "disk_mib";
  case resource::cpus:
    break;
  }
  return "cpus";
}

std::string text_of(const storage_pool& x) {
  return std::string{planning::name_of(x.type)} + "/" + x.pool;
}

std::string permission_hint(crossing_cause cause) {
  switch (cause) {
  case crossing_cause::asked:
    return "--group-moves=asked permits it";
  case crossing_cause::repair:
    return "--group-moves=repair permits it";
  case crossing_cause::evenness:
    break;
  }
  return "--group-moves=auto permits it";
}

} // namespace orderly::io::htools
