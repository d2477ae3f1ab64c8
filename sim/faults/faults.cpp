// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "sim/faults/faults.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <sstream>

#include <fmt/format.h>

namespace orderly::sim {

namespace {

enum class tail {
  none,
  per_mille,
  factor,
  delay_if_slow,
  delay,
  step, ///< a delay with its sign
  tag,
  word,
  count,
  node,
  text ///< all words that are left
};

/// The form of one verb.
struct form {
  const char* verb;   ///< one word or two
  const char* object; ///< what the object is; null: there is none
  std::vector<const char*> choices;
  tail rest = tail::none;
  const char* second = nullptr; ///< another object right behind the first
};

/// What sim/faults/apply_world.cpp does.
std::vector<form> forms_around() {
  return {
    {"link",
     "NODE",
     {"cut", "heal", "one-way", "slow"},
     tail::delay_if_slow,
     "NODE"},
    {"bmc swap", "NODE", {}, tail::node},
    {"bmc share", "NODE", {}, tail::node},
    {"bmc own", "NODE", {}},
    {"luxi stall", nullptr, {"on", "off"}},
    {"luxi slow", nullptr, {}, tail::delay},
    {"queue interrupt", nullptr, {}},
    {"queue lose", nullptr, {}, tail::count},
    {"journal lost", nullptr, {}},
    {"journal backup", nullptr, {}},
    {"journal restore", nullptr, {}},
    {"agents", nullptr, {"on", "off"}},
    {"agent", "NODE", {"ok", "silent", "lies-alive", "lies-dead"}},
    {"monitor", "NODE", {"ok", "silent"}},
    {"report", "NODE", {}, tail::text},
    {"autostart", "NODE", {"on", "off"}},
    {"clock step", nullptr, {}, tail::step},
    {"suspend", nullptr, {}, tail::delay},
    {"picture", nullptr, {"whole", "torn-nodes", "torn-instances"}},
    {"set-live", "KEY", {}, tail::word},
    {"add-node", "NODE", {}},
    {"remove-node", "NODE", {}},
    {"add-instance", "NAME", {}, tail::node},
    {"remove-instance", "NAME", {}},
    {"rename-instance", "NAME", {}, tail::word},
    {"second-daemon", "NODE", {}},
    {"second-master", "NODE", {}},
  };
}

std::vector<form> forms_of_nodes() {
  return {
    {"power", "NODE", {"off", "on"}},
    {"crash", "NODE", {}},
    {"network", "NODE", {"cut", "heal"}},
    {"storage", "NODE", {"cut", "heal"}},
    {"bmc",
     "NODE[@PROGRAM]",
     {"ok", "hang", "fail", "lies-on", "lies-off", "garbage", "slow",
      "dies-with-node"},
     tail::delay_if_slow},
    {"health", "NODE", {"ok", "warning", "critical", "unknown"}},
    {"helper",
     "PROGRAM",
     {"fine", "missing", "not-executable", "not-a-file", "writable"}},
    {"watcher", nullptr, {"on", "off"}},
    {"luxi drop-replies", nullptr, {"on", "off"}},
    {"luxi", nullptr, {"down", "up"}},
    {"queue drain", nullptr, {"on", "off"}},
    {"jobs fail", nullptr, {}, tail::per_mille},
    {"jobs lose", nullptr, {}, tail::per_mille},
    {"job-durations", nullptr, {}, tail::factor},
    {"tag", "OBJECT", {"add", "del"}, tail::tag},
    {"node",
     "NODE",
     {"offline", "online", "drained", "undrained", "vm-incapable", "vm-capable",
      "returned"}},
    {"room", "NODE", {"full", "free"}},
    {"instance", "NAME", {"stop", "crash", "start", "down", "up"}},
    {"migrate", "NAME", {}, tail::node},
    {"mirror", "NAME", {"faulty", "syncing", "healed"}},
    {"archive", "NAME", {}},
    {"fail-next", "NAME", {"error", "canceled", "lost"}, tail::count},
    {"uplink", nullptr, {"cut", "heal"}},
    {"journal", nullptr, {"fail", "slow", "ok"}},
    {"daemon", nullptr, {"kill", "start"}},
    {"machine", nullptr, {"reboot"}},
    {"noded", "NODE", {"down", "up"}},
    {"pause", nullptr, {"on", "off"}},
    {"master", "NODE", {}},
  };
}

const std::vector<form>& forms() {
  static const std::vector<form> all = [] {
    auto result = forms_of_nodes();
    for (const auto& x : forms_around())
      result.push_back(x);
    return result;
  }();
  return all;
}

std::string help_line(const form& f) {
  std::string result = f.verb;
  if (f.object)
    result += std::string{" "} + f.object;
  if (f.second)
    result += std::string{" "} + f.second;
  for (std::size_t i = 0; i < f.choices.size(); ++i) {
    result += (i == 0 ? " " : "|") + std::string{f.choices[i]};
    if (f.rest == tail::delay_if_slow && std::string{f.choices[i]} == "slow")
      result += " TIME";
  }
  if (f.rest == tail::per_mille)
    result += " PERMILLE";
  if (f.rest == tail::factor)
    result += " xFACTOR";
  if (f.rest == tail::delay)
    result += " TIME";
  if (f.rest == tail::step)
    result += " +TIME|-TIME";
  if (f.rest == tail::tag)
    result += " TAG";
  if (f.rest == tail::word)
    result += std::string{f.object} == "KEY" ? " VALUE" : " NAME";
  if (f.rest == tail::count)
    result += " [COUNT]";
  if (f.rest == tail::node)
    result += " NODE";
  if (f.rest == tail::text)
    result += " ok|silent|unverified|failed|JSON";
  return result;
}

fault wrong(const std::string& text, const std::string& why) {
  std::string verbs;
  for (const auto& line : fault_help())
    verbs += "\n  " + line;
  return {fault_kind::bad_input,
          "fault '" + text + "': " + why + "; the verbs are:" + verbs};
}

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream in{text};
  std::vector<std::string> result;
  for (std::string word; in >> word;)
    result.push_back(word);
  return result;
}

std::optional<std::int64_t> number_of(const std::string& text) {
  if (text.empty() || text.size() > 9
      || text.find_first_not_of("0123456789") != std::string::npos)
    return std::nullopt;
  return std::strtoll(text.c_str(), nullptr, 10);
}

/// "500ms", "61s", "2m", "3h" in milliseconds.
std::optional<std::int64_t> delay_of(const std::string& text) {
  auto unit = std::min(text.find_first_not_of("0123456789"), text.size());
  auto count = number_of(text.substr(0, unit));
  auto name = text.substr(unit);
  if (!count)
    return std::nullopt;
  if (name == "ms")
    return count;
  if (name == "s")
    return *count * 1000;
  if (name == "m")
    return *count * 60000;
  if (name == "h")
    return *count * 3600000;
  return std::nullopt;
}

/// The longest verb that fits, or null; `used` is the number of its words.
const form* form_of(const std::vector<std::string>& words, std::size_t& used) {
  const form* best = nullptr;
  for (const auto& f : forms()) {
    auto verb = words_of(f.verb);
    if (words.size() < verb.size() || (best && verb.size() <= used)
        || !std::equal(verb.begin(), verb.end(), words.begin()))
      continue;
    best = &f;
    used = verb.size();
  }
  return best;
}

/// Reads the last words into `order`; the text says what is wrong.
std::string read_tail(const form& f, std::vector<std::string>& rest,
                      fault_order& order) {
  if (f.rest == tail::count && rest.empty())
    rest.emplace_back("1");
  if (f.rest == tail::text && !rest.empty()) {
    order.tag = fmt::format("{}", fmt::join(rest, " "));
    return {};
  }
  auto needs = f.rest != tail::none
               && (f.rest != tail::delay_if_slow || order.what == "slow");
  if (rest.size() != (needs ? 1U : 0U))
    return "it has the form '" + help_line(f) + "'";
  if (!needs)
    return {};
  auto word = rest.front();
  std::optional<std::int64_t> number;
  switch (f.rest) {
  case tail::tag:
  case tail::word:
  case tail::node:
    order.tag = word;
    return {};
  case tail::delay_if_slow:
  case tail::delay:
    number = delay_of(word);
    break;
  case tail::step:
    if (word.front() == '+' || word.front() == '-')
      number = delay_of(word.substr(1));
    if (number && word.front() == '-')
      *number = -*number;
    break;
  case tail::factor:
    if (word.front() == 'x')
      number = number_of(word.substr(1));
    if (number && *number < 1)
      number.reset();
    break;
  case tail::count:
    number = number_of(word);
    if (number && (*number < 1 || *number > 1000))
      number.reset();
    break;
  default:
    number = number_of(word);
    if (number && *number > 1000)
      number.reset();
  }
  if (!number)
    return "'" + word + "' does not fit the form '" + help_line(f) + "'";
  order.number = *number;
  return {};
}

std::string check_tagged(const std::string& object) {
  std::string name;
  if (object == "cluster" || split_object(object, "group", name)
      || split_object(object, "node", name)
      || split_object(object, "instance", name))
    return {};
  return "'" + object
         + "' is not cluster, group:NAME, node:NAME or instance:NAME";
}

} // namespace

