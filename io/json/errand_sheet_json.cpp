// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/json/errand_json.hpp"
#include "io/json/render.hpp"
#include "io/json/when.hpp"

#include <nlohmann/json.hpp>

#include <array>

#include <fmt/format.h>

namespace orderly::io::http {

namespace {

using nlohmann::json;

json render_wish(const power_wish& x) {
  return {{"wanted", to_string(x.wanted)},
          {"who", x.who},
          {"why", x.why},
          {"at", render_time(x.at)},
          {"switched_off", x.switched_off}};
}

json render_record(const node_record& x) {
  return {{"name", x.name},
          {"uuid", x.uuid},
          {"group", x.group},
          {"address", x.address},
          {"offline", x.offline},
          {"drained", x.drained},
          {"vm_capable", x.vm_capable},
          {"master_candidate", x.master_candidate},
          {"powered", x.powered},
          {"oob_program", x.oob_program},
          {"tags", x.tags}};
}

json render_card(const ha_card& x) {
  return {{"provider", x.provider},
          {"enabled", x.enabled},
          {"treated", x.treated},
          {"state", to_string(x.state)},
          {"why", x.why}};
}

json render_row(const errand_row& x) {
  auto items = json::array();
  for (const auto& item : x.items)
    items.push_back(json::array({item.item, item.status}));
  return {{"object", x.object},
          {"kind", to_string(x.kind)},
          {"state", to_string(x.state)},
          {"step", x.step},
          {"text", x.text},
          {"power", to_string(x.power)},
          {"items", std::move(items)},
          {"record", x.record ? render_record(*x.record) : json(nullptr)},
          {"power_control", x.power_control},
          {"master", x.master},
          {"primaries", x.primaries},
          {"secondaries", x.secondaries},
          {"wish", render_wish(x.wish)},
          {"rehearsal", render(x.power_check)},
          {"ha", x.ha ? render_card(*x.ha) : json(nullptr)},
          {"default", x.built_in}};
}

/// Reads members of an object that another orderlyd wrote: what is missing
/// stays as it was, what is of another type is a mistake.
class reader {
public:
  reader(const json& from, std::string place)
    : from_(from), place_(std::move(place)) {
    if (!from_.is_object())
      complain("", "is no object");
  }

  template <class T>
  void read(const char* name, T& into) {
    const auto* x = member(name);
    if (x != nullptr && !take(*x, into))
      complain(name, "has another type");
  }

  /// A word of an enumeration.
  template <class T, std::size_t Size>
  void read(const char* name, T& into, const std::array<T, Size>& all) {
    std::string word;
    read(name, word);
    if (word.empty())
      return;
    for (auto x : all) {
      if (word != to_string(x))
        continue;
      into = x;
      return;
    }
    complain(name, "is an unknown word");
  }

  /// The same, or an empty word for none.
  void read(const char* name, std::optional<errand_kind>& into) {
    std::string word;
    read(name, word);
    if (word.empty())
      return;
    auto i
      = std::find(errand_kind_words.begin(), errand_kind_words.end(), word);
    if (i == errand_kind_words.end())
      complain(name, "is an unknown word");
    else
      into = static_cast<errand_kind>(i - errand_kind_words.begin());
  }

  const json* member(const char* name) const {
    if (!from_.is_object())
      return nullptr;
    auto found = from_.find(name);
    return found == from_.end() ? nullptr : &*found;
  }

  /// Takes over what went wrong inside of a member.
  void take_over(const reader& inner) {
    if (wrong_.empty())
      wrong_ = inner.wrong_;
  }

  void complain(const std::string& name, const std::string& what) {
    if (wrong_.empty())
      wrong_ = fmt::format("'{}{}{}' {}", place_, name.empty() ? "" : ".", name,
                           what);
  }

  [[nodiscard]] const std::string& wrong() const { return wrong_; }

  [[nodiscard]] const std::string& place() const { return place_; }

private:
  static bool take(const json& x, bool& into) {
    if (x.is_boolean())
      into = x.get<bool>();
    return x.is_boolean();
  }

  static bool take(const json& x, std::string& into) {
    if (x.is_string())
      into = x.get<std::string>();
    return x.is_string();
  }

  static bool take(const json& x, instant& into) {
    if (x.is_null())
      return true;
    auto at = x.is_string() ? from_rfc3339(x.get_ref<const std::string&>())
                            : std::nullopt;
    into = at.value_or(into);
    return at.has_value();
  }

  static bool take(const json& x, std::vector<std::string>& into) {
    if (!x.is_array())
      return false;
    for (const auto& entry : x) {
      if (!entry.is_string())
        return false;
      into.push_back(entry.get<std::string>());
    }
    return true;
  }

  static bool take(const json& x, std::vector<health_item>& into) {
    if (!x.is_array())
      return false;
    for (const auto& entry : x) {
      if (!entry.is_array() || entry.size() != 2 || !entry[0].is_string()
          || !entry[1].is_string())
        return false;
      into.push_back(
        {entry[0].get<std::string>(), entry[1].get<std::string>()});
    }
    return true;
  }

