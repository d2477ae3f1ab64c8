// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/report/envelope.hpp"

#include "io/json/distinct_keys.hpp"
#include "io/report/digest.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

#include <fmt/format.h>

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

constexpr int depth_max = 40; // reports may have 32, and are inside another

fault garbled(std::string why) {
  return {fault_kind::bad_input, std::move(why)};
}

result<parts> read_parts(std::string_view envelope) {
  auto x = parse_distinct(envelope, depth_max);
  if (!x)
    return x.why();
  if (!x->is_object())
    return garbled("it is no JSON object");
  texts from{*x};
  parts p;
  const std::pair<const char*, std::string*> wanted[] = {
    {"msg", &p.text},           {"salt", &p.salt}, {"hmac", &p.sha1},
    {"hmac-sha256", &p.sha256}, {"key", &p.key},   {"signature", &p.signature}};
  for (const auto& [name, place] : wanted)
    if (!from.read(name, *place))
      return garbled(fmt::format("it has no text '{}'", name));
  return p;
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

result<statement> read_statement(const std::string& text) {
  auto x = parse_distinct(text, depth_max);
  if (!x)
    return x.why();
  if (!x->is_object())
    return garbled("what it says is no JSON object");
  texts from{*x};
  statement s;
  auto time = x->find("time_ms");
  auto report = report_in(text);
  if (!from.read("node_uuid", s.node_uuid)
      || !from.read("node_name", s.node_name) || time == x->end()
      || !time->is_number_integer())
    return garbled("it does not say whose it is, and of when");
  // What is kept as it was spelled may be another part than what was read.
  if (!x->contains("report") || !report || !parse_distinct(*report, depth_max))
    return garbled("it has no report, or not at its end");
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

std::variant<believed, refused> open(std::string_view envelope,
                                     const expectation& wanted) {
  auto no = [](refusal why) { return refused{why, {}}; };
  if (envelope.size() > envelope_max)
    return no(refusal::too_large);
  auto p = read_parts(envelope);
  if (!p)
    return refused{refusal::garbled, p.why().text};
  if (!same(p->salt, wanted.salt))
    return no(refusal::wrong_salt);
  if (!is_coded(wanted.keys, *p))
    return no(refusal::wrong_mac);
  auto fingerprint = fingerprint_of(p->key);
  if (fingerprint.empty()
      || !is_signed(to_sign(p->salt, p->text), p->key, p->signature)
      || (!wanted.fingerprint.empty() && fingerprint != wanted.fingerprint))
    return no(refusal::wrong_node_key);
  auto what = read_statement(p->text);
  if (!what)
    return refused{refusal::garbled, what.why().text};
  if (what->node_uuid != wanted.node_uuid)
    return no(refusal::wrong_node);
  // Compared without a difference, which could leave the numbers that are.
  if (what->time > wanted.now + clock_slack
      || what->time < wanted.now - clock_slack)
    return no(refusal::wrong_time);
  if (what->time < wanted.last)
    return no(refusal::not_newer);
  return believed{std::move(*what), std::move(fingerprint)};
}

} // namespace orderly::io::report