const std::vector<std::string>& fault_help() {
  static const std::vector<std::string> lines = [] {
    std::vector<std::string> result;
    for (const auto& f : forms())
      result.push_back(help_line(f));
    return result;
  }();
  return lines;
}

addressed address(const std::string& text) {
  std::istringstream in{text};
  std::string first;
  addressed result;
  if (!(in >> first) || first != "on" || !(in >> result.on))
    return {{}, text};
  std::getline(in >> std::ws, result.text);
  return result;
}

result<fault_order> parse_fault(const std::string& line) {
  auto [on, text] = address(line);
  auto words = words_of(text);
  std::size_t used = 0;
  const auto* f = form_of(words, used);
  if (!f)
    return wrong(text, words.empty() ? "it is empty"
                                     : "'" + words[0] + "' is no verb");
  fault_order order;
  order.on = on;
  order.verb = f->verb;
  auto usage = "it has the form '" + help_line(*f) + "'";
  words.erase(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(used));
  auto take = [&](std::string& into) {
    if (words.empty())
      return false;
    into = words.front();
    words.erase(words.begin());
    return true;
  };
  if ((f->object && !take(order.object)) || (f->second && !take(order.tag)))
    return wrong(text, usage);
  if (!f->choices.empty()) {
    auto fits = [&](const char* x) { return order.what == x; };
    if (!take(order.what)
        || std::none_of(f->choices.begin(), f->choices.end(), fits))
      return wrong(text, usage);
  }
  auto why = read_tail(*f, words, order);
  if (why.empty() && f->rest == tail::tag)
    why = check_tagged(order.object);
  if (!why.empty())
    return wrong(text, why);
  return order;
}

std::string render(const fault_order& order) {
  const form* f = nullptr;
  for (const auto& x : forms())
    if (order.verb == x.verb)
      f = &x;
  auto result = (order.on.empty() ? "" : "on " + order.on + " ") + order.verb;
  auto add = [&](const std::string& part) {
    if (!part.empty())
      result += " " + part;
  };
  add(order.object);
  if (f && f->second)
    add(order.tag);
  add(order.what);
  if (f && !f->second)
    add(order.tag);
  auto rest = f ? f->rest : tail::none;
  auto span = [](std::int64_t ms) {
    return ms % 1000 == 0 ? std::to_string(ms / 1000) + "s"
                          : std::to_string(ms) + "ms";
  };
  if (rest == tail::factor)
    add("x" + std::to_string(order.number));
  else if (rest == tail::per_mille
           || (rest == tail::count && order.number != 1))
    add(std::to_string(order.number));
  else if (rest == tail::delay
           || (rest == tail::delay_if_slow && order.what == "slow"))
    add(span(order.number));
  else if (rest == tail::step)
    add((order.number < 0 ? "-" : "+") + span(std::abs(order.number)));
  return result;
}

} // namespace orderly::sim
