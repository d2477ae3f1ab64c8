// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Which settings contradict each other.

#include "actors/policy/settings/group_settings.hpp"
#include "actors/policy/settings/power_levels.hpp"
#include "actors/policy/settings/settings.hpp"
#include "messages/host_name.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <sstream>
#include <string_view>
#include <utility>

#include <fmt/core.h>

namespace orderly {

namespace {

constexpr std::string_view journal_key = "journal.path";

/// Collects sentences about pairs of values.
class doubts {
public:
  void at_least(std::string_view larger, millis a, std::string_view smaller,
                millis b) {
    if (a < b)
      say(fmt::format("{} ({} ms) must not be shorter than {} ({} ms).", larger,
                      a.count(), smaller, b.count()));
  }

  void longer(std::string_view larger, millis a, std::string_view smaller,
              millis b) {
    if (a <= b)
      say(fmt::format("{} ({} ms) must be longer than {} ({} ms).", larger,
                      a.count(), smaller, b.count()));
  }

  void at_least(std::string_view larger, std::uint32_t a,
                std::string_view smaller, std::uint32_t b) {
    if (a < b)
      say(fmt::format("{} ({}) must not be smaller than {} ({}).", larger, a,
                      smaller, b));
  }

  void absolute(std::string_view key, const std::string& path) {
    if (path.empty() || path.front() != '/')
      say(fmt::format("{} must be an absolute path, but is '{}'.", key, path));
  }

  void socket(std::string_view key, const std::string& path) {
    // The length of sun_path, less the closing zero.
    constexpr std::size_t longest = 107;
    absolute(key, path);
    if (path.size() > longest)
      say(fmt::format("{} is {} bytes long; a socket's path may have {}.", key,
                      path.size(), longest));
  }

  void say(std::string sentence) { sentences_.push_back(std::move(sentence)); }

