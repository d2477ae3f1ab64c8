// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/node_agent/settings.hpp"

#include "io/config/settled.hpp"
#include "io/door/listen.hpp"
#include "io/node_agent/identity.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace orderly::io::node_agent {

namespace {

struct span {
  double least;
  double most;
};

constexpr double minute = 60;
constexpr double hour = 3600;

knob of(std::string key, knob::target value, std::string help,
        span within = {0, 0}, std::string unit = {},
        std::vector<std::string> choices = {}) {
  return {std::move(key), std::move(value), std::move(unit),   std::move(help),
          within.least,   within.most,      std::move(choices)};
}

void add_collectors(agent_settings& s, std::vector<knob>& all) {
  all.push_back(of("diagnose.command", &s.diagnose.command,
                   "The file in diagnose.folder that says how this node is, a "
                   "bare name. Empty: the one that the cluster's tag "
                   "orderly:diagnose:NAME names; without such a tag the node "
                   "is reported as Ok."));
  all.push_back(of("diagnose.folder", &s.diagnose.folder,
                   "Where diagnose commands are. It, the command and all "
                   "folders above must be root's and writable for nobody "
                   "else."));
  all.push_back(of("diagnose.interval", &s.diagnose.interval,
                   "How often the command is run, counted from the end of one "
                   "run to the begin of the next.",
                   {0.5, hour}, "s"));
  all.push_back(of("diagnose.time_limit", &s.diagnose.time_limit,
                   "How long the command may take.", {0.5, 10 * minute}, "s"));
  all.push_back(of("diagnose.kill_delay", &s.diagnose.kill_delay,
                   "How long after TERM a command that took too long is "
                   "killed, with all its children.",
                   {0.1, minute}, "s"));
}

void add_repair(agent_settings& s, std::vector<knob>& all) {
  all.push_back(of("repair.folder", &s.repair.folder,
                   "Where repair commands are, which orderly-repair runs. It, "
                   "the command and all folders above must be root's and "
                   "writable for nobody else."));
  all.push_back(of("repair.time_limit", &s.repair.time_limit,
                   "How long a repair command may take. Ganeti waits an hour "
                   "for it.",
                   {1, 59 * minute}, "s"));
  all.push_back(of("repair.kill_delay", &s.repair.kill_delay,
                   "How long after TERM a repair command that took too long "
                   "is killed, with all its children.",
                   {0.1, minute}, "s"));
}

std::string no_folder(const char* key, const std::string& path) {
  if (!path.empty() && path.front() == '/')
    return {};
  return fmt::format("{} is '{}'; it must be an absolute path", key, path);
}

} // namespace

std::vector<knob> knobs(agent_settings& s) {
  std::vector<knob> all;
  all.push_back(of("log_level", &s.log_level,
                   "How much is logged, on standard error.", {0, 0}, {},
                   {"trace", "debug", "info", "warn", "error", "off"}));
  all.push_back(of("http.address", &s.http.address,
                   "The address that is listened on: one of this node's, or "
                   "0.0.0.0 for all."));
  all.push_back(of("http.port", &s.http.port, "The TCP port; 0: any free one.",
                   {0, 65535}));
  all.push_back(of("http.tls", &s.http.tls,
                   "Whether clients must show the certificate of a master "
                   "candidate. Without, only a loopback address is possible, "
                   "and everybody on this node may ask."));
  all.push_back(of("node.name", &s.node.name,
                   "The cluster's name of this node. Empty: the host name."));
  all.push_back(of("node.uuid", &s.node.uuid,
                   "The cluster's UUID of this node. Empty: it is found by "
                   "this node's own certificate among those of the master "
                   "candidates, or else taken from the first question that a "
                   "master candidate asks over TLS, and kept."));
  all.push_back(of("node.folder", &s.node.folder,
                   "Where the agent keeps its own key, and what it was told "
                   "of the node's UUID."));
  all.push_back(of("ganeti.folder", &s.ganeti.folder,
                   "Where Ganeti keeps server.pem, client.pem, hmac.key and "
                   "the ssconf files."));
  add_collectors(s, all);
  add_repair(s, all);
  return all;
}

std::vector<std::string> contradictions(const agent_settings& s) {
  std::vector<std::string> all;
  auto say = [&all](std::string text) {
    if (!text.empty())
      all.push_back(std::move(text));
  };
  say(http::why_no_address(s.http.address));
  if (all.empty() && !s.http.tls && !http::is_loopback(s.http.address))
    say(fmt::format("http.tls is false and http.address is {}: anybody could "
                    "ask; without TLS it must be a loopback address, such as "
                    "127.0.0.1",
                    s.http.address));
  if (!s.node.uuid.empty() && !is_uuid(s.node.uuid))
    say(fmt::format("node.uuid is '{}'; it must be a UUID or empty",
                    s.node.uuid));
  say(no_folder("node.folder", s.node.folder));
  say(no_folder("ganeti.folder", s.ganeti.folder));
  say(no_folder("diagnose.folder", s.diagnose.folder));
  say(no_folder("repair.folder", s.repair.folder));
  return all;
}

result<agent_settings> load_agent_text(const std::string& text,
                                       const std::string& name) {
  agent_settings s;
  auto problems
    = read_knobs(text, name, knobs(s), [&s] { return contradictions(s); });
  if (problems.empty())
    return s;
  return fault{fault_kind::bad_input, to_string(problems)};
}

result<agent_settings> load_agent_settings(const std::string& path) {
  auto text = settings_text(path);
  if (!text)
    return text.why();
  return load_agent_text(*text, path);
}

std::vector<std::string_view> settled_agent_keys() {
  return {"diagnose.kill_delay", "ganeti.folder", "http.address",
          "http.port",           "http.tls",      "node.folder",
          "node.name",           "node.uuid"};
}

std::vector<std::string> keep_settled(agent_settings& read,
                                      agent_settings in_force) {
  return keep_knobs(knobs(read), knobs(in_force), settled_agent_keys());
}

std::string render_agent_settings(agent_settings s) {
  return render_knobs(
    "# SPDX-FileCopyrightText: the orderly authors\n"
    "# SPDX-License-Identifier: BSD-2-Clause\n"
    "\n"
    "# Settings of orderly-agent, every knob by name. Durations are strings "
    "like\n"
    "# \"500ms\", \"10s\", \"5m\" or \"24h\"; a plain number means seconds. A "
    "key that is\n"
    "# left out has its default; an unknown key is an error.\n",
    knobs(s));
}

} // namespace orderly::io::node_agent
