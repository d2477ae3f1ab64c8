// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/cli/power_sheets.hpp"

#include "actors/policy/base/natural_order.hpp"
#include "io/cli/ha_sheets.hpp"
#include "io/cli/power_text.hpp"
#include "io/cli/setting_sheets.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace orderly::power {

namespace {

using rows = std::vector<errand_row>;

rows in_natural_order(rows all) {
  std::stable_sort(all.begin(), all.end(), [](const auto& x, const auto& y) {
    return natural_less(x.object, y.object);
  });
  return all;
}

std::string no_control(const std::string& node) {
  return fmt::format("Node {} does not support OOB commands", node);
}

/// Why a row did not come out, for a cell or a line of its own.
std::string trouble(const errand_row& x) {
  auto text = x.text.empty() ? std::string{"no reason is known"} : x.text;
  switch (x.state) {
  case row_state::failed:
    return text;
  case row_state::skipped:
    return x.text.empty() ? "skipped" : "skipped: " + x.text;
  case row_state::unsupported:
    return x.text.empty() ? no_control(x.object) : x.text;
  case row_state::waiting:
    return "not begun";
  case row_state::running:
    return "not ended: " + x.step;
  case row_state::done:
    break;
  }
  return {};
}

/// Nodes without power control are listed by nobody, and an error for those
/// who named them.
void put_unsupported(printed& into, const errand_sheet& sheet, bool named) {
  for (const auto& x : in_natural_order(sheet.rows)) {
    if (x.state != row_state::unsupported || !named)
      continue;
    into.err += clean(no_control(x.object)) + "\n";
    into.code = 1;
  }
}

std::string line_about(const errand_row& x, const std::string& text) {
  return clean(fmt::format("Node {}: {}", x.object, text)) + "\n";
}

/// True if a remark says it already.
bool is_told(const errand_sheet& sheet, const std::string& text) {
  return std::any_of(
    sheet.remarks.begin(), sheet.remarks.end(),
    [&](const std::string& x) { return x.find(text) != std::string::npos; });
}

void put_status(printed& into, const errand_sheet& sheet) {
  text_table table{{"Node", "Status"}};
  for (const auto& x : in_natural_order(sheet.rows)) {
    if (x.state == row_state::unsupported)
      continue;
    table.add({x.object, to_string(x.power)});
    if (x.state != row_state::done && !is_told(sheet, trouble(x)))
      into.err += line_about(x, trouble(x));
  }
  into.out += table.text();
}

void put_actions(printed& into, const errand_sheet& sheet) {
  text_table table{{"Node", "Status"}};
  for (const auto& x : in_natural_order(sheet.rows)) {
    if (x.state == row_state::unsupported)
      continue;
    table.add({x.object, x.state == row_state::done ? "invoked" : trouble(x)});
  }
  into.out += table.text();
}

void put_health(printed& into, const errand_sheet& sheet) {
  text_table table{{"Node", "Status"}};
  for (const auto& x : in_natural_order(sheet.rows)) {
    if (x.state == row_state::unsupported)
      continue;
    if (x.state != row_state::done)
      table.add({x.object, trouble(x)});
    else if (x.items.empty())
      table.add({x.object, "(nothing to report)"});
    auto name = x.object;
    for (const auto& item : x.items) {
      table.add({name, item.item + "=" + item.status});
      name.clear();
    }
  }
  into.out += table.text();
}

const char* spell(bool x) {
  return x ? "True" : "False";
}

std::string instance_lines(const char* title,
                           const std::vector<instance_name>& names) {
  auto text = fmt::format("  {}:\n", title);
  auto sorted = names;
  std::sort(sorted.begin(), sorted.end(), natural_less);
  for (const auto& x : sorted)
    text += fmt::format("    - {}\n", clean(x));
  return text;
}

/// What orderly knows beside the record.
std::string power_lines(const errand_row& x) {
  std::string text;
  auto line = [&](const char* name, const std::string& value) {
    if (!value.empty())
      text += fmt::format("  {}: {}\n", name, clean(value));
  };
  const auto& check = x.power_check;
  line("protection", to_string(check.result)
                       + (check.why.empty() ? "" : " (" + check.why + ")"));
  line("mismatch", check.mismatch);
  const auto& wish = x.wish;
  if (wish.wanted != power_state::unknown)
    line("power wish",
         fmt::format("{}, by {}{}", to_string(wish.wanted), wish.who,
                     wish.why.empty() ? "" : ": " + wish.why));
  line("off by order", wish.switched_off);
  return text;
}

std::string node_lines(const errand_row& x) {
  auto text = fmt::format("Node name: {}\n", clean(x.object));
  if (x.record) {
    const auto& r = *x.record;
    if (!r.address.empty())
      text += fmt::format("  primary ip: {}\n", clean(r.address));
    text += fmt::format("  master candidate: {}\n", spell(r.master_candidate));
    text += fmt::format("  drained: {}\n", spell(r.drained));
    text += fmt::format("  offline: {}\n", spell(r.offline));
    // The design: only nodes that are not opted out report it.
    if (x.power_control)
      text += fmt::format("  powered: {}\n", spell(r.powered));
  }
  text += instance_lines("primary for instances", x.primaries);
  text += instance_lines("secondary for instances", x.secondaries);
  if (x.record && !x.record->group.empty())
    text += fmt::format("  group: {}\n", clean(x.record->group));
  if (x.master)
    text += "  master: True\n";
  text += power_lines(x);
  if (!x.text.empty())
    text += fmt::format("  remark: {}\n", clean(x.text));
  return text;
}

void put_info(printed& into, const errand_sheet& sheet) {
  for (const auto& x : in_natural_order(sheet.rows)) {
    if (!into.out.empty())
      into.out += "\n";
    into.out += node_lines(x);
  }
}

void put_modify(printed& into, const errand_sheet& sheet,
                const modify_errand& wanted) {
  for (const auto& x : sheet.rows) {
    if (x.state != row_state::done) {
      into.err += line_about(x, trouble(x));
      continue;
    }
    into.out += fmt::format("Modified node {}\n", clean(x.object));
    if (wanted.powered)
      into.out += fmt::format(" - powered -> {}\n", spell(*wanted.powered));
    if (wanted.offline)
      into.out += fmt::format(" - offline -> {}\n", spell(*wanted.offline));
    if (wanted.program)
      into.out += fmt::format(" - oob_program -> {}\n",
                              wanted.program->empty() ? "(none)"
                                                      : clean(*wanted.program));
    if (!x.text.empty())
      into.err += line_about(x, x.text);
  }
}

/// Rows of several kinds, in the order in which they are worked off.
void put_plan(printed& into, const errand_sheet& sheet, const char* success) {
  text_table table{{"Kind", "Name", "Result"}};
  for (const auto& x : sheet.rows) {
    auto result = trouble(x);
    if (x.state == row_state::failed)
      result = "FAILED: " + result;
    if (x.state == row_state::done)
      result = x.text.empty() ? success : x.text;
    table.add({to_string(x.kind), x.object, result});
  }
  into.out += table.text();
  into.out += clean(count_text(sheet)) + "\n";
}

void put_word(printed& into, const errand_sheet& sheet) {
  for (const auto& x : sheet.rows) {
    auto good = x.state == row_state::done;
    auto text = good ? (x.text.empty() ? "taken for off" : x.text) : trouble(x);
    (good ? into.out : into.err)
      += clean(fmt::format("Node {}: {}", x.object, text)) + "\n";
  }
}

void put_power(printed& into, const errand_sheet& sheet,
               const power_errand& wanted) {
  if (wanted.verb == power_verb::status)
    put_status(into, sheet);
  else if (wanted.verb == power_verb::health)
    put_health(into, sheet);
  else
    put_actions(into, sheet);
  for (const auto& x : in_natural_order(sheet.rows))
    if (x.state == row_state::done && !x.text.empty()
        && !is_told(sheet, x.text))
      into.err += line_about(x, x.text);
  put_unsupported(into, sheet, !wanted.nodes.empty());
}

void put_rows(printed& into, const errand_sheet& sheet,
              const errand_request& wanted) {
  struct {
    printed& to;
    const errand_sheet& from;

    void operator()(const power_errand& x) const { put_power(to, from, x); }

    void operator()(const modify_errand& x) const { put_modify(to, from, x); }

    void operator()(const info_errand&) const { put_info(to, from); }

    void operator()(const epo_errand&) const { put_plan(to, from, "done"); }

    void operator()(const verify_errand&) const { put_plan(to, from, "ok"); }

    void operator()(const confirm_errand&) const { put_word(to, from); }

    void operator()(const ha_errand& x) const {
      auto text = ha_sheet(from, x);
      to.out += text.out;
      to.err += text.err;
    }

    void operator()(const setting_errand& x) const {
      auto text = setting_sheet(from, x);
      to.out += text.out;
      to.err += text.err;
    }
  } put{into, sheet};

  std::visit(put, wanted.what);
}

} // namespace

printed print(const errand_sheet& sheet, const errand_request& wanted) {
  printed into;
  if (!sheet.found)
    return {"", fmt::format("there is no errand {}\n", clean(sheet.id)), 1};
  if (!sheet.refusal.empty())
    return {"", clean(sheet.refusal) + "\n", 1};
  for (const auto& x : sheet.remarks)
    into.err += clean(x) + "\n";
  auto bad = [](const errand_row& x) { return x.state == row_state::failed; };
  if (sheet.failed || std::any_of(sheet.rows.begin(), sheet.rows.end(), bad))
    into.code = 1;
  put_rows(into, sheet, wanted);
  return into;
}

} // namespace orderly::power
