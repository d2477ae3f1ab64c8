// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "messages/event.hpp"

namespace orderly {

const char* to_string(hearing x) {
  switch (x) {
  case hearing::heard:
    return "heard";
  case hearing::silent:
    return "silent";
  case hearing::unverified:
    return "unverified";
  case hearing::failed:
    return "probe-error";
  }
  return "?";
}

const char* to_string(event_action x) {
  switch (x) {
  case event_action::live_repair:
    return "live-repair";
  case event_action::evacuate:
    return "evacuate";
  case event_action::evacuate_failover:
    return "evacuate-failover";
  }
  return "?";
}

std::optional<event_action> event_action_from(const std::string& text) {
  for (auto x : {event_action::live_repair, event_action::evacuate,
                 event_action::evacuate_failover})
    if (text == to_string(x))
      return x;
  return std::nullopt;
}

const char* to_string(event_phase x) {
  switch (x) {
  case event_phase::noted:
    return "noted";
  case event_phase::repairing:
    return "repairing";
  case event_phase::draining:
    return "draining";
  case event_phase::evacuating:
    return "evacuating";
  case event_phase::closing:
    return "closing";
  case event_phase::tagging:
    return "tagging";
  case event_phase::failing:
    return "failing";
  case event_phase::completed:
    return "completed";
  case event_phase::acknowledged:
    return "acknowledged";
  case event_phase::failed:
    return "failed";
  case event_phase::canceled:
    return "canceled";
  case event_phase::forgotten:
    return "forgotten";
  }
  return "?";
}

const char* repair_status(event_phase x) {
  switch (x) {
  case event_phase::noted:
    return "noted";
  case event_phase::completed:
  case event_phase::acknowledged:
    return "completed";
  case event_phase::failed:
    return "failed";
  case event_phase::canceled:
  case event_phase::forgotten:
    return "canceled";
  default:
    return "pending";
  }
}

const char* to_string(event_verb x) {
  switch (x) {
  case event_verb::cancel:
    return "cancel";
  case event_verb::ack:
    return "ack";
  case event_verb::forget:
    return "forget";
  }
  return "?";
}

} // namespace orderly
