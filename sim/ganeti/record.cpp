// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The record half of the simulated Ganeti.

#include "sim/ganeti/ganeti.hpp"

#include <algorithm>
#include <utility>

namespace orderly::sim {

namespace {

std::string tag_key(tag_kind kind, const std::string& name) {
  switch (kind) {
  case tag_kind::cluster:
    return "cluster";
  case tag_kind::group:
    return "group:" + name;
  case tag_kind::node:
    return "node:" + name;
  case tag_kind::instance:
    return "instance:" + name;
  }
  return "?";
}

template <class T>
void sort_by_name(std::vector<T>& xs) {
  std::sort(xs.begin(), xs.end(),
            [](const T& a, const T& b) { return a.name < b.name; });
}

} // namespace

ganeti::ganeti(const world_plan& plan, world& truth, std::uint64_t seed)
  : truth_(truth), dice_(dice_for(seed, "ganeti")) {
  record_.name = plan.name;
  record_.master = plan.master;
  record_.tags = plan.tags;
  record_.groups = plan.groups;
  record_.instances = plan.instances;
  for (const auto& x : plan.nodes) {
    node_record node;
    node.name = x.name;
    node.uuid = x.uuid.empty() ? "uuid-" + x.name : x.uuid;
    node.group = x.group;
    node.address = x.name;
    node.oob_program
      = x.program.value_or(x.power_control ? sim_oob_program : "");
    node.offline = x.offline;
    node.powered = x.powered.value_or(!x.offline);
    node.drained = x.drained;
    node.vm_capable = x.vm_capable;
    node.serial_no = 1;
    record_.nodes.push_back(node);
    stock_[x.name] = {x.memory_mib, x.disk_mib, 0, false, x.cpus};
  }
  index_record();
  master_since_ = truth_.now();
}

void ganeti::index_record() {
  index_names();
  for (const auto& x : record_.instances)
    count_place(x, 1);
}

void ganeti::index_names() {
  sort_by_name(record_.groups);
  sort_by_name(record_.nodes);
  sort_by_name(record_.instances);
  group_index_.clear();
  node_index_.clear();
  instance_index_.clear();
  for (std::size_t i = 0; i < record_.groups.size(); ++i)
    group_index_[record_.groups[i].name] = i;
  for (std::size_t i = 0; i < record_.nodes.size(); ++i)
    node_index_[record_.nodes[i].name] = i;
  for (std::size_t i = 0; i < record_.instances.size(); ++i)
    instance_index_[record_.instances[i].name] = i;
}

const node_record* ganeti::node(const node_name& name) const {
  auto i = node_index_.find(name);
  return i == node_index_.end() ? nullptr : &record_.nodes[i->second];
}

const instance_record* ganeti::instance(const instance_name& name) const {
  auto i = instance_index_.find(name);
  return i == instance_index_.end() ? nullptr : &record_.instances[i->second];
}

const group_record* ganeti::group(const group_name& name) const {
  auto i = group_index_.find(name);
  return i == group_index_.end() ? nullptr : &record_.groups[i->second];
}

node_record* ganeti::node_at(const node_name& name) {
  return const_cast<node_record*>(std::as_const(*this).node(name));
}

instance_record* ganeti::instance_at(const instance_name& name) {
  return const_cast<instance_record*>(std::as_const(*this).instance(name));
}

const std::vector<std::string>* ganeti::tags_of(tag_kind kind,
                                                const std::string& name) const {
  switch (kind) {
  case tag_kind::cluster:
    return &record_.tags;
  case tag_kind::group: {
    const auto* x = group(name);
    return x ? &x->tags : nullptr;
  }
  case tag_kind::node: {
    const auto* x = node(name);
    return x ? &x->tags : nullptr;
  }
  case tag_kind::instance: {
    const auto* x = instance(name);
    return x ? &x->tags : nullptr;
  }
  }
  return nullptr;
}

std::vector<std::string>* ganeti::tags_of(tag_kind kind,
                                          const std::string& name) {
  return const_cast<std::vector<std::string>*>(
    std::as_const(*this).tags_of(kind, name));
}

void ganeti::touch() {
  picture_.reset();
  ++version_;
}

cluster_picture ganeti::picture() {
  if (picture_)
    return picture_;
  record_.jobs.clear();
  for (auto id : open_) {
    const auto& x = *job(id);
    running_job y;
    y.id = id;
    y.instances = x.instances;
    y.nodes = x.nodes();
    y.reason = x.spec.reason;
    record_.jobs.push_back(y);
  }
  auto torn = habits.torn;
  auto before
    = std::exchange(seen_, std::make_shared<const cluster_record>(record_));
  if (torn == tear::none || !before) {
    picture_ = seen_;
    return picture_;
  }
  // A change came between its queries, of which that of the queue is the
  // first; the next picture is whole again.
  auto result = *seen_;
  result.jobs = before->jobs;
  if (torn == tear::nodes)
    result.nodes = before->nodes;
  else
    result.instances = before->instances;
  return std::make_shared<const cluster_record>(std::move(result));
}

void ganeti::note_read(instant at) {
  if (reads_.size() >= 4)
    reads_.erase(reads_.begin());
  reads_.push_back(at);
}

void ganeti::write_tags(tag_kind kind, const std::string& name,
                        std::vector<std::string> tags) {
  auto* place = tags_of(kind, name);
  tag_history_[tag_key(kind, name)].push_back({truth_.now(), *place});
  std::sort(tags.begin(), tags.end());
  tags.erase(std::unique(tags.begin(), tags.end()), tags.end());
  *place = std::move(tags);
  if (kind == tag_kind::node)
    ++node_at(name)->serial_no;
  touch();
}

std::vector<std::string> ganeti::tags_at(tag_kind kind, const std::string& name,
                                         instant when) const {
  const auto* current = tags_of(kind, name);
  if (!current)
    return {};
  auto i = tag_history_.find(tag_key(kind, name));
  if (i != tag_history_.end())
    for (const auto& x : i->second) // oldest first
      if (x.at > when)
        return x.before;
  return *current;
}

/// Changes the node's role, of which it has one, and remembers its marks: as in
/// Ganeti the offline mark takes the place of the drained one, and whoever
/// takes either away leaves neither. The record is written once, and once more
/// if the role changes.
void ganeti::mark(node_record& x, bool node_record::*place, bool value) {
  ++x.serial_no;
  auto changed = false;
  auto set = [&](bool node_record::*flag, mark_changes& history) {
    auto is = value && flag == place;
    if (x.*flag == is)
      return;
    changed = true;
    history[x.name].push_back({truth_.now(), x.*flag});
    x.*flag = is;
  };
  set(&node_record::offline, offline_history_);
  set(&node_record::drained, drained_history_);
  x.serial_no += changed ? 1 : 0;
}

namespace {

/// No change of the mark since then.
bool is_unchanged(const mark_changes& history, const node_name& name,
                  instant when) {
  auto i = history.find(name);
  return i == history.end() || i->second.back().at <= when;
}

} // namespace

bool ganeti::offline_at(const node_name& name, instant when) const {
  const auto* x = node(name);
  if (!x)
    return false;
  auto i = offline_history_.find(name);
  if (i != offline_history_.end())
    for (const auto& y : i->second) // oldest first
      if (y.at > when)
        return y.before;
  return x->offline;
}

bool ganeti::drained_since(const node_name& name, instant when) const {
  const auto* x = node(name);
  return x && x->drained && is_unchanged(drained_history_, name, when);
}

bool ganeti::offline_since(const node_name& name, instant when) const {
  const auto* x = node(name);
  return x && x->offline && is_unchanged(offline_history_, name, when);
}

bool ganeti::set_tag(tag_kind kind, const std::string& name,
                     const std::string& tag, bool add) {
  const auto* place = std::as_const(*this).tags_of(kind, name);
  if (!place)
    return false;
  auto tags = *place;
  if (add)
    tags.push_back(tag);
  else
    tags.erase(std::remove(tags.begin(), tags.end(), tag), tags.end());
  write_tags(kind, name, std::move(tags));
  return true;
}

bool ganeti::set_offline(const node_name& name, bool offline) {
  auto* x = node_at(name);
  if (!x)
    return false;
  mark(*x, &node_record::offline, offline);
  if (!offline)
    x->powered = true;
  touch();
  return true;
}

bool ganeti::set_drained(const node_name& name, bool drained) {
  auto* x = node_at(name);
  if (!x)
    return false;
  mark(*x, &node_record::drained, drained);
  touch();
  return true;
}

bool ganeti::set_vm_capable(const node_name& name, bool capable) {
  auto* x = node_at(name);
  if (!x)
    return false;
  x->vm_capable = capable;
  ++x->serial_no;
  touch();
  return true;
}

bool ganeti::set_admin(const instance_name& name, admin_state admin) {
  auto* x = instance_at(name);
  if (!x)
    return false;
  if (x->admin != admin)
    wishes_[name].push_back({truth_.now(), x->admin});
  x->admin = admin;
  touch();
  return true;
}

instant ganeti::wanted_since(const instance_name& name) const {
  auto i = wishes_.find(name);
  return i == wishes_.end() ? never : i->second.back().at;
}

std::vector<stretch_of_time>
ganeti::wanted_up(const instance_name& name) const {
  std::vector<stretch_of_time> result;
  instant since;
  if (auto i = wishes_.find(name); i != wishes_.end())
    for (const auto& x : i->second) {
      if (x.before == admin_state::up)
        result.push_back({since, x.at});
      since = x.at;
    }
  if (const auto* x = instance(name); x && x->admin == admin_state::up)
    result.push_back({since, never});
  return result;
}

bool ganeti::set_full(const node_name& name, bool full) {
  auto i = stock_.find(name);
  if (i == stock_.end())
    return false;
  i->second.full = full;
  ++version_;
  return true;
}

bool ganeti::set_master(const node_name& name) {
  if (!node(name))
    return false;
  if (record_.master != name) {
    record_.master = name;
    master_since_ = truth_.now();
    touch();
  }
  return true;
}

} // namespace orderly::sim
