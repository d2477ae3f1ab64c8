// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/htools/tools/room_text.hpp"

#include "io/htools/formats/fields.hpp"
#include "io/htools/formats/json_value.hpp"

#include <fmt/format.h>

namespace orderly::io::htools {

using namespace planning;

namespace {

std::string upper(std::string_view text) {
  std::string result{text};
  for (auto& c : result)
    c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return result;
}

double part(double of, double whole) {
  return of / whole;
}

struct tier {
  instance_spec size;
  std::int64_t spindles = 0;
  std::int64_t count = 0;
};

std::int64_t spindles_of(const instance_spec& x) {
  return x.disk_spindles.empty() ? 0 : x.disk_spindles.front().value_or(0);
}

/// Runs of instances of one size, in order.
std::vector<tier> tiers_of(const std::vector<filled>& made) {
  std::vector<tier> result;
  for (const auto& m : made) {
    auto same = !result.empty() && result.back().size.memory == m.spec.memory
                && result.back().size.disk == m.spec.disk
                && result.back().size.vcpus == m.spec.vcpus
                && result.back().spindles == spindles_of(m.spec);
    if (!same)
      result.push_back({m.spec, spindles_of(m.spec), 0});
    ++result.back().count;
  }
  return result;
}

} // namespace

template <class T>
void room_text::key(const std::string& name, const T& value) {
  fmt::print(to_.out, "HTS_{}={}\n", name,
             shell_word(fmt::format("{}", value)));
}

void room_text::keys_of(const std::string& when, const totals& t) {
  auto whole = [&](const char* name, auto x) { key(when + "_" + name, x); };
  auto ratio = [&](const char* name, double x) {
    key(when + "_" + name, fixed_decimal(x, 8));
  };
  ratio("SCORE", t.score);
  whole("INST_CNT", t.instances);
  whole("MEM_FREE", t.free_memory);
  whole("MEM_AVAIL", t.available_memory);
  whole("MEM_RESVD", t.free_memory - t.available_memory);
  whole("MEM_INST", t.used_memory);
  whole("MEM_OVERHEAD", t.overhead);
  ratio("MEM_EFF", part(static_cast<double>(t.used_memory), t.memory));
  whole("DSK_FREE", t.free_disk);
  whole("DSK_AVAIL", t.available_disk);
  whole("DSK_RESVD", t.free_disk - t.available_disk);
  whole("DSK_INST", t.used_disk);
  ratio("DSK_EFF", part(static_cast<double>(t.used_disk), t.disk));
  whole("SPN_FREE", t.free_spindles);
  whole("SPN_INST", t.used_spindles);
  ratio("SPN_EFF", part(static_cast<double>(t.used_spindles),
                        static_cast<double>(t.spindles)));
  whole("CPU_INST", t.used_cpus);
  ratio("CPU_EFF", part(static_cast<double>(t.used_cpus),
                        static_cast<double>(t.virtual_cpus)));
  whole("MNODE_MEM_AVAIL", t.most_memory);
  whole("MNODE_DSK_AVAIL", t.most_disk);
}

void room_text::show_cluster(const totals& t, std::size_t nodes) {
  if (o_.machine_readable) {
    key("CLUSTER_MEM", fmt::format("{:.0f}", t.memory));
    key("CLUSTER_DSK", fmt::format("{:.0f}", t.disk));
    key("CLUSTER_CPU", fmt::format("{:.0f}", t.cpus));
    key("CLUSTER_VCPU", t.virtual_cpus);
    key("CLUSTER_SPN", t.spindles);
    key("CLUSTER_NODES", nodes);
    keys_of("INI", t);
    return;
  }
  fmt::print(to_.out,
             "The cluster has {} nodes and the following resources:\n"
             "  MEM {:.0f}, DSK {:.0f}, CPU {:.0f}, VCPU {}{}.\n",
             nodes, t.memory, t.disk, t.cpus, t.virtual_cpus,
             spindles_text(t.spindles));
  fmt::print(to_.out, "There are {} initial instances on the cluster.\n",
             t.instances == 0 ? "no" : std::to_string(t.instances));
}

void room_text::keys_of_size(const std::string& what, const room_found& r) {
  key(what + "_MEM", r.size.memory);
  key(what + "_DSK", r.size.disk);
  key(what + "_CPU", r.size.vcpus);
  key(what + "_SPN", spindles_of(r.size));
  key(what + "_RQN", r.nodes);
  key(what + "_DISK_TEMPLATE", name_of(r.size.disks));
}

void room_text::keys_of_use(const std::string& what, double cpus, double normed,
                            mib memory, mib disk, std::int64_t spindles) {
  key(what + "_CPU", fmt::format("{:.0f}", cpus));
  key(what + "_NPU", short_decimal(normed));
  key(what + "_MEM", memory);
  key(what + "_DSK", disk);
  key(what + "_SPN", spindles);
}

std::string room_text::spindles_text(std::int64_t count) const {
  return spindles_ ? fmt::format(", SPN {}", count) : std::string{};
}

void room_text::show_size(const char* what, const room_found& r) {
  fmt::print(to_.out,
             "{} instance spec is:\n  MEM {}, DSK {}, CPU {}{}, using disk "
             "template '{}'.\n",
             what, r.size.memory, r.size.disk, r.size.vcpus,
             spindles_text(spindles_of(r.size)), name_of(r.size.disks));
}

void room_text::show_result(const room_found& r, const totals& before) {
  auto percent = [](double of, double whole) {
    auto text = fixed_decimal(100 * of / whole, 2);
    return fmt::format("{:>5}", text);
  };
  const auto& t = r.after;
  fmt::print(to_.out,
             "  - most likely failure reason: {}\n"
             "  - initial cluster score: {}\n"
             "  -   final cluster score: {}\n",
             r.reasons.empty() ? "unknown" : name_of(r.reasons.front().first),
             fixed_decimal(before.score, 8), fixed_decimal(t.score, 8));
  auto part_line = [&](const char* what, auto of, auto whole) {
    fmt::print(to_.out, "  - {:>{}} usage efficiency: {}%\n", what,
               spindles_ ? 8 : 6,
               percent(static_cast<double>(of), static_cast<double>(whole)));
  };
  part_line("memory", t.used_memory, t.memory);
  part_line("disk", t.used_disk, t.disk);
  part_line("vcpu", t.used_cpus, t.virtual_cpus);
  if (spindles_)
    part_line("spindles", t.used_spindles, t.spindles);
}

void room_text::show_tiered(const room_found& r, const totals& before) {
  const auto& t = r.after;
  auto tiers = tiers_of(r.made);
  if (!o_.machine_readable) {
    show_size("Tiered (initial size)", r);
    fmt::print(to_.out, "Tiered allocation results:\n");
    if (tiers.empty())
      fmt::print(to_.out, "  - no instances allocated\n");
    for (const auto& x : tiers)
      fmt::print(to_.out,
                 "  - {:3} instances of spec MEM {}, DSK {}, CPU {}{}\n",
                 x.count, x.size.memory, x.size.disk, x.size.vcpus,
                 spindles_text(x.spindles));
    show_result(r, before);
    return;
  }
  keys_of_size("TSPEC_INI", r);
  keys_of("TRL", t);
  std::string list;
  for (const auto& x : tiers)
    list
      += fmt::format("{}{},{},{},{}={}", list.empty() ? "" : " ", x.size.memory,
                     x.size.disk, x.size.vcpus, x.spindles, x.count);
  key("TSPEC", list);
  auto used = static_cast<double>(before.used_cpus);
  keys_of_use("KM_USED", used, before.normed_cpus, before.used_memory,
              before.used_disk, before.used_spindles);
  keys_of_use(
    "KM_POOL", static_cast<double>(t.used_cpus) - used,
    t.normed_cpus - before.normed_cpus, t.used_memory - before.used_memory,
    t.used_disk - before.used_disk, t.used_spindles - before.used_spindles);
  keys_of_use(
    "KM_UNAV", static_cast<double>(t.virtual_cpus - t.used_cpus),
    t.cpus - t.normed_cpus, static_cast<mib>(t.memory) - t.used_memory,
    static_cast<mib>(t.disk) - t.used_disk, t.spindles - t.used_spindles);
}

void room_text::show_standard(const room_found& r, const totals& before) {
  if (!o_.machine_readable) {
    show_size("Standard (fixed-size)", r);
    fmt::print(to_.out,
               "Normal (fixed-size) allocation results:\n  - {:3} instances "
               "allocated\n",
               r.made.size());
    show_result(r, before);
    return;
  }
  keys_of_size("SPEC", r);
  keys_of("FIN", r.after);
  key("ALLOC_USAGE", fixed_decimal(part(static_cast<double>(before.instances),
                                        static_cast<double>(r.after.instances)),
                                   8));
  key("ALLOC_INSTANCES", r.made.size());
  if (!r.reasons.empty())
    key("ALLOC_FAIL_REASON", upper(name_of(r.reasons.front().first)));
  for (const auto& [why, count] : r.reasons)
    key(fmt::format("ALLOC_{}_CNT", upper(name_of(why))), count);
}

void room_text::show_end() {
  if (o_.machine_readable)
    key("OK", 1);
}

std::string room_json(const totals& before, const room_found& tiered,
                      const room_found& standard) {
  auto part = [](const room_found& r) {
    std::vector<std::string> sizes;
    for (const auto& x : tiers_of(r.made))
      sizes.push_back(fmt::format(
        "{{\"memory\":{},\"disk\":{},\"vcpus\":{},\"spindles\":{},\"count\":"
        "{}}}",
        x.size.memory, x.size.disk, x.size.vcpus, x.spindles, x.count));
    std::vector<std::string> reasons;
    for (const auto& [why, count] : r.reasons)
      reasons.push_back(fmt::format("\"{}\":{}", name_of(why), count));
    return fmt::format("{{\"disk_template\":\"{}\",\"instances\":{},\"sizes\":"
                       "[{}],\"failures\":{{{}}},\"score\":{}}}",
                       name_of(r.size.disks), r.made.size(), join(sizes, ','),
                       join(reasons, ','), json_number(r.after.score));
  };
  return fmt::format("{{\"instances\":{},\"score\":{},\"tiered\":{},"
                     "\"standard\":{}}}\n",
                     before.instances, json_number(before.score), part(tiered),
                     part(standard));
}

} // namespace orderly::io::htools
