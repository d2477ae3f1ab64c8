// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/http/answer_cache.hpp"
#include "io/http/snapshots.hpp"
#include "tests/io/http/site.hpp"

#include <catch2/catch.hpp>

#include <atomic>
#include <future>

namespace orderly::http_answer_cache_test {

using namespace orderly::io::http;
using orderly::test::holds_soon;

namespace {

document_ptr text_of(std::size_t size, bool packed = false) {
  return std::make_shared<document>(
    make_document("application/json", std::string(size, 'x'), packed, nullptr));
}

} // namespace

TEST_CASE("what was asked is answered by what was kept for it") {
  answer_cache all;
  CHECK(all.find("a", false) == nullptr);
  auto answer = text_of(10);
  all.keep("a", answer);
  CHECK(all.find("a", false) == answer);
  CHECK(all.find("a", true) == answer); // too small to be packed
  CHECK(all.find("b", false) == nullptr);
  all.clear();
  CHECK(all.find("a", false) == nullptr);
}

TEST_CASE("a packed answer is for all readers, a plain one for some") {
  answer_cache all;
  auto plain = text_of(5000);
  auto packed = text_of(5000, true);
  all.keep("a", plain);
  CHECK(all.find("a", true) == nullptr);
  all.keep("a", packed);
  CHECK(all.find("a", true) == packed);
  all.keep("a", plain); // was made meanwhile, for somebody else
  CHECK(all.find("a", true) == packed);
}

TEST_CASE("questions without end are not kept without end") {
  answer_cache all;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < 2 * answer_cache::count_max; ++i) {
    all.keep(std::to_string(i), text_of(10));
    kept += all.find(std::to_string(i), false) != nullptr;
  }
  CHECK(kept == answer_cache::count_max);
  all.clear();
  all.keep("first", text_of(answer_cache::bytes_max / 2));
  all.keep("second", text_of(answer_cache::bytes_max));
  all.keep(std::string(answer_cache::bytes_max, '?'), text_of(1));
  CHECK(all.find("first", false) != nullptr);
  CHECK(all.find("second", false) == nullptr);
  CHECK(all.find(std::string(answer_cache::bytes_max, '?'), false) == nullptr);
  all.clear();
  all.keep("second", text_of(answer_cache::bytes_max - 6));
  CHECK(all.find("second", false) != nullptr);
}

TEST_CASE(
  "the same question is worked at once a scene, and anew for the next") {
  io::loop on;
  std::atomic<int> worked = 0;
  std::atomic<std::uint64_t> revision = 1;
  io::http::scene_source from;
  from.revision = [&] { return revision.load(); };
  from.scene = [&](std::function<void(result<io::http::scene_ptr>)> then) {
    auto x = std::make_shared<scene>();
    x->revision = revision;
    then(io::http::scene_ptr{std::move(x)});
  };
  auto shown = std::make_shared<io::http::snapshots>(on, on, from);
  auto ask = [&](const std::string& question) {
    auto said = std::make_shared<std::promise<int>>();
    auto got = said->get_future();
    on.post([&, said] {
      shown->cook(
        question, false,
        [&](const scene&, io::http::renderer&) -> result<std::string> {
          return std::to_string(++worked);
        },
        [said](result<io::http::document_ptr> x) {
          said->set_value(std::stoi(*(*x)->text));
        });
    });
    return got.get();
  };
  auto began = std::chrono::steady_clock::now();
  CHECK(ask("one") == 1);
  for (int i = 0; i < 20; ++i)
    ask("one");
  auto took = std::chrono::steady_clock::now() - began;
  CHECK(worked <= 1 + std::chrono::floor<seconds>(took).count());
  auto so_far = worked.load();
  CHECK(ask("another") == so_far + 1);
  ++revision;
  CHECK(holds_soon([&] { return ask("one") > so_far + 1; }));
  on.stop();
}

} // namespace orderly::http_answer_cache_test
