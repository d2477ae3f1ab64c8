// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Settings of the agent, with their defaults; `configs/agent.toml` explains
// them. Read by the rules of io/config.

#pragma once

#include "io/config/loader.hpp"
#include "messages/result.hpp"
#include "messages/time.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace orderly::io::node_agent {

struct agent_settings {
  std::string log_level = "info";

  struct {
    std::string address = "0.0.0.0";
    std::uint16_t port = 1817;
    bool tls = true;
  } http;

  struct {
    std::string name; ///< empty: the host's
    std::string uuid; ///< empty: see identity.hpp
    std::string folder = "/var/lib/orderly-agent";
  } node;

  struct {
    std::string folder = "/var/lib/ganeti";
  } ganeti;

  struct diagnose_rules {
    std::string command; ///< empty: the cluster's tag names it
    std::string folder = "/etc/ganeti/node-diagnose-commands";
    millis interval = seconds{30};
    millis time_limit = seconds{60};
    millis kill_delay = seconds{5};

    friend bool operator==(const diagnose_rules&, const diagnose_rules&)
      = default;
  } diagnose;

  struct repair_rules {
    std::string folder = "/etc/ganeti/node-repair-commands";
    millis time_limit = minutes{50};
    millis kill_delay = seconds{10};
  } repair;
};

std::vector<knob> knobs(agent_settings& s);

/// What is wrong with values that are right by themselves.
std::vector<std::string> contradictions(const agent_settings& s);

/// The settings in `text`, or all its problems, a line each.
result<agent_settings> load_agent_text(const std::string& text,
                                       const std::string& name);

result<agent_settings> load_agent_settings(const std::string& path);

/// The keys that are settled at the start: where the agent listens, who it is,
/// and what its runner of commands has for its whole life.
std::vector<std::string_view> settled_agent_keys();

/// Puts into `read` what of `in_force` stays until a restart; the keys of which
/// the file says something else.
std::vector<std::string> keep_settled(agent_settings& read,
                                      agent_settings in_force);

/// The file that names every knob.
std::string render_agent_settings(agent_settings s);

} // namespace orderly::io::node_agent
