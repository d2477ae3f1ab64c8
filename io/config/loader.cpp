// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/config/loader.hpp"

#include "actors/policy/settings/group_settings.hpp"
#include "io/config/assign.hpp"
#include "io/config/scan.hpp"
#include "messages/nearest.hpp"

// toml++ 3.3.0 asserts what bad input breaks; without the assertion it
// reports a proper error. No other file may include toml++ with another
// definition: they would share its inline functions.
#define TOML_ASSERT(expr) static_cast<void>(0)
#include <toml++/toml.h>

#include <algorithm>
#include <map>
#include <set>

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

namespace orderly::io {

namespace {

raw_value raw(const toml::node& node) {
  switch (node.type()) {
  case toml::node_type::boolean:
    return **node.as_boolean();
  case toml::node_type::integer:
    return **node.as_integer();
  case toml::node_type::floating_point:
    return **node.as_floating_point();
  case toml::node_type::string:
    return **node.as_string();
  case toml::node_type::table:
    return unfit{"a table"};
  case toml::node_type::array:
    return unfit{"an array"};
  default:
    return unfit{"a date or time"};
  }
}

using program_table = std::map<std::string, std::vector<std::string>>;

/// What a key of earlier versions is called now, or empty.
std::string new_name(const std::string& key) {
  return key == "power.parallel_max" ? "power.concurrency" : "";
}

class reader {
public:
  reader(std::string file, std::vector<knob> into, doubts contradictions)
    : file_(std::move(file)), contradictions_(std::move(contradictions)) {
    for (auto& k : into) {
      for (auto dot = k.key.find('.'); dot != std::string::npos;
           dot = k.key.find('.', dot + 1))
        sections_.insert(k.key.substr(0, dot));
      keys_.push_back(k.key);
      knobs_.emplace(k.key, std::move(k));
    }
  }

  void read(std::string_view text) {
    if (auto bad = scan_toml(text)) {
      complain(bad->line, bad->column, bad->text);
      return;
    }
    try {
      auto root = toml::parse(text, std::string_view{file_});
      read_section({}, root);
      doubt();
    } catch (const toml::parse_error& error) {
      auto& where = error.source().begin;
      complain(static_cast<int>(where.line), static_cast<int>(where.column),
               shown(error.description()));
    } catch (const std::exception& error) {
      complain(0, 0, fmt::format("cannot be read: {}", shown(error.what())));
    }
  }

  std::vector<problem> take() {
    auto by_place = [](const problem& a, const problem& b) {
      return std::pair{a.line, a.column} < std::pair{b.line, b.column};
    };
    std::stable_sort(problems_.begin(), problems_.end(), by_place);
    return std::move(problems_);
  }

private:
  static constexpr std::size_t problems_max = 100;

  void complain(int line, int column, std::string text) {
    if (problems_.size() < problems_max)
      problems_.push_back({file_, line, column, std::move(text)});
    else if (problems_.size() == problems_max)
      problems_.push_back(
        {file_, line, column, "there are more problems; they are not listed"});
  }

  void complain(const toml::source_region& where, std::string text) {
    complain(static_cast<int>(where.begin.line),
             static_cast<int>(where.begin.column), std::move(text));
  }

  bool full() const { return problems_.size() > problems_max; }

  /// The keys of one section; its name is empty at the top.
  void read_section(const std::string& section, const toml::table& table) {
    for (auto&& [key, value] : table) {
      if (full())
        return;
      std::string name{key.str()};
      // A quoted key with a dot in it is not a key in a section.
      bool quoted_dot = name.find('.') != std::string::npos;
      if (!section.empty())
        name = section + "." + name;
      if (quoted_dot)
        unknown(name, key.source(), value.is_table());
      else if (sections_.count(name) == 0)
        read_value(name, key, value);
      else if (auto inner = value.as_table())
        read_section(name, *inner);
      else
        complain(key.source(),
                 fmt::format("{} is a section; write [{}] and its keys on the "
                             "lines below",
                             name, name));
    }
  }

  void read_value(const std::string& name, const toml::key& key,
                  const toml::node& value) {
    auto found = knobs_.find(name);
    if (found == knobs_.end()) {
      unknown(name, key.source(), value.is_table());
      return;
    }
    places_[name] = key.source().begin;
    auto* const* lists = std::get_if<program_table*>(&found->second.value);
    if (lists && value.is_table()) {
      read_lists(**lists, name, *value.as_table());
      return;
    }
    auto wrong = assign(found->second, raw(value));
    if (wrong.empty())
      return;
    bad_keys_.insert(name);
    complain(value.source(), std::move(wrong));
  }

  /// What sentences call the list of one key, and what it lists.
  static std::pair<std::string, std::string> words_of(const std::string& table,
                                                      const std::string& name) {
    if (table == "power.levels")
      return {power_levels_key(shown(name)),
              "helpers in square brackets, as in [\"cluster\"]"};
    return {group_settings_key(shown(name)),
            "settings in square brackets, as in [\"activity_checks = 5\"]"};
  }

  void read_lists(program_table& into, const std::string& of,
                  const toml::table& table) {
    for (auto&& [key, value] : table) {
      if (full())
        return;
      std::string name{key.str()};
      auto [shown_name, listed] = words_of(of, name);
      places_[shown_name] = key.source().begin;
      if (has_controls(name))
        complain(key.source(), shown_name + " has control characters");
      else if (value.is_table())
        complain(key.source(),
                 fmt::format("{} is a table; a name with dots must stand in "
                             "quotes, as in \"node1.example.com\" = [...]",
                             shown_name));
      else if (auto list = value.as_array())
        read_list(into[name], shown_name, *list);
      else
        complain(value.source(),
                 fmt::format("{} must be a list of {}", shown_name, listed));
    }
  }

