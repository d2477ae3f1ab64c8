// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/htools/formats/read_rapi.hpp"

#include "io/htools/formats/names.hpp"
#include "io/htools/formats/read_instance.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

namespace orderly::io::htools {

namespace {

using namespace planning;

/// Where Ganeti puts nodes that name no group.
constexpr std::string_view usual_group = "00000000-0000-0000-0000-000000000000";

/// Of each instance, as many values as all others together.
constexpr std::string_view unread = "hvparams";

/// Parts of the answers; the first thing that is wrong stays.
class rapi_reader {
public:
  explicit rapi_reader(std::int64_t kvm_node_memory)
    : kvm_node_memory_(kvm_node_memory) {
    // nop
  }

  result<cluster> read(const rapi_bodies& from) {
    each(from.groups, "group", [this](auto& r) { take_group(r); });
    each(from.nodes, "node", [this](auto& r) { take_node(r); });
    each(from.instances, "instance", [this](auto& r) { take_instance(r); });
    take_cluster(from.info);
    if (fault_)
      return *fault_;
    return std::move(c_);
  }

private:
  using numbers = std::map<std::string, int, std::less<>>;

  void note(const json_reader& r, const std::string& where) {
    if (!fault_ && r.trouble())
      fault_ = fault{r.trouble()->kind, where + ": " + r.trouble()->text};
  }

  std::optional<json_value> parse(const rapi_body& body, const char* what,
                                  json_value::is kind, const char* word) {
    if (fault_)
      return std::nullopt;
    auto all = read_json(body.text, body.name, unread);
    if (!all) {
      fault_ = fault{fault_kind::bad_input,
                     fmt::format("Parsing {}: {}", what, all.why().text)};
      return std::nullopt;
    }
    if (all->kind != kind) {
      fault_ = fault{fault_kind::bad_input,
                     fmt::format("Parsing {}: {}: Unable to read {}", what,
                                 body.name, word)};
      return std::nullopt;
    }
    return std::move(*all);
  }

  template <class Take>
  void each(const rapi_body& body, const std::string& what, Take take) {
    auto all
      = parse(body, (what + " data").c_str(), json_value::is::list, "list");
    if (!all)
      return;
    for (std::size_t k = 0; k < all->items.size() && !fault_; ++k) {
      const auto& x = all->items[k];
      const auto* name = x.member("name");
      auto known = name && name->kind == json_value::is::text;
      json_reader r{x, known ? fmt::format("{} '{}', error while parsing data",
                                           what, name->text)
                             : fmt::format("Parsing new {}, number {} of the "
                                           "list",
                                           what, k + 1)};
      take(r);
      note(r, body.name);
    }
  }

  void take_group(json_reader& r) {
    node_group g;
    g.name = r.text("name");
    g.uuid = r.text("uuid");
    auto policy = r.text("alloc_policy");
    auto known = alloc_policy_of(policy);
    if (!known)
      r.complain(fmt::format("key 'alloc_policy': Invalid string value for "
                             "type AllocPolicy: \"{}\"",
                             policy));
    g.allocation = known.value_or(alloc_policy::preferred);
    g.policy = read_policy(r, r.object("ipolicy"));
    g.tags = r.texts("tags");
    groups_.emplace(g.uuid, static_cast<int>(c_.groups.size()));
    c_.groups.push_back(std::move(g));
  }

  void take_node(json_reader& r) {
    node_spec n;
    n.name = r.text("name");
    auto capable = !r.has("vm_capable") || r.flag("vm_capable");
    auto live = !r.flag("offline") && capable;
    n.offline = r.flag("drained") || !live;
    n.dead = r.flag("offline");
    auto uuid
      = r.has("group.uuid") ? r.text("group.uuid") : std::string{usual_group};
    auto group = groups_.find(uuid);
    if (group == groups_.end())
      r.complain(fmt::format("Unknown group '{}' for node {}", uuid, n.name));
    else
      n.group = group->second;
    n.tags = r.texts("tags");
    json_reader parameters{r.object("ndparams"), "ndparams"};
    n.exclusive_storage = parameters.flag("exclusive_storage");
    auto shared = n.exclusive_storage ? 0 : parameters.whole("spindle_count");
    if (parameters.trouble())
      r.complain(parameters.trouble()->text);
    auto whole = [&](const char* key) { return live ? r.whole(key) : 0; };
    auto number = [&](const char* key) { return live ? r.number(key) : 0.0; };
    n.spindles = n.exclusive_storage ? whole("sptotal") : shared;
    n.total_memory = number("mtotal");
    n.node_memory = whole("mnode");
    n.free_memory = whole("mfree");
    // A node without volumes of its own says nothing about them.
    if (r.has("spfree"))
      n.free_spindles = whole("spfree");
    if (r.has("dtotal"))
      n.total_disk = number("dtotal");
    if (r.has("dfree"))
      n.free_disk = whole("dfree");
    n.total_cpus = number("ctotal");
    n.node_cpus = whole("cnos");
    nodes_.emplace(n.name, static_cast<int>(c_.nodes.size()));
    c_.nodes.push_back(std::move(n));
  }

