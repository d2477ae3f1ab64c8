// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/htools/formats/names.hpp"

#include "io/json/escape.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace orderly::io::htools {

namespace {

using namespace planning;

/// The names of one thing; the first that is bad stays.
class thing {
public:
  thing(const std::string& place, const std::string& kind, std::size_t number,
        const std::string& name)
    : place_(place), kind_(kind), number_(number), name_(name) {
    check("name", name);
  }

  void check(const char* what, const std::string& text) {
    if (!is_fit_to_show(text))
      complain(fmt::format("its {} '{}' has a control character or bytes that "
                           "are no UTF-8; no {} of Ganeti has: mend it there",
                           what, text, what));
  }

  void check(const char* what, const std::vector<std::string>& texts) {
    for (const auto& t : texts)
      check(what, t);
  }

  void check_argument() {
    if (name_.starts_with('-'))
      complain("its name begins with -: commands would take it for an option; "
               "no name of Ganeti does: mend it there");
  }

  const std::optional<fault>& trouble() const { return fault_; }

private:
  void complain(const std::string& what) {
    if (fault_)
      return;
    auto number = number_ > 0 ? fmt::format(" {}", number_) : std::string{};
    fault_
      = shown({fault_kind::bad_input, fmt::format("{}: {}{} '{}': {}", place_,
                                                  kind_, number, name_, what)});
  }

  const std::string& place_;
  const std::string& kind_;
  std::size_t number_; ///< from 1; 0: there is only one
  const std::string& name_;
  std::optional<fault> fault_;
};

std::optional<fault> bad_group(const node_group& x, const std::string& place,
                               std::size_t number) {
  const std::string kind = "group";
  thing t{place, kind, number, x.name};
  t.check("uuid", x.uuid);
  t.check("tag", x.tags);
  t.check("network", x.networks);
  return t.trouble();
}

std::optional<fault> bad_node(const node_spec& x, const std::string& place,
                              std::size_t number) {
  const std::string kind = "node";
  thing t{place, kind, number, x.name};
  t.check_argument();
  t.check("tag", x.tags);
  return t.trouble();
}

std::optional<fault> bad_instance(const instance_spec& x,
                                  const std::string& place,
                                  const std::string& kind, std::size_t number) {
  thing t{place, kind, number, x.name};
  t.check_argument();
  t.check("tag", x.tags);
  t.check("network", x.networks);
  return t.trouble();
}

std::optional<fault> bad_tag(const cluster& c, const std::string& place) {
  const std::string kind = "the cluster";
  const std::string name;
  thing t{place, kind, 0, name};
  t.check("tag", c.tags);
  return t.trouble();
}

} // namespace

bool is_fit_to_show(const std::string& text) {
  auto plain = [](char c) { return c >= ' ' && c <= '~'; };
  return std::all_of(text.begin(), text.end(), plain)
         || http::one_line(text) == text;
}

read_places read_at(const std::string& place) {
  return {place, place, place, place};
}

std::optional<fault> bad_name(const cluster& c, const read_places& from) {
  std::optional<fault> found;
  for (std::size_t k = 0; k < c.groups.size() && !found; ++k)
    found = bad_group(c.groups[k], from.groups, k + 1);
  for (std::size_t k = 0; k < c.nodes.size() && !found; ++k)
    found = bad_node(c.nodes[k], from.nodes, k + 1);
  for (std::size_t k = 0; k < c.instances.size() && !found; ++k)
    found = bad_instance(c.instances[k], from.instances, "instance", k + 1);
  return found ? found : bad_tag(c, from.cluster);
}

std::optional<fault> bad_name(const instance_spec& x, const std::string& place,
                              const std::string& what) {
  return bad_instance(x, place, what, 0);
}

fault shown(const fault& why) {
  return {why.kind, http::one_line(why.text)};
}

result<cluster> checked(result<cluster> read, const read_places& from) {
  if (!read)
    return shown(read.why());
  if (auto wrong = bad_name(*read, from))
    return *wrong;
  return read;
}

} // namespace orderly::io::htools
