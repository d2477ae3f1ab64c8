// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "messages/ascii.hpp"

#include <catch2/catch.hpp>

namespace orderly::messages_ascii_test {

TEST_CASE("capital letters of ASCII become small, and nothing else does") {
  CHECK(lowered("AZaz@[`{09-.") == "azaz@[`{09-.");
  CHECK(lowered("\xc4\xd6") == "\xc4\xd6");
  CHECK(lowered("").empty());
}

TEST_CASE("nothing, blanks and control characters say nothing") {
  for (const auto* text : {"", " ", "   ", "\t \n", "\x7f"})
    CHECK(is_blank(text));
  for (const auto* text : {"x", " x ", "-", "\xc3\xb6"})
    CHECK_FALSE(is_blank(text));
}

} // namespace orderly::messages_ascii_test
