// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What the console is asked and answers: words of the rest, in wrappers that
// are made to cross a wire (ADR 0041). `console_wire.hpp` says how they do.

#pragma once

#include "messages/errand.hpp"
#include "messages/event.hpp"
#include "messages/permit.hpp"
#include "messages/plan.hpp"
#include "messages/result.hpp"
#include "messages/view.hpp"

#include <memory>
#include <variant>

namespace orderly {

/// Who had to answer, behind the console.
enum class console_part {
  none,
  core, ///< all of them: it is down, or between two lives
  journal,
  view,
  scheduler,
  cluster,
  desk,
  balancer,
  events,
};

inline const char* to_string(console_part x) {
  switch (x) {
  case console_part::none:
    return "none";
  case console_part::core:
    return "core";
  case console_part::journal:
    return "journal";
  case console_part::view:
    return "view";
  case console_part::scheduler:
    return "scheduler";
  case console_part::cluster:
    return "cluster";
  case console_part::desk:
    return "desk";
  case console_part::balancer:
    return "balancer";
  case console_part::events:
    return "events";
  }
  return "?";
}

/// Which part gave no answer, and what a person should know of that.
struct console_trouble {
  console_part part = console_part::none; ///< none: there is no trouble
  fault why;
};

/// Asks for all that may be read.
struct console_look {};

/// As it was at one moment; null beside a trouble only. Within one process
/// all who ask share it.
using console_scene = std::shared_ptr<const scene>;

/// What is said about one errand.
using console_errand = std::variant<errand_request, errand_query, errand_stop>;

template <class Word>
struct console_ask {
  Word word;
};

/// The word is worth something only if there is no trouble.
template <class Word>
struct console_reply {
  console_trouble trouble;
  Word word{};
};

} // namespace orderly
