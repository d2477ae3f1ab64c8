// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/policy/settings/settings.hpp"

#include <catch2/catch.hpp>

#include <limits>
#include <set>
#include <string>
#include <type_traits>
#include <utility>

namespace orderly::settings_test {

namespace {

/// Converts to anything, in expressions that are never run.
struct anything {
  template <class T>
  operator T() const;
};

template <class T, class... Init>
constexpr std::size_t fields_of() {
  if constexpr (requires { T{Init{}..., anything{}}; })
    return fields_of<T, Init..., anything>();
  else
    return sizeof...(Init);
}

constexpr std::size_t fields_in_sections
  = fields_of<decltype(settings::cluster)>()
    + fields_of<decltype(settings::host_ha)>()
    + fields_of<decltype(settings::autorepair)>()
    + fields_of<decltype(settings::balance)>()
    + fields_of<decltype(settings::power)>()
    + fields_of<decltype(settings::storm)>()
    + fields_of<decltype(settings::budget)>()
    + fields_of<decltype(settings::maintenance)>()
    + fields_of<decltype(settings::agents)>()
    + fields_of<decltype(settings::rounds)>()
    + fields_of<decltype(settings::journal)>()
    + fields_of<decltype(settings::leader)>()
    + fields_of<decltype(settings::http)>()
    + fields_of<decltype(settings::supervision)>();

constexpr std::size_t sections = 14;
constexpr std::size_t plain_fields = 1; // log_level
// autorepair.single_pass, maintenance.ask_home
constexpr std::size_t without_knob = 2;

const void* address(const knob& k) {
  if (const auto* x = std::get_if<chosen>(&k.value))
    return x->field;
  const void* result = nullptr;
  std::visit(
    [&result](const auto& p) {
      if constexpr (std::is_pointer_v<std::decay_t<decltype(p)>>)
        result = p;
    },
    k.value);
  return result;
}

bool within(const knob& k) {
  auto inside = [&k](double x) { return x >= k.least && x <= k.most; };
  return std::visit(
    [&](const auto& p) {
      using type = std::remove_pointer_t<std::decay_t<decltype(p)>>;
      if constexpr (std::is_same_v<type, chosen>)
        return p.get() < k.choices.size();
      else if constexpr (std::is_same_v<type, millis>)
        return inside(static_cast<double>(p->count()) / 1000);
      else if constexpr (!std::is_arithmetic_v<
                           type> || std::is_same_v<type, bool>)
        return k.least == 0 && k.most == 0;
      else
        return inside(static_cast<double>(*p));
    },
    k.value);
}

bool names(const settings& s, const std::string& key) {
  for (auto& sentence : contradictions(s))
    if (sentence.find(key) != std::string::npos)
      return true;
  return false;
}

} // namespace

TEST_CASE("the counting of fields sees every field") {
  struct sample {
    millis a = seconds{1};
    std::string b = "x";
    bool c = true;
    double d = 0.5;
  };

  CHECK(fields_of<sample>() == 4);
}

TEST_CASE("every field of the settings has a knob") {
  settings s;
  auto all = knobs(s);
  INFO("a new field needs a line in settings.cpp");
  CHECK(all.size() == fields_in_sections + plain_fields - without_knob);
  INFO("a new section must be counted here");
  CHECK(fields_of<settings>() == sections + plain_fields);
}

TEST_CASE("no two knobs share a key or a field") {
  settings s;
  std::set<std::string> keys;
  std::set<const void*> targets;
  for (auto& k : knobs(s)) {
    INFO(k.key);
    CHECK(keys.insert(k.key).second);
    CHECK(targets.insert(address(k)).second);
  }
}

TEST_CASE("knobs of a section follow each other, plain ones come first") {
  settings s;
  std::set<std::string> seen;
  std::string last;
  for (auto& k : knobs(s)) {
    auto dot = k.key.find('.');
    auto section = dot == std::string::npos ? "" : k.key.substr(0, dot);
    INFO(k.key);
    if (section == last)
      continue;
    CHECK(seen.insert(section).second);
    last = section;
  }
  CHECK(seen.size() == sections);
}

TEST_CASE("knobs change the settings that they were made for") {
  settings s;
  for (auto& k : knobs(s))
    if (k.key == "storm.percent_max")
      *std::get<std::uint32_t*>(k.value) = 77;
  CHECK(s.storm.percent_max == 77);
}

TEST_CASE("every default lies within the bounds of its knob") {
  settings s;
  for (auto& k : knobs(s)) {
    INFO(k.key);
    CHECK(within(k));
    CHECK(k.least <= k.most);
  }
}

TEST_CASE("every knob has one sentence of help, durations are in seconds") {
  settings s;
  for (auto& k : knobs(s)) {
    INFO(k.key);
    REQUIRE(k.help.size() > 10);
    CHECK(k.help.back() == '.');
    CHECK(k.help.find('\n') == std::string::npos);
    if (std::holds_alternative<millis*>(k.value))
      CHECK(k.unit == "s");
  }
}

TEST_CASE("the defaults do not contradict each other") {
  settings s;
  CHECK(contradictions(s).empty());
}

TEST_CASE("contradictions name both keys") {
  settings s;
  s.leader.lease = s.cluster.poll_interval;
  auto all = contradictions(s);
  REQUIRE(all.size() == 1);
  CHECK(all[0]
        == "leader.lease (5000 ms) must be longer than "
           "cluster.poll_interval (5000 ms).");
}

TEST_CASE("a proof outlives two health checks, and an act its look") {
  settings s;
  s.autorepair.proof_max_age = minutes{5};
  s.host_ha.check_interval = seconds{145};
  s.host_ha.check_timeout = seconds{6};
  auto all = contradictions(s);
  REQUIRE(all.size() == 1);
  CHECK(all[0]
        == "autorepair.proof_max_age (300000 ms) must not be shorter than "
           "twice host_ha.check_interval and host_ha.check_timeout "
           "(302000 ms).");
  for (const auto& x : knobs(s))
    if (x.key == "host_ha.check_timeout")
      CHECK(x.most == 30);
}

TEST_CASE("all contradictions are told at once") {
  settings s;
  s.cluster.retry_max = millis{1};
  s.host_ha.retry_max = millis{1};
  s.host_ha.activity_interval_max = millis{1};
  s.autorepair.retry_max = millis{1};
  s.supervision.restart_max = millis{1};
  s.rounds.permit_max_age = s.cluster.job_deadline;
  CHECK(contradictions(s).size() == 6);
}

TEST_CASE("a name that no request can be for is told with what is allowed") {
  settings s;
  for (const auto* bad :
       {"http://x", "x:1816", "[::1]", "node1.", "a,b", "*"}) {
    s.http.hosts = "good.example " + std::string{bad} + " 10.0.0.7";
    auto all = contradictions(s);
    REQUIRE(all.size() == 1);
    CHECK(all[0]
          == "http.hosts has '" + std::string{bad}
               + "', which no request can be for; write names of hosts, or "
                 "addresses, without scheme, port, brackets and a dot at the "
                 "end, separated by blanks.");
  }
  for (const auto* good : {"", "  ", "a b", "Node1.example.com ::1 10.0.0.7"}) {
    s.http.hosts = good;
    CHECK(contradictions(s).empty());
  }
}

TEST_CASE("each value that makes no sense is named") {
  settings s;
  s.host_ha.activity_failure_ratio = 0;
  s.journal.queued_max = s.journal.batch_max - 1;
  s.journal.path = "journal.db";
  s.http.socket = "/" + std::string(107, 'x');
  s.http.address = "";
  s.power.program = "oob";
  s.log_level = "loud";
  CHECK(names(s, "host_ha.activity_failure_ratio"));
  CHECK(names(s, "journal.queued_max"));
  CHECK(names(s, "journal.path"));
  CHECK(names(s, "http.socket"));
  CHECK(names(s, "http.address"));
  CHECK(names(s, "power.program"));
  CHECK(names(s, "log_level"));
}

TEST_CASE("host HA that asks no port is refused, and both ports are named") {
  settings s;
  s.host_ha.daemon_port = 0;
  CHECK(contradictions(s).empty());
  s.host_ha.monitor_port = 0;
  CHECK(names(s, "host_ha.daemon_port and host_ha.monitor_port"));
  s.host_ha.daemon_port = 1811;
  CHECK(contradictions(s).empty());
  // A single pass looks at no node.
  s.host_ha.daemon_port = 0;
  s.host_ha.enabled = false;
  CHECK(contradictions(s).empty());
}

TEST_CASE("no two of the places of sockets and of the journal are one") {
  auto wrong = [](const char* key, const std::string& other) {
    settings s;
    s.journal.path = "/b/journal.db";
    s.cluster.luxi_socket = "/b/luxi";
    s.http.reader_socket = "/b/readers";
    s.http.reader_group = "readers";
    for (auto& x : knobs(s))
      if (x.key == key)
        *std::get<std::string*>(x.value) = other;
    return contradictions(s);
  };
  for (const auto* key :
       {"http.socket", "http.reader_socket", "cluster.luxi_socket"})
    for (const auto* other :
         {"/b/journal.db", "/b/journal.db.lock", "/b/journal.db.epoch",
          "/b/journal.db-wal", "/b/journal.db-shm", "/b/./x/../journal.db"}) {
      INFO(other);
      auto all = wrong(key, other);
      REQUIRE(all.size() == 1);
      CHECK(all[0].find(key) != std::string::npos);
      CHECK(all[0].find("journal.path") != std::string::npos);
    }
  for (const auto* other : {"/b/readers", "/b//./readers", "/b/luxi"})
    CHECK(wrong("http.socket", other).size() == 1);
  for (const auto* other : {"/b/journal", "/b/journal.db.sock", "/c/luxi", ""})
    CHECK(wrong("http.socket", other).empty());
}

TEST_CASE("no socket and no helper program are no contradictions") {
  settings s;
  s.http.socket = "";
  s.power.program = "";
  CHECK(contradictions(s).empty());
}

TEST_CASE("controllers are asked each second at most, or never") {
  settings s;
  s.power.rehearsal_interval = millis{0};
  CHECK(contradictions(s).empty());
  s.power.rehearsal_interval = seconds{1};
  CHECK(contradictions(s).empty());
  s.power.rehearsal_interval = millis{999};
  CHECK(names(s, "power.rehearsal.interval (999 ms)"));
}

TEST_CASE("helpers of a node are paths, the cluster's own, or none at all") {
  auto list
    = GENERATE(std::vector<std::string>{"/bin/a", "cluster", "/bin/b"},
               std::vector<std::string>{"!"}, std::vector<std::string>{""},
               std::vector<std::string>{});
  settings s;
  s.power.levels = {{"node1", list}, {"group:g", list}, {"*", list}};
  CHECK(contradictions(s).empty());
}

TEST_CASE("a list of helpers that makes no sense is named by its key") {
  using list = std::vector<std::string>;
  auto wrong = [](const std::string& key, const list& programs) {
    settings s;
    s.power.levels[key] = programs;
    auto all = contradictions(s);
    return all.size() == 1 ? all[0] : std::to_string(all.size()) + " sentences";
  };
  CHECK(wrong("n", {"oob"})
        == "power.levels.\"n\" has the helper 'oob'; it must be an absolute "
           "path, \"cluster\", or \"!\" alone.");
  CHECK(wrong("n", {"/a", "!"})
        == "power.levels.\"n\" has \"!\", which means no power control, beside "
           "other helpers; write one or the other.");
  CHECK(wrong("n", {"", "/a"}).find("has \"\", which means no power control")
        != std::string::npos);
  CHECK(wrong("n", {"/a", "/b", "/a"})
        == "power.levels.\"n\" has the helper '/a' twice.");
  CHECK(wrong("n", {"cluster", "cluster"}).find("'cluster' twice")
        != std::string::npos);
  CHECK(wrong("", {"/a"}).find("names nothing") != std::string::npos);
  CHECK(wrong("group:", {"/a"}).find("names nothing") != std::string::npos);
}

TEST_CASE("lists of helpers have bounds") {
  settings s;
  for (std::size_t i = 0; i < power_levels_max; ++i)
    s.power.levels["n"].push_back("/" + std::to_string(i));
  CHECK(contradictions(s).empty());
  s.power.levels["n"].push_back("/more");
  CHECK(names(s, "power.levels.\"n\" names 9 helpers; 8 are allowed."));
  s.power.levels = {{"n", {"/" + std::string(power_path_length_max, 'x')}}};
  CHECK(names(s, "has a path of 4097 bytes"));
  s.power.levels = {{std::string(power_key_length_max + 1, 'x'), {"/a"}}};
  CHECK(names(s, "is a name of 256 bytes"));
  s.power.levels.clear();
  for (std::size_t i = 0; i < power_keys_max; ++i)
    s.power.levels[std::to_string(i)] = {"/a"};
  CHECK(contradictions(s).empty());
  s.power.levels["more"] = {"/a"};
  CHECK(names(s, "power.levels has 10001 keys; 10000 are allowed."));
}

TEST_CASE("a ratio that is no number is a contradiction") {
  settings s;
  s.host_ha.activity_failure_ratio = std::numeric_limits<double>::quiet_NaN();
  CHECK(names(s, "host_ha.activity_failure_ratio"));
}

} // namespace orderly::settings_test
