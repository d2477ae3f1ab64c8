// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/json/escape.hpp"

#include <catch2/catch.hpp>

namespace orderly::json_escape_test {

using namespace orderly::io::http;

TEST_CASE("no control character reaches a terminal, nor one that turns the "
          "direction of writing") {
  CHECK(one_line("a\x1b[31mb\x7f\nc") == "a [31mb  c");
  for (const auto* bad : {"\xc2\x9b", "\xc2\x80", "\xd8\x9c", "\xe2\x80\x8e",
                          "\xe2\x80\x8f", "\xe2\x80\xa8", "\xe2\x80\xaa",
                          "\xe2\x80\xae", "\xe2\x81\xa6", "\xe2\x81\xa9"})
    CHECK(one_line(std::string{"web"} + bad + "1") == "web 1");
}

TEST_CASE("what is only written in another script stays") {
  for (const auto* good :
       {"\xc2\xa0", "\xc3\xbc", "\xd8\x9b", "\xe2\x80\x90", "\xe2\x80\xaf",
        "\xe2\x81\xa5", "\xe2\x81\xaa", "\xe2\x82\xac", "\xf0\x9f\x98\x80"})
    CHECK(one_line(good) == good);
}

TEST_CASE("bytes that are no text are replaced") {
  CHECK(one_line("a\xff") == "a\xef\xbf\xbd");
  CHECK(one_line("\xe2\x80") == "\xef\xbf\xbd\xef\xbf\xbd");
  CHECK(escape_html("<\xe2\x80\xae>") == "&lt; &gt;");
}

} // namespace orderly::json_escape_test
