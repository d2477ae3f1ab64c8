// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/node_reports/asker.hpp"

#include "io/json/escape.hpp"
#include "io/node_reports/said.hpp"
#include "io/report/digest.hpp"
#include "io/report/envelope.hpp"
#include "io/report/order.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <variant>

#include <boost/asio/ip/address.hpp>
#include <boost/asio/post.hpp>
#include <fmt/format.h>
#include <openssl/rand.h>

namespace orderly::io::node_reports {

namespace {

using report::refusal;

/// Nobody asks for that node any more.
constexpr millis forgotten_after = hours{1};

/// An open line holds about 100 KiB; where there are more nodes than these,
/// each question has one of its own.
constexpr std::size_t kept_open_max = 500;

/// Text of a stranger goes on into sentences: not all of it.
constexpr std::size_t answer_length_max = 300;

std::string words_of(std::string_view body) {
  return http::one_line(body.substr(0, answer_length_max));
}

instant calendar_now() {
  return std::chrono::floor<millis>(std::chrono::system_clock::now());
}

/// Nobody can guess it, so that an answer is to this question; empty: there is
/// no randomness.
std::string make_salt() {
  std::array<unsigned char, 16> bytes{};
  if (RAND_bytes(bytes.data(), static_cast<int>(bytes.size())) != 1)
    return {};
  return report::to_hex(
    {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

diagnosis none(hearing how, std::string why) {
  diagnosis x;
  x.how = how;
  x.text = std::move(why);
  return x;
}

result<boost::asio::ip::address> address_of(const std::string& text) {
  boost::system::error_code problem;
  auto address = boost::asio::ip::make_address(text, problem);
  // The unspecified address would lead to ourselves.
  if (problem || address.is_unspecified() || address.is_multicast())
    return fault{fault_kind::bad_input,
                 fmt::format("'{}' is not the IP address of a node", text)};
  return address;
}

/// Why the answer is not believed.
std::string sentence(const report::refused& x) {
  switch (x.why) {
  case refusal::too_large:
    return "it is too large";
  case refusal::garbled:
    return x.what;
  case refusal::wrong_salt:
    return "it answers another question: somebody plays it back";
  case refusal::wrong_mac:
    return "it is not signed with the cluster's key (hmac.key)";
  case refusal::wrong_node_key:
    return "it is signed by another agent than the one that is known for that "
           "node";
  case refusal::wrong_node:
    return "it is that of another node";
  case refusal::wrong_time:
    return "the node's clock and ours are more than 5 minutes apart";
  case refusal::not_newer:
    return "it is older than one that was heard before";
  }
  return "?";
}

} // namespace

asker::asker(boost::asio::io_context& where, asker_rules rules)
  : where_(where), rules_(std::move(rules)), papers_(rules_.folder) {
  // nop
}

asker::known& asker::known_as(const ask_diagnosis& what, instant now) {
  auto i = nodes_.find(what.uuid);
  if (i == nodes_.end()) {
    std::erase_if(nodes_, [&](const auto& x) {
      return !x.second.way->busy() && now - x.second.asked > forgotten_after;
    });
    i = nodes_.emplace(what.uuid, known{}).first;
    i->second.way = std::make_unique<line>(where_, room_);
  }
  i->second.asked = now;
  return i->second;
}

void asker::hang_up(const std::string& uuid) {
  if (auto i = nodes_.find(uuid); i != nodes_.end())
    i->second.way->hang_up();
}

void asker::say(const std::string& trouble) {
  if (std::exchange(trouble_, trouble) != trouble && rules_.tell)
    rules_.tell(trouble.empty() ? "agents can be asked again"
                                : "no agent can be asked: " + trouble);
}

diagnosis asker::believe(const ask_diagnosis& what, const std::string& salt,
                         const std::string& envelope) {
  auto now = calendar_now();
  auto& node = known_as(what, now);
  // What was believed by a calendar that was ahead would silence the agent
  // until then.
  auto last = node.last > now + report::clock_slack ? never : node.last;
  auto got = report::open(envelope, {.salt = salt,
                                     .node_uuid = what.uuid,
                                     .fingerprint = {},
                                     .keys = papers_.keys(now),
                                     .now = now,
                                     .last = last});
  const auto* no = std::get_if<report::refused>(&got);
  const auto* said = std::get_if<report::believed>(&got);
  auto known_key
    = said != nullptr
      && (what.keys.empty()
          || std::find(what.keys.begin(), what.keys.end(), said->fingerprint)
               != what.keys.end());
  if (!known_key) {
    auto why
      = no != nullptr ? *no : report::refused{refusal::wrong_node_key, {}};
    auto x = none(hearing::unverified,
                  fmt::format("{} ({})", sentence(why), to_string(why.why)));
    if (said != nullptr)
      x.key = said->fingerprint;
    return x;
  }
  node.last = said->what.time;
  auto x = read_said(said->what.report, now);
  x.key = said->fingerprint;
  return x;
}

diagnosis asker::judge(const ask_diagnosis& what, const std::string& salt,
                       const line_answer& got) {
  constexpr unsigned fine = 200;
  constexpr unsigned another_node = 409;
  if (got.status == fine)
    return believe(what, salt, got.body);
  return none(got.status == another_node ? hearing::unverified
                                         : hearing::silent,
              fmt::format("the agent answers HTTP {}: {}", got.status,
                          words_of(got.body)));
}

void asker::keep_order(const deposit_repair& what, const order_kept& done) {
  auto address = address_of(what.address);
  if (!address)
    return done({false, address.why().text});
  auto now = calendar_now();
  auto side = papers_.side();
  auto keys = papers_.keys(now);
  if (!side || keys.empty())
    return done({false, !side ? side.why().text
                              : papers_.key_path() + " cannot be read"});
  report::repair_order order{what.uuid,    what.intent, what.event,
                             what.command, what.object, now};
  line_question question{"/1/deposit", report::seal_order(order, keys.front())};
  auto way = std::make_shared<line>(where_, room_);
  way->ask({*address, rules_.port}, *side, std::move(question), what.time_limit,
           [&where = where_, way, done](result<line_answer> got) {
             constexpr unsigned fine = 200;
             done(
               !got ? deposit_answer{false, got.why().text}
               : got->status == fine
                 ? deposit_answer{true, {}}
                 : deposit_answer{false, fmt::format("HTTP {}: {}", got->status,
                                                     words_of(got->body))});
             // The line calls us: it goes when it is done with that.
             boost::asio::post(where, [way] {});
           });
}

void asker::ask(const ask_diagnosis& what, callback done) {
  auto refuse = [&](std::string why) {
    auto x = none(hearing::silent, std::move(why));
    x.node = what.node;
    done(std::move(x));
  };
  auto address = address_of(what.address);
  if (!address)
    return refuse(address.why().text);
  auto now = calendar_now();
  auto side = papers_.side();
  auto salt = make_salt();
  auto trouble = !side ? side.why().text
                 : papers_.keys(now).empty()
                   ? papers_.key_path() + " cannot be read"
                 : salt.empty() ? "there is no randomness"
                                : std::string{};
  say(trouble);
  if (!trouble.empty())
    return refuse("we cannot ask: " + trouble);
  auto& node = known_as(what, now);
  if (node.way->busy())
    return refuse("the question before is not answered yet");
  auto target
    = fmt::format("{}?rsalt={}&node={}", diagnose_path, salt, what.uuid);
  node.way->ask({*address, rules_.port}, *side, {std::move(target)},
                what.time_limit,
                [this, what, salt, done](result<line_answer> got) {
                  if (nodes_.size() > kept_open_max)
                    hang_up(what.uuid);
                  auto x = got ? judge(what, salt, *got)
                               : none(hearing::silent, got.why().text);
                  x.node = what.node;
                  done(std::move(x));
                });
}

} // namespace orderly::io::node_reports
