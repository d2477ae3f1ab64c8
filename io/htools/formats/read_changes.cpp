// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/htools/formats/read_changes.hpp"

#include "io/htools/formats/fields.hpp"
#include "io/htools/formats/names.hpp"

#include <numeric>

#include <fmt/format.h>

namespace orderly::io::htools {

namespace {

using namespace planning;

constexpr std::int64_t most_mib = 1'000'000'000'000;
constexpr std::int64_t most_cpus = 1'000'000;
constexpr std::string_view group_mark = "group:";
constexpr std::string_view like_mark = "like:";

/// The part before the last mark, and what is behind it.
struct halves {
  std::string_view before;
  std::string_view behind;
};

std::optional<halves> halves_at(std::string_view text, char mark) {
  auto where = text.rfind(mark);
  if (where == std::string_view::npos)
    return std::nullopt;
  return halves{text.substr(0, where), text.substr(where + 1)};
}

class reader {
public:
  result<change_set> run(const std::vector<std::string>& words) {
    for (const auto& word : words) {
      word_ = word;
      read(word);
      if (fault_)
        return shown(*fault_);
    }
    if (sum(all_.added) > most_new)
      return fault{fault_kind::bad_input,
                   fmt::format("add: {} nodes together are more than {}; ask "
                               "for fewer",
                               sum(all_.added), most_new)};
    if (sum(all_.grown) > most_new)
      return fault{fault_kind::bad_input,
                   fmt::format("grow: {} instances together are more than {}; "
                               "ask for fewer",
                               sum(all_.grown), most_new)};
    return std::move(all_);
  }

private:
  template <class T>
  static std::int64_t sum(const std::vector<T>& all) {
    return std::accumulate(
      all.begin(), all.end(), std::int64_t{0},
      [](std::int64_t n, const T& x) { return n + x.count; });
  }

  void complain(const std::string& what) {
    if (!fault_)
      fault_
        = fault{fault_kind::bad_input, fmt::format("'{}': {}", word_, what)};
  }

  void read(std::string_view word) {
    auto equals = word.find('=');
    auto key = word.substr(0, equals);
    auto value = equals == std::string_view::npos ? std::string_view{}
                                                  : word.substr(equals + 1);
    if (key == "lose")
      read_nodes(value, all_.lost);
    else if (key == "drain")
      read_nodes(value, all_.drained);
    else if (key == "empty")
      read_groups(value);
    else if (key == "add")
      read_added(value);
    else if (key == "ram")
      read_memory(value);
    else if (key == "grow")
      read_grown(value);
    else
      complain("this is no change; write lose=, drain=, empty=, add=, ram= or "
               "grow= with what follows (--help has examples)");
  }

  std::string name(std::string_view text, const char* what) {
    if (text.empty())
      complain(fmt::format("the name of a {} is missing", what));
    return std::string{text};
  }

  whose_nodes nodes(std::string_view text) {
    if (text.starts_with(group_mark))
      return {true, name(text.substr(group_mark.size()), "group")};
    return {false, name(text, "node")};
  }

  void read_nodes(std::string_view value, std::vector<whose_nodes>& to) {
    if (value.empty())
      return complain("no node is named; write NODE,NODE or group:GROUP");
    for (auto part : split(value, ','))
      to.push_back(nodes(part));
  }

  void read_groups(std::string_view value) {
    if (value.empty())
      return complain("no group is named; write GROUP,GROUP");
    for (auto part : split(value, ','))
      all_.emptied.push_back(name(part, "group"));
  }

  std::int64_t whole(std::string_view text, const char* what,
                     std::int64_t least, std::int64_t most) {
    auto x = whole_number(text);
    if (!x || *x < least || *x > most) {
      complain(fmt::format("{} '{}' is no whole number from {} to {}", what,
                           text, least, most));
      return least;
    }
    return *x;
  }

  mib size(std::string_view text, const char* what, mib least) {
    auto x = size_in_mib(text);
    if (!x || *x < least || *x > most_mib) {
      complain(fmt::format("{} '{}' is no size from {} MiB up, like 65536 or "
                           "64g",
                           what, text, least));
      return least;
    }
    return *x;
  }

  /// Takes `3*` off the front.
  std::int64_t count(std::string_view& text) {
    auto star = text.find('*');
    if (star == std::string_view::npos)
      return 1;
    auto x = whole(text.substr(0, star), "the factor", 1, most_new);
    text = text.substr(star + 1);
    return x;
  }

  void read_added(std::string_view value) {
    new_nodes x;
    x.count = count(value);
    if (value.starts_with(like_mark)) {
      x.like = name(value.substr(like_mark.size()), "node");
    } else {
      auto parts = halves_at(value, '@');
      auto sizes = split(parts ? parts->before : value, ',');
      if (!parts || sizes.size() != 3)
        return complain("write N*like:NODE or N*MEMORY,DISK,CPUS@GROUP");
      x.memory = size(sizes[0], "the memory", 1);
      x.disk = size(sizes[1], "the disk", 0);
      x.cpus = whole(sizes[2], "the number of CPUs", 1, most_cpus);
      x.group = name(parts->behind, "group");
    }
    all_.added.push_back(std::move(x));
  }

  void read_memory(std::string_view value) {
    auto parts = halves_at(value, ':');
    if (!parts || !parts->behind.starts_with('+'))
      return complain("write NODE:+SIZE or group:GROUP:+SIZE, as in "
                      "node1:+64g");
    more_memory x;
    x.where = nodes(parts->before);
    x.by = size(parts->behind.substr(1), "the memory", 1);
    all_.memory.push_back(std::move(x));
  }

  void read_grown(std::string_view value) {
    new_instances x;
    x.count = count(value);
    auto group = halves_at(value, '@');
    if (group)
      x.group = name(group->behind, "group");
    auto parts = split(group ? group->before : value, ',');
    if (parts.size() != 4)
      return complain("write N*MEMORY,DISK,VCPUS,TEMPLATE or "
                      "N*MEMORY,DISK,VCPUS,TEMPLATE@GROUP");
    x.memory = size(parts[0], "the memory", 1);
    x.disk = size(parts[1], "the disk", 0);
    x.vcpus = whole(parts[2], "the number of virtual CPUs", 1, most_cpus);
    read_template(parts[3], x);
    all_.grown.push_back(std::move(x));
  }

  /// `drbd`, or with its pool: `ext:external/nas1`.
  void read_template(std::string_view text, new_instances& to) {
    auto colon = text.find(':');
    auto disks = disk_template_of(text.substr(0, colon));
    if (!disks)
      return complain(
        fmt::format("there is no disk template '{}'", text.substr(0, colon)));
    to.disks = *disks;
    if (colon == std::string_view::npos)
      return;
    auto usual = derived_pool(*disks);
    auto parts = split(text.substr(colon + 1), '/');
    if (!usual || parts.size() != 2 || parts[1].empty()
        || parts[0] != name_of(usual->type))
      return complain(usual ? fmt::format("a pool of template {} is like {}/{}",
                                          name_of(*disks), name_of(usual->type),
                                          usual->pool)
                            : "diskless instances have no volumes");
    to.pool = storage_pool{usual->type, std::string{parts[1]}};
  }

  std::string word_;
  change_set all_;
  std::optional<fault> fault_;
};

} // namespace

result<change_set> read_changes(const std::vector<std::string>& words) {
  return reader{}.run(words);
}

} // namespace orderly::io::htools
