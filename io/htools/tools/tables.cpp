// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/htools/tools/tables.hpp"

#include "io/htools/formats/fields.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

namespace orderly::io::htools {

namespace {

using namespace planning;

struct row_source {
  const placement& p;
  int n;
  const node_spec& spec;
  const node_facts& facts;
  const node_state& state;
  const std::string& suffix;
};

struct field {
  const char* title;
  bool left;
  std::string (*show)(const row_source&);
};

mib gib(mib x) {
  return x >= 0 ? x / 1024 : -((-x + 1023) / 1024);
}

mib unallocated(const row_source& r) {
  return r.p.unallocated(r.n, r.state);
}

score_row row(const row_source& r) {
  return row_of(r.facts, r.state);
}

std::string whole(std::int64_t x) {
  return std::to_string(x);
}

std::string load_text(const row_source& r, load_part k) {
  return fixed_decimal(r.state.use[k], 3);
}

using source = const row_source&;

using field_map = std::map<std::string, field, std::less<>>;

field_map size_fields() {
  return {
    {"status",
     {"F", true,
      [](source r) {
        return std::string{!r.facts.online           ? "-"
                           : r.state.short_of_memory ? "*"
                                                     : " "};
      }}},
    {"name",
     {"Name", true,
      [](source r) { return short_name(r.spec.name, r.suffix); }}},
    {"idx",
     {"Index", false,
      [](source r) {
        return whole(r.p.node_index[static_cast<std::size_t>(r.n)]);
      }}},
    {"tmem",
     {"t_mem", false,
      [](source r) { return fmt::format("{:.0f}", r.spec.total_memory); }}},
    {"nmem",
     {"n_mem", false, [](source r) { return whole(r.spec.node_memory); }}},
    {"imem",
     {"i_mem", false, [](source r) { return whole(r.state.instance_memory); }}},
    {"xmem",
     {"x_mem", false, [](source r) { return whole(r.facts.missing_memory); }}},
    {"fmem",
     {"f_mem", false, [](source r) { return whole(r.spec.free_memory); }}},
    {"umem", {"u_mem", false, [](source r) { return whole(unallocated(r)); }}},
    {"rmem",
     {"r_mem", false, [](source r) { return whole(r.state.reserved); }}},
    {"amem",
     {"a_mem", false,
      [](source r) {
        return whole(std::max<mib>(0, unallocated(r) - r.state.reserved));
      }}},
    {"tdsk",
     {"t_dsk", false,
      [](source r) {
        return fmt::format("{:.0f}", r.spec.total_disk / 1024);
      }}},
    {"fdsk",
     {"f_dsk", false, [](source r) { return whole(gib(r.state.free_disk)); }}},
  };
}

field_map use_fields() {
  return {
    {"tcpu",
     {"pcpu", false,
      [](source r) { return fmt::format("{:.0f}", r.spec.total_cpus); }}},
    {"ucpu", {"vcpu", false, [](source r) { return whole(r.state.cpus); }}},
    {"pcnt",
     {"pcnt", false, [](source r) { return whole(r.state.primaries); }}},
    {"scnt",
     {"scnt", false, [](source r) { return whole(r.state.secondaries); }}},
    {"pfmem",
     {"p_fmem", false,
      [](source r) { return fixed_decimal(row(r)[free_memory], 4); }}},
    {"pfdsk",
     {"p_fdsk", false,
      [](source r) { return fixed_decimal(row(r)[free_disk], 4); }}},
    {"rcpu",
     {"r_cpu", false,
      [](source r) {
        return fixed_decimal(
          static_cast<double>(r.state.cpus) / r.facts.total_cpus, 2);
      }}},
    {"cload", {"lCpu", false, [](source r) { return load_text(r, load_cpu); }}},
    {"mload",
     {"lMem", false, [](source r) { return load_text(r, load_memory); }}},
    {"dload",
     {"lDsk", false, [](source r) { return load_text(r, load_disk); }}},
    {"nload", {"lNet", false, [](source r) { return load_text(r, load_net); }}},
    {"spindle_count",
     {"NodeSpindles", false, [](source r) { return whole(r.spec.spindles); }}},
    {"hi_spindles",
     {"MaxSpindles", false,
      [](source r) { return short_decimal(r.facts.high_spindles); }}},
    {"inst_spindles",
     {"InstSpindles", false,
      [](source r) {
        return short_decimal(static_cast<double>(r.state.spindles));
      }}},
  };
}

field_map node_fields() {
  auto all = size_fields();
  all.merge(use_fields());
  return all;
}

constexpr const char* usual_fields
  = "status,name,tmem,nmem,imem,xmem,fmem,umem,rmem,tdsk,fdsk,tcpu,ucpu,pcnt,"
    "scnt,pfmem,pfdsk,rcpu,cload,mload,dload,nload";

} // namespace

std::string layout(const cells& rows, const std::vector<bool>& left) {
  std::vector<std::size_t> widths(left.size(), 0);
  for (const auto& r : rows)
    for (std::size_t k = 0; k < r.size(); ++k)
      widths[k] = std::max(widths[k], r[k].size());
  std::string result;
  for (const auto& r : rows) {
    for (std::size_t k = 0; k < r.size(); ++k)
      result += left[k] ? fmt::format(" {:<{}}", r[k], widths[k])
                        : fmt::format(" {:>{}}", r[k], widths[k]);
    result += '\n';
  }
  return result;
}

std::string short_name(const std::string& name, const std::string& suffix) {
  return name.substr(0, name.size() - suffix.size());
}

std::string node_table(const placement& p, const std::string& fields,
                       const std::string& suffix) {
  static const field unknown{"<unknown field>", false, [](source) {
                               return std::string{"<unknown field>"};
                             }};
  const auto known = node_fields();
  auto wanted = fields;
  if (wanted.empty())
    wanted = usual_fields;
  else if (wanted[0] == '+')
    wanted = std::string{usual_fields} + "," + wanted.substr(1);
  cells rows(1);
  std::vector<bool> left;
  std::vector<const field*> columns;
  for (auto name : split(wanted, ',')) {
    auto found = known.find(name);
    const auto& f = found == known.end() ? unknown : found->second;
    columns.push_back(&f);
    left.push_back(f.left);
    rows[0].emplace_back(f.title);
  }
  for (int n = 0; n < p.node_count(); ++n) {
    auto k = static_cast<std::size_t>(n);
    row_source r{p,
                 n,
                 p.source->nodes[static_cast<std::size_t>(p.node_index[k])],
                 p.facts[k],
                 p.states[k],
                 suffix};
    rows.emplace_back();
    for (const auto* c : columns)
      rows.back().push_back(c->show(r));
  }
  return layout(rows, left);
}

std::string instance_table(const placement& p) {
  cells rows{{"F", "Name", "Pri_node", "Sec_node", "Auto_bal", "vcpu", "mem",
              "dsk", "lCpu", "lMem", "lDsk", "lNet"}};
  auto node = [&p](int n) {
    if (n < 0)
      return std::string{};
    auto at = p.node_index[static_cast<std::size_t>(n)];
    return p.source->nodes[static_cast<std::size_t>(at)].name;
  };
  for (std::size_t i = 0; i < p.places.size(); ++i) {
    const auto& x
      = p.source->instances[static_cast<std::size_t>(p.instance_index[i])];
    auto runs = x.status == instance_status::running
                || x.status == instance_status::error_up;
    std::vector<std::string> r{runs ? "R" : " ",
                               x.name,
                               node(p.places[i].primary),
                               node(p.places[i].secondary),
                               x.auto_balance ? "Y" : "N",
                               whole(x.vcpus),
                               fmt::format("{:5}", x.memory),
                               fmt::format("{:5}", gib(x.disk))};
    for (auto u : p.instances[i].use)
      r.push_back(fixed_decimal(u, 3));
    rows.push_back(std::move(r));
  }
  return layout(rows, {true, true, true, true, true, false, false, false, false,
                       false, false, false});
}

std::string score_table(const placement& p) {
  cells rows{{"Field", "Value", "Weight"}};
  auto online = std::any_of(p.facts.begin(), p.facts.end(),
                            [](const node_facts& f) { return f.online; });
  if (!online)
    return "   Field Value Weight\n";
  for (const auto& x : score_lines(p))
    rows.push_back({std::string{x.name}, fixed_decimal(x.value, 8),
                    "x" + fixed_decimal(x.weight, 2)});
  std::string result;
  auto text = layout(rows, {true, false, false});
  for (auto line :
       split(std::string_view{text}.substr(0, text.size() - 1), '\n'))
    result += "  " + std::string{line} + '\n';
  return result;
}

} // namespace orderly::io::htools
