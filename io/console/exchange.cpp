// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/console/exchange.hpp"

#include "io/json/escape.hpp"
#include "io/json/extent.hpp"

#include <ostream>

#include <fmt/format.h>

namespace orderly::io::console {

namespace {

using nlohmann::json;

/// As the daemon calls what it does not know itself.
constexpr const char* outcome_unknown = "outcome-unknown";

std::string not_known(const std::string& look) {
  return fmt::format("whether the order holds is not known: look with '{}' "
                     "before you give it again",
                     look);
}

heard no_answer(const std::string& socket, const question& what,
                const fault& why) {
  heard x;
  x.passing
    = why.kind == fault_kind::unreachable || why.kind == fault_kind::timed_out;
  switch (why.kind) {
  case fault_kind::unreachable:
    x.code = exit_unreachable;
    x.trouble = fmt::format("cannot reach orderlyd at {}: {}; is it running? "
                            "see systemctl status orderlyd",
                            socket, why.text);
    return x;
  case fault_kind::refused:
    x.code = exit_permission;
    x.trouble = fmt::format("may not talk to orderlyd at {}: {}; try it as "
                            "root",
                            socket, why.text);
    return x;
  case fault_kind::timed_out:
    x.code = exit_timed_out;
    x.trouble = fmt::format("orderlyd at {}: {}; see systemctl status "
                            "orderlyd, or wait longer by --timeout",
                            socket, why.text);
    return x;
  case fault_kind::unknown_outcome:
    x.code = exit_timed_out;
    x.trouble = fmt::format("orderlyd at {}: {}; {}", socket, why.text,
                            not_known(what.look));
    return x;
  default:
    x.code = exit_failed;
    x.trouble = fmt::format("orderlyd at {}: {}", socket, why.text);
    return x;
  }
}

int exit_for(int status) {
  switch (status) {
  case 400:
    return exit_usage;
  case 403:
    return exit_permission;
  case 404:
    return exit_not_found;
  case 409:
    return exit_refused;
  case 504:
    return exit_timed_out;
  default:
    return exit_failed;
  }
}

json body_of(const client_answer& x) {
  return why_too_much(x.body).empty() ? json::parse(x.body, nullptr, false)
                                      : json(json::value_t::discarded);
}

/// An answer that says why it is none.
heard refusal(const client_answer& x, const question& what) {
  auto body = body_of(x);
  auto error = body.is_object() ? body.value("error", json::object()) : json{};
  auto text = word(error, "text");
  if (text.empty())
    text = fmt::format("orderlyd answered with status {}", x.status);
  auto code = exit_for(x.status);
  if (word(error, "code") == outcome_unknown)
    code = exit_timed_out;
  else if (x.status == 504 && !what.look.empty())
    text += "; " + not_known(what.look);
  return {code,
          {},
          std::move(text),
          x.status == 503 || x.status == 504,
          x.status == 503};
}

} // namespace

int tell(surroundings& with, int code, const std::string& text) {
  with.err << "orderly: " << http::one_line(text) << "\n";
  return code;
}

std::string strange_answer(const std::string& socket) {
  return fmt::format("orderlyd at {} gave an answer that cannot be understood; "
                     "is it of another version?",
                     socket);
}

std::string word(const json& x, const char* name) {
  if (!x.is_object())
    return {};
  auto found = x.find(name);
  return found != x.end() && found->is_string() ? found->get<std::string>()
                                                : std::string{};
}

heard hear(const client_rules& rules, const question& what) {
  auto answer
    = ask(rules, what.method, what.target, what.body, !what.look.empty());
  if (!answer)
    return no_answer(rules.socket, what, answer.why());
  if (answer->status != 200)
    return refusal(*answer, what);
  auto body = body_of(*answer);
  if (!body.is_object())
    return {exit_failed, {}, strange_answer(rules.socket), false};
  return {exit_ok, std::move(body), {}, false};
}

heard listen(const command_line& line, surroundings& with,
             const question& what) {
  client_rules rules;
  rules.socket = line.socket;
  rules.deadline = line.deadline;
  auto x = hear(rules, what);
  // Too many large answers are under way, or the first picture is: reading may
  // be tried again. An order is not sent twice.
  constexpr int tries = 3;
  for (int i = 1; i < tries && x.busy && what.method == "GET" && with.rest;
       ++i) {
    with.rest(seconds{1});
    x = hear(rules, what);
  }
  if (x.code != exit_ok)
    tell(with, x.code, x.trouble);
  return x;
}

} // namespace orderly::io::console
