// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/htools/formats/read_request.hpp"

#include "io/htools/formats/fields.hpp"
#include "io/htools/formats/names.hpp"
#include "io/htools/formats/read_instance.hpp"

#include <map>

#include <fmt/format.h>

namespace orderly::io::htools {

namespace {

using namespace planning;

fault bad(const std::string& text) {
  return {fault_kind::bad_input, text};
}

/// Parts of a message; the first thing that is wrong stays.
class request_reader {
public:
  explicit request_reader(std::int64_t kvm_node_memory)
    : kvm_node_memory_(kvm_node_memory) {
    // nop
  }

  std::optional<fault> read_cluster(const json_value& message);

  result<request_kind> read_what(const json_value& request);

  cluster& nodes() { return c_; }

private:
  using numbers = std::map<std::string, int, std::less<>>;

  bool note(const json_reader& r) {
    if (!fault_)
      fault_ = r.trouble();
    return !fault_;
  }

  void take_group(const std::string& uuid, const json_value& x);
  void take_node(const std::string& name, const json_value& x);
  void take_instance(const std::string& name, const json_value& x);
  int node_of(const std::string& name, const std::string& instance);
  new_instance read_new(json_reader& r, const json_value& x);
  request_kind read_many(json_reader& r);
  request_kind read_relocation(json_reader& r);
  request_kind read_evacuation(json_reader& r);
  request_kind read_change(json_reader& r);
  void check_instances(const std::vector<std::string>& names);
  void check_names(const std::vector<std::string>& names, const numbers& known);

