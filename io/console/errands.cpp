// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/console/errands.hpp"

#include "actors/policy/settings/settings.hpp"
#include "io/console/command_line.hpp"
#include "io/console/exchange.hpp"
#include "io/console/json_parts.hpp"
#include "io/json/errand_json.hpp"
#include "io/json/escape.hpp"
#include "io/json/render.hpp"
#include "io/query/target.hpp"

#include <algorithm>
#include <cstdlib>
#include <ostream>

#include <fmt/format.h>

namespace orderly::io::console {

namespace {

constexpr millis look_interval{300};
constexpr millis trouble_interval{1000};
/// A daemon that restarts is back by then; what is left of it is a person's.
constexpr int troubles_max = 30;
/// A day of looking, for one who forgot to look himself.
constexpr int looks_max = 288'000;
constexpr std::size_t few_rows = 3;
/// So often the line is written where nobody watches it move.
constexpr int looks_per_line = 33;

client_rules rules_for(const errand_task& task) {
  client_rules rules;
  rules.socket = task.socket;
  if (rules.socket.empty())
    if (const auto* known = std::getenv(socket_variable))
      rules.socket = known;
  if (rules.socket.empty())
    rules.socket = settings{}.http.socket;
  rules.deadline = task.deadline.value_or(rules.deadline);
  return rules;
}

/// What fits into one line of a terminal, for a line that wraps cannot be
/// written over.
std::string cut(const std::string& text) {
  constexpr std::size_t columns = 79;
  if (text.size() <= columns)
    return text;
  auto end = columns - 3;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80)
    --end;
  return text.substr(0, end) + "...";
}

/// One errand from the question to the end.
class watch {
public:
  watch(const errand_task& task, surroundings& with)
    : task_(task), with_(with), rules_(rules_for(task)) {
    // nop
  }

  int run() {
    auto wanted = task_.wanted;
    if (task_.asks)
      if (auto code = confer(wanted))
        return *code;
    if (is_interrupted())
      return tell(with_, exit_interrupted, "interrupted; nothing was done");
    if (!order(wanted))
      return code_;
    return follow();
  }

private:
  /// Has the request taken; false if it was not, and `code_` says how to end.
  bool order(const errand_request& wanted) {
    auto answer
      = hear(rules_, {"POST", "/2/errands", http::to_text(http::render(wanted)),
                      wanted.dry ? "" : "orderly errands"});
    if (answer.code == exit_ok)
      return read(answer.body, wanted.dry);
    // Ganeti's tools know no more than 1 for what the cluster refuses.
    auto refused = answer.code == exit_usage || answer.code == exit_not_found
                   || answer.code == exit_refused;
    code_
      = tell(with_, refused ? int{exit_failed} : answer.code, answer.trouble);
    return false;
  }

  /// The sheet of a new errand, or of the one that is followed.
  bool read(const nlohmann::json& body, bool dry = false) {
    auto got = http::read_errand_sheet(body);
    if (!got) {
      code_ = tell(with_, exit_failed,
                   got.why().text + "; is orderlyd of another version?");
      return false;
    }
    // Without a name it cannot be followed, and without rows it is no sheet.
    auto known = sheet_.id.empty()
                   ? dry || got->ended != never || !got->id.empty()
                   : got->id == sheet_.id;
    if (!known || !part(body, "rows").is_array()) {
      code_ = tell(with_, exit_failed, strange_answer(rules_.socket));
      return false;
    }
    sheet_ = std::move(*got);
    if (dry)
      sheet_.id.clear();
    return true;
  }

  /// Shows what it is about and asks; an exit code if it ends here.
  std::optional<int> confer(errand_request& wanted) {
    if (!with_.confer)
      return tell(with_, exit_usage,
                  "this asks before it acts, and there is no terminal to ask "
                  "at: add --yes, and --count N for more than 5 nodes");
    auto dry = wanted;
    dry.dry = true;
    if (!order(dry))
      return code_;
    if (std::all_of(sheet_.rows.begin(), sheet_.rows.end(),
                    [](const errand_row& x) { return is_final(x.state); }))
      return std::nullopt;
    auto answer = with_.confer(task_.question(sheet_)).value_or("");
    if (answer != "y" && answer != "Y" && answer != "yes")
      return tell(with_, exit_refused, "not confirmed; nothing was done");
    // What was shown is meant, and not what may have come to it since.
    if (!wanted.count)
      wanted.count = task_.nodes_meant(sheet_);
    return std::nullopt;
  }

