// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/htools/formats/fields.hpp"
#include "io/htools/options/option_table.hpp"

#include <fmt/format.h>

namespace orderly::io::htools {

namespace {

using options = tool_options;
using t = takes;

std::string set_choice(bool& to, const std::string& text) {
  if (!text.empty() && text != "yes" && text != "no")
    return fmt::format("Invalid choice '{}', pass one of 'yes' or 'no'", text);
  to = text != "no";
  return {};
}

std::string set_disks(options& o, const std::string& text) {
  o.disks = planning::disk_template_of(text);
  if (!o.disks)
    return fmt::format("Invalid string value for type DiskTemplate: \"{}\"",
                       text);
  return {};
}

/// `disk,ram,cpu[,spindles]`, or what is wrong with it.
std::string read_size(const char* what, const std::string& text,
                      std::optional<wanted_size>& to) {
  auto parts = split(text, ',');
  if (parts.size() != 3 && parts.size() != 4)
    return fmt::format("Invalid {} specification: '{}', expected disk,ram,cpu",
                       what, text);
  std::array<std::int64_t, 4> x{0, 0, 0, 1};
  constexpr std::array<const char*, 4> names{"disk", "memory", "cpus",
                                             "spindles"};
  for (std::size_t k = 0; k < parts.size(); ++k) {
    auto fail = [&](const std::string& why) {
      return fmt::format("{} specs {}: {}", what, names[k], why);
    };
    if (k < 2) {
      auto size = size_in_mib(parts[k]);
      if (!size)
        return fail(size.why().text);
      x[k] = *size;
      continue;
    }
    auto number = whole_number(parts[k]);
    if (!number)
      return fail(fmt::format("cannot parse string '{}'", parts[k]));
    x[k] = *number;
  }
  to = wanted_size{x[0], x[1], x[2], x[3]};
  return {};
}

} // namespace

std::vector<option> room_options() {
  return {
    {0, "machine-readable", t::maybe, "CHOICE",
     "print lines KEY=value: yes or no",
     [](options& o, const std::string& x) {
       return set_choice(o.machine_readable, x);
     }},
    {0, "no-simulation", t::nothing, "", "do not look what balancing would do",
     set_flag(&options::simulation, false)},
    {0, "no-capacity-checks", t::nothing, "",
     "do not ask for global N+1 redundancy",
     set_flag(&options::capacity_checks, false)},
    {0, "independent-groups", t::nothing, "",
     "a bad node stops allocation in its own group only",
     set_flag(&options::independent_groups)},
    {0, "accept-existing-errors", t::nothing, "",
     "accept nodes that are not N+1 happy; make no new ones",
     set_flag(&options::accept_existing)},
    {0, "all-groups", t::nothing, "",
     "also say of each group where the instance would go, or why nowhere",
     set_flag(&options::all_groups)},
    {0, "restrict-allocation-to", t::value, "NODE,...",
     "allocate on these nodes only",
     set_text([](options& o, const std::string& x) {
       o.restricted = split_words(x, ',');
     })},
    {0, "disk-template", t::value, "TEMPLATE",
     "of new instances [the first of the policy]", set_disks},
    {0, "spindle-use", t::value, "SPINDLES",
     "of new instances [that of the policy]",
     set_whole("parsing spindle-use",
               [](options& o, std::int64_t x) { o.spindle_use = x; })},
    {0, "standard-alloc", t::value, "STDSPEC",
     "size of standard instances: disk,memory,cpus[,spindles]",
     [](options& o, const std::string& x) {
       return read_size("standard", x, o.standard);
     }},
    {0, "tiered-alloc", t::value, "TSPEC",
     "size of the first tiered instance: disk,memory,cpus[,spindles]",
     [](options& o, const std::string& x) {
       return read_size("tiered", x, o.tiered);
     }},
  };
}

} // namespace orderly::io::htools
