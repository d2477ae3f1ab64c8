// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/htools/tools/hbal_load.hpp"

#include "actors/planning/moves/placement.hpp"
#include "io/htools/formats/fields.hpp"
#include "io/htools/formats/names.hpp"
#include "io/htools/formats/text.hpp"
#include "io/htools/monitors/monitor_loads.hpp"
#include "io/htools/tools/source.hpp"
#include "io/htools/tools/tables.hpp"
#include "io/json/escape.hpp"
#include "io/ownership/path.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <memory>

#include <fcntl.h>
#include <fmt/format.h>

namespace orderly::io::htools {

namespace {

using namespace planning;

struct closer {
  void operator()(std::FILE* f) const { std::fclose(f); }
};

using file = std::unique_ptr<std::FILE, closer>;

fault trouble(const std::string& path) {
  // The reference's word for it stands before the system's.
  auto word = errno == ENOENT   ? "openFile: does not exist"
              : errno == EACCES ? "openFile: permission denied"
              : errno == EISDIR ? "openFile: inappropriate type"
                                : "openFile: failed";
  auto kind = errno == ENOENT ? fault_kind::not_found : fault_kind::io;
  return {kind, fmt::format("{}: {} ({})", path, word, std::strerror(errno))};
}

/// The descriptor of a file that is empty now.
int open_to_write(const std::string& path, int more) {
  constexpr mode_t usual = 0666;
  return ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | more,
                usual);
}

/// For all nodes together; each has the limit of monitor_rules.
constexpr std::chrono::milliseconds monitors_limit = std::chrono::minutes{2};

bool has_name(const std::string& full, const std::string& asked) {
  return full == asked
         || (full.size() > asked.size() && full[asked.size()] == '.'
             && full.compare(0, asked.size(), asked) == 0);
}

/// Calls `mark` for each named instance; the names that are none.
template <class Mark>
std::vector<std::string>
mark_instances(cluster& c, const std::vector<std::string>& names, Mark mark) {
  std::vector<std::string> unknown;
  for (const auto& name : names) {
    auto found = std::find_if(
      c.instances.begin(), c.instances.end(),
      [&](const instance_spec& i) { return has_name(i.name, name); });
    if (found == c.instances.end())
      unknown.push_back('"' + name + '"');
    else
      mark(*found);
  }
  return unknown;
}

} // namespace

result<std::string> read_all(std::FILE* from, const std::string& name) {
  std::string text;
  std::array<char, 65536> buffer;
  std::size_t got = 0;
  // Longer than any cluster's, and no pipe or device is without an end.
  constexpr std::size_t size_max = std::size_t{256} << 20;
  while ((got = std::fread(buffer.data(), 1, buffer.size(), from)) > 0) {
    text.append(buffer.data(), got);
    if (text.size() > size_max)
      return fault{fault_kind::bad_input, name + ": it is longer than 256 MiB"};
  }
  if (std::ferror(from) != 0)
    return trouble(name);
  return text;
}

result<std::string> read_whole(const std::string& path) {
  errno = 0;
  file f{std::fopen(path.c_str(), "rb")};
  if (!f)
    return trouble(path);
  return read_all(f.get(), path);
}

std::optional<fault> write_whole(const std::string& path,
                                 const std::string& text) {
  auto fd = open_to_write(path, O_NOFOLLOW);
  if (fd < 0 && errno == ELOOP) { // it is a link
    if (auto doubt = doubt_way(path); !doubt.text.empty())
      return fault{fault_kind::io,
                   fmt::format("{}: it is a link that others could turn "
                               "elsewhere: {}; or name the file itself",
                               path, doubt.text)};
    fd = open_to_write(path, 0);
  }
  file f{fd < 0 ? nullptr : ::fdopen(fd, "wb")};
  if (!f || std::fwrite(text.data(), 1, text.size(), f.get()) != text.size()
      || std::fflush(f.get()) != 0)
    return trouble(path);
  return std::nullopt;
}

