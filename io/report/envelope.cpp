// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/report/envelope.hpp"

#include "io/report/digest.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace orderly::io::report {

namespace {

using nlohmann::json;

/// What the agent's key signs can be nothing else that it may ever sign.
constexpr std::string_view signing_prefix = "orderly-agent report 1\n";

std::string to_sign(std::string_view salt, std::string_view text) {
  std::string result{signing_prefix};
  result.append(salt).append("\n").append(text);
  return result;
}

std::string salted(std::string_view salt, std::string_view text) {
  return std::string{salt}.append(text);
}

/// Texts of one object by name; nothing if one of them is missing.
class texts {
public:
  explicit texts(const json& from) : from_(from) {
    // nop
  }

  bool read(const char* name, std::string& into) const {
    auto found = from_.find(name);
    if (found == from_.end() || !found->is_string())
      return false;
    into = found->get<std::string>();
    return true;
  }

private:
  const json& from_;
};

struct parts {
  std::string text;
  std::string salt;
  std::string sha1;
  std::string sha256;
  std::string key;
  std::string signature;
};

/// Nothing of it was verified yet: bounded depth, no exceptions.
json parse(std::string_view text) {
  constexpr int depth_max = 40; // reports may have 32, and are inside another
  auto too_deep = false;
  auto x = json::parse(
    text,
    [&](int depth, json::parse_event_t, json&) {
      too_deep = too_deep || depth > depth_max;
      return !too_deep;
    },
    false);
  return too_deep ? json{json::value_t::discarded} : x;
}

std::optional<parts> read_parts(std::string_view envelope) {
  auto x = parse(envelope);
  if (!x.is_object())
    return std::nullopt;
  texts from{x};
  parts p;
  auto whole = from.read("msg", p.text) && from.read("salt", p.salt)
               && from.read("hmac", p.sha1)
               && from.read("hmac-sha256", p.sha256) && from.read("key", p.key)
               && from.read("signature", p.signature);
  return whole ? std::optional{std::move(p)} : std::nullopt;
}

/// The report is kept as it was spelled: numbers in it may be larger than any
/// type of ours.
std::optional<std::string> report_in(const std::string& text) {
  constexpr std::string_view before = "\"report\":";
  auto at = text.find(before);
  if (at == std::string::npos || text.back() != '}')
    return std::nullopt;
  at += before.size();
  return text.substr(at, text.size() - 1 - at);
}

std::optional<statement> read_statement(const std::string& text) {
  auto x = parse(text);
  if (!x.is_object() || !x.contains("report"))
    return std::nullopt;
  texts from{x};
  statement s;
  auto time = x.find("time_ms");
  auto report = report_in(text);
  if (!from.read("node_uuid", s.node_uuid)
      || !from.read("node_name", s.node_name) || time == x.end()
      || !time->is_number_integer() || !report || parse(*report).is_discarded())
    return std::nullopt;
  s.time = from_ms(time->get<std::int64_t>());
  s.report = std::move(*report);
  return s;
}

/// Of the codes, in either case of letters as confd has it.
bool is_code(hash kind, const std::string& key, const parts& p,
             const std::string& code) {
  auto bytes = from_hex(code);
  auto right = from_hex(hmac_hex(kind, key, salted(p.salt, p.text)));
  return bytes && right && !right->empty() && same(*bytes, *right);
}

bool is_coded(const std::vector<std::string>& keys, const parts& p) {
  return std::any_of(keys.begin(), keys.end(), [&](const std::string& key) {
    return is_code(hash::sha1, key, p, p.sha1)
           && is_code(hash::sha256, key, p, p.sha256);
  });
}

} // namespace

bool is_salt(std::string_view salt) {
  return salt.size() >= 16 && salt.size() <= 64
         && std::all_of(salt.begin(), salt.end(), [](char c) {
              return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z')
                     || (c >= 'A' && c <= 'Z') || c == '-' || c == '_';
            });
}

std::string seal(const statement& what, std::string_view salt,
                 std::string_view cluster_key, const node_key& own) {
  // By hand: the report is not read and spelled anew on the way, and nothing
  // before it can hold its name, because names are escaped.
  auto quoted = [](const std::string& x) {
    return json(x).dump(-1, ' ', true, json::error_handler_t::replace);
  };
  auto text = "{\"node_uuid\":" + quoted(what.node_uuid)
              + ",\"node_name\":" + quoted(what.node_name)
              + ",\"time_ms\":" + std::to_string(to_ms(what.time))
              + ",\"report\":" + what.report + "}";
  auto both = salted(salt, text);
  json x{{"salt", salt},
         {"hmac", hmac_hex(hash::sha1, cluster_key, both)},
         {"hmac-sha256", hmac_hex(hash::sha256, cluster_key, both)},
         {"key", own.public_hex()},
         {"signature", own.sign(to_sign(salt, text))}};
  x["msg"] = std::move(text);
  return x.dump(-1, ' ', false, json::error_handler_t::replace);
}

const char* to_string(refusal x) {
  switch (x) {
  case refusal::too_large:
    return "too_large";
  case refusal::garbled:
    return "garbled";
  case refusal::wrong_salt:
    return "wrong_salt";
  case refusal::wrong_mac:
    return "wrong_mac";
  case refusal::wrong_node_key:
    return "wrong_node_key";
  case refusal::wrong_node:
    return "wrong_node";
  case refusal::wrong_time:
    return "wrong_time";
  case refusal::not_newer:
    return "not_newer";
  }
  return "?";
}

std::variant<believed, refusal> open(std::string_view envelope,
                                     const expectation& wanted) {
  if (envelope.size() > envelope_max)
    return refusal::too_large;
  auto p = read_parts(envelope);
  if (!p)
    return refusal::garbled;
  if (!same(p->salt, wanted.salt))
    return refusal::wrong_salt;
  if (!is_coded(wanted.keys, *p))
    return refusal::wrong_mac;
  auto fingerprint = fingerprint_of(p->key);
  if (fingerprint.empty()
      || !is_signed(to_sign(p->salt, p->text), p->key, p->signature)
      || (!wanted.fingerprint.empty() && fingerprint != wanted.fingerprint))
    return refusal::wrong_node_key;
  auto what = read_statement(p->text);
  if (!what)
    return refusal::garbled;
  if (what->node_uuid != wanted.node_uuid)
    return refusal::wrong_node;
  // Compared without a difference, which could leave the numbers that are.
  if (what->time > wanted.now + clock_slack
      || what->time < wanted.now - clock_slack)
    return refusal::wrong_time;
  if (what->time < wanted.last)
    return refusal::not_newer;
  return believed{std::move(*what), std::move(fingerprint)};
}

} // namespace orderly::io::report