  int node_of(json_reader& r, const std::string& name,
              const std::string& instance) {
    auto found = nodes_.find(name);
    if (found != nodes_.end())
      return found->second;
    r.complain(
      fmt::format("Unknown node '{}' for instance {}", name, instance));
    return 0;
  }

  void take_instance(json_reader& r) {
    instance_spec i;
    i.name = r.text("name");
    i.disk = r.whole("disk_usage");
    json_reader be{r.object("beparams"), "beparams"};
    // What it runs with goes before what it would be started with.
    if (r.has("oper_ram"))
      i.memory = r.whole("oper_ram");
    else
      i.memory = be.whole(be.has("memory") ? "memory" : "maxmem");
    i.vcpus = be.whole("vcpus");
    i.auto_balance = be.flag("auto_balance");
    i.spindle_use = be.whole("spindle_use");
    if (be.trouble())
      r.complain(be.trouble()->text);
    auto status = instance_status_of(r.text("status"));
    if (!status)
      r.complain("key 'status': Invalid string value for type InstanceStatus");
    i.status = status.value_or(instance_status::running);
    auto disks = disk_template_of(r.text("disk_template"));
    if (!disks)
      r.complain(
        "key 'disk_template': Invalid string value for type DiskTemplate");
    i.disks = disks.value_or(disk_template::diskless);
    i.primary = node_of(r, r.text("pnode"), i.name);
    auto others = r.texts("snodes");
    i.secondary = others.empty() ? -1 : node_of(r, others.front(), i.name);
    if (i.primary == i.secondary)
      r.complain(
        fmt::format("Instance {} has same primary and secondary node", i.name));
    i.tags = r.texts("tags");
    take_disks(r, i);
    i.forthcoming = r.has("forthcoming") && r.flag("forthcoming");
    c_.instances.push_back(std::move(i));
  }

  static void take_disks(json_reader& r, instance_spec& i) {
    constexpr mib most = 1'000'000'000'000;
    for (const auto& x : r.list("disk.sizes").items) {
      if (x.kind != json_value::is::whole || x.whole > most || x.whole < 0)
        r.complain("key 'disk.sizes': Unable to read Int");
      i.disk_sizes.push_back(x.whole);
    }
    if (!r.has("disk.spindles"))
      return;
    for (const auto& x : r.list("disk.spindles").items) {
      auto counted = x.kind == json_value::is::whole;
      if (counted && (x.whole > most || x.whole < 0))
        r.complain("key 'disk.spindles': Unable to read Int");
      i.disk_spindles.push_back(counted ? std::optional{x.whole}
                                        : std::nullopt);
    }
  }

  void take_cluster(const rapi_body& body) {
    auto info = parse(body, "cluster info", json_value::is::object, "JSObject");
    if (!info)
      return;
    json_reader r{*info, "Parsing cluster data"};
    auto master = r.text("master");
    c_.tags = r.texts("tags");
    c_.policy = read_policy(r, r.object("ipolicy"));
    auto on_kvm = r.text("default_hypervisor") == "kvm";
    auto found = nodes_.find(master);
    if (found == nodes_.end())
      r.complain(fmt::format("Master node {} unknown", master));
    else
      c_.nodes[at(found->second)].master = true;
    if (on_kvm && kvm_node_memory_ > 0)
      for (auto& n : c_.nodes)
        n.node_memory = kvm_node_memory_;
    note(r, body.name);
  }

  std::int64_t kvm_node_memory_;
  cluster c_;
  numbers groups_;
  numbers nodes_;
  std::optional<fault> fault_;
};

} // namespace

result<cluster> read_rapi(const rapi_bodies& from,
                          std::int64_t kvm_node_memory) {
  return checked(
    rapi_reader{kvm_node_memory}.read(from),
    {from.groups.name, from.nodes.name, from.instances.name, from.info.name});
}

} // namespace orderly::io::htools
