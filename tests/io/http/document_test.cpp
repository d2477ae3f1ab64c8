// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/http/document.hpp"

#include <catch2/catch.hpp>

namespace orderly::http_document_test {

using namespace orderly::io::http;

namespace {

document_ptr made(std::string text, const document_ptr& before = nullptr) {
  return std::make_shared<document>(
    make_document("text/plain", std::move(text), true, before));
}

} // namespace

TEST_CASE("a text that is made again as it was is not packed again") {
  auto first = made(std::string(3000, 'a'));
  auto same = made(std::string(3000, 'a'), first);
  CHECK(same->text == first->text);
  REQUIRE(same->packed);
  CHECK(same->packed == first->packed);
  auto other = made(std::string(3000, 'b'), first);
  CHECK(other->tag != first->tag);
  CHECK(*other->packed != *first->packed);
}

TEST_CASE("small texts are not packed") {
  CHECK_FALSE(made("a")->packed);
  CHECK(made(std::string(1024, 'a'))->packed);
}

} // namespace orderly::http_document_test
