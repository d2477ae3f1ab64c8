// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/ganeti/watcher_pause.hpp"

#include <chrono>

namespace orderly::io {

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

result<bool> decode_watcher_pause(std::string_view reply, instant now) {
  auto content = open_reply(reply);
  if (!content)
    return content.why();
  if (content->is_array() && content->size() == 1) {
    const auto& until = (*content)[0];
    if (until.is_null())
      return false;
    if (until.is_number())
      return until.get<double>() > static_cast<double>(to_unix(now));
  }
  return fault{fault_kind::bad_input,
               "luxid's reply is not understood: it should hold the time until "
               "which the watcher rests, or nothing"};
}

std::string why_no_pause(const result<std::string>& reply, bool wanted,
                         instant now) {
  if (!reply)
    return "the pause of Ganeti's watcher cannot be read back: "
           + reply.why().text;
  auto rests = decode_watcher_pause(*reply, now);
  if (!rests)
    return rests.why().text;
  if (*rests == wanted)
    return {};
  return wanted ? "Ganeti's watcher was told to rest, but does not: it would "
                  "start instances again; pause it with gnt-cluster watcher "
                  "pause"
                : "Ganeti's watcher was told to go on, but still rests; let "
                  "it go on with gnt-cluster watcher continue";
}

} // namespace orderly::io
