// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "sim/conformance/helper.hpp"

#include "io/oob/program_check.hpp"
#include "sim/conformance/keys.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <set>

#include <fmt/format.h>

namespace orderly::sim::conformance {

namespace {

/// Longer than any limit that a scenario could set.
constexpr millis for_ever = hours{24};

const std::set<std::string> answer_keys{
  "exit",   "stdout",  "stderr", "delay", "sleep",   "duration",
  "signal", "timeout", "hang",   "obeys", "powered", "items"};

const std::set<std::string> commands{"power-on", "power-off", "power-cycle",
                                     "power-status", "health"};

bool is_object_of_answer(const json& x) {
  return x.is_object() && !x.empty()
         && std::any_of(x.items().begin(), x.items().end(), [](const auto& i) {
              return answer_keys.count(i.key()) != 0;
            });
}

/// Pairs of a health answer are a list as well, but not one of answers.
bool is_list_of_answers(const json& x) {
  return x.is_array() && !x.empty()
         && std::all_of(x.begin(), x.end(), [](const json& one) {
              return is_object_of_answer(one) || one.is_string();
            });
}

std::string read_answer(const json& x, const std::string& where,
                        helper_answer& into) {
  if (x.is_string() || x.is_array()) {
    into.out = x.is_string() ? x.get<std::string>() : shown(x);
    return {};
  }
  std::int64_t exit = 0;
  std::int64_t signal = 0;
  auto printed = [&](const char* key) {
    return [&into, key](const json& v) {
      if (std::string{key} == "powered")
        into.out = shown({{"powered", v}});
      else
        into.out = v.is_string() ? v.get<std::string>() : shown(v);
      return true;
    };
  };
  auto hangs = [&](const json& v) {
    into.takes = v == true ? for_ever : into.takes;
    return v.is_boolean();
  };
  auto wrong = take_keys(x, where,
                         {{"exit", number_into(exit)},
                          {"signal", number_into(signal)},
                          {"stdout", printed("stdout")},
                          {"items", printed("items")},
                          {"powered", printed("powered")},
                          {"stderr", text_into(into.err)},
                          {"delay", span_into(into.takes)},
                          {"sleep", span_into(into.takes)},
                          {"duration", span_into(into.takes)},
                          {"timeout", hangs},
                          {"hang", hangs},
                          {"obeys", flag_into(into.obeys)}});
  into.exit = static_cast<int>(exit);
  into.signal = static_cast<int>(signal);
  return wrong;
}

std::string read_answers(const json& x, const std::string& where,
                         std::deque<helper_answer>& into) {
  for (const auto& one : is_list_of_answers(x) ? x : json::array({x})) {
    helper_answer answer;
    if (auto wrong = read_answer(one, where, answer); !wrong.empty())
      return wrong;
    into.push_back(std::move(answer));
  }
  return {};
}

} // namespace

std::string helper_script::read_commands(const std::string& program,
                                         const json& all) {
  for (const auto& [command, what] : all.items()) {
    auto where = fmt::format("given.helper.{}", command);
    if (commands.count(command) == 0)
      return where + " is no command of a helper";
    auto by_node = what.is_object() && !is_object_of_answer(what);
    if (!by_node) {
      if (auto wrong
          = read_answers(what, where, answers_[{program, command, {}}]);
          !wrong.empty())
        return wrong;
      continue;
    }
    for (const auto& [node, one] : what.items())
      if (auto wrong = read_answers(one, where + "." + node,
                                    answers_[{program, command, node}]);
          !wrong.empty())
        return wrong;
  }
  return {};
}

std::string helper_script::read(const json& given) {
  if (!given.is_object())
    return "given.helper is no object";
  auto for_all = json::object();
  for (const auto& [name, what] : given.items()) {
    if (!name.starts_with("/")) {
      for_all[name] = what;
    } else if (!what.is_object()) {
      return fmt::format("given.helper.{} is no object", name);
    } else if (auto wrong = read_commands(name, what); !wrong.empty()) {
      return wrong;
    }
  }
  return read_commands({}, for_all);
}

helper_answer helper_script::next(const std::string& program, power_verb verb,
                                  const node_name& node) {
  const std::string command{to_string(verb)};
  const std::string any;
  for (const auto& one :
       {key{program, command, node}, key{program, command, any},
        key{any, command, node}, key{any, command, any}}) {
    auto i = answers_.find(one);
    if (i == answers_.end() || i->second.empty())
      continue;
    auto answer = i->second.front();
    if (i->second.size() > 1)
      i->second.pop_front();
    return answer;
  }
  return {};
}

void helper_script::always(power_verb verb, const node_name& node,
                           helper_answer x) {
  std::string command{to_string(verb)};
  std::erase_if(answers_, [&](const auto& one) {
    const auto& [program, its_command, its_node] = one.first;
    return its_command == command && (its_node.empty() || its_node == node);
  });
  answers_[{{}, command, node}] = {std::move(x)};
}

helper_files::~helper_files() {
  std::error_code ignored;
  if (!folder_.empty())
    std::filesystem::remove_all(folder_, ignored);
}

const file_kind* helper_files::kind_of(const std::string& path) const {
  auto i = kinds_.find(path);
  if (i == kinds_.end())
    i = kinds_.find(std::string{});
  return i == kinds_.end() ? nullptr : &i->second;
}

std::string helper_files::why_not(const std::string& path) {
  const auto* kind = kind_of(path);
  if (kind == nullptr || path.empty() || path.front() != '/')
    return path.empty() || path.front() != '/' ? io::oob::why_not_runnable(path)
                                               : std::string{};
  if (folder_.empty()) {
    auto pattern
      = (std::filesystem::temp_directory_path() / "helper-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr)
      return "no folder for the helper programs could be made in "
             + std::filesystem::temp_directory_path().string();
    folder_ = pattern;
  }
  auto place = folder_ / "program";
  std::filesystem::remove_all(place);
  if (kind->exists && kind->regular)
    std::ofstream{place} << "#!/bin/sh\n";
  else if (kind->exists)
    std::filesystem::create_directory(place);
  if (kind->exists)
    std::filesystem::permissions(
      place, static_cast<std::filesystem::perms>(kind->mode));
  auto text = io::oob::why_not_runnable(place.string());
  if (auto i = text.find(place.string()); i != std::string::npos)
    text.replace(i, place.string().size(), path);
  return text;
}

io::oob::outcome outcome_of(const helper_answer& x, power_verb verb,
                            millis time_limit, bool powered) {
  io::oob::outcome result;
  result.err = x.err;
  if (x.takes > time_limit) {
    result.timed_out = true;
    return result;
  }
  result.signal = x.signal;
  result.exit_code = x.signal == 0 ? x.exit : -1;
  if (x.out)
    result.out = *x.out;
  else if (verb == power_verb::status && x.exit == 0)
    result.out = powered ? R"({"powered": true})" : R"({"powered": false})";
  return result;
}

} // namespace orderly::sim::conformance
