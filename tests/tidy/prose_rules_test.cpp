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

TEST_CASE("a sentence is one however it is written and asked for") {
  for (const auto* line :
       {"if (x.why == std::string{\"it was\"})", "if (\"it was\"sv == x.why)",
        "if (x.why == R\"(it was)\")", "if (x.why == std::string(\"it was\"))",
        "if (std::strcmp(x.why.c_str(), \"it was\") == 0)",
        "if (is_any(why, {\"never sent\"}))",
        "if (known.count(\"never sent\"))",
        "if (why.find_first_of(\"it was\") == 0)",
        "if (x.why == (late ? \"it was\" : \"it is\"))",
        "return std::string_view{\"it was\"} == x.why;"}) {
    INFO(line);
    CHECK(prose(line) == 1);
    CHECK(prose(line, "io/console/sheets.cpp") == 1);
  }
  CHECK(prose("auto at = text.find_first_not_of(\" \\n\");") == 0);
  CHECK(prose("x = span.count() + \" ms\";") == 0);
  CHECK(prose("s.tries = f.count(\"tries\");") == 0);
  CHECK(prose("say(is.contains(x) ? is[x] : \"there is no such thing\");")
        == 0);
  CHECK(prose("put(name, &value, \"s\", within, help);") == 0);
}

TEST_CASE(
  "a text of ours is not held against another, but to know what is news") {
  for (const auto* line :
       {"if (s.why == why)", "if (hurdle.text != against)",
        "if (last != r.text)", "return a->reason == b->reason;"}) {
    INFO(line);
    CHECK(prose(line) == 1);
    CHECK(prose(line, "io/console/sheets.cpp") == 0);
    CHECK(prose(line, "actors/policy/host_ha/watch.cpp") == 0);
  }
  for (const auto* line :
       {"if (x.why == refusal::none)", "if (question::fenced == e.why)",
        "if (x.text.size() == 4)", "if (4 == x.text.size())",
        "if (x.why != \"\")", "if (x.kind == y.reason())"}) {
    INFO(line);
    CHECK(prose(line) == 0);
  }
}

TEST_CASE("what has one of few values is no text in what parts tell") {
  for (const auto* line :
       {"  std::string kind;  ///< \"power-off\"",
        "  std::string type = \"x\";", "  std::optional<std::string> phase;",
        "    std::string stage{};"}) {
    INFO(line);
    CHECK(prose(line, "messages/errand.hpp") == 1);
    CHECK(prose(line, "actors/view/counts.hpp") == 1);
    CHECK(prose(line, "actors/view/counts.cpp") == 0);
    CHECK(prose(line, "io/http/document.hpp") == 0);
  }
  for (const auto* line :
       {"  errand_kind kind = errand_kind::epo;", "  std::string kind_text;",
        "  // std::string kind;", "  std::string kind(const row& x);"}) {
    INFO(line);
    CHECK(prose(line, "messages/errand.hpp") == 0);
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
  CHECK(prose(line, "io/oob/documents.cpp") == 0);
  CHECK(prose(line, "sim/lab/drill.cpp") == 0);
  CHECK(prose(line, "sim/laws/tag_words.cpp") == 0);
  CHECK(prose(line, "sim/laws/tags.cpp") == 1);
  CHECK(prose(line, "actors/policy/errand/plan.cpp") == 1);
}

TEST_CASE("nobody compares with a sentence, whoever reads words") {
  for (const auto* line :
       {"if (m.repair.ends_with(\" repaired\"))",
        "if (state == \"node available\")", "if (\"is down\" != text)",
        "return job.text.find(\"Not enough\") != npos;"}) {
    INFO(line);
    CHECK(prose(line, "sim/swarm/swarm.cpp") == 1);
    CHECK(prose(line, "io/console/sheets.cpp") == 1);
    CHECK(prose(line, "tests/io/console/sheets_test.cpp") == 0);
  }
  for (const auto* line :
       {"if (word == \"world\")", "else if (line.starts_with(\"seed \"))",
        "text.find(\", \")", "say(x == 1 ? \"is up\" : \"is down\");"}) {
    INFO(line);
    CHECK(prose(line, "sim/lab/drill.cpp") == 0);
    CHECK(prose(line, "io/http/routes.cpp") == 0);
  }
}

TEST_CASE("a comparison that goes on in the next line is one") {
  CHECK(prose("if (x.text ==\n    \"it was never sent\")") == 1);
  CHECK(prose("auto at = why.find(\n  \" success: \");") == 1);
  CHECK(prose("auto at = why.find(sign);\nsay(\"it was never sent\");") == 0);
  CHECK(prose("if (a)\n  return b == \"pending\";\n") == 1);
}

namespace {

std::size_t constants(const std::string& code) {
  return check_constants({{"actors/jobs/queue.cpp", code}}).size();
}

const std::string sentence
  = "constexpr const char* not_sent\n  = \"it was never sent\";\n\n";

} // namespace

TEST_CASE("a sentence with a name is compared with no more than one without") {
  for (const auto* use :
       {"if (x.text == not_sent)", "if (not_sent != x.text)",
        "return x.text\n  == not_sent;", "if (why.starts_with(not_sent))",
        "auto i = why.find(a, not_sent);", "std::find(a, b, not_sent);"}) {
    INFO(use);
    CHECK(constants(sentence + use) == 1);
    for (const auto* other :
         {"const std::string not_sent{\"it was not\"};\n",
          "const std::string not_sent(\"it was not\");\n",
          "const auto not_sent = std::string{\"it was not\"};\n"}) {
      INFO(other);
      CHECK(constants(other + std::string{use}) == 1);
    }
    // A word is a code that both sides name.
    CHECK(
      constants("constexpr auto not_sent = \"not-sent\";\n" + std::string{use})
      == 0);
  }
}

TEST_CASE("a sentence with a name may be told") {
  for (const auto* use :
       {"x.why = not_sent;", "return done ? not_sent : std::string{};",
        "note(x.why == old, not_sent);", "if (x.not_sent == y)",
        "if (x == kind::not_sent)", "if (x == not_sent())",
        "// if (x == not_sent)",
        "say(\"x == not_sent\", not_sent_yet == y);"}) {
    INFO(use);
    CHECK(constants(sentence + use) == 0);
  }
}

TEST_CASE("a name within a function means nothing in the next") {
  const std::string one = "void a() {\n  constexpr auto why = \"it is so\";\n";
  CHECK(constants(one + "  if (x == why)\n    go();\n}\n") == 1);
  CHECK(constants(one + "}\n\nvoid b() {\n  if (x == why)\n    go();\n}\n")
        == 0);
}

TEST_CASE("a sentence of a header is one for whoever includes it") {
  const source_file header{"actors/jobs/words.hpp", "inline " + sentence};
  auto of = [&](const std::string& code) {
    return check_constants({header, {"actors/jobs/queue.cpp", code}}).size();
  };
  const std::string include = "#include \"actors/jobs/words.hpp\"\n";
  CHECK(of(include + "if (x.text == not_sent)\n") == 1);
  CHECK(of(include + "x.text = not_sent;\n") == 0);
  CHECK(of("if (x.text == not_sent)\n") == 0);
}

} // namespace orderly::tidy_prose_rules_test
