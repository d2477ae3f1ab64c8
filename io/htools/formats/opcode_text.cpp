// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/htools/formats/opcode_text.hpp"

#include "io/htools/formats/json_value.hpp"

#include <fmt/format.h>

namespace orderly::io::htools {

using namespace planning;

std::string opcode_text(const placement& p, int instance, const move_part& x,
                        const std::string& more) {
  auto head = [&](const char* id) {
    return fmt::format("{{\"OP_ID\":\"{}\",\"instance_name\":{}", id,
                       json_text(spec_of(p, instance).name));
  };
  auto target = [&] {
    return json_text(p.source->nodes[at(p.node_index[at(x.node)])].name);
  };
  if (x.kind == move_part::what::replace_disks)
    return head("OP_INSTANCE_REPLACE_DISKS")
           + ",\"early_release\":false,\"ignore_ipolicy\":false,"
             "\"mode\":\"replace_new_secondary\",\"disks\":[],\"remote_node\":"
           + target() + more + "}";
  auto to = x.kind == move_part::what::migrate_to
              ? ",\"target_node\":" + target()
              : std::string{};
  // What does not exist yet has nothing to migrate.
  if (p.instances[at(instance)].forthcoming)
    return head("OP_INSTANCE_FAILOVER")
           + ",\"shutdown_timeout\":120,\"ignore_consistency\":false" + to
           + ",\"ignore_ipolicy\":false,\"cleanup\":false" + more + "}";
  return head("OP_INSTANCE_MIGRATE") + to
         + ",\"allow_runtime_changes\":false,\"ignore_ipolicy\":false,"
           "\"cleanup\":false,\"allow_failover\":true,"
           "\"ignore_hvversions\":true"
         + more + "}";
}

} // namespace orderly::io::htools
