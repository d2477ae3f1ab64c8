// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What makes a role too large.

#include "tests/tidy/house_rules.hpp"

#include <catch2/catch.hpp>

namespace orderly::tidy_role_rules_test {

using namespace orderly::tidy;

namespace {

std::string role(std::size_t handlers, const std::string& base) {
  std::string text = "using big = " + base + "<";
  for (std::size_t i = 0; i < handlers; ++i)
    text += (i == 0 ? "" : ",\n  ")
            + std::string{i % 2 == 0 ? "caf::reacts_to<a>"
                                     : "caf::replies_to<a>::with<b>"};
  return text + ">;\n";
}

std::size_t roles(const std::string& text,
                  const std::string& path = "messages/protocol/desk.hpp") {
  return check_roles({path, text}).size();
}

} // namespace

TEST_CASE("a role has at most six handlers") {
  CHECK(roles(role(handlers_max, "caf::typed_actor")) == 0);
  CHECK(roles(role(handlers_max + 1, "caf::typed_actor")) == 1);
  CHECK(roles(role(handlers_max + 1, "small::extend")) == 1);
  for (const auto* path :
       {"sim/lab/x.hpp", "io/daemon/gate.hpp", "actors/shell/supervisor.hpp"})
    CHECK(roles(role(handlers_max + 1, "caf::typed_actor"), path) == 1);
}

TEST_CASE("handlers are counted whatever they are called") {
  std::string text = "template <class T>\nusing hears = caf::reacts_to<T>;\n";
  CHECK(roles(text
              + "using big = caf::typed_actor<hears<a>, hears<b>, "
                "hears<c>,\n  hears<d>, hears<e>, hears<f>>;\n")
        == 0);
  CHECK(roles(text
              + "using big = caf::typed_actor<hears<a>, hears<b>, "
                "hears<c>,\n  hears<d>, hears<e>, hears<f>, hears<g>>;\n")
        == 1);
}

TEST_CASE("a role that is extended has what it had, and more") {
  auto small = "using small = caf::typed_actor<caf::reacts_to<a>, "
               "caf::reacts_to<b>,\n  caf::reacts_to<c>>;\n";
  CHECK(roles(small + role(handlers_max - 3, "small::extend")) == 0);
  CHECK(roles(small + role(handlers_max - 2, "small::extend")) == 1);
}

TEST_CASE("an actor that is put together from roles is not counted again") {
  CHECK(roles(role(4, "caf::typed_actor") + role(4, "caf::typed_actor")
              + "using both = big::extend_with<other>;\n")
        == 0);
}

} // namespace orderly::tidy_role_rules_test
