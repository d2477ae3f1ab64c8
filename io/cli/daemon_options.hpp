// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The command line of orderlyd. Some options are spelled as Ganeti's daemons
// spell them. Pure.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace orderly::io {

inline constexpr const char* default_config = "/etc/orderly/orderly.toml";

struct daemon_options {
  std::string config;
  bool check = false;
  bool print = false;
  bool demo = false;
  std::string demo_folder;
  std::uint16_t demo_port = 1816;
  bool standby = false;   ///< waits to become the master
  bool no_voting = false; ///< the node's own record is enough
  bool debug = false;
  std::optional<std::uint16_t> port; ///< for HTTP, instead of the settings'
  std::string bind;                  ///< likewise; empty: as they say
};

/// It is not to run: `text` goes to stdout if `code` is 0, else to stderr.
struct daemon_end {
  int code = 0;
  std::string text;
};

std::variant<daemon_options, daemon_end>
read_daemon_options(std::vector<std::string> args, const std::string& version);

} // namespace orderly::io
