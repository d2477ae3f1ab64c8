// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// No words crash the reader of changes; what it takes is a cluster that can be
// planned with, whatever the order of the words, or a sentence. Where the words
// have no change, the bytes stand for the value of one.

#include "actors/planning/whatif/what_if.hpp"
#include "io/htools/formats/fields.hpp"
#include "io/htools/formats/read_changes.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

namespace {

using namespace orderly;
using namespace orderly::planning;

void demand(bool holds) {
  if (!holds)
    std::abort();
}

/// Two groups of two nodes, and an instance of each sort that matters.
cluster four_nodes() {
  cluster c;
  c.groups.push_back({"g", "u", {}, {}, {}, {}});
  c.groups.push_back({"h", "v", {}, {}, {}, {}});
  for (const auto* name : {"n1", "n2", "n3", "n4"}) {
    node_spec n;
    n.name = name;
    n.total_memory = 9000;
    n.free_memory = 8000;
    n.total_disk = 90000;
    n.free_disk = 80000;
    n.total_cpus = 8;
    n.group = static_cast<int>(c.nodes.size() / 2);
    c.nodes.push_back(n);
  }
  for (auto disks :
       {disk_template::ext, disk_template::drbd, disk_template::plain}) {
    instance_spec i;
    i.name = std::string{name_of(disks)};
    i.memory = 1000;
    i.disk = 2000;
    i.vcpus = 1;
    i.disks = disks;
    i.secondary = disks == disk_template::drbd ? 1 : -1;
    c.instances.push_back(i);
  }
  return c;
}

/// Planning with thousands is slow, and teaches the reader nothing.
bool is_small(const change_set& x) {
  std::int64_t sum = 0;
  for (const auto& n : x.added)
    sum += n.count;
  for (const auto& i : x.grown)
    sum += i.count;
  return sum <= 8;
}

void check(std::vector<std::string> words) {
  auto read = io::htools::read_changes(words);
  if (!read) {
    demand(!read.why().text.empty());
    return;
  }
  if (!is_small(*read))
    return;
  auto c = four_nodes();
  auto answer = what_if(c, *read, {});
  if (!answer) {
    demand(!answer.why().text.empty());
    return;
  }
  demand(answer->now.instances.size() + answer->lost_instances.size()
         == c.instances.size() + at(static_cast<int>(answer->created)));
  std::reverse(words.begin(), words.end());
  auto again = what_if(c, *io::htools::read_changes(words), {});
  demand(again && again->now == answer->now && again->is == answer->is);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  std::string text{reinterpret_cast<const char*>(data), size};
  check(io::htools::split_words(text, ' '));
  for (const auto* key : {"lose=", "add=2*", "ram=n1:+", "grow="})
    check({key + text});
  return 0;
}
