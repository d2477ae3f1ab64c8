// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/htools/options/options.hpp"

#include "io/htools/options/option_table.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace orderly::io::htools {

namespace {

/// What words a tool takes beside its options, as --help shows them; null for
/// those that take none.
const char* words_of(tool of) {
  switch (of) {
  case tool::hail:
    return "REQUEST";
  case tool::hscan:
    return "[ADDRESS...]";
  case tool::hwhatif:
    return "[CHANGE...]";
  case tool::hgroups:
    return "show [INSTANCE...] | redistribute | empty [GROUP] | load";
  default:
    return nullptr;
  }
}

class parser {
public:
  parser(tool of, const std::vector<std::string>& arguments)
    : of_(of), arguments_(arguments), table_(options_of(of)) {}

  std::variant<tool_options, option_fault> run() {
    for (; at_ < arguments_.size() && !fault_; ++at_) {
      const auto& word = arguments_[at_];
      if (only_words_ || word.size() < 2 || word[0] != '-')
        result_.words.push_back(word);
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
    if (!words_of(of_) && !result_.words.empty() && !result_.help
        && !result_.version)
      return option_fault{1,
                          "Error: This program doesn't take any arguments.\n"};
    return result_;
  }

private:
  void refuse(const std::string& what) {
    if (!fault_)
      fault_
        = option_fault{2, "Command line error: " + what + "\n\n" + usage(of_)};
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
      std::string matching;
      for (const auto* o : found)
        matching += "\n  --" + o->name;
      refuse(fmt::format("option `{}' is ambiguous; could be one of:{}", shown,
                         matching));
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

  tool of_;
  const std::vector<std::string>& arguments_;
  std::vector<option> table_;
  std::size_t at_ = 0;
  bool only_words_ = false;
  tool_options result_;
  std::string value_fault_;
  std::optional<option_fault> fault_;
};

} // namespace

std::string usage(tool of) {
  const auto* words = words_of(of);
  auto result = fmt::format("Usage: {} [OPTION...]{}{}\n", name_of(of),
                            words ? " " : "", words ? words : "");
  for (const auto& o : options_of(of)) {
    auto value = std::string{o.value};
    auto name = "--" + o.name;
    if (o.kind == takes::value)
      name += "=" + value;
    if (o.kind == takes::maybe)
      name += "[=" + value + "]";
    auto letter = o.letter == 0 ? std::string{} : std::string{'-', o.letter};
    result += fmt::format("  {:2}  {:24} {}\n", letter, name, o.help);
  }
  return result + examples_of(of);
}

std::variant<tool_options, option_fault>
read_options(tool of, const std::vector<std::string>& arguments) {
  return parser{of, arguments}.run();
}

std::variant<hbal_options, option_fault>
read_hbal_options(const std::vector<std::string>& arguments) {
  return read_options(tool::hbal, arguments);
}

std::string hbal_usage() {
  return usage(tool::hbal);
}

} // namespace orderly::io::htools