  void read_list(std::vector<std::string>& into, const std::string& name,
                 const toml::array& list) {
    std::vector<std::string> all;
    for (auto&& item : list) {
      auto text = item.as_string();
      if (text && !has_controls(**text)) {
        all.push_back(**text);
        continue;
      }
      auto programs = name.starts_with("power.levels");
      complain(
        item.source(),
        fmt::format("{} has {}; {}", name,
                    text ? "control characters" : "something that is no text",
                    programs ? "helpers are paths, \"cluster\" or \"!\""
                             : "settings are texts, \"NAME = VALUE\""));
      return;
    }
    into = std::move(all);
  }

  void unknown(const std::string& name, const toml::source_region& where,
               bool is_table) {
    if (auto now = new_name(name); !now.empty()) {
      complain(where, fmt::format("{} is called {} now; rename it", name, now));
      return;
    }
    std::string hint;
    if (is_table)
      hint = nearest(name, {sections_.begin(), sections_.end()});
    if (hint.empty())
      hint = nearest(name, keys_);
    if (hint.empty())
      hint = elsewhere(name);
    complain(where,
             fmt::format("unknown {} '{}'{}", is_table ? "section" : "key",
                         shown(name),
                         hint.empty() ? "" : "; did you mean '" + hint + "'?"));
  }

  /// A key of the same last name in another section.
  std::string elsewhere(const std::string& name) const {
    auto dot = name.rfind('.');
    auto last = "." + (dot == std::string::npos ? name : name.substr(dot + 1));
    for (auto& key : keys_)
      if (key.size() > last.size()
          && key.compare(key.size() - last.size(), last.size(), last) == 0)
        return key;
    return {};
  }

  void doubt() {
    for (auto& sentence : contradictions_()) {
      if (full())
        return;
      auto named = [&sentence](const std::string& key) {
        return sentence.find(key) != std::string::npos;
      };
      // The default in place of a bad value would only confuse.
      if (std::any_of(bad_keys_.begin(), bad_keys_.end(), named))
        continue;
      toml::source_position where{};
      auto first = std::string::npos;
      // By the longest of the keys that begin there: they come in order.
      for (auto& [key, place] : places_)
        if (auto at = sentence.find(key);
            at != std::string::npos && at <= first) {
          first = at;
          where = place;
        }
      complain(static_cast<int>(where.line), static_cast<int>(where.column),
               sentence);
    }
  }

  std::string file_;
  doubts contradictions_;
  std::vector<std::string> keys_;
  std::set<std::string> sections_;
  std::map<std::string, knob> knobs_;
  std::map<std::string, toml::source_position> places_;
  std::set<std::string> bad_keys_;
  std::vector<problem> problems_;
};

} // namespace

std::string to_string(const problem& p) {
  auto out = p.file;
  if (p.line > 0)
    out += fmt::format(":{}:{}", p.line, p.column);
  return out + ": " + p.text;
}

std::vector<problem> read_knobs(std::string_view text, const std::string& name,
                                std::vector<knob> into, doubts contradictions) {
  reader r{name, std::move(into), std::move(contradictions)};
  r.read(text);
  return r.take();
}

std::string to_string(const std::vector<problem>& all) {
  std::string text;
  for (const auto& p : all)
    text += (text.empty() ? "" : "\n") + to_string(p);
  return text;
}

loaded_settings read_settings(std::string_view text, const std::string& name) {
  loaded_settings x;
  x.problems = read_knobs(text, name, knobs(x.values),
                          [&x] { return contradictions(x.values); });
  return x;
}

result<settings> load_settings_text(std::string_view text,
                                    const std::string& name) {
  auto loaded = read_settings(text, name);
  if (loaded.problems.empty())
    return std::move(loaded.values);
  return fault{fault_kind::bad_input, to_string(loaded.problems)};
}

result<std::string> settings_text(const std::string& path) {
  // One byte more than is allowed, so that the excess is noticed.
  constexpr std::size_t read_max = (256 << 10) + 1;
  // Whoever opens a pipe otherwise waits for its other end, deaf to signals.
  auto file = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (file < 0)
    return fault{fault_kind::not_found,
                 fmt::format("{}: cannot open the settings; does the file "
                             "exist and may we read it?",
                             path)};

  struct stat about {};

  auto plain = ::fstat(file, &about) == 0 && S_ISREG(about.st_mode);
  std::string text(plain ? read_max : 0, '\0');
  std::size_t size = 0;
  ssize_t got = plain ? 1 : -1;
  while (got > 0 && size < text.size()) {
    got = ::read(file, text.data() + size, text.size() - size);
    size += got > 0 ? static_cast<std::size_t>(got) : 0;
  }
  ::close(file);
  if (got < 0)
    return fault{fault_kind::io,
                 fmt::format("{}: cannot read the settings; is it a plain "
                             "file?",
                             path)};
  text.resize(size);
  return text;
}

result<settings> load_settings(const std::string& path) {
  auto text = settings_text(path);
  if (!text)
    return text.why();
  return load_settings_text(*text, path);
}

} // namespace orderly::io
