// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What a state is kept as: instants are told from all else in it.

#include "messages/fields.hpp"

#include <catch2/catch.hpp>

namespace orderly::fields_test {

namespace {

const auto t = from_ms(1'767'225'600'000);

} // namespace

TEST_CASE("what was put is read again") {
  fields f;
  f.put("at", t);
  f.put("never", never);
  f.put("count", std::int64_t{7});
  CHECK(f.when("at") == t);
  CHECK(f.when("never") == never);
  CHECK(f.when("nothing") == never);
  CHECK(f.number("count") == 7);
  // An instant is no number.
  CHECK(f.number("at", -1) == -1);
}

TEST_CASE("instants of older versions are read") {
  fields f{{{"at", "1767225600000"}}};
  CHECK(f.when("at") == t);
}

TEST_CASE("only instants are shifted, and all of them") {
  fields f{{{"list", dated(t) + "+" + dated(t + seconds{1})},
            {"who", "@root"},
            {"why", "@1767225600000 or so"},
            {"lone", "@"},
            {"number", "1767225600000"}}};
  f.put("at", t);
  f.put("never", never);
  auto before = f;
  f.shift(-minutes{4});
  CHECK(f.when("at") == t - minutes{4});
  CHECK(f.when("never") == never);
  CHECK(f.text("list")
        == dated(t - minutes{4}) + "+" + dated(t + seconds{1} - minutes{4}));
  for (const auto* name : {"who", "why", "lone", "number"})
    CHECK(f.text(name) == before.text(name));
  f.shift(minutes{4});
  CHECK(f == before);
}

TEST_CASE("a field that is erased is not there") {
  fields f{{{"a", "1"}, {"b", "2"}}};
  f.erase("a");
  f.erase("c");
  CHECK(f == fields{{{"b", "2"}}});
}

} // namespace orderly::fields_test
