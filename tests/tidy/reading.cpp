// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "tests/tidy/reading.hpp"

#include <algorithm>
#include <cctype>

namespace orderly::tidy {

namespace {

bool is_word_char(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// Copies code and blanks the rest; one object a text.
class eraser {
public:
  eraser(std::string_view in, texts what) : in_(in), what_(what) {
    out_.reserve(in.size());
  }

  std::string run() {
    while (at_ < in_.size())
      next();
    return std::move(out_);
  }

private:
  [[nodiscard]] bool sees(std::string_view what) const {
    return in_.substr(at_, what.size()) == what;
  }

  void keep() { out_ += in_[at_++]; }

  void blank() {
    out_ += in_[at_] == '\n' ? '\n' : ' ';
    ++at_;
  }

  void inner() {
    if (what_ == texts::kept)
      keep();
    else
      blank();
  }

  void next() {
    if (sees("//")) {
      while (at_ < in_.size() && in_[at_] != '\n')
        blank();
    } else if (sees("/*")) {
      auto end = std::min(in_.find("*/", at_ + 2), in_.size() - 2) + 2;
      while (at_ < end)
        blank();
    } else if (sees("R\"") && !word_before()) {
      raw();
    } else if (in_[at_] == '"' || (in_[at_] == '\'' && !word_before())) {
      quoted(in_[at_]);
    } else {
      keep();
    }
  }

  /// 1'000 is a number, and fooR"" no raw text.
  [[nodiscard]] bool word_before() const {
    return at_ > 0 && is_word_char(in_[at_ - 1]);
  }

  void quoted(char quote) {
    keep();
    while (at_ < in_.size() && in_[at_] != quote && in_[at_] != '\n') {
      if (in_[at_] == '\\' && at_ + 1 < in_.size())
        inner();
      inner();
    }
    if (at_ < in_.size())
      keep();
  }

  void raw() {
    auto open = in_.find('(', at_);
    if (open == std::string_view::npos) {
      keep();
      return;
    }
    auto mark = ")" + std::string{in_.substr(at_ + 2, open - at_ - 2)} + "\"";
    auto close = std::min(in_.find(mark, open), in_.size());
    auto end = std::min(close + mark.size(), in_.size());
    keep();
    keep();
    while (at_ + 1 < end)
      inner();
    if (at_ < end)
      keep();
  }

  std::string_view in_;
  texts what_;
  std::size_t at_ = 0;
  std::string out_;
};

std::string trimmed(const std::string& text) {
  auto first = text.find_first_not_of(" \t\n");
  if (first == std::string::npos)
    return {};
  return text.substr(first, text.find_last_not_of(" \t\n") - first + 1);
}

enum class block { space, type, function, code };

/// An `=` outside of all parentheses: what follows is data.
bool is_assignment(const std::string& head) {
  if (head.find("operator") != std::string::npos)
    return false;
  auto depth = 0;
  for (auto c : head) {
    if (c == '(')
      ++depth;
    else if (c == ')')
      --depth;
    else if (c == '=' && depth == 0)
      return true;
  }
  return false;
}

block kind_of(const std::string& head, block around) {
  if (has_word(head, "namespace") || has_word(head, "extern"))
    return block::space;
  auto has_parens = head.find('(') != std::string::npos;
  if (!has_parens
      && (has_word(head, "class") || has_word(head, "struct")
          || has_word(head, "union") || has_word(head, "enum")))
    return block::type;
  if (around == block::function || around == block::code)
    return block::code;
  // Nothing before the brace: the members of a constructor came before it.
  if (head.empty() || (has_parens && !is_assignment(head)))
    return block::function;
  return block::code;
}

/// Preprocessor lines, with what they continue on, become blank.
std::string without_directives(std::string_view code) {
  std::string result;
  auto inside = false;
  for (const auto& line : lines_of(code)) {
    auto first = line.find_first_not_of(" \t");
    inside = inside || (first != std::string::npos && line[first] == '#');
    if (!inside)
      result += line;
    if (line.empty() || line.back() != '\\')
      inside = false;
    result += '\n';
  }
  return result;
}

} // namespace

std::string code_of(std::string_view text, texts what) {
  return eraser{text, what}.run();
}

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> result;
  while (!text.empty()) {
    auto end = std::min(text.find('\n'), text.size());
    result.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return result;
}

bool has_word(std::string_view line, std::string_view word,
              std::size_t* after) {
  auto at = line.find(word);
  for (; at != std::string_view::npos; at = line.find(word, at + 1)) {
    auto end = at + word.size();
    if ((at == 0 || !is_word_char(line[at - 1]))
        && (end == line.size() || !is_word_char(line[end]))) {
      if (after != nullptr)
        *after = end;
      return true;
    }
  }
  return false;
}

void walk::through(std::string_view code) const {
  struct level {
    block kind;
    std::string head;
    std::size_t line;
    int parens;
  };

  std::vector<level> levels;
  std::string head;
  std::size_t line = 1;
  auto parens = 0;
  auto around
    = [&] { return levels.empty() ? block::space : levels.back().kind; };
  auto tell = [&] {
    auto in_function = around() == block::function || around() == block::code;
    if (auto text = trimmed(head); !text.empty() && on_statement)
      on_statement({std::move(text), line, in_function});
  };
  for (auto c : without_directives(code)) {
    if (c == '\n')
      ++line;
    if (c == '{') {
      tell();
      auto text = trimmed(head);
      levels.push_back({kind_of(text, around()), text, line, parens});
      parens = 0;
      head.clear();
    } else if (c == '}' && !levels.empty()) {
      tell();
      auto last = std::move(levels.back());
      levels.pop_back();
      if (last.kind == block::function && on_function)
        on_function({last.head, last.line, line});
      parens = last.parens;
      head.clear();
    } else if (c == ';' && parens == 0) {
      tell();
      head.clear();
    } else {
      parens += c == '(' ? 1 : c == ')' ? -1 : 0;
      head += c;
    }
  }
}

} // namespace orderly::tidy
