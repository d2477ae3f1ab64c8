// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What counts as a decision by a text, and what does not.

#include "tests/tidy/house_rules.hpp"

#include <catch2/catch.hpp>

namespace orderly::tidy_prose_rules_test {

using namespace orderly::tidy;

namespace {

std::size_t prose(const std::string& line,
                  const std::string& path = "actors/view/view.cpp") {
  return check_prose({path, line + "\n"}).size();
}

} // namespace

TEST_CASE("no actor and no policy compares with a sentence or a word") {
  for (const auto* line :
       {"if (x.text == \"it was never sent\")", "if (\"pending\" != x.phase)",
        "return why.starts_with(\"storm\");", "intent.ends_with(\"-failover\")",
        "why.find(\" success: \")", "e.object.compare(0, 8, \"balance:\")"}) {
    INFO(line);
    CHECK(prose(line) == 1);
    CHECK(prose(line, "messages/job.cpp") == 1);
  }
}

TEST_CASE("constants, signs and texts that are only told are no prose") {
  for (const auto* line :
       {"if (e.code == codes::job_ended)", "if (program == \"!\")",
        "auto at = text.find(\", \");", "x.why = \"it was never sent\";",
        "// if (x == \"pending\")", "log(\"a == b\");",
        "f.find(name); say(\"word\");"}) {
    INFO(line);
    CHECK(prose(line) == 0);
  }
}

TEST_CASE("what comes from files, tags and other programs is read by words") {
  const std::string line = "if (f.text(\"request\") == \"epo\")";
  CHECK(prose(line, "actors/policy/errand/fields.cpp") == 0);
  CHECK(prose(line, "actors/policy/base/job_errors.cpp") == 0);
  CHECK(prose(line, "io/oob/health_document.cpp") == 0);
  CHECK(prose(line, "actors/policy/errand/plan.cpp") == 1);
}

} // namespace orderly::tidy_prose_rules_test
