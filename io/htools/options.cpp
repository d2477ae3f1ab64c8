// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/htools/options.hpp"

#include "io/htools/fields.hpp"

#include <algorithm>
#include <functional>

#include <fmt/format.h>

namespace orderly::io::htools {

namespace {

enum class takes { nothing, maybe, value };

using options = hbal_options;

/// Empty, or what is wrong with the value.
using setter = std::function<std::string(options&, const std::string&)>;

struct option {
  char letter; ///< 0 if it has none
  std::string name;
  takes kind;
  const char* value;
  const char* help;
  setter set;
};

setter set_flag(bool options::*field) {
  return [field](options& o, const std::string&) {
    o.*field = true;
    return std::string{};
  };
}

template <class Part>
setter set_rule(Part options::*part, bool Part::*field, bool to) {
  return [=](options& o, const std::string&) {
    o.*part.*field = to;
    return std::string{};
  };
}

setter set_number(const char* what,
                  const std::function<void(options&, double)>& to) {
  return [=](options& o, const std::string& text) -> std::string {
    auto x = decimal_number(text);
    if (!x)
      return fmt::format("{}: cannot parse string '{}'", what, text);
    to(o, *x);
    return {};
  };
}

setter set_text(const std::function<void(options&, const std::string&)>& to) {
  return [to](options& o, const std::string& text) {
    to(o, text);
    return std::string{};
  };
}

setter set_source(const char* name) {
  return set_text([name](options& o, const std::string&) {
    o.other_source = name;
    ++o.sources;
  });
}

void append(std::vector<std::string>& to, const std::string& text) {
  for (auto& x : split_words(text, ','))
    to.push_back(std::move(x));
}

std::string set_length(options& o, const std::string& text) {
  auto x = whole_number(text);
  if (!x)
    return fmt::format("max solution length: cannot parse string '{}'", text);
  o.rules.max_length
    = static_cast<int>(std::clamp<std::int64_t>(*x, -1, 2'000'000'000));
  return {};
}

std::string set_rule_of_n1(options& o, const std::string& text) {
  if (text != "3.0" && text != "3.1")
    return fmt::format("N+1 rule: '{}' is neither 3.0 nor 3.1", text);
  o.build.n1 = text == "3.0" ? planning::initial_n1::reported
                             : planning::initial_n1::guaranteed;
  return {};
}

using rules = planning::search_rules;
using t = takes;

std::vector<option> output_options() {
  return {
    {'p', "print-nodes", t::maybe, "FIELDS", "print the final node list",
     set_text([](options& o, const std::string& x) { o.node_fields = x; })},
    {0, "print-instances", t::nothing, "", "print the final instance map",
     set_flag(&options::print_instances)},
    {'C', "print-commands", t::maybe, "FILE",
     "print the commands that carry the plan out, or write a script of them",
     set_text([](options& o, const std::string& x) { o.commands = x; })},
    {'S', "save", t::value, "FILE",
     "save the cluster to FILE.original and FILE.balanced",
     set_text([](options& o, const std::string& x) { o.save = x; })},
    {'v', "verbose", t::nothing, "", "say more",
     set_text([](options& o, const std::string&) { ++o.verbose; })},
    {'q', "quiet", t::nothing, "", "say less",
     set_text([](options& o, const std::string&) { --o.verbose; })},
    {'V', "version", t::nothing, "", "show the version of the program",
     set_flag(&options::version)},
    {'h', "help", t::nothing, "", "show help", set_flag(&options::help)},
  };
}

std::vector<option> source_options() {
  return {
    {'t', "text-data", t::value, "FILE", "the cluster data FILE",
     set_text([](options& o, const std::string& x) {
       o.text_file = x;
       ++o.sources;
     })},
    {'m', "master", t::value, "ADDRESS", "collect data via RAPI (not yet)",
     set_source("--master")},
    {'L', "luxi", t::maybe, "SOCKET", "collect data via LUXI (not yet)",
     set_source("--luxi")},
    {'I', "ialloc-src", t::value, "FILE",
     "read an iallocator request (not yet)", set_source("--ialloc-src")},
    {'U', "dynu-file", t::value, "FILE", "read dynamic load from FILE",
     set_text([](options& o, const std::string& x) { o.load_file = x; })},
    {0, "ignore-dynu", t::nothing, "", "ignore all dynamic load",
     set_text([](options& o, const std::string&) { o.build.no_load = true; })},
    {'G', "group", t::value, "ID", "the node group, by name or uuid",
     set_text([](options& o, const std::string& x) { o.group = x; })},
    {'O', "offline", t::value, "NODE", "set node as offline",
     set_text(
       [](options& o, const std::string& x) { o.offline.push_back(x); })},
    {0, "exclusion-tags", t::value, "TAG,...",
     "keep instances with such tags on different nodes",
     set_text([](options& o, const std::string& x) {
       for (const auto& tag : split_words(x, ','))
         o.build.exclusion_prefixes.push_back(tag + ":");
     })},
    {0, "n1-rule", t::value, "3.0|3.1",
     "judge memory at the start as this Ganeti does [3.1]", set_rule_of_n1},
  };
}

std::vector<option> move_options() {
  auto rule = [](bool rules::*field, bool to) {
    return set_rule(&options::rules, field, to);
  };
  return {
    {'E', "evac-mode", t::nothing, "",
     "only move instances away from offline and drained nodes",
     rule(&rules::evacuate, true)},
    {0, "restricted-migration", t::nothing, "",
     "no moves that migrate twice; off online nodes none at all",
     rule(&rules::restricted_migration, true)},
    {0, "no-disk-moves", t::nothing, "", "only failovers and migrations",
     rule(&rules::disk_moves, false)},
    {0, "no-instance-moves", t::nothing, "", "only changes of secondaries",
     rule(&rules::instance_moves, false)},
    {0, "ignore-soft-errors", t::nothing, "",
     "ignore soft restrictions in balancing", rule(&rules::ignore_soft, true)},
    {0, "select-instances", t::value, "INSTS", "move only these instances",
     set_text([](options& o, const std::string& x) { append(o.selected, x); })},
    {0, "exclude-instances", t::value, "INSTS", "do not move these instances",
     set_text([](options& o, const std::string& x) { append(o.excluded, x); })},
  };
}

std::vector<option> limit_options() {
  return {
    {'l', "max-length", t::value, "N", "make at most N moves", set_length},
    {'e', "min-score", t::value, "EPSILON",
     "how far above the best possible score is good enough",
     set_number("min score",
                [](options& o, double x) { o.rules.min_score = x; })},
    {'g', "min-gain", t::value, "DELTA", "what a step must gain",
     set_number("min gain",
                [](options& o, double x) { o.rules.min_gain = x; })},
    {0, "min-gain-limit", t::value, "SCORE",
     "the score below which --min-gain is asked for",
     set_number("min gain limit",
                [](options& o, double x) { o.rules.min_gain_limit = x; })},
    {0, "max-cpu", t::value, "RATIO",
     "at most so many virtual CPUs for each real one",
     set_number("parsing max-cpu",
                [](options& o, double x) { o.build.vcpu_ratio = x; })},
    {0, "min-disk", t::value, "RATIO",
     "part of each disk that stays free, 0 to 1",
     set_number("min free disk space",
                [](options& o, double x) { o.build.min_disk = x; })},
  };
}

std::string set_priority(options&, const std::string& text) {
  if (text == "low" || text == "normal" || text == "high")
    return {};
  return fmt::format("Unknown priority '{}'", text);
}

std::string set_monitors(options& o, const std::string& text) {
  if (!text.empty() && text != "yes" && text != "no")
    return fmt::format("Invalid choice '{}', pass one of 'yes' or 'no'", text);
  o.ask_monitors = text != "no";
  return {};
}

/// Options about jobs and monitors: a text file has neither.
std::vector<option> live_options() {
  auto nothing = set_text([](options&, const std::string&) {});
  return {
    {'X', "exec", t::nothing, "", "execute the moves, only via LUXI",
     set_flag(&options::execute)},
    {0, "first-job-group", t::nothing, "", "execute the first set of jobs only",
     nothing},
    {0, "reason", t::value, "REASON", "the reason for the jobs", nothing},
    {0, "priority", t::value, "PRIO", "low, normal or high", set_priority},
    {0, "mond", t::maybe, "CHOICE", "ask all monitors: yes or no (not yet)",
     set_monitors},
    {0, "mond-data", t::value, "FILE", "what monitors said, for --mond",
     nothing},
    {0, "mond-xen", t::nothing, "", "ask for data of Xen too", nothing},
    {0, "exit-on-missing-mond-data", t::nothing, "",
     "end if a monitor does not answer", nothing},
    {0, "static-kvm-node-memory", t::value, "N",
     "memory of KVM nodes' own systems, for live sources",
     set_number("static node memory", [](options&, double) {})},
  };
}

std::vector<option> all_options() {
  std::vector<option> result;
  for (auto& part : {source_options(), output_options(), move_options(),
                     limit_options(), live_options()})
    result.insert(result.end(), part.begin(), part.end());
  return result;
}

class parser {
public:
  explicit parser(const std::vector<std::string>& arguments)
    : arguments_(arguments) {}

  std::variant<options, option_fault> run() {
    for (; at_ < arguments_.size() && !fault_; ++at_) {
      const auto& word = arguments_[at_];
      if (only_words_ || word.size() < 2 || word[0] != '-')
        words_.push_back(word);
      else if (word == "--")
        only_words_ = true;
      else if (word[1] == '-')
        take_long(word.substr(2));
      else
        take_short(word.substr(1));
    }
    if (fault_)
      return *fault_;
    if (!value_fault_.empty())
      return option_fault{1, "Error while parsing command line arguments:\n"
                               + value_fault_ + "\n"};
    if (!words_.empty() && !result_.help && !result_.version)
      return option_fault{1,
                          "Error: This program doesn't take any arguments.\n"};
    return result_;
  }

private:
  void refuse(const std::string& what) {
    if (!fault_)
      fault_ = option_fault{2, "Command line error: " + what + "\n\n"
                                 + hbal_usage()};
  }

  void set(const option& o, const std::string& value) {
    auto wrong = o.set(result_, value);
    if (value_fault_.empty())
      value_fault_ = wrong;
  }

  /// The value that follows, or a refusal.
  void set_next(const option& o, const std::string& shown) {
    if (at_ + 1 >= arguments_.size()) {
      refuse(
        fmt::format("option `{}' requires an argument {}", shown, o.value));
      return;
    }
    set(o, arguments_[++at_]);
  }

  void take_short(std::string letters) {
    while (!letters.empty() && !fault_) {
      auto found
        = std::find_if(table_.begin(), table_.end(),
                       [&](const option& o) { return o.letter == letters[0]; });
      auto shown = "-" + letters.substr(0, 1);
      auto rest = letters.substr(1);
      if (found == table_.end()) {
        refuse(fmt::format("unrecognized option `{}'", shown));
        return;
      }
      if (found->kind == takes::nothing) {
        set(*found, {});
        letters = rest;
        continue;
      }
      if (!rest.empty() || found->kind == takes::maybe)
        set(*found, rest);
      else
        set_next(*found, shown);
      return;
    }
  }

  void take_long(const std::string& word) {
    auto equals = word.find('=');
    auto name = word.substr(0, equals);
    std::vector<const option*> found;
    for (const auto& o : table_) {
      if (o.name == name) {
        found = {&o};
        break;
      }
      if (o.name.compare(0, name.size(), name) == 0)
        found.push_back(&o);
    }
    auto shown = "--" + name;
    if (found.empty()) {
      refuse(fmt::format("unrecognized option `{}'", shown));
      return;
    }
    if (found.size() > 1) {
      std::string names;
      for (const auto* o : found)
        names += "\n  --" + o->name;
      refuse(fmt::format("option `{}' is ambiguous; could be one of:{}", shown,
                         names));
      return;
    }
    const auto& o = *found.front();
    if (equals != std::string::npos && o.kind == takes::nothing)
      refuse(fmt::format("option `{}' doesn't allow an argument", shown));
    else if (equals != std::string::npos)
      set(o, word.substr(equals + 1));
    else if (o.kind == takes::value)
      set_next(o, shown);
    else
      set(o, {});
  }

  const std::vector<std::string>& arguments_;
  std::vector<option> table_ = all_options();
  std::size_t at_ = 0;
  bool only_words_ = false;
  std::vector<std::string> words_;
  options result_;
  std::string value_fault_;
  std::optional<option_fault> fault_;
};

} // namespace

std::string hbal_usage() {
  std::string result = "Usage: hbal [OPTION...]\n";
  for (const auto& o : all_options()) {
    auto value = std::string{o.value};
    auto name = "--" + o.name;
    if (o.kind == takes::value)
      name += "=" + value;
    if (o.kind == takes::maybe)
      name += "[=" + value + "]";
    auto letter = o.letter == 0 ? std::string{} : std::string{'-', o.letter};
    result += fmt::format("  {:2}  {:24} {}\n", letter, name, o.help);
  }
  return result;
}

std::variant<hbal_options, option_fault>
read_hbal_options(const std::vector<std::string>& arguments) {
  return parser{arguments}.run();
}

} // namespace orderly::io::htools
