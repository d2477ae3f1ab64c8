// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// A person at a console: enters one command line of power control, answers
// the question with y, waits for the end and reads what is printed. Whatever
// they ask is noted for the laws. Used by the lab.

#pragma once

#include "actors/tree/tree.hpp"
#include "io/cli/power_options.hpp"
#include "messages/result.hpp"
#include "sim/ports/waking.hpp"

#include <caf/fwd.hpp>

#include <functional>
#include <string>

namespace orderly::sim {

using person = caf::typed_actor<caf::reacts_to<wake>>;

/// Who sits there.
inline constexpr const char* tester = "tester";

/// What a person enters: a command of power control, or the stop of an errand.
struct entered {
  power::options wanted;
  errand_id stops; ///< "power-1"; empty: it is a command
};

/// What a person came for.
struct visit {
  lab_pointer lab;
  std::function<root_actor()> daemon; ///< as of now; null: none runs
  std::function<void(const std::string&)> say;
  std::string command; ///< as it was entered
  power::options wanted;
  errand_id stops; ///< only stops that one
};

/// Starts at once, ends by itself after two hours at most.
person spawn_person(caf::actor_system& sys, visit what);

/// It begins like a command line: "orderly power off node3 --yes".
bool is_command_line(const std::string& text);

/// A command line of power control, or `orderly errand ID --stop`; words may
/// be quoted.
result<entered> read_command_line(const std::string& text);

} // namespace orderly::sim
