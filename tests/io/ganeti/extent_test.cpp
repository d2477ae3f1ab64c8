// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/ganeti/decode.hpp"
#include "io/ganeti/decode_job.hpp"
#include "io/ganeti/decode_standing.hpp"
#include "tests/io/ganeti/samples.hpp"

namespace orderly::ganeti_extent_test {

using namespace orderly::io;
using test::table;

namespace {

std::string repeated(const std::string& part, std::size_t times) {
  std::string text;
  for (std::size_t i = 0; i < times; ++i)
    text += part;
  return text;
}

/// What no stack would bear to copy or to write.
std::string nested() {
  return repeated("[", 500'000) + repeated("]", 500'000);
}

} // namespace

TEST_CASE("a reply that is nested beyond all reason is refused") {
  auto of_job = decode_job(
    table(R"([[0,5],[0,"error"],[0,["error"]],[0,)" + nested() + "]]"), 5);
  REQUIRE_FALSE(of_job.ok());
  CHECK(of_job.why().kind == fault_kind::bad_input);
  CHECK(of_job.why().text.find("nested deeper than 64") != std::string::npos);
  auto standing = decode_standings(
    R"({"success":true,"result":[[5,)" + nested() + ",null]]}", {5});
  REQUIRE_FALSE(standing.ok());
  CHECK(standing.why().text.find("nested deeper") != std::string::npos);
}

TEST_CASE("brackets in texts nest nothing") {
  auto text = repeated("[{", 100) + R"(\"[\\)";
  auto tags = R"({"success":true,"result":[")" + text + R"(","b"]})";
  CHECK(open_reply(tags).ok());
}

TEST_CASE("a short reply of very many values is refused before it is kept") {
  auto reply
    = R"({"success":true,"result":[)" + repeated("0,", 9'000'000) + "0]}";
  auto found = open_reply(reply);
  REQUIRE_FALSE(found.ok());
  CHECK(found.why().text.find("8000000 values") != std::string::npos);
}

TEST_CASE("a job that names very many things costs no more than its length") {
  std::string names;
  for (int i = 0; i < 300'000; ++i)
    names += (i == 0 ? "\"i" : ",\"i") + std::to_string(i) + '"';
  auto jobs = decode_running_jobs(
    table(R"([[0,5],[0,"running"],[0,[{"OP_ID":"OP_X","instances":[)" + names
          + R"(,"i7"],"reason":[["a","b",1],["a","b",2]]}]]])"));
  REQUIRE(jobs.ok());
  REQUIRE(jobs->size() == 1);
  CHECK(jobs->front().instances.size() == 300'000);
  CHECK(jobs->front().instances.front() == "i0");
}

} // namespace orderly::ganeti_extent_test
