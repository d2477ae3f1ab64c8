// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/cli/power_sheets.hpp"

#include <catch2/catch.hpp>

namespace orderly::cli_ha_sheets_test {

using namespace orderly::power;

namespace {

errand_row row(const std::string& name, row_kind kind, ha_card card) {
  errand_row x;
  x.object = name;
  x.kind = kind;
  x.state = row_state::done;
  x.ha = std::move(card);
  return x;
}

errand_request request(ha_action action) {
  errand_request x;
  x.what = ha_errand{action, ha_scope::nodes, {}, {}};
  return x;
}

} // namespace

TEST_CASE("a list shows the switches above nodes and how each node stands") {
  errand_sheet sheet;
  sheet.rows = {
    row("prod", row_kind::cluster, {{}, true, true, ha_phase::available, {}}),
    row("n1", row_kind::node,
        {"ganeti", true, true, ha_phase::suspect, "no answer"}),
    row("n2", row_kind::node,
        {{}, false, false, ha_phase::disabled, "no provider"})};
  CHECK(print(sheet, request(ha_action::list)).out
        == "Kind     Name  Enabled  Provider  State     Reason\n"
           "cluster  prod  yes      -         -\n"
           "node     n1    yes      ganeti    suspect   no answer\n"
           "node     n2    no       -         disabled  no provider\n");
}

TEST_CASE("what was turned is said a line each, what failed beside it") {
  errand_sheet sheet;
  sheet.failed = true;
  sheet.rows = {
    row("n1", row_kind::node, {"ganeti", true, true, ha_phase::available, {}})};
  sheet.rows.front().text = "enabled";
  errand_row bad;
  bad.object = "n9";
  bad.state = row_state::failed;
  bad.text = "there is no node n9";
  sheet.rows.push_back(bad);
  auto text = print(sheet, request(ha_action::enable));
  CHECK(text.out == "Node n1: enabled; available\n");
  CHECK(text.err == "Node n9: there is no node n9\n");
  CHECK(text.code == 1);
}

} // namespace orderly::cli_ha_sheets_test
