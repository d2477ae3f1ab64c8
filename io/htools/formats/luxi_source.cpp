// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/htools/formats/luxi_source.hpp"

#include "io/htools/formats/luxi_line.hpp"
#include "io/htools/formats/names.hpp"
#include "io/htools/formats/read_instance.hpp"

#include <map>

#include <fmt/format.h>

namespace orderly::io::htools {

namespace {

using namespace planning;

using name_list = std::vector<std::string>;

const name_list group_fields{"uuid", "name", "alloc_policy", "ipolicy", "tags"};
const name_list node_fields{"name",       "mtotal",     "mnode",
                            "mfree",      "dtotal",     "dfree",
                            "ctotal",     "cnos",       "offline",
                            "drained",    "vm_capable", "ndp/spindle_count",
                            "group.uuid", "tags",       "ndp/exclusive_storage",
                            "sptotal",    "spfree",     "ndp/cpu_speed"};
const name_list instance_fields{
  "name",       "disk_usage",      "be/memory",     "be/vcpus",
  "status",     "pnode",           "snodes",        "tags",
  "oper_ram",   "be/auto_balance", "disk_template", "be/spindle_use",
  "disk.sizes", "disk.spindles",   "forthcoming"};

std::string list(const name_list& texts) {
  std::string result = "[";
  for (const auto& t : texts)
    result += (&t == &texts.front() ? "" : ",") + json_text(t);
  return result + "]";
}

class luxi_reader {
public:
  /// `forbearing`: a node's silence is no fault.
  luxi_reader(luxi_line& line, std::int64_t kvm_node_memory, bool forbearing)
    : line_(line), kvm_node_memory_(kvm_node_memory), forbearing_(forbearing) {
    // nop
  }

  result<luxi_reading> read() {
    take_cluster();
    each("group", group_fields, [this](json_reader& r) { take_group(r); });
    auto fields = node_fields;
    if (forbearing_)
      fields.emplace_back("pip");
    each("node", fields, [this](json_reader& r) { take_node(r); });
    each("instance", instance_fields,
         [this](json_reader& r) { take_instance(r); });
    if (fault_)
      return *fault_;
    return std::move(got_);
  }

private:
  void note(const json_reader& r) {
    if (!fault_)
      fault_ = r.trouble();
  }

  /// Rows come as lists of [status, value]; values that are there become the
  /// members of an object.
  template <class Take>
  void each(const char* what, const name_list& fields, Take take) {
    if (fault_)
      return;
    auto answer = line_.ask(
      "Query", fmt::format("[{},{},null]", json_text(what), list(fields)));
    if (!answer) {
      fault_ = answer.why();
      return;
    }
    json_reader all{*answer, fmt::format("LUXI's list of {}s", what)};
    for (const auto& row : all.list("data").items) {
      json_value x;
      x.kind = json_value::is::object;
      for (std::size_t k = 0; k < fields.size() && k < row.items.size(); ++k) {
        const auto& pair = row.items[k].items;
        if (pair.size() == 2 && pair[0].kind == json_value::is::whole
            && pair[0].whole == 0) {
          x.names.push_back(fields[k]);
          x.items.push_back(pair[1]);
        }
      }
      json_reader r{x, fmt::format("a {} of LUXI", what)};
      take(r);
      note(r);
    }
    note(all);
  }

  void take_cluster() {
    auto answer = line_.ask("QueryClusterInfo", "[]");
    if (!answer) {
      fault_ = answer.why();
      return;
    }
    json_reader r{*answer, "LUXI's cluster"};
    c_.tags = r.texts("tags");
    if (r.has("master"))
      master_ = r.text("master");
    c_.policy = read_policy(r, r.object("ipolicy"));
    auto hypervisors = r.texts("enabled_hypervisors");
    on_kvm_ = !hypervisors.empty() && hypervisors.front() == "kvm";
    note(r);
  }

  void take_group(json_reader& r) {
    node_group g;
    g.uuid = r.text("uuid");
    g.name = r.text("name");
    auto policy = alloc_policy_of(r.text("alloc_policy"));
    if (!policy)
      r.complain("key 'alloc_policy' is no allocation policy");
    g.allocation = policy.value_or(alloc_policy::preferred);
    g.policy = read_policy(r, r.object("ipolicy"));
    g.tags = r.texts("tags");
    groups_[g.uuid] = static_cast<int>(c_.groups.size());
    c_.groups.push_back(std::move(g));
  }

  /// The figure that a live node must have and this one has not. Of a dead
  /// node that is not offline, luxid has none.
  static const char* first_missing(const json_reader& r) {
    for (const char* key :
         {"mtotal", "mnode", "mfree", "dtotal", "dfree", "ctotal", "cnos"})
      if (!r.has(key))
        return key;
    return nullptr;
  }

  /// False if it is silent.
  bool is_told(json_reader& r, const std::string& name) {
    const auto* key = first_missing(r);
    if (key == nullptr) {
      if (forbearing_)
        got_.live.push_back({name, r.text("pip")});
      return true;
    }
    if (forbearing_)
      got_.silent.push_back(name);
    else
      r.complain(
        fmt::format("Ganeti has no '{}' of node {}; if it is dead, mark it "
                    "offline (gnt-node modify --offline=yes), or else see "
                    "why its daemon is silent",
                    key, name));
    return false;
  }

