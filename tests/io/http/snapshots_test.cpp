// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What readers get is made once and shared, however many they are.

#include "io/http/gzip.hpp"
#include "io/http/renderer.hpp"
#include "tests/io/http/site.hpp"

#include <atomic>
#include <thread>

#include <zlib.h>

using namespace orderly;
using namespace orderly::test;

namespace {

std::string unpacked(const std::string& packed) {
  z_stream stream{};
  REQUIRE(::inflateInit2(&stream, 15 + 16) == Z_OK);
  std::string out(1 << 24, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  CHECK(::inflate(&stream, Z_FINISH) == Z_STREAM_END);
  out.resize(stream.total_out);
  ::inflateEnd(&stream);
  return out;
}

std::string header(const std::string& answer, const std::string& name) {
  auto at = answer.find("\r\n" + name + ": ");
  if (at == answer.npos)
    return "";
  at += name.size() + 4;
  return answer.substr(at, answer.find("\r\n", at) - at);
}

/// A site whose view counts what it is asked, and how often it changed.
struct counted {
  explicit counted(io::http::limits bounds = {}, std::uint32_t heavy_max = 8) {
    auto to = actors.backend();
    to.source.scene = [this, was = to.source.scene](auto then) {
      ++asked;
      was(then);
    };
    to.source.revision = [this] { return revision.load(); };
    io::http::route_rules rules;
    rules.own_uid = ::geteuid();
    rules.show_all = true;
    rules.hosts = {"x"};
    rules.heavy_max = heavy_max;
    auto handle = io::http::make_routes(on, on, std::move(to), rules);
    up = std::make_unique<site>(bounds, std::move(handle));
  }

  /// Before the first request, or while nobody asks.
  void grow(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      instance_row row;
      row.name = "vm" + std::to_string(100000 + i);
      row.primary = i % 2 == 0 ? "node1" : "node2";
      row.standing.why = "runs where it should run, as it should";
      actors.all.instances.push_back(row);
    }
    std::sort(actors.all.instances.begin(), actors.all.instances.end(),
              [](const auto& a, const auto& b) { return a.name < b.name; });
  }

  fake_actors actors;
  io::loop on;
  std::atomic<int> asked = 0;
  std::atomic<std::uint64_t> revision = 1;
  std::unique_ptr<site> up;
};

} // namespace

TEST_CASE("many readers of an unchanged picture are one question to the view") {
  counted at;
  for (const auto* path : {"/2/status", "/2/nodes", "/2/instances", "/metrics",
                           "/2/advice", "/status.html", "/healthz"})
    for (int i = 0; i < 30; ++i)
      CHECK(starts_with(at.up->once(get(path)), "HTTP/1.1 200"));
  CHECK(at.asked <= 3); // a second may pass
}

TEST_CASE("readers who come together wait for one answer") {
  counted at;
  std::vector<std::thread> crowd;
  std::atomic<int> good = 0;
  for (int i = 0; i < 16; ++i)
    crowd.emplace_back([&] {
      for (int k = 0; k < 20; ++k)
        good += starts_with(at.up->once(get("/2/instances")), "HTTP/1.1 200");
    });
  for (auto& x : crowd)
    x.join();
  CHECK(good == 320);
  CHECK(at.asked <= 3);
}

TEST_CASE("what changed is shown, at the latest after a tenth of a second") {
  counted at;
  CHECK(contains(at.up->once(get("/2/instances")), "web1"));
  at.actors.all.instances.front().name = "web9";
  ++at.revision;
  std::this_thread::sleep_for(millis{150});
  CHECK(contains(at.up->once(get("/2/instances")), "web9"));
}

TEST_CASE("who ordered something sees it at once") {
  counted at;
  CHECK_FALSE(json_of(at.up->once(get("/2/status")))["guard"]["paused"]);
  raw_client x{at.up->socket()};
  x.send(post("/2/pause", ""));
  at.actors.all.status.guard.paused = true; // as the scheduler shows it
  CHECK(starts_with(x.answer(), "HTTP/1.1 200"));
  CHECK(json_of(at.up->once(get("/2/status")))["guard"]["paused"]);
}

TEST_CASE("a client that has it already is told so") {
  counted at;
  for (const auto* path : {"/2/status", "/2/instances", "/metrics"}) {
    auto first = at.up->once(get(path));
    auto tag = header(first, "ETag");
    CHECK_FALSE(tag.empty());
    raw_client x{at.up->port()};
    x.send(get(path, "If-None-Match: " + tag + "\r\n"));
    x.send(get(path, "If-None-Match: W/\"other\"\r\n"));
    auto second = x.answer();
    INFO(path << second);
    CHECK(starts_with(second, "HTTP/1.1 304"));
    CHECK(body_of(second).empty());
    CHECK(starts_with(x.answer(), "HTTP/1.1 200"));
  }
  auto tag = header(at.up->once(get("/2/instances")), "ETag");
  at.actors.all.instances.front().standing.why = "another reason";
  ++at.revision;
  std::this_thread::sleep_for(millis{150});
  CHECK(header(at.up->once(get("/2/instances")), "ETag") != tag);
}

