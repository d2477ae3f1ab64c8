// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/htools/tools/read_pools.hpp"

#include "io/htools/formats/json_value.hpp"
#include "io/htools/formats/names.hpp"
#include "io/htools/tools/hbal_load.hpp"
#include "io/json/escape.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace orderly::io::htools {

namespace {

using namespace planning;

/// `internal/lvm`.
std::optional<storage_pool> pool_in(const std::string& text) {
  auto slash = text.find('/');
  if (slash == std::string::npos || slash + 1 == text.size())
    return std::nullopt;
  for (auto type : {storage_type::internal, storage_type::external})
    if (text.compare(0, slash, name_of(type)) == 0)
      return storage_pool{type, text.substr(slash + 1)};
  return std::nullopt;
}

template <class T>
T* named(std::vector<T>& all, const std::string& name) {
  auto found = std::find_if(all.begin(), all.end(),
                            [&](const T& x) { return x.name == name; });
  return found == all.end() ? nullptr : &*found;
}

class reader {
public:
  reader(std::string file, cluster& c) : file_(std::move(file)), c_(c) {
    // nop
  }

  std::optional<fault> read(const json_value& whole) {
    if (whole.kind != json_value::is::object)
      return wrong("the file", "it is no object");
    for (std::size_t k = 0; k < whole.names.size() && !fault_; ++k)
      read_part(whole.names[k], whole.items[k]);
    return fault_;
  }

  std::vector<std::string> strangers;

private:
  fault wrong(const std::string& where, const std::string& what) {
    return {fault_kind::bad_input,
            fmt::format("{}: {}: {}", file_, where, what)};
  }

  void complain(const std::string& where, const std::string& what) {
    if (!fault_)
      fault_ = wrong(where, what);
  }

  void read_part(const std::string& part, const json_value& x) {
    if (part != "nodes" && part != "instances" && part != "templates")
      return complain(
        part, "there is no such part; give nodes, instances or templates");
    if (x.kind != json_value::is::object)
      return complain(part, "it is no object");
    for (std::size_t k = 0; k < x.names.size() && !fault_; ++k) {
      auto where = part + " " + x.names[k];
      if (part == "nodes")
        read_node(x.names[k], where, x.items[k]);
      else if (part == "instances")
        read_instance(x.names[k], where, x.items[k]);
      else
        read_template(x.names[k], where, x.items[k]);
    }
  }

  storage_pool pool(const json_value& x, const std::string& where) {
    auto found = x.kind == json_value::is::text ? pool_in(x.text)
                                                : std::optional<storage_pool>{};
    if (!found)
      complain(where, "a pool is a text like \"internal/lvm\" or "
                      "\"external/nas1\"");
    return found.value_or(storage_pool{});
  }

  /// A pool for such disks: the template says already of which type it is.
  storage_pool pool_for(disk_template disks, const json_value& x,
                        const std::string& where) {
    auto result = pool(x, where);
    auto usual = derived_pool(disks);
    if (!usual)
      complain(where, "diskless instances have no volumes");
    else if (usual->type != result.type)
      complain(where, fmt::format("volumes of template {} are {}",
                                  name_of(disks), name_of(usual->type)));
    return result;
  }

  void read_node(const std::string& name, const std::string& where,
                 const json_value& x) {
    if (x.kind != json_value::is::list)
      return complain(where, "it is no list of pools");
    std::vector<storage_pool> pools;
    for (const auto& one : x.items)
      pools.push_back(pool(one, where));
    if (auto* n = named(c_.nodes, name))
      n->pools = pools;
    else
      strangers.push_back("node " + name);
  }

  void read_instance(const std::string& name, const std::string& where,
                     const json_value& x) {
    if (auto* i = named(c_.instances, name)) {
      i->storage = pool_for(i->disks, x, where);
      return;
    }
    pool(x, where);
    strangers.push_back("instance " + name);
  }

  void read_template(const std::string& name, const std::string& where,
                     const json_value& x) {
    auto disks = disk_template_of(name);
    if (!disks)
      return complain(where, "there is no such disk template");
    c_.template_pools[*disks] = pool_for(*disks, x, where);
  }

  std::string file_;
  cluster& c_;
  std::optional<fault> fault_;
};

} // namespace

result<std::vector<std::string>>
read_pools(std::string_view text, const std::string& file, cluster& c) {
  auto whole = read_json(text, file);
  if (!whole)
    return shown(whole.why());
  reader r{file, c};
  if (auto wrong = r.read(*whole))
    return shown(*wrong);
  return r.strangers;
}

std::optional<fault> add_pools(cluster& c, const tool_options& o,
                               std::FILE* err) {
  if (o.pools_file.empty())
    return std::nullopt;
  auto text = read_whole(o.pools_file);
  if (!text)
    return text.why();
  auto strangers = read_pools(*text, o.pools_file, c);
  if (!strangers)
    return strangers.why();
  for (const auto& x : *strangers)
    fmt::print(err, "Warning: {} names {}, which the cluster does not have\n",
               o.pools_file, http::one_line(x));
  return std::nullopt;
}

} // namespace orderly::io::htools