  void take_node(json_reader& r) {
    node_spec n;
    n.name = r.text("name");
    n.master = n.name == master_;
    auto live = !r.flag("offline") && r.flag("vm_capable");
    n.offline = !live || r.flag("drained");
    n.dead = r.flag("offline");
    auto group = groups_.find(r.text("group.uuid"));
    if (group == groups_.end())
      r.complain(fmt::format("node {} is in an unknown group", n.name));
    else
      n.group = group->second;
    n.tags = r.texts("tags");
    n.exclusive_storage = r.flag("ndp/exclusive_storage");
    if (live && !is_told(r, n.name)) {
      live = false;
      n.offline = n.dead = true;
    }
    auto whole = [&](const char* key) { return live ? r.whole(key) : 0; };
    auto number = [&](const char* key) { return live ? r.number(key) : 0.0; };
    n.spindles
      = n.exclusive_storage ? whole("sptotal") : r.whole("ndp/spindle_count");
    n.free_spindles = live && r.has("spfree") ? r.whole("spfree") : 0;
    n.total_memory = number("mtotal");
    n.node_memory = whole("mnode");
    n.free_memory = whole("mfree");
    n.total_disk = number("dtotal");
    n.free_disk = whole("dfree");
    n.total_cpus = number("ctotal");
    n.node_cpus = whole("cnos");
    if (r.has("ndp/cpu_speed"))
      n.cpu_speed = r.number("ndp/cpu_speed");
    if (!(n.cpu_speed > 0))
      r.complain(
        fmt::format("the cpu speed of node {} is not above 0", n.name));
    if (on_kvm_ && kvm_node_memory_ > 0)
      n.node_memory = kvm_node_memory_;
    nodes_[n.name] = static_cast<int>(c_.nodes.size());
    c_.nodes.push_back(std::move(n));
  }

  int node_of(json_reader& r, const std::string& name) {
    auto found = nodes_.find(name);
    if (found != nodes_.end())
      return found->second;
    r.complain(fmt::format("an instance is on '{}', which is no node", name));
    return 0;
  }

  void take_instance(json_reader& r) {
    instance_spec i;
    i.name = r.text("name");
    i.disk = r.whole("disk_usage");
    i.memory = r.whole(r.has("oper_ram") ? "oper_ram" : "be/memory");
    i.vcpus = r.whole("be/vcpus");
    auto status = instance_status_of(r.text("status"));
    if (!status)
      r.complain(
        fmt::format("instance {} has no status that is known", i.name));
    i.status = status.value_or(instance_status::running);
    i.primary = node_of(r, r.text("pnode"));
    auto others = r.texts("snodes");
    i.secondary = others.empty() ? -1 : node_of(r, others.front());
    i.tags = r.texts("tags");
    i.auto_balance = r.flag("be/auto_balance");
    auto disks = disk_template_of(r.text("disk_template"));
    if (!disks)
      r.complain(
        fmt::format("instance {} has no disk template that is known", i.name));
    i.disks = disks.value_or(disk_template::diskless);
    i.spindle_use = r.whole("be/spindle_use");
    for (const auto& x : r.list("disk.sizes").items)
      i.disk_sizes.push_back(x.whole);
    if (r.has("disk.spindles"))
      for (const auto& x : r.list("disk.spindles").items)
        i.disk_spindles.push_back(x.kind == json_value::is::whole
                                    ? std::optional{x.whole}
                                    : std::nullopt);
    i.forthcoming = r.has("forthcoming") && r.flag("forthcoming");
    c_.instances.push_back(std::move(i));
  }

  luxi_line& line_;
  std::int64_t kvm_node_memory_;
  bool forbearing_;
  bool on_kvm_ = false;
  std::string master_; ///< empty if nobody says
  luxi_reading got_;
  cluster& c_ = got_.model;
  std::map<std::string, int> groups_;
  std::map<std::string, int> nodes_;
  std::optional<fault> fault_;
};

} // namespace

result<cluster> read_luxi(const std::string& socket,
                          std::int64_t kvm_node_memory,
                          std::chrono::seconds patience) {
  const std::string place = socket.empty() ? usual_luxi_socket : socket;
  luxi_line line{place, patience};
  auto got = luxi_reader{line, kvm_node_memory, false}.read();
  if (!got)
    return shown(got.why());
  return checked(std::move(got->model), read_at(place));
}

result<luxi_reading> read_luxi_live(const std::string& socket,
                                    std::int64_t kvm_node_memory,
                                    std::chrono::milliseconds time_limit) {
  const std::string place = socket.empty() ? usual_luxi_socket : socket;
  luxi_line line{place, time_limit, true};
  auto got = luxi_reader{line, kvm_node_memory, true}.read();
  if (!got)
    return shown(got.why());
  if (auto wrong = bad_name(got->model, read_at(place)))
    return *wrong;
  return got;
}

} // namespace orderly::io::htools