TEST_CASE("what is packed is the same text") {
  counted at;
  at.grow(100);
  auto plain = body_of(at.up->once(get("/2/instances")));
  std::string packed;
  for (int i = 0; i < 100 && header(packed, "Content-Encoding").empty(); ++i)
    packed = at.up->once(get("/2/instances", "Accept-Encoding: gzip\r\n"));
  CHECK(header(packed, "Content-Encoding") == "gzip");
  CHECK(unpacked(body_of(packed)) == plain);
  CHECK(body_of(packed).size() < plain.size() / 4);
  CHECK(unpacked(io::http::gzip("")).empty());
}

TEST_CASE("lists are cut down by their parameters, and gone on with") {
  counted at;
  at.grow(10);
  auto names = [&](const std::string& query) {
    std::string all;
    auto x = json_of(at.up->once(get("/2/instances?" + query)));
    for (const auto& row : x["instances"])
      all += row["name"].get<std::string>() + " ";
    return all + x.value("cursor", "");
  };
  CHECK(names("node=node2")
        == "vm100001 vm100003 vm100005 vm100007 vm100009 "
           "web1 ");
  CHECK(names("node=node1&limit=2") == "vm100000 vm100002 vm100002");
  CHECK(names("node=node1&limit=2&cursor=vm100002")
        == "vm100004 vm100006 vm100006");
  CHECK(names("limit=100&cursor=vm100008") == "vm100009 web1 ");
  CHECK(names("state=needs-repair") == "web1 ");
  CHECK(names("group=nowhere").empty());
  CHECK(json_of(at.up->once(get("/2/nodes?state=fenced")))["nodes"].size()
        == 1);
  error_of(at.up->once(get("/2/nodes?limit=0")), "400");
  error_of(at.up->once(get("/2/nodes?limit=many")), "400");
  error_of(at.up->once(get("/2/nodes?colour=red")), "400");
}

TEST_CASE("a few large answers are under way at once, others come back later") {
  io::http::limits patient;
  patient.connections_per_peer_max = 100;
  counted at{patient, 3};
  at.grow(20000); // more than a socket takes
  CHECK(starts_with(at.up->once(get("/2/instances")), "HTTP/1.1 200"));
  std::vector<std::unique_ptr<raw_client>> slow;
  for (int i = 0; i < 3; ++i) {
    slow.push_back(std::make_unique<raw_client>(at.up->port()));
    slow.back()->send(get("/2/instances"));
  }
  std::this_thread::sleep_for(millis{300});
  auto refused = at.up->once(get("/2/instances"));
  CHECK(starts_with(refused, "HTTP/1.1 503"));
  CHECK(header(refused, "Retry-After") == "1");
  // What is small has its way all the same.
  CHECK(starts_with(at.up->once(get("/2/status")), "HTTP/1.1 200"));
  slow.clear();
  std::string last;
  for (int i = 0; i < 100 && !starts_with(last, "HTTP/1.1 200"); ++i) {
    std::this_thread::sleep_for(millis{10});
    last = at.up->once(get("/2/instances"));
  }
  CHECK(starts_with(last, "HTTP/1.1 200"));
}

TEST_CASE("readers who go away leave no question behind") {
  counted at;
  at.actors.silent = true;
  for (int i = 0; i < 200; ++i) {
    raw_client x{at.up->port()};
    x.send(get(i % 2 == 0 ? "/2/instances" : "/2/explain/web1"));
  }
  CHECK(at.asked == 1);
}

TEST_CASE("questions about single things are bounded, and told so") {
  io::http::limits wide;
  wide.connections_per_peer_max = 150;
  wide.request_timeout = seconds{1};
  counted at{wide};
  at.actors.silent = true;
  std::vector<std::unique_ptr<raw_client>> crowd;
  for (int i = 0; i < 100; ++i) {
    crowd.push_back(std::make_unique<raw_client>(at.up->port()));
    crowd.back()->send(get("/2/explain/web1"));
  }
  int busy = 0;
  int late = 0;
  for (auto& x : crowd) {
    auto said = x->answer();
    busy += starts_with(said, "HTTP/1.1 503");
    late += starts_with(said, "HTTP/1.1 504");
  }
  CHECK(busy == 36);
  CHECK(late == 64);
}

TEST_CASE("a change costs what changed") {
  scene all;
  for (int i = 0; i < 10000; ++i) {
    instance_row row;
    row.name = "vm" + std::to_string(100000 + i);
    row.standing.why = "runs where it should run";
    all.instances.push_back(std::make_shared<const instance_row>(row));
  }
  io::http::renderer by;
  auto time = [&] {
    auto from = std::chrono::steady_clock::now();
    auto text = by.render(io::http::document_kind::instances, all, nullptr);
    CHECK(text.size() > 1000000);
    return std::chrono::steady_clock::now() - from;
  };
  auto first = time();
  auto changed = *all.instances[5000];
  changed.standing.why = "moved";
  all.instances[5000] = std::make_shared<const instance_row>(changed);
  auto second = time();
  CHECK(second * 5 < first);
  auto text = by.render(io::http::document_kind::instances, all, nullptr);
  CHECK(contains(text, "\"moved\""));
  all.instances.erase(all.instances.begin() + 5000);
  CHECK_FALSE(contains(
    by.render(io::http::document_kind::instances, all, nullptr), "\"moved\""));
}
