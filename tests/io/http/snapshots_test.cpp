// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What readers get is made once and shared, however many they are.

#include "io/http/renderer.hpp"
#include "tests/io/http/site.hpp"

#include <atomic>
#include <chrono>
#include <ctime>
#include <thread>

#include <zlib.h>

namespace orderly::http_snapshots_test {

using namespace orderly::test;
using orderly::io::http::scene_ptr;
using namespace std::string_literals;

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

/// What this thread has worked, whoever else was at work meanwhile.
std::chrono::nanoseconds own_cpu() {
  timespec x{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &x);
  return seconds{x.tv_sec} + std::chrono::nanoseconds{x.tv_nsec};
}

/// A site whose view counts what it is asked, and how often it changed. While
/// `held`, it answers nothing.
struct counted {
  explicit counted(io::http::limits bounds = {}, std::uint32_t heavy_max = 8) {
    auto to = actors.backend();
    to.source.scene = [this](std::function<void(result<scene_ptr>)> then) {
      ++asked;
      waiting = [this, then = std::move(then)] {
        auto x = std::make_shared<scene>(*actors.picture());
        x->revision = revision;
        then(scene_ptr{std::move(x)});
      };
      if (!held && !actors.silent)
        waiting();
    };
    to.source.revision = [this] { return revision.load(); };
    io::http::route_rules rules;
    rules.own_uid = ::geteuid();
    rules.audience_now = io::http::always({true, {"x"}});
    rules.heavy_max = heavy_max;
    auto handle = io::http::make_routes(on, on, std::move(to), rules);
    up = std::make_unique<site>(
      bounds, [this, handle](io::http::request x, io::http::reply done) {
        on.post([this, handle, x = std::move(x), done = std::move(done)] {
          ++heard;
          handle(x, done);
        });
      });
  }