  /// Looks at it until it ended.
  int follow() {
    auto troubles = 0;
    for (auto looks = 0; sheet_.ended == never; ++looks) {
      if (looks == looks_max)
        return leave(exit_timed_out, "is still going on after a day of "
                                     "looking");
      if (is_interrupted())
        return leave(exit_interrupted, "goes on");
      if (troubles == 0)
        show_progress(looks);
      rest(troubles > 0 ? trouble_interval : look_interval);
      auto answer = hear(
        rules_, {"GET", "/2/errands/" + http::percent_encode(sheet_.id), ""});
      if (answer.code == exit_ok) {
        troubles = 0;
        if (!read(answer.body))
          return leave(code_, "goes on");
        continue;
      }
      // A daemon that has just started may not have read its journal yet.
      auto passing
        = answer.passing || (troubles > 0 && answer.code == exit_not_found);
      if (!passing || ++troubles > troubles_max)
        return leave(answer.code,
                     "goes on as far as is known; " + answer.trouble);
      if (troubles == 1)
        note("orderly: " + http::one_line(answer.trouble) + "; waiting for it");
    }
    end_progress();
    return print();
  }

  int leave(int code, const std::string& how) {
    end_progress();
    return tell(with_, code,
                fmt::format("errand {} {}; see 'orderly errand {}', stop it "
                            "with 'orderly errand {} --stop'",
                            sheet_.id, how, sheet_.id, sheet_.id));
  }

  int print() {
    auto text = task_.print(sheet_);
    if (task_.json)
      with_.out << http::to_text(http::render(sheet_)) << "\n";
    else
      with_.out << http::valid_utf8(text.out);
    with_.out.flush();
    if (!task_.json)
      with_.err << http::valid_utf8(text.err);
    return with_.out ? text.code
                     : tell(with_, exit_failed, "cannot write the output");
  }

  void show_progress(int looks) {
    if (task_.quiet || sheet_.rows.size() <= few_rows)
      return;
    auto text = http::valid_utf8(task_.progress(sheet_));
    if (with_.watched) {
      with_.err << "\r" << cut(text) << "\x1b[K" << std::flush;
      line_is_open_ = true;
    } else if (looks % looks_per_line == looks_per_line - 1) {
      note(text);
    }
  }

  void end_progress() {
    if (line_is_open_)
      with_.err << "\r\x1b[K" << std::flush;
    line_is_open_ = false;
  }

  void note(const std::string& text) {
    end_progress();
    with_.err << text << std::endl;
  }

  bool is_interrupted() { return with_.interrupted && with_.interrupted(); }

  void rest(millis span) {
    if (with_.rest)
      with_.rest(span);
  }

  const errand_task& task_;
  surroundings& with_;
  client_rules rules_;
  errand_sheet sheet_;
  int code_ = exit_ok;
  bool line_is_open_ = false;
};

/// True for an option of the program itself that takes the next word.
bool takes_next(const std::string& word) {
  return word == "--socket" || word == "--timeout" || word == "--output";
}

} // namespace

std::optional<std::vector<std::string>>
power_words(const std::vector<std::string>& args,
            const std::function<bool(const std::string&)>& is_power_command) {
  std::size_t first = 0;
  while (first < args.size() && args[first].starts_with("--"))
    first += takes_next(args[first]) ? 2 : 1;
  if (first >= args.size() || !is_power_command(args[first]))
    return std::nullopt;
  auto at = args.begin() + static_cast<std::ptrdiff_t>(first);
  auto end = at + 1;
  if (*at == "node" && end != args.end())
    ++end; // "node info" is one command
  std::vector<std::string> words{at, end};
  words.insert(words.end(), args.begin(), at);
  words.insert(words.end(), end, args.end());
  return words;
}

int run_errand(const errand_task& task, surroundings& with) {
  if (auto wrong = wrong_socket_variable(); wrong && task.socket.empty())
    return tell(with, exit_usage, *wrong);
  try {
    return watch{task, with}.run();
  } catch (const nlohmann::json::exception&) {
    return tell(with, exit_failed, strange_answer(rules_for(task).socket));
  }
}

} // namespace orderly::io::console
