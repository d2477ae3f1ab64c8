// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Appends entries to a journal and prints each sequence number once it is
// durable; or checks that all numbers up to one are there. For the fault
// tests, which break the system calls under it.
//
//   journal_writer append FILE COUNT    prints `ack N`, `lost N` or `fault`
//   journal_writer check FILE N         exit 0: all of 1..N are there

#include "io/sqlite/journal.hpp"

#include <cstdio>
#include <cstdlib>
#include <string>

using namespace orderly;

namespace {

constexpr std::uint32_t keep_all = 1000000;

int complain(const fault& why) {
  std::printf("fault %s\n", why.text.c_str());
  return 1;
}

journal_entry entry(std::uint64_t seq) {
  journal_entry e;
  e.seq = seq;
  e.kind = entry_kind::decision;
  e.object = "node:n" + std::to_string(seq % 5);
  e.code = "suspect";
  e.why = std::string(200, 'w');
  e.state = fields{{{"seq", std::to_string(seq)}}};
  return e;
}

int append(const std::string& path, std::uint64_t count) {
  io::journal_file journal{path, keep_all};
  auto start = journal.open();
  if (!start)
    return complain(start.why());
  auto seq = *start;
  for (std::uint64_t i = 0; i < count; ++i) {
    if (auto done = journal.append({{entry(seq + 1)}})) {
      seq = *done;
      std::printf("ack %llu\n", static_cast<unsigned long long>(seq));
      std::fflush(stdout);
      continue;
    }
    // What happened is unknown: look, and go on from there.
    auto found = journal.read(1);
    if (!found)
      return complain(found.why());
    if (found->last_seq < seq) {
      std::printf("lost %llu\n", static_cast<unsigned long long>(seq));
      return 3;
    }
    seq = found->last_seq;
  }
  return 0;
}

int check(const std::string& path, std::uint64_t acked) {
  io::journal_file journal{path, keep_all};
  auto found = journal.read(keep_all);
  if (!found)
    return complain(found.why());
  std::uint64_t expected = 0;
  for (auto& e : found->recent)
    if (e.seq != ++expected) {
      std::printf("entry %llu is missing\n",
                  static_cast<unsigned long long>(expected));
      return 1;
    }
  if (expected < acked || found->last_seq != expected) {
    std::printf("entries end at %llu\n",
                static_cast<unsigned long long>(expected));
    return 1;
  }
  // The state of each object is the one that its last entry left.
  for (auto& [key, state] : found->states) {
    auto last = state.number("seq");
    auto kept = static_cast<std::int64_t>(expected);
    if (last > kept || last <= kept - 5) {
      std::printf("the state of %s is of entry %lld\n", key.c_str(),
                  static_cast<long long>(last));
      return 1;
    }
  }
  return 0;
}

} // namespace

int main(int argc, char** argv) {
  if (argc == 4 && argv[1] == std::string{"append"})
    return append(argv[2], std::strtoull(argv[3], nullptr, 10));
  if (argc == 4 && argv[1] == std::string{"check"})
    return check(argv[2], std::strtoull(argv[3], nullptr, 10));
  std::fprintf(stderr, "usage: journal_writer append|check FILE NUMBER\n");
  return 2;
}
