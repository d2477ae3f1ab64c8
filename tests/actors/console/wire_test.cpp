// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Words of the console as bytes: what comes back is what was sent, and what is
// no word is refused.

#include "messages/protocol/console.hpp"
#include "messages/protocol/type_ids.hpp"
#include "tests/fuzz/console_drawing.hpp"
#include "tests/support/console_bytes.hpp"

#include <caf/actor_system_config.hpp>
#include <caf/deep_to_string.hpp>
#include <catch2/catch.hpp>

#include <cmath>
#include <limits>

namespace orderly::console_wire_test {

using Catch::Contains;
using fuzz::told;
using test::from_bytes;
using test::to_bytes;

namespace {

/// splitmix64: the same bytes for the same seed.
std::string random_bytes(std::uint64_t seed, std::size_t size) {
  std::string result;
  for (std::size_t i = 0; i < size; ++i) {
    auto z = (seed += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    result += static_cast<char>(z ^ (z >> 31));
  }
  return result;
}

/// Every field drawn.
template <class Word>
Word drawn(std::uint64_t seed) {
  auto dice = random_bytes(seed, 8000);
  fuzz::bytes in{reinterpret_cast<const std::uint8_t*>(dice.data()),
                 dice.size()};
  Word x;
  fuzz::console_drawing{in}(x);
  return x;
}

console_reply<console_scene> scene_of_one_node() {
  auto row = std::make_shared<node_row>();
  row->name = row->standing.node = "node1";
  row->standing.phase = ha_phase::fenced;
  row->standing.proved_down
    = proof{"node1", proof_level::operator_word, "ann said so", from_ms(7)};
  auto all = std::make_shared<scene>();
  all->revision = 3;
  all->status.right_to_act = {true, from_ms(9), "node2 is master", "node2"};
  all->nodes = {row};
  return {{}, all};
}

/// Bytes of a word, with another byte at the end.
template <class Word>
std::string with_last(Word x, char last) {
  auto bytes = to_bytes(x);
  bytes.back() = last;
  return bytes;
}

/// CAF would leave such a word out of any other that names it.
template <class Word>
constexpr bool stays_here
  = caf::allowed_unsafe_message_type<Word>::value
    && !caf::detail::is_inspectable<caf::serializer, Word>::value;

template <class Word>
constexpr bool crosses
  = !caf::allowed_unsafe_message_type<Word>::value
    && caf::detail::is_inspectable<caf::serializer, Word>::value
    && caf::detail::is_inspectable<caf::deserializer, Word>::value;

} // namespace

TEST_CASE("each word of the console comes back equal") {
  auto kinds = test::with_each_word([]<class Word>(Word) {
    std::set<std::string> seen;
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
      auto x = drawn<Word>(seed);
      Word back;
      auto bytes = to_bytes(x);
      REQUIRE(from_bytes(bytes, back) == "");
      REQUIRE(told(back) == told(x));
      seen.insert(bytes);
    }
    // Words with fields do differ, or nothing was compared.
    Word empty;
    CHECK((seen.size() > 3 || to_bytes(empty).size() == 1));
  });
  CHECK(kinds == 14);
}

TEST_CASE("what is in a scene is there on the other side") {
  auto sent = scene_of_one_node();
  console_reply<console_scene> got;
  REQUIRE(from_bytes(to_bytes(sent), got) == "");
  REQUIRE(got.word);
  CHECK(got.trouble.part == console_part::none);
  CHECK(got.word->revision == 3);
  CHECK(got.word->status.right_to_act == sent.word->status.right_to_act);
  REQUIRE(got.word->nodes.size() == 1);
  CHECK(*got.word->nodes.front() == *sent.word->nodes.front());
}

TEST_CASE("a trouble crosses without a word") {
  console_reply<console_scene> sent{
    {console_part::view, {fault_kind::timed_out, "too busy"}}, nullptr};
  console_reply<console_scene> got;
  REQUIRE(from_bytes(to_bytes(sent), got) == "");
  CHECK(got.trouble.part == console_part::view);
  CHECK(got.trouble.why.kind == fault_kind::timed_out);
  CHECK(got.trouble.why.text == "too busy");
  CHECK_FALSE(got.word);
}

TEST_CASE("neither a scene nor a trouble is no word") {
  console_reply<console_scene> nothing;
  console_reply<console_scene> got;
  CHECK_THAT(from_bytes(to_bytes(nothing), got), Contains("neither"));
}

TEST_CASE("a figure that is no number crosses as it is") {
  console_reply<balance_sheet> sent;
  auto inf = std::numeric_limits<double>::infinity();
  sent.word.planned.groups = {{"g", std::nan(""), -inf, 1, false}};
  console_reply<balance_sheet> got;
  REQUIRE(from_bytes(to_bytes(sent), got) == "");
  REQUIRE(got.word.planned.groups.size() == 1);
  CHECK(std::isnan(got.word.planned.groups[0].before));
  CHECK(got.word.planned.groups[0].after == -inf);
}

TEST_CASE("a part of a word is never taken for all of it") {
  test::with_each_word([]<class Word>(Word) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      auto x = drawn<Word>(seed);
      auto bytes = to_bytes(x);
      REQUIRE_FALSE(bytes.empty());
      for (std::size_t i = 0; i < bytes.size(); ++i) {
        Word got;
        REQUIRE(from_bytes(bytes.substr(0, i), got) != "");
      }
    }
  });
}

