// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/ganeti/decode.hpp"

#include "io/ganeti/decode_job.hpp"

#include <algorithm>
#include <cctype>

namespace orderly::io {

namespace {

const std::vector<std::string> node_fields{
  "name",       "uuid",
  "group",      "pip",
  "offline",    "drained",
  "vm_capable", "master_candidate",
  "powered",    "ndp/oob_program",
  "tags",       "serial_no",
};

const std::vector<std::string> instance_fields{
  "name",        "uuid", "forthcoming", "pnode",      "snodes", "disk_template",
  "admin_state", "tags", "be/maxmem",   "disk.sizes", "os",
};

const std::vector<std::string> group_fields{"name", "uuid", "tags"};

const std::vector<std::string> config_values{"cluster_name", "master_node"};

luxi_question query(const char* what, const std::vector<std::string>& fields) {
  return {"Query", json{what, fields, nullptr}.dump()};
}

admin_state admin_from(const std::string& text) {
  if (text == "up")
    return admin_state::up;
  return text == "offline" ? admin_state::offline : admin_state::down;
}

template <class T>
void sort_by_name(std::vector<T>& xs) {
  std::sort(xs.begin(), xs.end(),
            [](const T& a, const T& b) { return a.name < b.name; });
}

struct config_record {
  std::string name;
  node_name master;
};

result<config_record> decode_config(std::string_view reply) {
  auto content = open_reply(reply);
  if (!content)
    return content.why();
  if (content->is_array() && content->size() == config_values.size()
      && (*content)[0].is_string() && (*content)[1].is_string())
    return config_record{(*content)[0].get<std::string>(),
                         (*content)[1].get<std::string>()};
  return fault{fault_kind::bad_input,
               "luxid's reply is not understood: it should hold the names of "
               "the cluster and of its master node, as two texts"};
}

result<std::vector<std::string>> decode_tags(std::string_view reply) {
  auto content = open_reply(reply);
  if (!content)
    return content.why();
  auto is_text = [](const json& x) { return x.is_string(); };
  if (content->is_array()
      && std::all_of(content->begin(), content->end(), is_text))
    return content->get<std::vector<std::string>>();
  return fault{fault_kind::bad_input,
               "luxid's reply is not understood: the cluster's tags are no "
               "list of texts"};
}

/// The full name of what `name` may shorten.
template <class T>
std::string expanded(const std::string& name, const std::vector<T>& sorted) {
  auto before = [](const T& x, const std::string& y) { return x.name < y; };
  auto at = std::lower_bound(sorted.begin(), sorted.end(), name, before);
  if (at != sorted.end() && at->name == name)
    return name;
  auto prefix = name + ".";
  at = std::lower_bound(sorted.begin(), sorted.end(), prefix, before);
  auto fits = [&](auto i) {
    return i != sorted.end() && i->name.compare(0, prefix.size(), prefix) == 0;
  };
  return fits(at) && !fits(at + 1) ? at->name : name;
}

/// People may name things in short in a job; Ganeti expands the names only
/// when the job runs.
void expand_names(cluster_record& x) {
  for (auto& job : x.jobs) {
    for (auto& name : job.instances)
      name = expanded(name, x.instances);
    for (auto& name : job.nodes)
      name = expanded(name, x.nodes);
  }
}

} // namespace

const picture_questions& questions_for_picture() {
  static const picture_questions questions{{
    query("node", node_fields),
    query("instance", instance_fields),
    query("group", group_fields),
    question_for_unfinished_jobs(),
    {"QueryConfigValues", json::array({config_values}).dump()},
    {"QueryTags", json{"cluster", ""}.dump()},
  }};
  return questions;
}

result<std::vector<node_record>> decode_nodes(std::string_view reply) {
  auto table = open_table(reply);
  if (!table)
    return table.why();
  std::vector<node_record> result;
  for (const auto& cells : *table) {
    row_reader row{cells, node_fields, "nodes"};
    node_record x;
    x.name = row.text();
    x.uuid = row.text();
    x.group = row.text();
    x.address = row.text();
    x.offline = row.flag();
    x.drained = row.flag();
    x.vm_capable = row.flag();
    x.master_candidate = row.flag();
    // Not kept by Ganeti for a node without power control.
    x.powered = row.flag_or(true);
    // What Ganeti makes of node, group and cluster, as it is: "" and "!" at
    // the node both mean none here, but for "!" Ganeti keeps the record.
    x.oob_program = row.text_or_none();
    x.tags = row.texts();
    x.serial_no
      = static_cast<std::uint64_t>(std::max<std::int64_t>(row.number_or(0), 0));
    if (!row.ok())
      return row.why();
    result.push_back(std::move(x));
  }
  sort_by_name(result);
  return result;
}

result<std::vector<instance_record>> decode_instances(std::string_view reply) {
  auto table = open_table(reply);
  if (!table)
    return table.why();
  std::vector<instance_record> result;
  for (const auto& cells : *table) {
    row_reader row{cells, instance_fields, "instances"};
    instance_record x;
    x.name = row.text_or_none();
    x.uuid = row.text();
    // A place that is held for an instance to come: nothing to look after,
    // and it need have neither a name nor a node.
    if (row.flag_or(false))
      continue;
    x.primary = row.text();
    x.secondaries = row.texts();
    x.disks = disk_template_from(row.text());
    x.admin = admin_from(row.text());
    x.tags = row.texts();
    x.memory_mib = row.number_or(0);
    x.disks_mib = row.sizes_or_none();
    x.os = row.text_or_none();
    if (!row.ok())
      return row.why();
    if (x.name.empty())
      return fault{fault_kind::bad_input,
                   "luxid's reply is not understood: query of instances: "
                   "instance "
                     + x.uuid + " has no name"};
    result.push_back(std::move(x));
  }
  sort_by_name(result);
  return result;
}

result<std::vector<group_record>> decode_groups(std::string_view reply) {
  auto table = open_table(reply);
  if (!table)
    return table.why();
  std::vector<group_record> result;
  for (const auto& cells : *table) {
    row_reader row{cells, group_fields, "groups"};
    group_record x;
    x.name = row.text();
    x.uuid = row.text();
    x.tags = row.texts();
    if (!row.ok())
      return row.why();
    result.push_back(std::move(x));
  }
  sort_by_name(result);
  return result;
}

result<cluster_record> decode_picture(const picture_replies& replies) {
  auto nodes = decode_nodes(replies[0]);
  if (!nodes)
    return nodes.why();
  auto instances = decode_instances(replies[1]);
  if (!instances)
    return instances.why();
  auto groups = decode_groups(replies[2]);
  if (!groups)
    return groups.why();
  auto jobs = decode_running_jobs(replies[3]);
  if (!jobs)
    return jobs.why();
  auto config = decode_config(replies[4]);
  if (!config)
    return config.why();
  auto tags = decode_tags(replies[5]);
  if (!tags)
    return tags.why();
  cluster_record x;
  x.name = std::move(config->name);
  x.master = std::move(config->master);
  x.tags = std::move(*tags);
  x.groups = std::move(*groups);
  x.nodes = std::move(*nodes);
  x.instances = std::move(*instances);
  x.jobs = std::move(*jobs);
  expand_names(x);
  return x;
}

} // namespace orderly::io
