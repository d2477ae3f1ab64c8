// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/policy/checks/storage.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace orderly::checks {

namespace {

std::int64_t seconds_since(instant then, instant now) {
  return (now - then) / seconds{1};
}

std::optional<instant>
newest_of(const std::vector<std::optional<instant>>& volumes) {
  auto newest = std::max_element(volumes.begin(), volumes.end());
  return newest == volumes.end() ? std::nullopt : *newest;
}

/// The volumes alone, after a heartbeat that proves nothing.
storage_answer judge_volumes(const storage_sight& seen, instant suspect,
                             const std::optional<storage_record>& last,
                             instant now) {
  storage_answer result;
  auto unread = std::count(seen.volumes.begin(), seen.volumes.end(),
                           std::optional<instant>{});
  auto newest = newest_of(seen.volumes);
  if (!newest) {
    result.evidence = fmt::format("none of its {} volumes could be read",
                                  seen.volumes.size());
    return result;
  }
  auto follows = last && last->suspect == suspect;
  auto before = follows ? last->newest : suspect;
  // A volume that is read again shall not look like one that was written.
  result.keep
    = storage_record{suspect, follows ? std::max(before, *newest) : *newest};
  if (*newest > before) {
    result.verdict = activity::active;
    result.evidence = fmt::format(
      "a volume was written {} s ago, since {}", seconds_since(*newest, now),
      follows ? "the look before" : "it is suspect");
  } else if (unread > 0) {
    result.evidence = fmt::format("{} of its {} volumes could not be read, the "
                                  "others stand still",
                                  unread, seen.volumes.size());
  } else {
    result.verdict = activity::inactive;
    result.evidence
      = fmt::format("its {} volumes stand still, the last write "
                    "is {} s old",
                    seen.volumes.size(), seconds_since(*newest, now));
  }
  return result;
}

} // namespace

storage_answer judge_storage(const storage_sight& seen, instant suspect,
                             const std::optional<storage_record>& last,
                             instant now) {
  storage_answer result;
  if (!seen.readable) {
    result.evidence = "the storage could not be read";
    return result;
  }
  if (seen.heartbeat && now - *seen.heartbeat < heartbeat_proves) {
    result.verdict = activity::active;
    result.evidence = fmt::format("its heartbeat is {} s old",
                                  seconds_since(*seen.heartbeat, now));
    return result;
  }
  if (!seen.volumes.empty())
    return judge_volumes(seen, suspect, last, now);
  // Nothing of it was ever there: that proves nothing.
  if (!seen.heartbeat) {
    result.evidence = "it has no heartbeat and no volume there";
    return result;
  }
  result.verdict = activity::inactive;
  result.evidence
    = fmt::format("its heartbeat is {} s old, and it has no volume there",
                  seconds_since(*seen.heartbeat, now));
  return result;
}

activity judge_storages(const std::vector<std::optional<activity>>& all) {
  auto has = [&](std::optional<activity> x) {
    return std::find(all.begin(), all.end(), x) != all.end();
  };
  if (has(activity::active))
    return activity::active;
  if (has(activity::unknown) || has(activity::not_looked))
    return activity::unknown;
  return all.empty() || has(activity::inactive) ? activity::inactive
                                                : activity::unknown;
}

} // namespace orderly::checks
