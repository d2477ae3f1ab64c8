// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/oob/decode.hpp"

#include "io/oob/documents.hpp"

namespace orderly::io::oob {

namespace {

constexpr std::size_t message_max = 500;

constexpr auto aborted = "OOB program execution timeout exceeded, OOB program "
                         "execution aborted";

std::string failed(const std::string& why) {
  return "OOB program execution failed (" + why + ")";
}

/// Ours beside Ganeti's contract: the controller refused the user or password.
constexpr int denied = 77; // EX_NOPERM

/// Exit code 1 means failed; every other one is undefined in the contract and
/// therefore worth naming.
std::string how_it_ended(const outcome& what) {
  if (what.signal != 0)
    return "ended by signal " + std::to_string(what.signal);
  if (what.exit_code < 0)
    return "its exit status was lost";
  if (what.exit_code == 1)
    return {};
  if (what.exit_code == denied)
    return "the controller refused its user or password";
  return "undefined exit code " + std::to_string(what.exit_code);
}

std::string why_it_failed(const outcome& what) {
  auto message = one_line(what.err, message_max);
  auto ending = how_it_ended(what);
  if (message.empty() && ending.empty())
    return "exit code 1, no message";
  if (message.empty() || ending.empty())
    return message + ending;
  return message + "; " + ending;
}

std::string printed(const outcome& what) {
  return "; it printed \"" + one_line(what.out, 80) + "\"";
}

void decode_status(const outcome& what, power_answer& answer) {
  auto document = read_power_document(what.out);
  if (!document.valid) {
    answer.text = failed("the answer to power-status is not an object "
                         "{\"powered\": true|false}: "
                         + document.problem + printed(what));
    return;
  }
  answer.done = true;
  answer.state = document.powered ? power_state::on : power_state::off;
}

void decode_health(const outcome& what, power_answer& answer) {
  auto document = read_health_document(what.out);
  if (!document.valid) {
    answer.text = failed("the answer to health is not a list [[item, status], "
                         "...]: "
                         + document.problem + printed(what));
    return;
  }
  answer.done = true;
  answer.items = std::move(document.items);
}

} // namespace

std::string one_line(const std::string& text, std::size_t most) {
  std::string result;
  for (auto c : text) {
    auto printable = c > ' ' && c <= '~';
    if (!printable && (result.empty() || result.back() == ' '))
      continue;
    if (result.size() >= most) {
      result += "...";
      break;
    }
    auto code = static_cast<unsigned char>(c);
    result += printable ? c : (code <= ' ' ? ' ' : '?');
  }
  while (!result.empty() && result.back() == ' ')
    result.pop_back();
  return result;
}

power_answer decode(const node_name& node, power_verb verb,
                    const outcome& what) {
  power_answer answer;
  answer.node = node;
  if (!what.refused.empty()) {
    answer.text = failed(what.refused);
  } else if (what.timed_out) {
    answer.text = aborted;
  } else if (what.exit_code != 0 || what.signal != 0) {
    answer.text = failed(why_it_failed(what));
    answer.denied = what.signal == 0 && what.exit_code == denied;
  } else if (is_reading(verb) && what.out_truncated) {
    answer.text = failed("the answer to " + std::string{to_string(verb)}
                         + " is too long" + printed(what));
  } else if (verb == power_verb::status) {
    decode_status(what, answer);
  } else if (verb == power_verb::health) {
    decode_health(what, answer);
  } else if (!what.out.empty()) {
    answer.text = failed(std::string{to_string(verb)}
                         + " must print nothing on standard output; it "
                           "printed \""
                         + one_line(what.out, 80) + "\"");
  } else {
    answer.done = true;
  }
  return answer;
}

} // namespace orderly::io::oob
