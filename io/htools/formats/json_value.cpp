// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/htools/formats/json_value.hpp"

#include "io/htools/formats/fields.hpp"
#include "io/json/extent.hpp"

#include <nlohmann/json.hpp>

#include <limits>

#include <fmt/format.h>

namespace orderly::io::htools {

namespace {

constexpr std::size_t most_long = std::size_t{256} << 20;

/// Builds values from what the parser sees, but for members named `unread`.
class builder : public nlohmann::json_sax<nlohmann::json> {
public:
  builder(json_value& root, std::string_view unread) : unread_(unread) {
    open_.push_back(&root);
  }

  bool null() override { return put({}); }

  bool boolean(bool x) override {
    json_value v;
    v.kind = json_value::is::boolean;
    v.yes = x;
    return put(std::move(v));
  }

  bool number_integer(number_integer_t x) override { return put_whole(x); }

  bool number_unsigned(number_unsigned_t x) override {
    if (x > std::numeric_limits<std::int64_t>::max())
      return refuse("a number is too large");
    return put_whole(static_cast<std::int64_t>(x));
  }

  bool number_float(number_float_t x, const string_t&) override {
    json_value v;
    v.kind = json_value::is::real;
    v.real = x;
    return put(std::move(v));
  }

  bool string(string_t& x) override {
    json_value v;
    v.kind = json_value::is::text;
    v.text = std::move(x);
    return put(std::move(v));
  }

  bool binary(binary_t&) override { return refuse("there is binary data"); }

  bool start_object(std::size_t) override {
    return start(json_value::is::object);
  }

  bool start_array(std::size_t) override { return start(json_value::is::list); }

  bool key(string_t& name) override {
    if (passed_over_)
      return true;
    if (!unread_.empty() && name == unread_) {
      passed_over_ = 0;
      return true;
    }
    open_.back()->names.push_back(std::move(name));
    return true;
  }

  bool end_object() override { return end(); }

  bool end_array() override { return end(); }

  bool parse_error(std::size_t where, const std::string&,
                   const nlohmann::detail::exception& why) override {
    std::string text{why.what()};
    auto begin = text.find("syntax error");
    why_ = fmt::format("at byte {}: {}", where,
                       begin == std::string::npos ? text : text.substr(begin));
    return false;
  }

  const std::string& why() const { return why_; }

private:
  bool refuse(const char* why) {
    why_ = why;
    return false;
  }

  bool put_whole(std::int64_t x) {
    json_value v;
    v.kind = json_value::is::whole;
    v.whole = x;
    return put(std::move(v));
  }

  bool put(json_value&& v) {
    if (passed_over_) {
      if (*passed_over_ == 0)
        passed_over_.reset();
      return true;
    }
    auto* to = open_.back();
    if (to->kind == json_value::is::null && open_.size() == 1)
      *to = std::move(v);
    else
      to->items.push_back(std::move(v));
    return true;
  }

  bool start(json_value::is kind) {
    if (passed_over_) {
      ++*passed_over_;
      return true;
    }
    auto* to = open_.back();
    if (open_.size() == 1 && !started_) {
      started_ = true;
      to->kind = kind;
      return true;
    }
    to->items.emplace_back();
    to->items.back().kind = kind;
    open_.push_back(&to->items.back());
    return true;
  }

  bool end() {
    if (passed_over_) {
      if (--*passed_over_ == 0)
        passed_over_.reset();
      return true;
    }
    if (open_.size() > 1)
      open_.pop_back();
    return true;
  }

