// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Looks at a real cluster through the live ports, for people who bring one
// up:
//
//   luxi_probe SOCKET                     prints the picture
//   luxi_probe SOCKET tag INSTANCE TAG    sets a tag and removes it again
//   luxi_probe SOCKET watch JOB SECONDS   one watch of a job, status unknown

#include "io/ganeti/port.hpp"
#include "io/loop.hpp"

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/scoped_actor.hpp>

#include <chrono>
#include <cstdlib>
#include <iostream>

namespace {

using namespace orderly;

std::string joined(const std::vector<std::string>& xs) {
  std::string result;
  for (const auto& x : xs)
    result += " " + x;
  return result;
}

void print(const cluster_record& x) {
  std::cout << "cluster " << x.name << " master " << x.master << joined(x.tags)
            << '\n';
  for (const auto& g : x.groups)
    std::cout << "group " << g.name << joined(g.tags) << '\n';
  for (const auto& n : x.nodes)
    std::cout << "node " << n.name << " group " << n.group << " at "
              << n.address << (n.offline ? " offline" : "")
              << (n.drained ? " drained" : "")
              << (n.powered ? "" : " unpowered") << " oob " << n.oob_program
              << joined(n.tags) << '\n';
  for (const auto& i : x.instances)
    std::cout << "instance " << i.name << " on " << i.primary
              << joined(i.secondaries) << ' ' << to_string(i.disks) << ' '
              << to_string(i.admin) << ' ' << i.memory_mib << " MiB"
              << joined(i.tags) << '\n';
  for (const auto& j : x.jobs)
    std::cout << "job " << j.id << joined(j.instances) << joined(j.nodes)
              << " (" << j.reason << ")\n";
}

template <class Answer, class Port, class Word>
Answer ask(caf::scoped_actor& self, const Port& port, Word word) {
  Answer result;
  self->request(port, std::chrono::minutes{2}, std::move(word))
    .receive([&](const Answer& x) { result = x; },
             [&](const caf::error&) { result.text = "the port is silent"; });
  return result;
}

job_state watch(caf::scoped_actor& self, const job_port& jobs, job_id id) {
  job_state seen{id, true, job_status::lost, {}};
  do {
    seen = ask<job_state>(self, jobs, job_watch{id, seen.status, seconds{20}});
    std::cout << "job " << id << ' ' << to_string(seen.status)
              << (seen.answered ? " " : " (stale) ") << seen.text << '\n';
  } while (seen.answered && !is_final(seen.status));
  return seen;
}

bool send_tag(caf::scoped_actor& self, const job_port& jobs, op_kind kind,
              const std::string& instance, const std::string& tag) {
  opcode op;
  op.kind = kind;
  op.tag_object = instance;
  op.tags = {tag};
  auto reason = trail_text("probe", to_string(kind) + ("-" + tag));
  auto answer
    = ask<submit_answer>(self, jobs, job_submission{{{{op}, reason}}});
  std::cout << to_string(kind) << ": "
            << (answer.ids.empty() ? answer.text : "accepted") << '\n';
  if (answer.ids.size() != 1)
    return false;
  auto end = watch(self, jobs, answer.ids[0]);
  auto found = ask<trail_answer>(self, jobs, trail_query{reason});
  for (const auto& x : found.jobs)
    std::cout << "found job " << x.id << ' ' << to_string(x.status) << " ("
              << x.reason << ")\n";
  return end.status == job_status::success && !found.jobs.empty();
}

int picture(caf::scoped_actor& self, const cluster_port& cluster) {
  auto answer = ask<cluster_answer>(self, cluster, read_cluster{seconds{20}});
  if (!answer.picture) {
    std::cerr << answer.text << '\n';
    return EXIT_FAILURE;
  }
  print(*answer.picture);
  std::cout << "this host is " << (answer.is_master ? "" : "not ")
            << "the master\n";
  auto again = ask<cluster_answer>(self, cluster, read_cluster{seconds{20}});
  std::cout << "read again: "
            << (again.picture == answer.picture ? "unchanged" : "changed")
            << '\n';
  return EXIT_SUCCESS;
}

int run(const io::ganeti_ports& ports, caf::scoped_actor& self,
        const std::vector<std::string>& args) {
  if (args.empty())
    return picture(self, ports.cluster);
  if (args[0] == "tag" && args.size() == 3) {
    auto set = send_tag(self, ports.jobs, op_kind::tags_set, args[1], args[2]);
    auto del = send_tag(self, ports.jobs, op_kind::tags_del, args[1], args[2]);
    return set && del ? EXIT_SUCCESS : EXIT_FAILURE;
  }
  if (args[0] == "watch" && args.size() == 3) {
    job_watch order{std::stoull(args[1]), job_status::queued,
                    seconds{std::stoi(args[2])}};
    auto seen = ask<job_state>(self, ports.jobs, order);
    std::cout << to_string(seen.status) << (seen.answered ? " " : " (stale) ")
              << seen.text << '\n';
    return EXIT_SUCCESS;
  }
  std::cerr << "luxi_probe: see the head of tests/programs/luxi_probe.cpp\n";
  return EXIT_FAILURE;
}

} // namespace

int main(int argc, char** argv) {
  std::vector<std::string> args(argv + 1, argv + argc);
  if (args.empty()) {
    std::cerr << "luxi_probe: give the path of a LUXI socket\n";
    return EXIT_FAILURE;
  }
  orderly::settings s;
  s.cluster.luxi_socket = args[0];
  args.erase(args.begin());
  orderly::io::loop loop;
  caf::actor_system_config config;
  caf::actor_system system{config};
  auto ports = orderly::io::spawn_ganeti_ports(system, loop, s);
  auto result = EXIT_FAILURE;
  {
    caf::scoped_actor self{system};
    result = run(ports, self, args);
    self->send_exit(ports.cluster, caf::exit_reason::user_shutdown);
    self->send_exit(ports.jobs, caf::exit_reason::user_shutdown);
  }
  return result;
}
