// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "sim/ganeti/habits.hpp"

namespace orderly::sim {

ganeti_habits quick_habits() {
  ganeti_habits x;
  for (auto* span :
       {&x.tags_least, &x.tags_most, &x.flags_least, &x.flags_most,
        &x.failover_least, &x.failover_most, &x.migrate_least, &x.migrate_most,
        &x.replace_least, &x.replace_most, &x.recreate_least, &x.recreate_most,
        &x.reinstall_least, &x.reinstall_most, &x.start_least, &x.start_most,
        &x.no_answer, &x.pickup})
    *span = millis{1};
  x.allocator_recreates = true;
  x.drained_targets = true;
  return x;
}

} // namespace orderly::sim
