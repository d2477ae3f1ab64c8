// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/htools/formats/fields.hpp"
#include "io/htools/formats/names.hpp"
#include "io/htools/formats/text.hpp"

#include <map>

#include <fmt/format.h>

namespace orderly::io::htools {

namespace {

using namespace planning;

/// One line, and the first thing that is wrong with it.
class row {
public:
  row(std::string_view text, const std::string& file, std::size_t line)
    : fields_(split(text, '|')), where_(fmt::format("{}:{}", file, line)) {}

  std::size_t size() const { return fields_.size(); }

  std::string_view text(std::size_t at, std::string_view otherwise = {}) const {
    return at < fields_.size() ? fields_[at] : otherwise;
  }

  std::string word(std::size_t at) const { return std::string{text(at)}; }

  std::vector<std::string> words(std::size_t at) const {
    return split_words(text(at), ',');
  }

  std::int64_t whole(std::size_t at, const char* name,
                     std::string_view otherwise = {}) {
    auto x = whole_number(text(at, otherwise));
    if (!x)
      unreadable(at, name, "is no whole number");
    return x.value_or(0);
  }

  double decimal(std::size_t at, const char* name,
                 std::string_view otherwise = {}) {
    auto x = decimal_number(text(at, otherwise));
    if (!x)
      unreadable(at, name, "is no number");
    return x.value_or(0);
  }

  /// `key` is what the reference calls it.
  bool flag(std::size_t at, const char* name, const char* key,
            std::string_view otherwise = {}) {
    auto x = text(at, otherwise);
    if (x != "Y" && x != "N")
      wrong(at, name, "is neither Y nor N",
            fmt::format("Invalid {} value '{}' for {}", key, x, text(0)));
    return x == "Y";
  }

  void wrong(std::size_t at, const char* name, std::string_view what) {
    complain(
      fmt::format("field {} ({}) '{}' {}", at + 1, name, text(at), what));
  }

  /// With the reference's words first, for scripts look for them.
  void wrong(std::size_t at, const char* name, std::string_view what,
             const std::string& reference) {
    complain(fmt::format("{}: field {} ({}) '{}' {}", reference, at + 1, name,
                         text(at), what));
  }

  void unreadable(std::size_t at, const char* name, std::string_view what) {
    wrong(at, name, what,
          fmt::format("{}: {}", text(0), number_complaint(text(at))));
  }

  void complain(const std::string& what) {
    if (!fault_)
      fault_ = fault{fault_kind::bad_input, where_ + ": " + what};
  }

  void need(std::size_t least, const char* what) {
    if (size() < least)
      complain(fmt::format("Invalid/incomplete {} data: it needs {} fields, "
                           "these are {}",
                           what, least, size()));
  }

  const std::optional<fault>& trouble() const { return fault_; }

private:
  std::vector<std::string_view> fields_;
  std::string where_;
  std::optional<fault> fault_;
};

/// The reference's words for a text that is none of a few.
std::string invalid(const char* type, std::string_view text) {
  return fmt::format("Invalid string value for type {}: \"{}\"", type, text);
}

instance_size read_size(row& r, std::string_view text) {
  auto parts = split(text, ',');
  std::array<std::int64_t, 6> x{};
  auto good = parts.size() == x.size();
  for (std::size_t k = 0; good && k < x.size(); ++k) {
    auto number = whole_number(parts[k]);
    good = number.has_value();
    x[k] = number.value_or(0);
  }
  if (!good)
    r.complain(fmt::format("Invalid ispec data for {}: '{}' is no size of an "
                           "instance; give memory,cpus,disk,disks,nics,"
                           "spindles",
                           r.text(0), text));
  return {x[0], x[1], x[2], x[3], x[4], x[5]};
}

instance_policy read_policy(row& r) {
  r.need(6, "ipolicy");
  instance_policy p;
  if (r.trouble())
    return p;
  p.standard = read_size(r, r.text(1));
  p.ranges.clear();
  auto bounds = split(r.text(2), ';');
  if (bounds.empty() || bounds.size() % 2 != 0)
    r.wrong(2, "bounds", "is no list of pairs min;max",
            fmt::format("Odd number of min/max specs for {}", r.text(0)));
  for (std::size_t k = 0; k + 1 < bounds.size(); k += 2)
    p.ranges.push_back({read_size(r, bounds[k]), read_size(r, bounds[k + 1])});
  p.templates.clear();
  for (auto name : split(r.text(3), ',')) {
    auto x = disk_template_of(name);
    if (!x)
      r.wrong(3, "templates", fmt::format("names '{}', no template", name),
              invalid("DiskTemplate", name));
    p.templates.push_back(x.value_or(disk_template::diskless));
  }
  p.vcpu_ratio = r.decimal(4, "vcpu ratio");
  p.spindle_ratio = r.decimal(5, "spindle ratio");
  return p;
}

class text_reader {
public:
  explicit text_reader(std::string file) : file_(std::move(file)) {
    // nop
  }

