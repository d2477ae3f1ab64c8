// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/config/settled.hpp"

#include <algorithm>
#include <utility>
#include <variant>

namespace orderly::io {

std::vector<std::string_view> settled_keys() {
  return {"agents.folder",        "agents.port",
          "cluster.luxi_socket",  "host_ha.daemon_port",
          "host_ha.monitor_port", "http.address",
          "http.connections_max", "http.connections_per_peer_max",
          "http.heavy_max",       "http.port",
          "http.reader_group",    "http.reader_socket",
          "http.request_timeout", "http.socket",
          "journal.batch_max",    "journal.keep_entries",
          "journal.path",         "journal.queued_max",
          "leader.own_node",      "power.concurrency",
          "power.kill_delay",     "power.queued_max"};
}

std::vector<std::string> keep_knobs(std::vector<knob> read,
                                    const std::vector<knob>& in_force,
                                    const std::vector<std::string_view>& keys) {
  std::vector<std::string> changed;
  auto keep = [](auto* to, const auto* from) {
    return std::exchange(*to, *from) != *from;
  };
  for (std::size_t i = 0; i < read.size(); ++i) {
    if (std::find(keys.begin(), keys.end(), read[i].key) == keys.end())
      continue;
    const auto& was = in_force[i].value;
    auto differs = false;
    if (auto* text = std::get_if<std::string*>(&read[i].value))
      differs = keep(*text, std::get<std::string*>(was));
    else if (auto* number = std::get_if<std::uint16_t*>(&read[i].value))
      differs = keep(*number, std::get<std::uint16_t*>(was));
    else if (auto* count = std::get_if<std::uint32_t*>(&read[i].value))
      differs = keep(*count, std::get<std::uint32_t*>(was));
    else if (auto* span = std::get_if<millis*>(&read[i].value))
      differs = keep(*span, std::get<millis*>(was));
    else if (auto* flag = std::get_if<bool*>(&read[i].value))
      differs = keep(*flag, std::get<bool*>(was));
    if (differs)
      changed.push_back(read[i].key);
  }
  return changed;
}

std::vector<std::string> keep_settled(settings& read, settings in_force) {
  return keep_knobs(knobs(read), knobs(in_force), settled_keys());
}

} // namespace orderly::io