  std::vector<std::string> take() { return std::move(sentences_); }

private:
  std::vector<std::string> sentences_;
};

void doubt_times(doubts& d, const settings& s) {
  d.at_least("cluster.retry_max", s.cluster.retry_max, "cluster.retry_base",
             s.cluster.retry_base);
  d.longer("cluster.picture_max_age", s.cluster.picture_max_age,
           "cluster.poll_interval", s.cluster.poll_interval);
  d.longer("leader.lease", s.leader.lease, "cluster.poll_interval",
           s.cluster.poll_interval);
  d.at_least("host_ha.retry_max", s.host_ha.retry_max, "host_ha.retry_base",
             s.host_ha.retry_base);
  d.at_least("host_ha.activity_interval_max", s.host_ha.activity_interval_max,
             "host_ha.activity_interval_base",
             s.host_ha.activity_interval_base);
  d.at_least("autorepair.retry_max", s.autorepair.retry_max,
             "autorepair.retry_base", s.autorepair.retry_base);
  // A proof must outlive a reading that came to nothing, and its look.
  d.at_least("autorepair.proof_max_age", s.autorepair.proof_max_age,
             "twice host_ha.check_interval and host_ha.check_timeout",
             2 * (s.host_ha.check_interval + s.host_ha.check_timeout));
  d.at_least("autorepair.word_max_age", s.autorepair.word_max_age,
             "autorepair.proof_max_age", s.autorepair.proof_max_age);
  // Else each report would be too old before the next one comes.
  d.longer("maintenance.evidence_max_age", s.maintenance.evidence_max_age,
           "maintenance.interval and maintenance.report_timeout",
           s.maintenance.interval + s.maintenance.report_timeout);
  d.at_least("balance.retry_max", s.balance.retry_max, "balance.retry_base",
             s.balance.retry_base);
  d.longer("power.command_timeout", s.power.command_timeout,
           "power.status_poll", s.power.status_poll);
  // Less would be a stream of questions, not a rehearsal.
  if (auto each = s.power.rehearsal_interval;
      each != millis::zero() && each < seconds{1})
    d.say(fmt::format("power.rehearsal.interval ({} ms) must be 0, which means "
                      "never, or at least a second.",
                      each.count()));
  // A settle time beyond the permit's life would let each permit expire
  // before its act is due.
  d.longer("rounds.permit_max_age", s.rounds.permit_max_age, "storm.settle",
           s.storm.settle);
  d.longer("rounds.permit_max_age", s.rounds.permit_max_age,
           "cluster.job_deadline", s.cluster.job_deadline);
  // Else the price of a fence that is tried again is paid anew each time.
  d.longer("rounds.permit_max_age", s.rounds.permit_max_age,
           "twice host_ha.retry_max", 2 * s.host_ha.retry_max);
  d.at_least("supervision.restart_max", s.supervision.restart_max,
             "supervision.restart_base", s.supervision.restart_base);
  d.longer("supervision.restart_period", s.supervision.restart_period,
           "supervision.restart_base", s.supervision.restart_base);
}

/// What is wrong with one list of helper programs, to follow its name.
std::string doubt_level(const std::string& key,
                        const std::vector<std::string>& programs) {
  if (key.empty() || key == of_group)
    return "names nothing; use a node's name, \"group:NAME\" or \"*\"";
  if (key.size() > power_key_length_max)
    return fmt::format("is a name of {} bytes; {} are allowed", key.size(),
                       power_key_length_max);
  if (programs.size() > power_levels_max)
    return fmt::format("names {} helpers; {} are allowed", programs.size(),
                       power_levels_max);
  std::set<std::string_view> seen;
  for (const auto& program : programs) {
    auto opts_out = program.empty() || program == "!";
    if (program.size() > power_path_length_max)
      return fmt::format("has a path of {} bytes; {} are allowed",
                         program.size(), power_path_length_max);
    if (opts_out && programs.size() > 1)
      return fmt::format("has \"{}\", which means no power control, beside "
                         "other helpers; write one or the other",
                         program);
    if (!opts_out && program != the_clusters && program.front() != '/')
      return fmt::format("has the helper '{}'; it must be an absolute path, "
                         "\"cluster\", or \"!\" alone",
                         program);
    if (!seen.insert(program).second)
      return fmt::format("has the helper '{}' twice", program);
  }
  return {};
}

void doubt_levels(doubts& d, const settings& s) {
  const auto& levels = s.power.levels;
  if (levels.size() > power_keys_max)
    d.say(fmt::format("power.levels has {} keys; {} are allowed.",
                      levels.size(), power_keys_max));
  for (const auto& [key, programs] : levels)
    if (auto wrong = doubt_level(key, programs); !wrong.empty())
      d.say(fmt::format("{} {}.", power_levels_key(key), wrong));
}

/// The same place in its shortest words: "/a/c" for "/a//b/.././c".
std::string plain(const std::string& path) {
  std::string result;
  for (std::size_t from = 0; from < path.size();) {
    auto to = std::min(path.find('/', from), path.size());
    auto part = path.substr(from, to - from);
    if (part == "..")
      result.erase(std::min(result.rfind('/'), result.size()));
    else if (!part.empty() && part != ".")
      result += "/" + part;
    from = to + 1;
  }
  return result;
}

/// No two of the files that we make and ask may be one, however they are
/// spelled: a socket in the journal's place is noticed by the journal only, on
/// each start anew.
void doubt_places(doubts& d, const settings& s) {
  std::map<std::string, std::string_view> taken;
  auto take = [&](std::string_view key, const std::string& path) {
    auto [at, is_free] = taken.try_emplace(plain(path), key);
    if (is_free || path.empty())
      return;
    if (at->second == journal_key)
      d.say(fmt::format("{} must not be {}, where the journal is by {}, or a "
                        "file beside it.",
                        key, path, journal_key));
    else
      d.say(fmt::format("{} and {} must not be the same.", at->second, key));
  };
  for (const auto* beside : {"", ".lock", ".epoch", "-wal", "-shm"})
    if (!s.journal.path.empty())
      take(journal_key, s.journal.path + beside);
  take("cluster.luxi_socket", s.cluster.luxi_socket);
  take("http.socket", s.http.socket);
  take("http.reader_socket", s.http.reader_socket);
}

/// A name that no request can have would be a way in that is none.
void doubt_hosts(doubts& d, const settings& s) {
  constexpr std::size_t shown_max = 80;
  std::istringstream names{s.http.hosts};
  for (std::string name; names >> name;)
    if (!is_host_name(name) && !is_ipv6_address(name))
      d.say(fmt::format(
        "http.hosts has '{}', which no request can be for; "
        "write names of hosts, or addresses, without scheme, "
        "port, brackets and a dot at the end, separated by "
        "blanks.",
        name.size() > shown_max ? name.substr(0, shown_max) + "..." : name));
}

} // namespace

std::string power_levels_key(const std::string& name) {
  constexpr std::size_t shown_max = 80;
  return fmt::format("power.levels.\"{}\"",
                     name.size() > shown_max ? name.substr(0, shown_max) + "..."
                                             : name);
}

std::vector<std::string> contradictions(const settings& s) {
  static constexpr std::array<std::string_view, 7> levels{
    "trace", "debug", "info", "warn", "error", "critical", "off"};
  doubts d;
  doubt_times(d, s);
  doubt_levels(d, s);
  for (auto& sentence : wrong_in_groups(s))
    d.say(std::move(sentence));
  auto ratio = s.host_ha.activity_failure_ratio;
  if (!(ratio > 0 && ratio <= 1))
    d.say(fmt::format("host_ha.activity_failure_ratio must lie above 0 and at "
                      "most at 1, but is {}.",
                      ratio));
  if (s.host_ha.enabled && s.host_ha.daemon_port == 0
      && s.host_ha.monitor_port == 0)
    d.say("host_ha.daemon_port and host_ha.monitor_port must not both be 0 "
          "while host_ha.enabled is true: no node would be asked, and that one "
          "died nobody would notice.");
  d.at_least("host_ha.probes_queued_max", s.host_ha.probes_queued_max,
             "host_ha.probes_parallel_max", s.host_ha.probes_parallel_max);
  d.at_least("host_ha.activity_queued_max", s.host_ha.activity_queued_max,
             "host_ha.activity_parallel_max", s.host_ha.activity_parallel_max);
  d.at_least("power.queued_max", s.power.queued_max, "power.concurrency",
             s.power.concurrency);
  d.at_least("journal.queued_max", s.journal.queued_max, "journal.batch_max",
             s.journal.batch_max);
  d.socket("cluster.luxi_socket", s.cluster.luxi_socket);
  d.absolute("journal.path", s.journal.path);
  if (!s.http.socket.empty())
    d.socket("http.socket", s.http.socket);
  if (!s.http.reader_socket.empty())
    d.socket("http.reader_socket", s.http.reader_socket);
  if (s.http.reader_socket.empty() != s.http.reader_group.empty())
    d.say("http.reader_socket and http.reader_group need each other: set both "
          "or none.");
  doubt_places(d, s);
  doubt_hosts(d, s);
  if (!s.power.program.empty())
    d.absolute("power.program", s.power.program);
  if (s.http.address.empty())
    d.say("http.address must not be empty; use 127.0.0.1 to be read from this "
          "host only.");
  if (std::find(levels.begin(), levels.end(), s.log_level) == levels.end())
    d.say(fmt::format("log_level must be one of trace, debug, info, warn, "
                      "error, critical and off, but is '{}'.",
                      s.log_level));
  return d.take();
}

} // namespace orderly