  std::vector<json_value*> open_;
  std::string_view unread_;
  /// How deep we are in the value of a member that nobody reads.
  std::optional<std::size_t> passed_over_;
  bool started_ = false;
  std::string why_;
};

} // namespace

const json_value* json_value::member(std::string_view name) const {
  for (std::size_t k = 0; k < names.size() && k < items.size(); ++k)
    if (names[k] == name)
      return &items[k];
  return nullptr;
}

result<json_value> read_json(std::string_view text, const std::string& file,
                             std::string_view unread) {
  auto wrong = [&](const std::string& what) {
    // The reference's words go first, for scripts look for them.
    auto first = text.find_first_not_of(" \t\r\n");
    auto begun = first != std::string_view::npos
                 && (text[first] == '{' || text[first] == '[');
    return fault{fault_kind::bad_input,
                 fmt::format("{}: {} JSON: it is no good JSON text: {}", file,
                             begun ? "Malformed" : "Invalid", what)};
  };
  if (text.size() > most_long)
    return wrong("it is longer than 256 MiB");
  if (auto why = why_too_much(text, unread); !why.empty())
    return wrong(why);
  json_value root;
  builder b{root, unread};
  if (!nlohmann::json::sax_parse(text, &b))
    return wrong(b.why());
  return root;
}

std::string json_text(std::string_view text) {
  return nlohmann::json(text).dump(-1, ' ', false,
                                   nlohmann::json::error_handler_t::replace);
}

std::string json_number(double x) {
  return nlohmann::json(x).dump();
}

json_reader::json_reader(const json_value& object, std::string what)
  : object_(object), what_(std::move(what)) {
  if (object.kind != json_value::is::object)
    complain("it is no object");
}

void json_reader::complain(const std::string& about) {
  if (!fault_)
    fault_ = fault{fault_kind::bad_input, what_ + ": " + about};
}

bool json_reader::has(std::string_view name) const {
  const auto* x = object_.member(name);
  return x && x->kind != json_value::is::null;
}

const json_value* json_reader::need(std::string_view name, json_value::is kind,
                                    const type_words& words) {
  const auto* x = object_.member(name);
  if (x && x->kind == kind)
    return x;
  if (x) {
    complain(fmt::format("key '{}': Unable to read {}: it is no {}", name,
                         words.haskell, words.ours));
    return nullptr;
  }
  std::vector<std::string> there;
  for (const auto& n : object_.names)
    there.push_back(json_text(n));
  complain(fmt::format("key '{}' not found, object contains only [{}]", name,
                       join(there, ',')));
  return nullptr;
}

std::string json_reader::text(std::string_view name) {
  const auto* x = need(name, json_value::is::text, {"String", "text"});
  return x ? x->text : std::string{};
}

std::int64_t json_reader::whole(std::string_view name) {
  const auto* x = need(name, json_value::is::whole, {"Int", "whole number"});
  if (!x)
    return 0;
  // Beyond this, sums of sizes are no longer exact.
  constexpr std::int64_t most = 1'000'000'000'000;
  if (x->whole > most || x->whole < -most) {
    complain(fmt::format("key '{}' is beyond 10^12", name));
    return 0;
  }
  return x->whole;
}

double json_reader::number(std::string_view name) {
  const auto* x = object_.member(name);
  if (!x || x->kind == json_value::is::whole)
    return static_cast<double>(whole(name));
  x = need(name, json_value::is::real, {"Double", "number"});
  if (!x)
    return 0;
  constexpr double most = 1e15;
  if (!(x->real <= most && x->real >= -most)) {
    complain(fmt::format("key '{}' is beyond 10^15", name));
    return 0;
  }
  return x->real;
}

bool json_reader::flag(std::string_view name) {
  const auto* x
    = need(name, json_value::is::boolean, {"Bool", "true or false"});
  return x && x->yes;
}

const json_value& json_reader::object(std::string_view name) {
  static const json_value empty = [] {
    json_value v;
    v.kind = json_value::is::object;
    return v;
  }();
  const auto* x = need(name, json_value::is::object, {"JSObject", "object"});
  return x ? *x : empty;
}

const json_value& json_reader::list(std::string_view name) {
  static const json_value empty = [] {
    json_value v;
    v.kind = json_value::is::list;
    return v;
  }();
  const auto* x = need(name, json_value::is::list, {"list", "list"});
  return x ? *x : empty;
}

std::vector<std::string> json_reader::texts(std::string_view name) {
  std::vector<std::string> result;
  for (const auto& x : list(name).items) {
    if (x.kind != json_value::is::text)
      complain(fmt::format("key '{}': Unable to read String: it is no list of "
                           "texts",
                           name));
    result.push_back(x.text);
  }
  return result;
}

} // namespace orderly::io::htools
