// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/console/table.hpp"

#include <catch2/catch.hpp>

namespace orderly::console_table_test {

using namespace orderly::io::console;

TEST_CASE("a table is aligned and has no trailing blanks") {
  table x{{"NAME", "STATE", "WHY"}};
  x.add({"a", "up", ""});
  x.add({"m\xc3\xbcller", "", "well known"});
  x.add({"short"});
  CHECK(x.text({})
        == "NAME    STATE  WHY\n"
           "a       up     -\n"
           "m\xc3\xbcller  -      well known\n"
           "short   -      -\n");
  table_style bare;
  bare.headers = false;
  bare.separator = "|";
  CHECK(x.text(bare) == "a|up|\nm\xc3\xbcller||well known\nshort||\n");
}

TEST_CASE("a cell that is longer than any name makes no other row as wide") {
  table x{{"A", "B"}};
  x.add({std::string(255, 'n'), "1"});
  x.add({"b", "2"});
  auto as_wide = x.text({});
  x.add({std::string(256, 'x'), "3"});
  CHECK(x.text({}) == as_wide + std::string(256, 'x') + "  3\n");
}

TEST_CASE("cells cannot break out of their line or steer the terminal") {
  table x{{"A"}};
  x.add({"one\ntwo\x1b[31m\xc2\x9b\xff"});
  CHECK(x.text({}) == "A\none two [31m \xef\xbf\xbd\n");
}

} // namespace orderly::console_table_test
