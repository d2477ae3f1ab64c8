// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// No bytes crash the reader of answers of the remote API; a cluster that it
// takes can be written as text. The first byte says which of the four answers
// the rest takes the place of; the others are good ones.

#include "io/htools/formats/read_rapi.hpp"
#include "io/htools/formats/text.hpp"

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

constexpr const char* policy
  = R"({"minmax":[],"std":{"memory-size":1,"cpu-count":1,"disk-size":1,
"disk-count":1,"nic-count":1,"spindle-use":1},"disk-templates":["drbd"],
"vcpu-ratio":4,"spindle-ratio":32})";

rapi_bodies good() {
  const std::string p = policy;
  rapi_bodies b;
  b.groups = {R"([{"name":"g","uuid":"u","alloc_policy":"preferred","tags":[],
"ipolicy":)" + p + "}]",
              "groups"};
  b.nodes = {R"([{"name":"n","group.uuid":"u","offline":false,"drained":false,
"ndparams":{"spindle_count":1,"exclusive_storage":false},"mtotal":9000,
"mnode":10,"mfree":8000,"dtotal":9000,"dfree":8000,"ctotal":4,"cnos":1,
"tags":[]}])",
             "nodes"};
  b.instances = {R"([{"name":"i","pnode":"n","snodes":[],"disk_usage":10,
"disk.sizes":[10],"disk.spindles":[null],"oper_ram":100,"status":"running",
"tags":[],"disk_template":"plain","beparams":{"auto_balance":true,"vcpus":1,
"maxmem":100,"spindle_use":1}}])",
                 "instances"};
  b.info = {R"({"master":"n","tags":[],"default_hypervisor":"kvm","ipolicy":)"
              + p + "}",
            "info"};
  return b;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  static const auto known = good();
  static const auto holds = read_rapi(known, 4096).ok();
  demand(holds);
  if (size == 0)
    return 0;
  auto b = known;
  auto& spoiled = data[0] % 4 == 0   ? b.groups
                  : data[0] % 4 == 1 ? b.nodes
                  : data[0] % 4 == 2 ? b.instances
                                     : b.info;
  spoiled.text.assign(reinterpret_cast<const char*>(data) + 1, size - 1);
  auto c = read_rapi(b, 4096);
  if (c)
    demand(!write_text(*c).empty());
  else
    demand(!c.why().text.empty());
  return 0;
}