  /// The view answers what it was asked, and all from now on.
  void let_go() {
    held = false;
    on.post([this] { waiting(); });
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
  std::atomic<int> heard = 0; ///< requests
  std::atomic<int> asked = 0; ///< questions to the view
  std::atomic<bool> held = false;
  std::function<void()> waiting;
  std::atomic<std::uint64_t> revision = 1;
  io::loop on; ///< all but `up` is used on its thread
  std::unique_ptr<site> up;
};

} // namespace

TEST_CASE("many readers of an unchanged picture are one question to the view") {
  counted at;
  auto began = std::chrono::steady_clock::now();
  for (const auto* path : {"/2/status", "/2/nodes", "/2/instances", "/metrics",
                           "/2/advice", "/status.html", "/healthz"})
    for (int i = 0; i < 30; ++i)
      CHECK(starts_with(at.up->once(get(path)), "HTTP/1.1 200"));
  // What is shown says how late it is: one more for each second.
  auto took = std::chrono::steady_clock::now() - began;
  CHECK(at.asked <= 1 + std::chrono::floor<seconds>(took).count());
}

TEST_CASE("readers who come together wait for one answer") {
  counted at;
  at.held = true;
  std::vector<std::unique_ptr<raw_client>> crowd;
  for (int i = 0; i < 40; ++i) {
    crowd.push_back(std::make_unique<raw_client>(at.up->port()));
    crowd.back()->send(get("/2/instances"));
  }
  REQUIRE(holds_soon([&] { return at.heard == 40; }));
  CHECK(at.asked == 1);
  at.let_go();
  for (auto& x : crowd)
    CHECK(starts_with(x->answer(), "HTTP/1.1 200"));
}

TEST_CASE("what changed is shown, at the latest after a tenth of a second") {
  counted at;
  CHECK(contains(at.up->once(get("/2/instances")), "web1"));
  at.actors.all.instances.front().name = "web9";
  ++at.revision;
  std::this_thread::sleep_for(millis{150});
  // What was slow to make is shown a little longer.
  CHECK(holds_soon(
    [&] { return contains(at.up->once(get("/2/instances")), "web9"); }));
}

TEST_CASE("while nothing changes nobody waits for what is only made anew") {
  counted at;
  auto first = at.up->once(get("/2/status"));
  at.held = true;
  std::this_thread::sleep_for(millis{1100});
  raw_client x{at.up->port()};
  x.send(get("/2/status"));
  CHECK(starts_with(x.answer_within(millis{500}), "HTTP/1.1 200"));
  CHECK(at.asked == 2);
  // But it does not stay so: how late it is must be seen.
  std::this_thread::sleep_for(millis{1100});
  x.send(get("/2/status"));
  CHECK(x.answer_within(millis{300}).empty());
  at.let_go();
  CHECK(starts_with(x.answer(), "HTTP/1.1 200"));
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

TEST_CASE("orders without end keep nobody waiting") {
  counted at;
  at.held = true;
  raw_client reader{at.up->port()};
  reader.send(get("/2/instances"));
  REQUIRE(holds_soon([&] { return at.asked == 1; }));
  raw_client person{at.up->socket()};
  person.send(post("/2/pause", ""));
  CHECK(starts_with(person.answer(), "HTTP/1.1 200"));
  // What it asked for before that order is what it gets.
  at.let_go();
  CHECK(starts_with(reader.answer(), "HTTP/1.1 200"));
  CHECK(at.asked == 1);
}

TEST_CASE("who is refused makes nobody ask anew") {
  counted at;
  auto began = std::chrono::steady_clock::now();
  for (int i = 0; i < 50; ++i) {
    error_of(at.up->once(post("/2/pause", "")), "403");
    CHECK(starts_with(at.up->once(get("/2/status")), "HTTP/1.1 200"));
  }
  auto took = std::chrono::steady_clock::now() - began;
  CHECK(at.asked <= 1 + std::chrono::floor<seconds>(took).count());
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
  CHECK(holds_soon(
    [&] { return header(at.up->once(get("/2/instances")), "ETag") != tag; }));
}

TEST_CASE("what was made for one reader is there for the next") {
  counted at;
  at.grow(100);
  for (const auto* path :
       {"/2/explain/web1", "/2/nodes/node1", "/2/instances/web1",
        "/2/decisions?limit=3", "/2/nodes?limit=1", "/2/advice?all=1"}) {
    INFO(path);
    auto first = at.up->once(get(path));
    auto tag = header(first, "ETag");
    REQUIRE_FALSE(tag.empty());
    auto known = "If-None-Match: " + tag + "\r\n";
    CHECK(starts_with(at.up->once(get(path, known)), "HTTP/1.1 304"));
  }
  auto many = get("/2/instances?node=node1", "Accept-Encoding: gzip\r\n");
  auto packed = at.up->once(many);
  CHECK(header(packed, "Content-Encoding") == "gzip");
  CHECK(unpacked(body_of(packed))
        == body_of(at.up->once(get("/2/instances?node=node1"))));
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
  auto grouped = [&](const std::string& query) {
    return json_of(at.up->once(get("/2/nodes?" + query)))["nodes"].size();
  };
  auto nodes = json_of(at.up->once(get("/2/nodes")))["nodes"];
  REQUIRE(nodes.size() > 1);
  std::size_t there = 0;
  std::string group = nodes[0]["group"];
  for (const auto& row : nodes)
    there += row["group"] == group;
  CHECK(grouped("group=" + group) == there);
  CHECK(grouped("group=" + group + "&node=node2") == 1);
  CHECK(grouped("group=nowhere") == 0);
  CHECK(json_of(at.up->once(get("/2/nodes?state=fenced")))["nodes"].size()
        == 1);
  error_of(at.up->once(get("/2/nodes?limit=0")), "400");
  error_of(at.up->once(get("/2/nodes?limit=many")), "400");
  for (const auto* list : {"/2/nodes", "/2/instances"}) {
    auto bad = error_of(at.up->once(get(list + "?state=fencd"s)), "400");
    CHECK(contains(bad["text"], "'state' is 'fencd'"));
  }
  error_of(at.up->once(get("/2/nodes?colour=red")), "400");
}

TEST_CASE("a few large answers are under way at once, others come back later") {
  io::http::limits patient;
  patient.connections_per_peer_max = 100;
  patient.request_timeout = minutes{1};
  patient.write_timeout = minutes{10};
  counted at{patient, 3};
  at.grow(20000); // more than a socket takes
  std::vector<std::unique_ptr<raw_client>> slow;
  for (int i = 0; i < 3; ++i) {
    slow.push_back(std::make_unique<raw_client>(at.up->port()));
    slow.back()->send(get("/2/instances"));
    REQUIRE(slow.back()->begins());
  }
  auto refused = at.up->once(get("/2/instances"));
  CHECK(starts_with(refused, "HTTP/1.1 503"));
  CHECK(header(refused, "Retry-After") == "1");
  // What is small has its way all the same.
  CHECK(starts_with(at.up->once(get("/2/status")), "HTTP/1.1 200"));
  // Who may give orders is kept from looking by nobody who may not.
  {
    raw_client owner{at.up->socket()};
    owner.send(get("/2/instances"));
    CHECK(owner.begins());
  }
  slow.clear();
  CHECK(holds_soon([&] {
    return starts_with(at.up->once(get("/2/instances")), "HTTP/1.1 200");
  }));
}

TEST_CASE("readers who go away leave no question behind") {
  counted at;
  at.actors.silent = true;
  for (int i = 0; i < 200; ++i) {
    raw_client x{at.up->port()};
    x.send(get(i % 2 == 0 ? "/2/instances" : "/2/explain/web1"));
  }
  // Those who came before it were heard before it.
  CHECK(starts_with(at.up->once(get("/healthz")), "HTTP/1.1 503"));
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
    auto from = own_cpu();
    auto text = by.render(io::http::document_kind::instances, all, nullptr);
    CHECK(text.size() > 1000000);
    return own_cpu() - from;
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

} // namespace orderly::http_snapshots_test
