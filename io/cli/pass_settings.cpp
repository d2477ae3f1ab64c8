// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/cli/pass_settings.hpp"

#include <algorithm>
#include <cmath>

namespace orderly {

bool keeps_journal(const harep_options& wanted) {
  return !wanted.dry_run && !wanted.journal.empty();
}

settings pass_settings(settings base, const harep_options& wanted) {
  auto s = std::move(base);
  if (!wanted.luxi_socket.empty())
    s.cluster.luxi_socket = wanted.luxi_socket;
  s.cluster.remark = wanted.reason;
  s.cluster.poll_interval
    = std::min<millis>(s.cluster.poll_interval, seconds{1});
  s.autorepair.enabled = true;
  s.autorepair.mode = repair_mode::act;
  s.autorepair.single_pass = true;
  s.autorepair.offline_vouches = true;
  s.autorepair.job_delay = millis{std::llround(wanted.job_delay_s * 1000)};
  s.autorepair.check_interval
    = std::min<millis>(s.autorepair.check_interval, seconds{5});
  // Ganeti answers such questions by jobs, and a pass does not stay for them.
  s.autorepair.mirror_interval = millis{0};
  // There is no daemon with a model; and the reference leaves it to Ganeti.
  s.autorepair.targets = target_picker::allocator;
  s.balance.enabled = false;
  // Nodes are nobody's business here, but for one thing: the power status of
  // those marked offline, which is read with the first check.
  s.host_ha.enabled = false;
  s.host_ha.check_interval = millis{500};
  s.storm.settle = millis{0};
  // A permit that is refused would be asked for by the next pass only; the
  // cluster's own locks put the jobs of this one in order.
  constexpr std::uint32_t plenty = 100000;
  s.rounds.hold_retry = std::min<millis>(s.rounds.hold_retry, millis{500});
  s.rounds.parallel_max = std::max(s.rounds.parallel_max, plenty);
  s.rounds.joins_per_node_max = std::max(s.rounds.joins_per_node_max, plenty);
  s.cluster.jobs_open_max = std::max(s.cluster.jobs_open_max, plenty);
  s.http.decisions_kept = std::max(s.http.decisions_kept, plenty);
  if (keeps_journal(wanted))
    s.journal.path = wanted.journal;
  return s;
}

} // namespace orderly