result<cluster> load_cluster(const hbal_options& o) {
  auto c = read_source(o);
  if (!c)
    return c;
  if (!o.load_file.empty()) {
    auto loads = read_whole(o.load_file);
    if (!loads)
      return loads.why();
    if (auto wrong = read_load(*loads, o.load_file, *c))
      return fault{wrong->kind, "can't parse utilisation data: " + wrong->text};
  }
  if (!o.selected.empty())
    for (auto& i : c->instances)
      i.excluded = true;
  auto unknown = mark_instances(*c, o.selected,
                                [](instance_spec& i) { i.excluded = false; });
  auto more = mark_instances(*c, o.excluded,
                             [](instance_spec& i) { i.excluded = true; });
  unknown.insert(unknown.end(), more.begin(), more.end());
  if (!unknown.empty())
    return fault{fault_kind::not_found,
                 fmt::format("Unknown instance(s): [{}]", join(unknown, ','))};
  return c;
}

std::vector<std::string> oddities(const cluster& c) {
  std::vector<mib> memory(c.nodes.size());
  std::vector<mib> disk(c.nodes.size());
  for (std::size_t n = 0; n < c.nodes.size(); ++n) {
    const auto& x = c.nodes[n];
    memory[n]
      = static_cast<mib>(x.total_memory) - x.node_memory - x.free_memory;
    disk[n] = static_cast<mib>(x.total_disk) - x.free_disk;
  }
  for (const auto& i : c.instances) {
    if (i.forthcoming)
      continue;
    auto p = static_cast<std::size_t>(i.primary);
    memory[p] -= uses_memory(i) ? i.memory : 0;
    disk[p] -= i.disk;
    if (i.secondary >= 0)
      disk[static_cast<std::size_t>(i.secondary)] -= i.disk;
  }
  std::vector<std::string> result;
  for (std::size_t n = c.nodes.size(); n-- > 0;) {
    if (memory[n] <= 512 && disk[n] <= 1024)
      continue;
    auto gib = disk[n] / 1024 - (disk[n] % 1024 < 0 ? 1 : 0);
    result.push_back(fmt::format("node {} is missing {} MB ram and {} GB disk",
                                 c.nodes[n].name, memory[n], gib));
  }
  return result;
}

std::vector<std::string> set_offline(cluster& c,
                                     const std::vector<std::string>& names,
                                     const std::string& suffix) {
  std::vector<std::string> unknown;
  for (const auto& name : names) {
    auto found
      = std::find_if(c.nodes.begin(), c.nodes.end(), [&](const node_spec& n) {
          return n.name == name || short_name(n.name, suffix) == name;
        });
    if (found == c.nodes.end())
      unknown.push_back(name);
    else
      found->offline = found->dead = true;
  }
  return unknown;
}

std::optional<fault> add_monitored_load(cluster& c, const tool_options& o,
                                        std::FILE* err) {
  if (!o.ask_monitors || o.build.no_load)
    return std::nullopt;
  auto kind = o.xen_load ? load_kind::xen : load_kind::node;
  monitor_answers answers;
  if (o.monitor_file.empty()) {
    monitor_rules rules;
    rules.time_limit = monitors_limit;
    answers = ask_monitors_of(c, kind, rules);
  } else {
    auto text = read_whole(o.monitor_file);
    if (!text)
      return text.why();
    auto read = read_monitor_file(*text, o.monitor_file, c, kind);
    if (!read) {
      auto why = shown(read.why());
      return fault{why.kind, "can't parse MonD data: " + why.text};
    }
    answers = std::move(*read);
  }
  auto why = use_answers(c, answers);
  if (why.empty())
    return std::nullopt;
  fmt::print(err, "{}\n", http::one_line(why));
  if (o.need_monitors)
    return fault{fault_kind::not_found, "Not all required data available"};
  return std::nullopt;
}

void copy_from_all(cluster& c) {
  for (auto& n : c.nodes)
    n.dead = false;
}

} // namespace orderly::io::htools