  result<cluster> read(std::string_view text);

private:
  std::optional<fault> take(std::size_t section, std::string_view line,
                            std::size_t number);
  void take_group(row& r);
  void take_node(row& r);
  void take_instance(row& r);
  void take_policy(row& r);
  int node_of(row& r, std::size_t at, const char* name);

  std::string file_;
  cluster c_;
  std::map<std::string, int, std::less<>> groups_; ///< by uuid
  std::map<std::string, int, std::less<>> nodes_;
};

void text_reader::take_group(row& r) {
  r.need(4, "group");
  node_group g;
  g.name = r.word(0);
  g.uuid = r.word(1);
  auto policy = alloc_policy_of(r.text(2));
  if (!policy)
    r.wrong(2, "allocation policy",
            "is not one of preferred, last_resort, unallocable",
            invalid("AllocPolicy", r.text(2)));
  g.allocation = policy.value_or(alloc_policy::preferred);
  g.tags = r.words(3);
  g.networks = r.words(4);
  groups_[g.uuid] = static_cast<int>(c_.groups.size());
  c_.groups.push_back(std::move(g));
}

void text_reader::take_node(row& r) {
  r.need(9, "node");
  if (r.trouble())
    return;
  node_spec n;
  n.name = r.word(0);
  auto group = groups_.find(r.text(8));
  if (group == groups_.end())
    r.wrong(8, "group", "is the uuid of no group in the first section",
            fmt::format("Unknown group '{}' for node {}", r.text(8), n.name));
  else
    n.group = group->second;
  auto unknown = false;
  for (std::size_t k = 1; k <= 6; ++k)
    unknown |= r.text(k) == "?";
  if (!unknown) {
    n.total_memory = r.decimal(1, "total memory");
    n.node_memory = r.whole(2, "node memory");
    n.free_memory = r.whole(3, "free memory");
    n.total_disk = r.decimal(4, "total disk");
    n.free_disk = r.whole(5, "free disk");
    n.total_cpus = r.decimal(6, "cpus");
  }
  // It does not say which of them are only drained.
  n.offline = n.dead = unknown || r.text(7) == "Y";
  n.master = !unknown && r.text(7) == "M";
  n.spindles = r.whole(9, "spindles", "1");
  n.tags = r.words(10);
  n.exclusive_storage
    = r.flag(11, "exclusive storage", "exclusive_storage", "N");
  n.free_spindles = r.whole(12, "free spindles", "0");
  n.node_cpus = r.whole(13, "cpus of the node", "1");
  n.cpu_speed = r.decimal(14, "cpu speed", "1.0");
  if (unknown) { // a node of no size at all
    n.node_cpus = n.spindles = n.free_spindles = 0;
    n.exclusive_storage = false;
    n.cpu_speed = 1;
    n.tags.clear();
  }
  if (!(n.cpu_speed > 0))
    r.wrong(14, "cpu speed", "is not above 0");
  nodes_[n.name] = static_cast<int>(c_.nodes.size());
  c_.nodes.push_back(std::move(n));
}

int text_reader::node_of(row& r, std::size_t at, const char* name) {
  auto found = nodes_.find(r.text(at));
  if (found != nodes_.end())
    return found->second;
  r.wrong(
    at, name, "is no node of the second section",
    fmt::format("Unknown node '{}' for instance {}", r.text(at), r.text(0)));
  return 0;
}

void text_reader::take_instance(row& r) {
  r.need(10, "instance");
  if (r.trouble())
    return;
  instance_spec i;
  i.name = r.word(0);
  i.memory = r.whole(1, "memory");
  i.disk = r.whole(2, "disk");
  i.vcpus = r.whole(3, "vcpus");
  auto status = instance_status_of(r.text(4));
  if (!status)
    r.wrong(4, "status", "is no status of an instance",
            invalid("InstanceStatus", r.text(4)));
  i.status = status.value_or(instance_status::running);
  i.auto_balance = r.flag(5, "auto balance", "auto_balance");
  i.primary = node_of(r, 6, "primary");
  i.secondary = r.text(7).empty() ? -1 : node_of(r, 7, "secondary");
  auto disks = disk_template_of(r.text(8));
  if (!disks)
    r.wrong(8, "disk template", "is no disk template",
            fmt::format("Instance {}: {}", i.name,
                        invalid("DiskTemplate", r.text(8))));
  i.disks = disks.value_or(disk_template::diskless);
  if (!r.trouble() && i.primary == i.secondary)
    r.wrong(7, "secondary", "is the primary node too",
            fmt::format("Instance {} has same primary and secondary node - {}",
                        i.name, r.text(6)));
  i.tags = r.words(9);
  i.spindle_use = r.whole(10, "spindle use", "1");
  for (auto x : split(r.text(11, "-"), ',')) {
    auto number = whole_number(x);
    if (!number && x != "-")
      r.wrong(11, "spindles of disks", "is neither numbers nor -");
    i.disk_spindles.push_back(number);
  }
  i.forthcoming = r.flag(12, "forthcoming", "forthcoming", "N");
  c_.instances.push_back(std::move(i));
}

void text_reader::take_policy(row& r) {
  auto p = read_policy(r);
  if (r.text(0).empty()) {
    c_.policy = p;
    return;
  }
  for (auto& g : c_.groups)
    if (g.name == r.text(0))
      g.policy = p;
}

std::optional<fault> text_reader::take(std::size_t section,
                                       std::string_view line,
                                       std::size_t number) {
  row r{line, file_, number};
  switch (section) {
  case 0:
    take_group(r);
    break;
  case 1:
    take_node(r);
    break;
  case 2:
    take_instance(r);
    break;
  case 3:
    c_.tags.emplace_back(line);
    break;
  case 4:
    take_policy(r);
    break;
  default:
    break; // of formats to come
  }
  return r.trouble();
}

result<cluster> text_reader::read(std::string_view text) {
  std::size_t section = 0;
  std::size_t number = 0;
  while (!text.empty()) {
    auto end = text.find('\n');
    auto line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    ++number;
    if (line.empty()) {
      ++section;
      continue;
    }
    if (auto trouble = take(section, line, number))
      return *trouble;
  }
  auto sections = number == 0 ? 0 : section + 1;
  if (sections < 4)
    return fault{fault_kind::bad_input,
                 fmt::format("{}: Invalid format of the input file: {} "
                             "sections instead of 4 or more",
                             file_, sections)};
  return std::move(c_);
}

} // namespace

result<cluster> read_text(std::string_view text, const std::string& file) {
  return checked(text_reader{file}.read(text), read_at(file));
}

std::optional<fault> read_load(std::string_view text, const std::string& file,
                               cluster& c) {
  std::map<std::string, instance_spec*, std::less<>> instances;
  for (auto& i : c.instances)
    instances[i.name] = &i;
  std::size_t number = 0;
  while (!text.empty()) {
    auto end = text.find('\n');
    auto line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    ++number;
    auto parts = split(line, ' ');
    auto where = fmt::format("{}:{}: ", file, number);
    if (parts.size() != 1 + load_parts)
      return shown({fault_kind::bad_input,
                    fmt::format("{}Cannot parse line {}: a line of load is "
                                "`instance cpu mem dsk net`",
                                where, line)});
    load use{};
    for (std::size_t k = 0; k < load_parts; ++k) {
      auto x = decimal_number(parts[k + 1]);
      if (!x)
        return shown(
          {fault_kind::bad_input,
           fmt::format("{}{}: {}: field {} '{}' is no number", where, parts[0],
                       number_complaint(parts[k + 1]), k + 2, parts[k + 1])});
      use[k] = *x;
    }
    auto found = instances.find(parts[0]);
    if (found != instances.end())
      found->second->use = use;
  }
  return std::nullopt;
}

} // namespace orderly::io::htools
