// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Writes the clusters that it is told of as files for the other tools, and a
// line about each.

#include "io/htools/formats/fields.hpp"
#include "io/htools/formats/json_value.hpp"
#include "io/htools/formats/text.hpp"
#include "io/htools/tools/hbal_load.hpp"
#include "io/htools/tools/source.hpp"
#include "io/htools/tools/tables.hpp"
#include "io/htools/tools/tools.hpp"
#include "io/htools/tools/totals.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace orderly::io::htools {

namespace {

using namespace planning;

constexpr const char* local = "LOCAL";

/// What the reference calls it, without user and password.
std::string shown_name(const std::string& typed) {
  auto at = typed.rfind('@');
  if (at == std::string::npos)
    return typed;
  return typed.substr(0, typed.starts_with("https://") ? 8 : 0)
         + typed.substr(at + 1);
}

std::string file_of(const std::string& folder, std::string name) {
  std::replace(name.begin(), name.end(), '/', '_');
  return folder + "/" + name + ".data";
}

/// Sums over a cluster, as its line has them: MiB, and GiB of disk.
struct cluster_line {
  std::size_t nodes = 0;
  std::size_t instances = 0;
  bad_items bad;
  double memory = 0;
  mib free_memory = 0;
  double disk = 0;
  mib free_disk = 0;
  double score = 0;

  cluster_line(const cluster& c, const placement& p)
    : nodes(c.nodes.size()),
      instances(c.instances.size()),
      bad(bad_of(p)),
      score(exact_score(p)) {
    for (const auto& n : c.nodes) {
      memory += n.total_memory;
      free_memory += n.free_memory;
      disk += n.total_disk / 1024;
      free_disk += n.free_disk;
    }
    free_disk /= 1024;
  }

  std::string text() const {
    return fmt::format(
      "{:>5} {:>5} {:>5} {:>5} {:>6} {:>6} {:>6} {:>6} {}", nodes, instances,
      bad.nodes, bad.instances, fixed_decimal(memory, 0), free_memory,
      fixed_decimal(disk, 0), free_disk, fixed_decimal(score, 8));
  }

  std::string json(const std::string& name, const std::string& file) const {
    return fmt::format(
      "{{\"name\":{},\"file\":{},\"nodes\":{},\"instances\":{},"
      "\"bad_nodes\":{},\"bad_instances\":{},\"memory\":{},\"free_memory\":{},"
      "\"disk\":{},\"free_disk\":{},\"score\":{}}}",
      json_text(name), json_text(file), nodes, instances, bad.nodes,
      bad.instances, json_number(memory), free_memory, json_number(disk),
      free_disk, json_number(score));
  }
};

class hscan_run {
public:
  hscan_run(const tool_options& o, tool_output to) : o_(o), to_(to) {}

  int all() {
    std::vector<std::string> names;
    for (const auto& typed : o_.words)
      names.push_back(shown_name(typed));
    if (names.empty())
      names.emplace_back(local);
    for (const auto& name : names)
      width_ = std::max(width_, name.size());
    if (o_.headers && !o_.json)
      say("{:<{}} {:>5} {:>5} {:>5} {:>5} {:>6} {:>6} {:>6} {:>6} {:>10}\n",
          "Name", width_, "Nodes", "Inst", "BNode", "BInst", "t_mem", "f_mem",
          "t_disk", "f_disk", "Score");
    for (std::size_t k = 0; k < names.size() && code_ != 1; ++k)
      one(names[k], o_.words.empty() ? nullptr : &o_.words[k]);
    if (o_.json)
      say("{{\"clusters\":[{}]}}\n", join(lines_, ','));
    return code_;
  }

private:
  template <class... Ts>
  void say(fmt::format_string<Ts...> text, Ts&&... xs) {
    fmt::print(to_.out, text, std::forward<Ts>(xs)...);
  }

  /// `address`: of the remote API; null is LUXI.
  void one(const std::string& name, const std::string* address) {
    auto from = o_;
    if (address)
      from.master = *address;
    else if (!from.luxi)
      from.luxi = "";
    auto c = read_source(from);
    if (!c) {
      fmt::print(to_.err, "\nError for {}: failed to load data. Details:\n{}\n",
                 name, c.why().text);
      code_ = 2; // the others are read all the same
      return;
    }
    placement p{*c, std::nullopt, o_.build};
    cluster_line line{*c, p};
    auto file = file_of(o_.output_dir, name);
    if (o_.json)
      lines_.push_back(line.json(name, file));
    else
      say("{:<{}} {}\n", name, width_, line.text());
    if (o_.node_fields && !o_.json)
      say("{}", node_table(p, *o_.node_fields, common_suffix(*c)));
    save(file, *c);
  }

  void save(const std::string& file, const cluster& c) {
    auto wrong = write_whole(file, write_text(c));
    if (!wrong)
      return;
    fmt::print(to_.err, "Error: {}\n", wrong->text);
    code_ = 1;
  }

  const tool_options& o_;
  tool_output to_;
  std::size_t width_ = std::string_view{"Name"}.size();
  std::vector<std::string> lines_;
  int code_ = 0;
};

} // namespace

int run_hscan(const tool_options& o, tool_output to) {
  if (o.luxi && !o.words.empty()) {
    fmt::print(to.err, "Error: -L reads one cluster, and others are named\n");
    return 1;
  }
  return hscan_run{o, to}.all();
}

} // namespace orderly::io::htools
