// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/options/read_words.hpp"

#include <cstddef>
#include <string_view>
#include <utility>

namespace orderly {

namespace {

class reader {
public:
  explicit reader(const option_ranks& table) : table_(table) {
    // nop
  }

  words_read run(const std::vector<std::string>& args) {
    for (std::size_t i = 0; i < args.size(); ++i) {
      const auto& arg = args[i];
      if (arg == "--") {
        result_.others.insert(result_.others.end(),
                              args.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                              args.end());
        break;
      }
      // A word of its own that the option needs, if there is one left.
      const auto* next = i + 1 < args.size() ? &args[i + 1] : nullptr;
      auto used = false;
      if (arg.starts_with("--"))
        used = take_long(arg.substr(2), next);
      else if (arg.size() > 1 && arg[0] == '-')
        used = take_letters(std::string_view{arg}.substr(1), next);
      else
        result_.others.push_back(arg);
      i += used ? 1 : 0;
    }
    return std::move(result_);
  }

private:
  void complain(misuse how, std::string typed,
                const option_form* what = nullptr) {
    result_.wrong.push_back({how, std::move(typed), what, {}});
  }

  /// True if `next` was its argument.
  bool take_long(const std::string& text, const std::string* next) {
    auto equals = text.find('=');
    auto typed = "--" + text.substr(0, equals);
    std::optional<std::string> argument;
    if (equals != std::string::npos)
      argument = text.substr(equals + 1);
    const auto* x = named(text.substr(0, equals));
    if (x == nullptr)
      return false;
    if (x->argument == takes::nothing && argument) {
      complain(misuse::takes_no_argument, typed, x);
      return false;
    }
    return keep(*x, std::move(typed), std::move(argument), next);
  }

  bool take_letters(std::string_view text, const std::string* next) {
    while (!text.empty()) {
      auto letter = text.front();
      auto typed = std::string{'-', letter};
      text.remove_prefix(1);
      const auto* x = lettered(letter);
      if (x == nullptr) {
        complain(misuse::unknown, typed);
        continue;
      }
      if (x->argument == takes::nothing) {
        result_.found.push_back({x, std::nullopt});
        continue;
      }
      auto rest = text.empty() ? std::optional<std::string>{}
                               : std::optional<std::string>{text};
      return keep(*x, std::move(typed), std::move(rest), next);
    }
    return false;
  }

  bool keep(const option_form& x, std::string typed,
            std::optional<std::string> argument, const std::string* next) {
    auto borrows = x.argument == takes::value && !argument;
    if (borrows && next == nullptr) {
      complain(misuse::needs_argument, std::move(typed), &x);
      return false;
    }
    if (borrows)
      argument = *next;
    result_.found.push_back({&x, std::move(argument)});
    return borrows;
  }

  const option_form* lettered(char letter) const {
    for (const auto& rank : table_)
      for (const auto* x : rank)
        if (x->letter == letter && letter != 0)
          return x;
    return nullptr;
  }

  /// An exact name wins, then the only one of its rank that begins so.
  const option_form* named(const std::string& name) {
    for (const auto& rank : table_)
      for (const auto* x : rank)
        if (x->name == name)
          return x;
    std::vector<const option_form*> fits;
    for (const auto& rank : table_) {
      for (const auto* x : rank)
        if (x->name.starts_with(name))
          fits.push_back(x);
      if (!fits.empty())
        break;
    }
    if (fits.size() == 1)
      return fits.front();
    complain(fits.empty() ? misuse::unknown : misuse::unclear, "--" + name);
    result_.wrong.back().candidates = std::move(fits);
    return nullptr;
  }

  const option_ranks& table_;
  words_read result_;
};

} // namespace

words_read read_words(const std::vector<std::string>& args,
                      const option_ranks& table) {
  return reader{table}.run(args);
}

} // namespace orderly
