// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/ganeti/watcher_pause.hpp"

#include <algorithm>
#include <chrono>

namespace orderly::io {

namespace {

/// A pause of a person ends there once in 600 times.
constexpr seconds own_every = minutes{10};
constexpr seconds own_second{41};

} // namespace

luxi_question encode_watcher_pause(instant until, instant now) {
  // Seconds since the epoch, or null: then the watcher goes on.
  json when;
  if (until > now)
    when = std::chrono::ceil<seconds>(until.time_since_epoch()).count();
  return {"SetWatcherPause", json::array({when}).dump()};
}

const luxi_question& question_for_watcher_pause() {
  static const luxi_question question{
    "QueryConfigValues", json::array({json::array({"watcher_pause"})}).dump()};
  return question;
}

result<instant> decode_watcher_pause(std::string_view reply, instant now) {
  auto content = open_reply(reply);
  if (!content)
    return content.why();
  if (content->is_array() && content->size() == 1) {
    const auto& until = (*content)[0];
    if (until.is_null())
      return instant{never};
    if (until.is_number()) {
      // Beyond what we can count is as good as for ever.
      constexpr double last = 1e11;
      auto left = std::min(until.get<double>(), last);
      return left > static_cast<double>(to_unix(now))
               ? from_ms(static_cast<std::int64_t>(left * 1000))
               : instant{never};
    }
  }
  return fault{fault_kind::bad_input,
               "luxid's reply is not understood: it should hold the time until "
               "which the watcher rests, or nothing"};
}

instant own_pause(instant until) {
  auto end = std::chrono::ceil<seconds>(until.time_since_epoch());
  auto over = (end - own_second) % own_every;
  return instant{over == seconds{0} ? end : end + own_every - over};
}

bool is_own_pause(instant until) {
  return until != never && own_pause(until) == until;
}

std::optional<instant> pause_to_set(instant found, instant wanted,
                                    instant before, instant now) {
  if (wanted > now)
    return found >= wanted ? std::nullopt : std::optional{own_pause(wanted)};
  if (found <= now || !is_own_pause(found))
    return std::nullopt;
  return before > now ? before : instant{never};
}

std::string why_no_pause(const result<std::string>& reply, bool wanted,
                         instant now) {
  if (!reply)
    return "the pause of Ganeti's watcher cannot be read back: "
           + reply.why().text;
  auto rests = decode_watcher_pause(*reply, now);
  if (!rests)
    return rests.why().text;
  if ((*rests != never) == wanted)
    return {};
  return wanted ? "Ganeti's watcher was told to rest, but does not: it would "
                  "start instances again; pause it with gnt-cluster watcher "
                  "pause"
                : "Ganeti's watcher was told to go on, but still rests; let "
                  "it go on with gnt-cluster watcher continue";
}

} // namespace orderly::io
