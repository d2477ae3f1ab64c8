// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Errands drawn from bytes, and compared field by field: what the fuzz target
// and the test of their JSON share.

#pragma once

#include "messages/errand.hpp"
#include "tests/fuzz/drawing.hpp"

#include <tuple>

namespace orderly::fuzz {

// Structured bindings, so that a new field does not compile until it is here.

inline auto fields_of(const power_errand& x) {
  const auto& [verb, nodes, mark, promote, bare, limit, delay] = x;
  return std::tie(verb, nodes, mark, promote, bare, limit, delay);
}

inline auto fields_of(const modify_errand& x) {
  const auto& [node, powered, offline, program, promote] = x;
  return std::tie(node, powered, offline, program, promote);
}

inline auto fields_of(const info_errand& x) {
  const auto& [nodes] = x;
  return std::tie(nodes);
}

inline auto fields_of(const epo_errand& x) {
  const auto& [on, groups, all, names, limit, shutdown, delay] = x;
  return std::tie(on, groups, all, names, limit, shutdown, delay);
}

inline auto fields_of(const verify_errand&) {
  return std::tuple<>{};
}

inline auto fields_of(const confirm_errand& x) {
  const auto& [node, ignore_silence] = x;
  return std::tie(node, ignore_silence);
}

inline auto fields_of(const ha_errand& x) {
  const auto& [action, scope, names, provider] = x;
  return std::tie(action, scope, names, provider);
}

inline auto fields_of(const setting_errand& x) {
  const auto& [action, key, value] = x;
  return std::tie(action, key, value);
}

inline bool same(const errand_request& a, const errand_request& b) {
  const auto& [what, who, reason, dry, count] = a;
  if (what.index() != b.what.index() || who != b.who || reason != b.reason
      || dry != b.dry || count != b.count)
    return false;
  return std::visit(
    [&](const auto& x) {
      using type = std::decay_t<decltype(x)>;
      return fields_of(x) == fields_of(std::get<type>(b.what));
    },
    what);
}

inline auto fields_of(const errand_row& x) {
  const auto& [object, kind, state, step, text, power, items, record, control,
               master, primaries, secondaries, wish, check, ha, built_in]
    = x;
  return std::tie(object, kind, state, step, text, power, items, record,
                  control, master, primaries, secondaries, wish, check, ha,
                  built_in);
}

inline bool same(const errand_sheet& a, const errand_sheet& b) {
  const auto& [found, id, kind, who, began, ended, refusal, refusal_kind, doing,
               rows, remarks, failed]
    = a;
  auto same_row = [](const errand_row& x, const errand_row& y) {
    return fields_of(x) == fields_of(y);
  };
  return std::tie(found, id, kind, who, began, ended, refusal, refusal_kind,
                  doing, remarks, failed)
           == std::tie(b.found, b.id, b.kind, b.who, b.began, b.ended,
                       b.refusal, b.refusal_kind, b.doing, b.remarks, b.failed)
         && std::equal(rows.begin(), rows.end(), b.rows.begin(), b.rows.end(),
                       same_row);
}

/// Draws values that JSON can carry: UTF-8, spans and times within bounds.
class errand_drawing {
public:
  explicit errand_drawing(bytes& in) : in_(in) {
    // nop
  }

  errand_request request() {
    errand_request x;
    switch (in_.below(8)) {
    case 0:
      x.what = power();
      break;
    case 1:
      x.what = modify_errand{name(), maybe(), maybe(), program(), flip()};
      break;
    case 2:
      x.what = info_errand{names()};
      break;
    case 3:
      x.what
        = epo_errand{flip(), flip(), flip(), names(), limit(), span(), span()};
      break;
    case 4:
      x.what = verify_errand{};
      break;
    case 5:
      x.what = ha_errand{static_cast<ha_action>(in_.below(6)),
                         static_cast<ha_scope>(in_.below(3)), names(), text()};
      break;
    case 6:
      x.what = setting_errand{static_cast<setting_action>(in_.below(3)), text(),
                              text()};
      break;
    default:
      x.what = confirm_errand{name(), flip()};
    }
    x.reason = text();
    x.dry = flip();
    if (flip())
      x.count = static_cast<std::uint32_t>(1 + in_.below(200));
    return x;
  }

  errand_sheet sheet() {
    errand_sheet x;
    x.found = flip();
    x.id = text();
    if (in_.below(8) != 0)
      x.kind = static_cast<errand_kind>(in_.below(errand_kind_words.size()));
    x.who = text();
    x.began = time();
    x.ended = time();
    x.refusal = text();
    x.refusal_kind = static_cast<refused_for>(in_.below(4));
    x.doing = text();
    for (auto n = in_.below(4); n > 0; --n)
      x.rows.push_back(row());
    x.remarks = names();
    x.failed = flip();
    return x;
  }

private:
  bool flip() { return in_.below(2) == 1; }

  std::optional<bool> maybe() {
    auto n = in_.below(3);
    return n == 2 ? std::nullopt : std::optional{n == 1};
  }

  std::optional<std::string> program() {
    return flip() ? std::optional{text()} : std::nullopt;
  }

  std::string text() {
    static constexpr const char* parts[]
      = {"", "a", "\"", "\\", "\n", "\x01", "\xc3\xbc", "node", "'", "{}"};
    std::string all;
    for (auto n = in_.below(5); n > 0; --n)
      all += in_.one_of(parts);
    return all;
  }

  std::string name() {
    static constexpr const char* parts[] = {"n1", "web", ".example", "-", "/"};
    return "x" + in_.one_of(parts) + in_.one_of(parts);
  }

  std::vector<std::string> names() {
    std::vector<std::string> all;
    for (auto n = in_.below(4); n > 0; --n)
      all.push_back(name());
    return all;
  }

  millis span() { return seconds{static_cast<std::int64_t>(in_.below(200))}; }

  millis limit() { return millis{500} * static_cast<int>(in_.below(200)); }

  instant time() {
    return flip() ? never
                  : from_ms(1'772'366'400'000
                            + static_cast<std::int64_t>(in_.below(256)));
  }

  power_state power_of() { return static_cast<power_state>(in_.below(3)); }

  power_errand power() {
    return {static_cast<power_verb>(in_.below(5)),
            names(),
            flip(),
            flip(),
            flip(),
            limit(),
            span()};
  }

  node_record record() {
    return {name(), text(), text(), text(), flip(), flip(),
            flip(), flip(), flip(), text(), names()};
  }

  errand_row row() {
    errand_row x;
    x.object = text();
    x.kind = static_cast<row_kind>(in_.below(7));
    x.state = static_cast<row_state>(in_.below(6));
    x.step = text();
    x.text = text();
    x.power = power_of();
    for (auto n = in_.below(3); n > 0; --n)
      x.items.push_back({text(), text()});
    if (flip())
      x.record = record();
    x.power_control = flip();
    x.master = flip();
    x.primaries = names();
    x.secondaries = names();
    x.wish = {power_of(), text(), text(), time(), {}};
    x.power_check = {static_cast<protection>(in_.below(4)), text(), time(),
                     power_of(), text()};
    if (flip())
      x.ha = ha_card{text(), flip(), flip(),
                     static_cast<ha_phase>(in_.below(10)), text()};
    x.built_in = text();
    return x;
  }

  bytes& in_;
};

} // namespace orderly::fuzz