  std::int64_t kvm_node_memory_;
  bool on_kvm_ = false;
  cluster c_;
  numbers groups_;
  numbers nodes_;
  numbers instances_;
  std::optional<fault> fault_;
};

std::optional<fault> request_reader::read_cluster(const json_value& message) {
  json_reader r{message, "invalid iallocator message"};
  auto each = [&](const char* key, auto take) {
    const auto& all = r.object(key);
    for (std::size_t k = 0; k < all.names.size() && note(r); ++k)
      take(all.names[k], all.items[k]);
  };
  auto hypervisors = r.texts("enabled_hypervisors");
  on_kvm_ = !hypervisors.empty() && hypervisors.front() == "kvm";
  each("nodegroups",
       [this](const auto& name, const auto& x) { take_group(name, x); });
  each("nodes",
       [this](const auto& name, const auto& x) { take_node(name, x); });
  each("instances",
       [this](const auto& name, const auto& x) { take_instance(name, x); });
  c_.tags = r.texts("cluster_tags");
  note(r);
  return fault_;
}

void request_reader::take_group(const std::string& uuid, const json_value& x) {
  json_reader r{x, fmt::format("invalid data for group '{}'", uuid)};
  node_group g;
  g.uuid = uuid;
  g.name = r.text("name");
  auto policy = r.text("alloc_policy");
  auto known = alloc_policy_of(policy);
  if (!known)
    r.complain(fmt::format("key 'alloc_policy': '{}' is not one of preferred, "
                           "last_resort, unallocable",
                           policy));
  g.allocation = known.value_or(alloc_policy::preferred);
  g.networks = r.texts("networks");
  g.policy = read_policy(r, r.object("ipolicy"));
  if (r.has("tags"))
    g.tags = r.texts("tags");
  note(r);
  groups_.emplace(uuid, static_cast<int>(c_.groups.size()));
  c_.groups.push_back(std::move(g));
}

void request_reader::take_node(const std::string& name, const json_value& x) {
  json_reader r{x, fmt::format("invalid data for node '{}'", name)};
  node_spec n;
  n.name = name;
  auto capable = !r.has("vm_capable") || r.flag("vm_capable");
  auto live = !r.flag("offline") && capable;
  n.offline = !live || r.flag("drained");
  n.dead = r.flag("offline");
  n.master_candidate = r.has("master_candidate") && r.flag("master_candidate");
  auto group = r.text("group");
  auto found = groups_.find(group);
  if (found == groups_.end())
    r.complain(fmt::format("Unknown group '{}' for node {}", group, name));
  else
    n.group = found->second;
  if (r.has("tags"))
    n.tags = r.texts("tags");
  json_reader parameters{r.object("ndparams"),
                         fmt::format("invalid ndparams of node '{}'", name)};
  n.exclusive_storage = parameters.flag("exclusive_storage");
  auto spindles = parameters.whole("spindle_count");
  auto whole = [&](const char* key) { return live ? r.whole(key) : 0; };
  auto number = [&](const char* key) { return live ? r.number(key) : 0.0; };
  n.spindles = n.exclusive_storage ? whole("total_spindles") : spindles;
  n.free_spindles
    = live && r.has("free_spindles") ? r.whole("free_spindles") : 0;
  n.total_memory = number("total_memory");
  n.node_memory = whole("reserved_memory");
  n.free_memory = whole("free_memory");
  n.total_disk = number("total_disk");
  n.free_disk = whole("free_disk");
  n.total_cpus = number("total_cpus");
  n.node_cpus = whole("reserved_cpus");
  if (on_kvm_ && kvm_node_memory_ > 0)
    n.node_memory = kvm_node_memory_;
  note(r);
  note(parameters);
  nodes_.emplace(name, static_cast<int>(c_.nodes.size()));
  c_.nodes.push_back(std::move(n));
}

int request_reader::node_of(const std::string& name,
                            const std::string& instance) {
  auto found = nodes_.find(name);
  if (found != nodes_.end())
    return found->second;
  if (!fault_)
    fault_
      = bad(fmt::format("Unknown node '{}' for instance {}", name, instance));
  return 0;
}

void request_reader::take_instance(const std::string& name,
                                   const json_value& x) {
  json_reader r{x, fmt::format("invalid data for instance '{}'", name)};
  auto i = read_instance(r, name);
  auto where = r.texts("nodes");
  if (!note(r))
    return;
  if (where.empty()) {
    fault_ = bad("empty node list for instance " + name);
    return;
  }
  i.primary = node_of(where[0], name);
  i.secondary = where.size() > 1 ? node_of(where[1], name) : -1;
  if (i.primary == i.secondary && !fault_)
    fault_ = bad(fmt::format("instance {}: primary and secondary node are the "
                             "same",
                             name));
  instances_.emplace(name, static_cast<int>(c_.instances.size()));
  c_.instances.push_back(std::move(i));
}

new_instance request_reader::read_new(json_reader& r, const json_value& x) {
  new_instance n;
  auto name = r.text("name");
  json_reader i{x, fmt::format("invalid data for instance '{}'", name)};
  n.spec = read_instance(i, name);
  n.spec.primary = n.spec.secondary = -1;
  n.nodes = r.whole("required_nodes");
  if (r.has("group_name"))
    n.group = r.text("group_name");
  if (r.has("restrict-to-nodes"))
    n.restricted = r.texts("restrict-to-nodes");
  note(i);
  auto bad_word = n.group && !is_fit_to_show(*n.group);
  for (const auto& node : n.restricted.value_or(std::vector<std::string>{}))
    bad_word |= !is_fit_to_show(node);
  if (bad_word)
    r.complain("the name of its group or of a node that it is restricted to "
               "has a control character or bytes that are no UTF-8");
  if (!fault_)
    fault_ = bad_name(n.spec, "the request", "the new instance");
  return n;
}

void request_reader::check_instances(const std::vector<std::string>& names) {
  for (const auto& name : names)
    if (!fault_ && instances_.find(name) == instances_.end())
      fault_ = bad(fmt::format("Unknown instance '{}'", name));
}

request_kind request_reader::read_many(json_reader& r) {
  multi_allocate_request all;
  for (const auto& one : r.list("instances").items) {
    json_reader i{one, "invalid request dict"};
    all.what.push_back(read_new(i, one));
    note(i);
  }
  return all;
}

request_kind request_reader::read_relocation(json_reader& r) {
  relocate_request q{r.text("name"), r.whole("required_nodes"),
                     r.texts("relocate_from")};
  if (note(r))
    check_instances({q.instance});
  check_names(q.from, nodes_);
  return q;
}

request_kind request_reader::read_evacuation(json_reader& r) {
  node_evacuate_request q;
  q.instances = r.texts("instances");
  auto mode = r.text("evac_mode");
  if (mode == "primary-only")
    q.mode = evacuation_mode::primary;
  else if (mode == "secondary-only")
    q.mode = evacuation_mode::secondary;
  else if (mode != "all")
    r.complain(fmt::format("key 'evac_mode': Invalid string value for type "
                           "EvacMode: \"{}\"",
                           mode));
  if (note(r))
    check_instances(q.instances);
  return q;
}

request_kind request_reader::read_change(json_reader& r) {
  change_group_request q{r.texts("instances"), r.texts("target_groups")};
  if (note(r))
    check_instances(q.instances);
  check_names(q.groups, groups_);
  return q;
}

void request_reader::check_names(const std::vector<std::string>& names,
                                 const numbers& known) {
  for (const auto& n : names)
    if (!fault_ && known.find(n) == known.end())
      fault_ = bad("Wrong number of elems found with name " + n);
}

result<request_kind> request_reader::read_what(const json_value& x) {
  json_reader r{x, "invalid request dict"};
  auto type = r.text("type");
  request_kind what;
  if (!note(r))
    return *fault_;
  if (type == "allocate") {
    what = allocate_request{read_new(r, x)};
  } else if (type == "multi-allocate") {
    what = read_many(r);
  } else if (type == "relocate") {
    what = read_relocation(r);
  } else if (type == "node-evacuate") {
    what = read_evacuation(r);
  } else if (type == "change-group") {
    what = read_change(r);
  } else if (type == "allocate-secondary") {
    allocate_secondary_request q{r.text("name")};
    if (note(r))
      check_instances({q.instance});
    what = std::move(q);
  } else {
    fault_ = bad(fmt::format("Invalid request type '{}'", type));
  }
  note(r);
  if (fault_)
    return *fault_;
  return what;
}

result<json_value> message_of(std::string_view text, const std::string& file) {
  auto message = read_json(text, file);
  if (!message)
    return bad("Parsing input IAllocator message: " + message.why().text);
  if (message->kind != json_value::is::object)
    return bad(fmt::format("Parsing input IAllocator message: Unable to read "
                           "JSObject: {}: it is no object",
                           file));
  return message;
}

} // namespace

result<allocator_request> read_request(std::string_view text,
                                       const std::string& file,
                                       std::int64_t kvm_node_memory) {
  auto message = message_of(text, file);
  if (!message)
    return shown(message.why());
  json_reader r{*message, "invalid iallocator message"};
  const auto& asked = r.object("request");
  if (r.trouble())
    return shown(*r.trouble());
  request_reader parts{kvm_node_memory};
  if (auto wrong = parts.read_cluster(*message))
    return shown(*wrong);
  auto what = parts.read_what(asked);
  if (!what)
    return shown(what.why());
  if (auto wrong = bad_name(parts.nodes(), read_at(file)))
    return *wrong;
  allocator_request result;
  result.nodes = std::move(parts.nodes());
  result.what = std::move(*what);
  return result;
}

result<cluster> read_request_cluster(std::string_view text,
                                     const std::string& file,
                                     std::int64_t kvm_node_memory) {
  auto message = message_of(text, file);
  if (!message)
    return shown(message.why());
  request_reader parts{kvm_node_memory};
  if (auto wrong = parts.read_cluster(*message))
    return shown(*wrong);
  return checked(std::move(parts.nodes()), read_at(file));
}

} // namespace orderly::io::htools
