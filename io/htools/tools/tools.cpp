// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/htools/tools/tools.hpp"

#include "io/htools/formats/fields.hpp"
#include "io/htools/tools/hbal_load.hpp"
#include "io/htools/tools/read_pools.hpp"

#include <utility>

#include <fmt/format.h>

namespace orderly::io::htools {

int run_tool(tool of, const std::vector<std::string>& arguments,
             tool_output to) {
  auto read = read_options(of, arguments);
  if (const auto* wrong = std::get_if<option_fault>(&read)) {
    fmt::print(to.err, "{}", wrong->text);
    return wrong->code;
  }
  const auto& o = std::get<tool_options>(read);
  if (o.help || o.completion) {
    fmt::print(to.out, "{}", o.help ? usage(of) : completion(of));
    return 0;
  }
  if (o.version) {
    fmt::print(to.out, "{} (orderly) version {}\n", name_of(of),
               ORDERLY_VERSION);
    return 0;
  }
  switch (of) {
  case tool::hbal:
    return run_hbal(arguments, to);
  case tool::hail:
    return run_hail(o, to);
  case tool::hcheck:
    return run_hcheck(o, to);
  case tool::hspace:
    return run_hspace(o, to);
  case tool::hinfo:
    return run_hinfo(o, to);
  case tool::hroller:
    return run_hroller(o, to);
  case tool::hsqueeze:
    return run_hsqueeze(o, to);
  case tool::hscan:
    return run_hscan(o, to);
  case tool::hwhatif:
    return run_hwhatif(o, to);
  case tool::hgroups:
    return run_hgroups(o, to);
  }
  return 1;
}

std::optional<planning::cluster> load_for(const tool_options& o,
                                          tool_output to) {
  auto stop = [&](const std::string& why) -> std::optional<planning::cluster> {
    fmt::print(to.err, "Error: {}\n", why);
    return std::nullopt;
  };
  if (o.sources > 1)
    return stop("Only one of the rapi, luxi, and data files options should be "
                "given.");
  auto c = load_cluster(o);
  if (!c)
    return stop("failed to load data, aborting: " + c.why().text);
  if (auto wrong = add_pools(*c, o, to.err))
    return stop("failed to load data, aborting: " + wrong->text);
  auto unknown = set_offline(*c, o.offline, planning::common_suffix(*c));
  if (auto wrong = add_monitored_load(*c, o, to.err))
    return stop(wrong->text);
  auto odd = oddities(*c);
  if (!odd.empty() && o.verbose > 0) {
    fmt::print(to.err, "Warning: cluster has inconsistent data:\n");
    for (const auto& x : odd)
      fmt::print(to.err, "  - {}\n", x);
    fmt::print(to.err, "\n");
  }
  if (!unknown.empty())
    return stop(fmt::format("wrong node name(s) set as offline: {}\n",
                            join(unknown, ',')));
  return std::move(*c);
}

planning::instance_spec instance_of(const wanted_size& size, std::string name) {
  planning::instance_spec x;
  x.name = std::move(name);
  x.memory = size.memory;
  x.disk = size.disk;
  x.disk_sizes = {size.disk};
  x.disk_spindles = {size.spindles};
  x.vcpus = size.cpus;
  x.primary = x.secondary = -1;
  return x;
}

} // namespace orderly::io::htools