TEST_CASE("garbage is refused, or is a word that can be written again") {
  test::with_each_word([]<class Word>(Word) {
    for (std::uint64_t seed = 1; seed <= 500; ++seed) {
      auto bytes
        = static_cast<char>(wire::format) + random_bytes(seed, 1 + seed % 200);
      Word got;
      if (from_bytes(bytes, got) != "")
        continue;
      Word again;
      REQUIRE(from_bytes(to_bytes(got), again) == "");
      REQUIRE(told(again) == told(got));
    }
  });
}

TEST_CASE("a word of another format is refused") {
  console_ask<errand_list> x;
  auto bytes = to_bytes(x);
  REQUIRE(bytes.size() == 1);
  bytes[0] = static_cast<char>(wire::format + 1);
  CHECK_THAT(from_bytes(bytes, x), Contains("another format"));
}

TEST_CASE("no value beyond an enum and no flag but two is read") {
  console_reply<pause_answer> answer;
  // format, part, ...
  auto bytes = to_bytes(answer);
  bytes[1] = static_cast<char>(wire::last_of<console_part>) + 1;
  CHECK_THAT(from_bytes(bytes, answer), Contains("out of its range"));
  console_ask<pause_order> order;
  bytes = to_bytes(order);
  bytes[1] = 2; // pause
  CHECK_THAT(from_bytes(bytes, order), Contains("out of its range"));
}

TEST_CASE("no time is read with which nobody can reckon") {
  console_ask<console_errand> sent;
  power_errand far;
  far.time_limit = millis{wire::ms_max + 1};
  sent.word = errand_request{far, "", "", false, {}};
  console_ask<console_errand> got;
  CHECK_THAT(from_bytes(to_bytes(sent), got), Contains("out of its range"));
}

TEST_CASE("a list that is said to be endless is refused at once") {
  console_ask<balance_query> got;
  auto start
    = std::string{static_cast<char>(wire::format)} + "\x01"; // plan_now
  // 2^32 - 1 names
  CHECK_THAT(from_bytes(start + "\xff\xff\xff\xff\x0f", got),
             Contains("too long"));
  // A million of them, of which none comes.
  CHECK_THAT(from_bytes(start + "\xc0\x84\x3d", got),
             Contains("end_of_stream"));
}

TEST_CASE("the bounds of enums are their last values") {
  auto is_last = []<class Enum>(Enum last) {
    std::string here = to_string(last);
    std::string beyond
      = to_string(static_cast<Enum>(static_cast<int>(last) + 1));
    return here != "?" && beyond == "?";
  };
  using namespace wire;
  CHECK(is_last(last_of<console_part>));
  CHECK(is_last(last_of<fault_kind>));
  CHECK(is_last(last_of<power_verb>));
  CHECK(is_last(last_of<protection>));
  CHECK(is_last(last_of<ha_phase>));
  CHECK(is_last(last_of<act_kind>));
  CHECK(is_last(last_of<repair_type>));
  CHECK(is_last(last_of<repair_phase>));
  CHECK(is_last(last_of<repair_mode>));
  CHECK(is_last(last_of<entry_kind>));
  CHECK(is_last(last_of<op_kind>));
  CHECK(is_last(last_of<row_state>));
  CHECK(is_last(last_of<row_kind>));
  CHECK(is_last(last_of<refused_for>));
  CHECK(is_last(last_of<balance_phase>));
  CHECK(is_last(last_of<event_verb>));
}

TEST_CASE("only the console's words have inspectors") {
  STATIC_REQUIRE(stays_here<pause_order>);
  STATIC_REQUIRE(stays_here<lease>);
  STATIC_REQUIRE(stays_here<node_standing>);
  STATIC_REQUIRE(stays_here<errand_sheet>);
  STATIC_REQUIRE(stays_here<balance_sheet>);
  std::size_t crossing = 0;
  test::with_each_word([&]<class Word>(Word) { crossing += crosses<Word>; });
  CHECK(crossing == 14);
  using ids = caf::id_block::orderly_console;
  CHECK(ids::end - ids::begin == 14);
}

TEST_CASE("a word of the console prints without what is in it") {
  console_ask<pause_order> x{{true, "ann", "secret"}};
  CHECK_THAT(caf::deep_to_string(x),
             Contains("console_ask") && !Contains("secret"));
}

} // namespace orderly::console_wire_test