  const json& from_;
  std::string place_;
  std::string wrong_;
};

constexpr std::array powers{power_state::on, power_state::off,
                            power_state::unknown};
constexpr std::array kinds{
  row_kind::node,    row_kind::instance, row_kind::program, row_kind::group,
  row_kind::cluster, row_kind::provider, row_kind::setting};
constexpr std::array phases{ha_phase::disabled,   ha_phase::ineligible,
                            ha_phase::available,  ha_phase::suspect,
                            ha_phase::checking,   ha_phase::degraded,
                            ha_phase::recovering, ha_phase::recovered,
                            ha_phase::fencing,    ha_phase::fenced};
constexpr std::array refusals{refused_for::nothing, refused_for::usage,
                              refused_for::not_found, refused_for::state};
constexpr std::array states{row_state::waiting,     row_state::running,
                            row_state::done,        row_state::failed,
                            row_state::unsupported, row_state::skipped};
constexpr std::array protections{protection::none, protection::unrehearsed,
                                 protection::proven, protection::unproven};

void read_into(reader& in, power_wish& x) {
  in.read("wanted", x.wanted, powers);
  in.read("who", x.who);
  in.read("why", x.why);
  in.read("at", x.at);
  in.read("switched_off", x.switched_off);
}

void read_into(reader& in, rehearsal& x) {
  in.read("result", x.result, protections);
  in.read("why", x.why);
  in.read("at", x.at);
  in.read("seen", x.seen, powers);
  in.read("mismatch", x.mismatch);
}

void read_into(reader& in, node_record& x) {
  in.read("name", x.name);
  in.read("uuid", x.uuid);
  in.read("group", x.group);
  in.read("address", x.address);
  in.read("offline", x.offline);
  in.read("drained", x.drained);
  in.read("vm_capable", x.vm_capable);
  in.read("master_candidate", x.master_candidate);
  in.read("powered", x.powered);
  in.read("oob_program", x.oob_program);
  in.read("tags", x.tags);
}

void read_into(reader& in, ha_card& x) {
  in.read("provider", x.provider);
  in.read("enabled", x.enabled);
  in.read("treated", x.treated);
  in.read("state", x.state, phases);
  in.read("why", x.why);
}

template <class T>
void read_inner(reader& from, const char* name, T& into) {
  const auto* x = from.member(name);
  if (x == nullptr || x->is_null())
    return;
  reader in{*x, from.place() + "." + name};
  read_into(in, into);
  from.take_over(in);
}

void read_into(reader& in, errand_row& x) {
  in.read("object", x.object);
  in.read("kind", x.kind, kinds);
  in.read("state", x.state, states);
  in.read("step", x.step);
  in.read("text", x.text);
  in.read("power", x.power, powers);
  in.read("items", x.items);
  in.read("power_control", x.power_control);
  in.read("master", x.master);
  in.read("primaries", x.primaries);
  in.read("secondaries", x.secondaries);
  in.read("default", x.built_in);
  const auto* record = in.member("record");
  if (record != nullptr && !record->is_null())
    read_inner(in, "record", x.record.emplace());
  read_inner(in, "wish", x.wish);
  read_inner(in, "rehearsal", x.power_check);
  const auto* card = in.member("ha");
  if (card != nullptr && !card->is_null())
    read_inner(in, "ha", x.ha.emplace());
}

} // namespace

json render(const errand_sheet& x) {
  auto list = json::array();
  for (const auto& row : x.rows)
    list.push_back(render_row(row));
  return {{"found", x.found},
          {"id", x.id},
          {"kind", x.kind ? to_string(*x.kind) : ""},
          {"who", x.who},
          {"began", render_time(x.began)},
          {"ended", render_time(x.ended)},
          {"refusal", x.refusal},
          {"refusal_kind", to_string(x.refusal_kind)},
          {"doing", x.doing},
          {"rows", std::move(list)},
          {"remarks", x.remarks},
          {"failed", x.failed}};
}

result<errand_sheet> read_errand_sheet(const json& from) {
  errand_sheet x;
  reader in{from, "errand"};
  in.read("found", x.found);
  in.read("id", x.id);
  in.read("kind", x.kind);
  in.read("who", x.who);
  in.read("began", x.began);
  in.read("ended", x.ended);
  in.read("refusal", x.refusal);
  in.read("refusal_kind", x.refusal_kind, refusals);
  in.read("doing", x.doing);
  in.read("remarks", x.remarks);
  in.read("failed", x.failed);
  const auto* rows = in.member("rows");
  if (rows != nullptr && !rows->is_array())
    in.complain("rows", "has another type");
  else if (rows != nullptr)
    for (std::size_t i = 0; i < rows->size(); ++i) {
      reader row{(*rows)[i], fmt::format("errand.rows[{}]", i)};
      read_into(row, x.rows.emplace_back());
      in.take_over(row);
    }
  if (!in.wrong().empty())
    return fault{fault_kind::bad_input,
                 "the sheet of the errand cannot be read: " + in.wrong()};
  return x;
}

} // namespace orderly::io::http
