// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// No bytes crash the reader of iallocator messages; a message that it takes is
// answered in one line that says whether it succeeded. Every second input takes
// the place of the request of a good message, so that requests are reached, and
// of every second of these the nodes are dedicated.

#include "io/htools/formats/json_value.hpp"
#include "io/htools/hail/answer.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

namespace {

using namespace orderly;
using namespace orderly::io::htools;

void demand(bool holds) {
  if (!holds)
    std::abort();
}

constexpr const char* start
  = R"({"cluster_tags":["htools:iextags:s"],"enabled_hypervisors":["kvm"],
"nodegroups":{"u":{"name":"g","alloc_policy":"preferred","networks":[],
"ipolicy":{"minmax":[],"std":{"memory-size":1,"cpu-count":1,"disk-size":1,
"disk-count":1,"nic-count":1,"spindle-use":1},"disk-templates":["drbd"],
"vcpu-ratio":4,"spindle-ratio":32}}},
"nodes":{"n1":{"group":"u","offline":false,"drained":false,
"ndparams":{"spindle_count":1,"exclusive_storage":false},"total_memory":9000,
"reserved_memory":10,"free_memory":8000,"total_disk":9000,"free_disk":8000,
"total_cpus":4,"reserved_cpus":1},
"n2":{"group":"u","offline":false,"drained":false,
"ndparams":{"spindle_count":1,"exclusive_storage":false},"total_memory":9000,
"reserved_memory":10,"free_memory":8000,"total_disk":9000,"free_disk":8000,
"total_cpus":4,"reserved_cpus":1}},
"instances":{"i":{"disk_space_total":10,"disks":[{"size":10}],"memory":100,
"vcpus":1,"tags":["s:1"],"disk_template":"drbd","spindle_use":1,"nics":[],
"nodes":["n1","n2"]}},"request":)";

std::string dedicated_start() {
  std::string text = start;
  auto put = [&](const std::string& old, const std::string& now) {
    for (std::size_t at = 0; (at = text.find(old, at)) != std::string::npos;
         at += now.size())
      text.replace(at, old.size(), now);
  };
  const std::string size = R"({"memory-size":100,"cpu-count":1,"disk-size":100,
"disk-count":1,"nic-count":1,"spindle-use":0})";
  put("\"exclusive_storage\":false", "\"exclusive_storage\":true");
  put("\"minmax\":[]",
      "\"minmax\":[{\"min\":" + size + ",\"max\":" + size + "}]");
  return text;
}

void check(const std::string& text) {
  auto r = read_request(text, "input", 4096);
  if (!r) {
    demand(!r.why().text.empty());
    return;
  }
  if (r->nodes.nodes.size() > 16 || r->nodes.instances.size() > 64)
    return;
  add_new_instances(*r);
  if (r->nodes.instances.size() > 80)
    return;
  tool_options o;
  planning::placement p{r->nodes, std::nullopt, o.build};
  auto line = answer(p, *r, o);
  demand(!line.empty() && line.back() == '\n');
  auto read = read_json(line, "answer");
  demand(read.ok());
  const auto* success = read->member("success");
  demand(success && success->kind == json_value::is::boolean);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  std::string text{reinterpret_cast<const char*>(data), size};
  if (!text.empty() && text.front() % 2 == 0)
    text = (text.front() % 4 == 0 ? start : dedicated_start()) + text.substr(1)
           + "}";
  check(text);
  return 0;
}
