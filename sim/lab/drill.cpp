// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "sim/lab/drill.hpp"

#include "io/config/assign.hpp"
#include "io/config/loader.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <sstream>

#include <fmt/format.h>

namespace orderly::sim {

namespace {

fault complaint(const std::string& name, int line, const std::string& what) {
  return {fault_kind::bad_input, fmt::format("{}:{}: {}", name, line, what)};
}

std::string rest_of(std::istringstream& in) {
  std::string rest;
  std::getline(in >> std::ws, rest);
  while (!rest.empty() && (rest.back() == ' ' || rest.back() == '\r'))
    rest.pop_back();
  return rest;
}

/// What is wrong with a fault, or a command line in its place.
std::string check_event(const std::string& line) {
  auto text = address(line).text;
  if (is_command_line(text)) {
    auto command = read_command_line(text);
    return command ? "" : command.why().text;
  }
  auto order = parse_fault(text);
  return order ? "" : order.why().text;
}

/// `levels OBJECT = PROGRAM...`, after its first word.
std::string parse_levels(drill& d, std::istringstream& in) {
  std::string object;
  std::string sign;
  in >> object >> sign;
  std::vector<std::string> programs;
  for (std::string word; in >> word;)
    programs.push_back(word == "cluster" || word == "!" ? word
                                                        : helper_path(word));
  if (sign != "=" || programs.empty())
    return "levels has the form 'levels NODE|group:NAME|* = PROGRAM...'";
  d.levels[object] = std::move(programs);
  return {};
}

/// `group NAME SETTING = VALUE`, after its first word.
std::string parse_group(drill& d, std::istringstream& in) {
  group_name group;
  in >> group;
  auto text = rest_of(in);
  if (text.find('=') == std::string::npos)
    return "group has the form 'group NAME SETTING = VALUE'";
  d.groups[group].push_back(std::move(text));
  return {};
}

/// `at TIME FAULT`, after its first word.
std::string parse_event(drill& d, std::istringstream& in) {
  std::string when;
  in >> when;
  auto span = parse_span(when);
  if (!span)
    return span.why().text;
  d.events.push_back({*span, rest_of(in)});
  return check_event(d.events.back().fault);
}

/// `upon CODE OBJECT [nth N] [after TIME] FAULT`, after its first word.
std::string parse_trigger(drill& d, std::istringstream& in) {
  drill::trigger t;
  in >> t.code >> t.object;
  auto text = rest_of(in);
  if (text.starts_with("nth ")) {
    std::istringstream more{text.substr(4)};
    std::string count;
    more >> count;
    auto [end, error]
      = std::from_chars(count.data(), count.data() + count.size(), t.nth);
    if (error != std::errc{} || end != count.data() + count.size()
        || t.nth == 0)
      return "nth needs a whole number from 1, not '" + count + "'";
    text = rest_of(more);
  }
  if (text.starts_with("after ")) {
    std::istringstream more{text.substr(6)};
    std::string when;
    more >> when;
    auto span = parse_span(when);
    if (!span)
      return span.why().text;
    t.after = *span;
    text = rest_of(more);
  }
  t.fault = text;
  d.triggers.push_back(std::move(t));
  return check_event(text);
}

/// One line of the upper part; the text says what is wrong with it.
std::string parse_line(drill& d, const std::string& line) {
  std::istringstream in{line};
  std::string word;
  in >> word;
  if (word == "world") {
    d.world = rest_of(in);
    auto plan = plan_named(d.world, 1);
    return plan ? "" : plan.why().text;
  }
  if (word == "seed") {
    auto text = rest_of(in);
    auto [end, error]
      = std::from_chars(text.data(), text.data() + text.size(), d.seed);
    return error == std::errc{} && end == text.data() + text.size()
             ? ""
             : "seed needs a whole number, not '" + text + "'";
  }
  if (word == "config") {
    d.config = rest_of(in);
    return d.config.empty() ? "config needs a file name" : "";
  }
  if (word == "set") {
    std::string key;
    in >> key;
    d.sets.emplace_back(key, rest_of(in));
    return d.sets.back().second.empty() ? "set needs a key and a value" : "";
  }
  if (word == "run") {
    auto span = parse_span(rest_of(in));
    if (span)
      d.length = *span;
    return span ? "" : span.why().text;
  }
  if (word == "levels")
    return parse_levels(d, in);
  if (word == "group")
    return parse_group(d, in);
  if (word == "at")
    return parse_event(d, in);
  if (word == "upon")
    return parse_trigger(d, in);
  return "unknown word '" + word
         + "'; known are world, seed, config, set, levels, group, at, upon, "
           "run";
}

} // namespace

result<millis> parse_span(const std::string& text) {
  millis total{0};
  const auto* p = text.data();
  const auto* end = p + text.size();
  auto bad = fault{fault_kind::bad_input,
                   "'" + text + "' is no length of time such as 2m, 90s"};
  if (p == end)
    return bad;
  while (p != end) {
    std::int64_t n = 0;
    auto [next, error] = std::from_chars(p, end, n);
    if (error != std::errc{} || n < 0 || n > 1'000'000'000)
      return bad;
    std::string unit;
    for (p = next; p != end && (*p < '0' || *p > '9'); ++p)
      unit += *p;
    if (unit == "ms")
      total += millis{n};
    else if (unit == "s")
      total += seconds{n};
    else if (unit == "m")
      total += minutes{n};
    else if (unit == "h")
      total += hours{n};
    else
      return bad;
  }
  return total;
}

result<drill> parse_drill(const std::string& text, const std::string& name) {
  drill d;
  std::istringstream in{text};
  std::string line;
  int number = 0;
  auto below = false;
  while (std::getline(in, line)) {
    ++number;
    if (below) {
      d.expected += line + "\n";
      continue;
    }
    if (line == "----") {
      below = true;
      continue;
    }
    d.text += line + "\n";
    if (line.empty() || line[0] == '#') {
      if (d.events.empty() && d.triggers.empty())
        d.head.push_back(line);
      continue;
    }
    auto trouble = parse_line(d, line);
    if (!trouble.empty())
      return complaint(name, number, trouble);
  }
  if (!below)
    d.expected.clear();
  std::stable_sort(d.events.begin(), d.events.end(),
                   [](const auto& a, const auto& b) { return a.at < b.at; });
  return d;
}

std::string set_knob(settings& rules, const std::string& key,
                     const std::string& text) {
  for (const auto& k : knobs(rules)) {
    if (k.key != key)
      continue;
    if (text == "true" || text == "false")
      return io::assign(k, text == "true");
    std::int64_t whole = 0;
    const auto* end = text.data() + text.size();
    auto parsed = std::from_chars(text.data(), end, whole);
    if (parsed.ec == std::errc{} && parsed.ptr == end)
      return io::assign(k, whole);
    double real = 0;
    auto again = std::from_chars(text.data(), end, real);
    if (again.ec == std::errc{} && again.ptr == end)
      return io::assign(k, real);
    return io::assign(k, text);
  }
  return "there is no setting '" + key + "'";
}

result<settings> settings_of(const drill& d, const std::string& folder) {
  settings rules;
  rules.autorepair.enabled = true;
  if (!d.config.empty()) {
    auto loaded
      = io::load_settings((std::filesystem::path{folder} / d.config).string());
    if (!loaded)
      return loaded.why();
    rules = *loaded;
  }
  for (const auto& [key, value] : d.sets) {
    auto trouble = set_knob(rules, key, value);
    if (!trouble.empty())
      return fault{fault_kind::bad_input, "set " + key + ": " + trouble};
  }
  for (const auto& [object, programs] : d.levels)
    rules.power.levels[object] = programs;
  for (const auto& [group, own] : d.groups)
    rules.host_ha.groups[group] = own;
  auto troubles = contradictions(rules);
  if (!troubles.empty())
    return fault{fault_kind::bad_input, troubles.front()};
  return rules;
}

namespace {

/// One run of a drill: faults at their times, and those that wait for an
/// entry of the journal.
class player {
public:
  player(const drill& d, const world_plan& plan, const settings& rules,
         ending until)
    : lab_(plan, rules, d.seed), triggers_(d.triggers), until_(until) {
    for (const auto& e : d.events)
      due_.emplace_back(lab_.start() + e.at, e.fault);
    end_ = lab_.start() + d.length;
    lab_.on_line = [this](instant at, const std::string& who,
                          const std::string& what) {
      outcome_.transcript
        += fmt::format("{:<9}{:<10} {}\n", stamp(lab_.start(), at), who, what);
    };
    lab_.on_entry = [this](const journal_entry& e) {
      looker_.entry(e, lab_.now());
      pull(e);
    };
    lab_.clock().after_step
      = [this, watch = lab_.clock().after_step] { return watch() && !pulled_; };
  }

  drill_outcome run() {
    while (lab_.broken().empty() && next())
      ;
    for (const auto& t : triggers_)
      outcome_.troubles.push_back(
        fmt::format("upon {} {}: it never happened", t.code, t.object));
    if (lab_.broken().empty())
      lab_.check_liveness();
    outcome_.broken = lab_.broken();
    outcome_.trace_hash = lab_.trace_hash();
    outcome_.steps = lab_.steps();
    outcome_.met = looker_.met();
    outcome_.stays = looker_.stays();
    return std::move(outcome_);
  }

private:
  /// What a trigger asks for is done between two steps, never inside one.
  void pull(const journal_entry& e) {
    for (auto i = triggers_.begin(); i != triggers_.end(); ++i)
      if (i->code == e.code && i->object == e.object && --i->nth == 0) {
        due_.emplace_back(lab_.now() + i->after, i->fault);
        triggers_.erase(i);
        pulled_ = true;
        return;
      }
  }

  void sort() {
    std::stable_sort(
      due_.begin(), due_.end(),
      [](const auto& a, const auto& b) { return a.first < b.first; });
  }

  /// Runs to the next fault and does it; false at the end of the drill.
  bool next() {
    sort();
    pulled_ = false;
    auto rests = until_ == ending::when_settled && due_.empty();
    auto to = due_.empty() ? end_ : std::min(due_.front().first, end_);
    lab_.run_until(rests ? std::min<instant>(to, lab_.now() + look_again) : to);
    sort();
    if (rests && !pulled_ && lab_.is_settled())
      return false;
    if (due_.empty() || due_.front().first > lab_.now())
      return pulled_ || lab_.now() < end_;
    auto fault = due_.front().second;
    due_.erase(due_.begin());
    looker_.fault(fault);
    auto trouble = lab_.apply(fault);
    if (!trouble.empty())
      outcome_.troubles.push_back(fault + ": " + trouble);
    return true;
  }

  /// How often it is looked whether all is over.
  static constexpr millis look_again = minutes{3};

  lab lab_;
  std::vector<drill::trigger> triggers_;
  ending until_;
  std::vector<std::pair<instant, std::string>> due_;
  instant end_;
  bool pulled_ = false;
  onlooker looker_;
  drill_outcome outcome_;
};

} // namespace

drill_outcome play(const drill& d, const settings& rules, ending until) {
  auto plan = plan_named(d.world, d.seed);
  if (!plan) {
    drill_outcome outcome;
    outcome.troubles.push_back(plan.why().text);
    return outcome;
  }
  return player{d, *plan, rules, until}.run();
}

} // namespace orderly::sim
