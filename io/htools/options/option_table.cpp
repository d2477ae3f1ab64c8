// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/htools/options/option_table.hpp"

#include "io/htools/formats/fields.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

namespace orderly::io::htools {

namespace {

constexpr std::array<std::string_view, 10> tool_names{
  "hbal",    "hail",     "hcheck", "hspace",  "hinfo",
  "hroller", "hsqueeze", "hscan",  "hwhatif", "hgroups"};

using names = std::vector<std::string_view>;

const names every_tool{"text-data", "output",          "n1-rule", "verbose",
                       "version",   "help-completion", "help",    "pools"};

const names hbal_takes{"print-nodes",
                       "print-instances",
                       "print-commands",
                       "evac-mode",
                       "restricted-migration",
                       "master",
                       "rapi-ca",
                       "luxi",
                       "ialloc-src",
                       "exec",
                       "first-job-group",
                       "reason",
                       "group",
                       "max-length",
                       "quiet",
                       "offline",
                       "static-kvm-node-memory",
                       "min-score",
                       "max-cpu",
                       "min-disk",
                       "min-gain",
                       "min-gain-limit",
                       "no-disk-moves",
                       "select-instances",
                       "no-instance-moves",
                       "ignore-soft-errors",
                       "dynu-file",
                       "ignore-dynu",
                       "mond",
                       "mond-data",
                       "exit-on-missing-mond-data",
                       "mond-xen",
                       "exclusion-tags",
                       "exclude-instances",
                       "save",
                       "priority",
                       "search",
                       "deadline",
                       "max-effort",
                       "move-cost",
                       "shared-n1",
                       "explain"};

const names hail_takes{"print-nodes",
                       "save",
                       "simulate",
                       "ignore-dynu",
                       "mond",
                       "ignore-soft-errors",
                       "no-capacity-checks",
                       "mond-xen",
                       "restrict-allocation-to",
                       "all-groups",
                       "static-kvm-node-memory"};

const names hcheck_takes{"no-disk-moves",
                         "dynu-file",
                         "ignore-dynu",
                         "evac-mode",
                         "exclude-instances",
                         "exclusion-tags",
                         "ialloc-src",
                         "no-instance-moves",
                         "luxi",
                         "machine-readable",
                         "max-cpu",
                         "max-length",
                         "min-disk",
                         "min-gain",
                         "min-gain-limit",
                         "min-score",
                         "ignore-soft-errors",
                         "no-simulation",
                         "offline",
                         "quiet",
                         "master",
                         "rapi-ca",
                         "select-instances",
                         "no-capacity-checks"};

const names hspace_takes{"print-nodes",
                         "disk-template",
                         "spindle-use",
                         "simulate",
                         "master",
                         "rapi-ca",
                         "luxi",
                         "ialloc-src",
                         "quiet",
                         "independent-groups",
                         "accept-existing-errors",
                         "offline",
                         "no-capacity-checks",
                         "machine-readable",
                         "max-cpu",
                         "max-length",
                         "min-disk",
                         "standard-alloc",
                         "tiered-alloc",
                         "save",
                         "static-kvm-node-memory"};

const names hinfo_takes{"print-nodes", "print-instances",
                        "master",      "rapi-ca",
                        "luxi",        "ialloc-src",
                        "quiet",       "offline",
                        "ignore-dynu", "mond",
                        "mond-data",   "static-kvm-node-memory"};

const names hroller_takes{"luxi",
                          "master",
                          "rapi-ca",
                          "ialloc-src",
                          "offline",
                          "offline-maintenance",
                          "quiet",
                          "no-headers",
                          "node-tags",
                          "save",
                          "group",
                          "print-moves",
                          "full-evacuation",
                          "skip-non-redundant",
                          "ignore-non-redundant",
                          "force",
                          "one-step-only",
                          "static-kvm-node-memory",
                          "search",
                          "max-effort"};

const names hsqueeze_takes{"luxi",
                           "master",
                           "rapi-ca",
                           "ialloc-src",
                           "exec",
                           "minimal-resources",
                           "target-resources",
                           "save",
                           "print-commands",
                           "print-nodes",
                           "no-headers",
                           "search",
                           "static-kvm-node-memory"};

const names hscan_takes{"print-nodes", "output-dir", "luxi",
                        "rapi-ca",     "no-headers", "static-kvm-node-memory"};

const names hwhatif_takes{"luxi",
                          "master",
                          "rapi-ca",
                          "ialloc-src",
                          "simulate",
                          "offline",
                          "quiet",
                          "exclusion-tags",
                          "max-cpu",
                          "min-disk",
                          "disk-template",
                          "standard-alloc",
                          "static-kvm-node-memory",
                          "link",
                          "advise"};

const names hgroups_takes{"luxi",
                          "master",
                          "rapi-ca",
                          "ialloc-src",
                          "simulate",
                          "offline",
                          "quiet",
                          "save",
                          "dynu-file",
                          "exclusion-tags",
                          "exclude-instances",
                          "max-cpu",
                          "min-disk",
                          "static-kvm-node-memory",
                          "link",
                          "exec",
                          "first-job-group",
                          "reason",
                          "priority",
                          "group-moves",
                          "most-free",
                          "all",
                          "disk-moves",
                          "max-effort"};

/// It makes the files that other tools take.
const names hscan_takes_not{"text-data", "pools"};

const names& names_of(tool of) {
  switch (of) {
  case tool::hbal:
    return hbal_takes;
  case tool::hail:
    return hail_takes;
  case tool::hcheck:
    return hcheck_takes;
  case tool::hspace:
    return hspace_takes;
  case tool::hinfo:
    return hinfo_takes;
  case tool::hroller:
    return hroller_takes;
  case tool::hsqueeze:
    return hsqueeze_takes;
  case tool::hscan:
    return hscan_takes;
  case tool::hwhatif:
    return hwhatif_takes;
  case tool::hgroups:
    return hgroups_takes;
  }
  return every_tool;
}

bool has(const names& all, const std::string& name) {
  return std::find(all.begin(), all.end(), name) != all.end();
}

} // namespace

std::string_view name_of(tool x) {
  return tool_names[static_cast<std::size_t>(x)];
}

std::optional<tool> tool_of(std::string_view name) {
  auto at = std::find(tool_names.begin(), tool_names.end(), name);
  if (at == tool_names.end())
    return std::nullopt;
  return static_cast<tool>(at - tool_names.begin());
}

std::vector<option> options_of(tool of) {
  std::vector<option> result;
  for (auto& part :
       {source_options(), output_options(), room_options(), move_options(),
        limit_options(), roll_options(), squeeze_options(), whatif_options(),
        groups_options(), search_options(), live_options()})
    for (const auto& o : part)
      if ((has(every_tool, o.name)
           && !(of == tool::hscan && has(hscan_takes_not, o.name)))
          || has(names_of(of), o.name))
        result.push_back(o);
  return result;
}

std::string completion(tool of) {
  const std::map<std::string, const char*, std::less<>> kinds{
    {"text-data", "file"},
    {"master", "host"},
    {"rapi-ca", "file"},
    {"output-dir", "dir"},
    {"luxi", "file"},
    {"ialloc-src", "file"},
    {"group", "onegroup"},
    {"max-length", "integer"},
    {"offline", "onenode"},
    {"static-kvm-node-memory", "integer"},
    {"min-score", "float"},
    {"max-cpu", "float"},
    {"min-disk", "float"},
    {"min-gain", "float"},
    {"min-gain-limit", "float"},
    {"select-instances", "manyinstances"},
    {"exclude-instances", "manyinstances"},
    {"dynu-file", "file"},
    {"mond", "choices=yes,no"},
    {"mond-data", "file"},
    {"exclusion-tags", "string"},
    {"node-tags", "string"},
    {"priority", "choices=low,normal,high"},
    {"search", "choices=better,fast,exact"},
    {"deadline", "string"},
    {"max-effort", "integer"},
    {"move-cost", "float"},
    {"shared-n1", "choices=off,term,constraint"},
    {"explain", "manyinstances"},
    {"output", "choices=text,json"},
    {"n1-rule", "choices=3.0,3.1"},
    {"machine-readable", "choices=yes,no"},
    {"restrict-allocation-to", "manynodes"},
    {"spindle-use", "integer"},
    {"minimal-resources", "float"},
    {"target-resources", "float"},
    {"link", "string"},
    {"group-moves", "choices=never,asked,repair,auto"},
    {"simulate", "string"},
    {"standard-alloc", "string"},
    {"tiered-alloc", "string"}};
  std::string result;
  for (const auto& o : options_of(of)) {
    auto found = kinds.find(o.name);
    if (o.letter != 0)
      result += fmt::format("-{},", o.letter);
    result += fmt::format("--{} {}\n", o.name,
                          found == kinds.end() ? "none" : found->second);
  }
  return result;
}

setter set_flag(bool tool_options::*field, bool to) {
  return [field, to](tool_options& o, const std::string&) {
    o.*field = to;
    return std::string{};
  };
}

setter
set_text(const std::function<void(tool_options&, const std::string&)>& to) {
  return [to](tool_options& o, const std::string& text) {
    to(o, text);
    return std::string{};
  };
}

setter set_number(const char* what,
                  const std::function<void(tool_options&, double)>& to) {
  return [=](tool_options& o, const std::string& text) -> std::string {
    auto x = decimal_number(text);
    if (!x)
      return fmt::format("{}: cannot parse string '{}'", what, text);
    to(o, *x);
    return {};
  };
}

setter set_part(const char* what,
                const std::function<void(tool_options&, double)>& to) {
  auto number = set_number(what, to);
  return [=](tool_options& o, const std::string& text) -> std::string {
    auto x = decimal_number(text);
    if (x && !(*x >= 0 && *x <= 1))
      return fmt::format("{}: '{}' is not between 0 and 1", what, text);
    return number(o, text);
  };
}

setter set_whole(const char* what,
                 const std::function<void(tool_options&, std::int64_t)>& to) {
  return [=](tool_options& o, const std::string& text) -> std::string {
    auto x = whole_number(text);
    if (!x)
      return fmt::format("{}: cannot parse string '{}'", what, text);
    to(o, *x);
    return {};
  };
}

} // namespace orderly::io::htools
