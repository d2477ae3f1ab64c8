// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/console/what_if.hpp"

#include "io/console/exchange.hpp"
#include "io/console/json_parts.hpp"
#include "io/htools/formats/luxi_source.hpp"
#include "io/htools/formats/read_changes.hpp"
#include "io/htools/tools/hbal_load.hpp"
#include "io/htools/tools/read_pools.hpp"
#include "io/htools/tools/tools.hpp"
#include "io/json/render.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <ostream>
#include <set>
#include <variant>

#include <fmt/format.h>

namespace orderly::io::console {

namespace {

using nlohmann::json;

/// Ganeti asks every node for its figures, and a dead one lets it wait.
constexpr millis figures_limit = minutes{2};

/// What orderlyd knows of nodes that Ganeti does not.
struct known_nodes {
  std::set<std::string> all;
  std::set<std::string> proved_down; ///< and not offline in Ganeti
};

known_nodes take_nodes(const json& rows, surroundings& with) {
  known_nodes got;
  for (const auto& row : rows) {
    auto name = word(row, "name");
    got.all.insert(name);
    if (flag(row, "offline"))
      continue;
    const auto& proof = part(row, "proved_down");
    if (proof.is_object()) {
      got.proved_down.insert(name);
      tell(with, exit_ok,
           fmt::format("{} counts as dead: {}", name, word(proof, "text")));
    } else if (flag(row, "troubled")) {
      tell(with, exit_ok,
           fmt::format("{} is {} and counts as alive; to see it dead, add "
                       "lose={}",
                       name, word(row, "phase"), name));
    }
  }
  return got;
}

/// The options of hwhatif, by its own rules.
std::variant<htools::tool_options, std::string>
options_of(const command_line& line) {
  std::vector<std::string> words{"--link=" + line.link};
  if (line.advise)
    words.emplace_back("--advise");
  if (line.json)
    words.emplace_back("--output=json");
  if (!line.pools.empty())
    words.push_back("--pools=" + line.pools);
  auto read = htools::read_options(htools::tool::hwhatif, words);
  if (const auto* wrong = std::get_if<htools::option_fault>(&read))
    return wrong->text;
  auto o = std::get<htools::tool_options>(std::move(read));
  o.words = line.changes; // none of them is an option
  if (auto asked = htools::read_changes(o.words); !asked)
    return asked.why().text;
  return o;
}

/// Adds what the file of --pools says; what is wrong with it.
std::string add_pools(planning::cluster& c, const htools::tool_options& o,
                      surroundings& with) {
  if (o.pools_file.empty())
    return {};
  auto text = htools::read_whole(o.pools_file);
  if (!text)
    return text.why().text;
  auto strangers = htools::read_pools(*text, o.pools_file, c);
  if (!strangers)
    return strangers.why().text;
  for (const auto& x : *strangers)
    tell(with, exit_ok,
         fmt::format("{} names {}, which the cluster does not have",
                     o.pools_file, x));
  return {};
}

/// The cluster as it is, with all that is dead; or the sentence why not.
result<planning::cluster> read_cluster(const command_line& line,
                                       const known_nodes& known,
                                       const htools::tool_options& o,
                                       surroundings& with) {
  auto got = htools::read_luxi_live(line.luxi, o.kvm_node_memory,
                                    std::max(figures_limit, line.deadline));
  if (!got)
    return got.why();
  auto& c = got->model;
  auto same = std::any_of(c.nodes.begin(), c.nodes.end(), [&](const auto& n) {
    return known.all.count(n.name) > 0;
  });
  if (!same && !known.all.empty())
    return fault{
      fault_kind::bad_input,
      fmt::format("orderlyd at {} keeps another cluster in order "
                  "than that of the query socket: no node is in both",
                  line.socket)};
  for (const auto& name : got->silent)
    if (known.proved_down.count(name) == 0)
      tell(with, exit_ok,
           fmt::format("{} counts as dead: Ganeti has no figures of it", name));
  for (auto& n : c.nodes)
    if (known.proved_down.count(n.name) > 0)
      n.offline = n.dead = true;
  if (auto wrong = add_pools(c, o, with); !wrong.empty())
    return fault{fault_kind::bad_input, wrong};
  return std::move(c);
}

/// hwhatif's object, and who counted as dead before all changes.
std::string with_dead(const std::string& text, const planning::cluster& c) {
  auto x = json::parse(text);
  auto& dead = x["dead"] = json::array();
  for (const auto& n : c.nodes)
    if (n.dead)
      dead.push_back(n.name);
  return http::to_text(x) + "\n";
}

} // namespace

int show_what_if(const command_line& line, surroundings& with) {
  auto read = options_of(line);
  if (const auto* wrong = std::get_if<std::string>(&read))
    return tell(with, exit_failed, *wrong);
  const auto& o = std::get<htools::tool_options>(read);
  auto nodes = listen(line, with, {"GET", "/2/nodes", ""});
  if (nodes.code != exit_ok)
    return nodes.code;
  const auto& rows = part(nodes.body, "nodes");
  if (!rows.is_array())
    return tell(with, exit_failed, strange_answer(line.socket));
  auto c = read_cluster(line, take_nodes(rows, with), o, with);
  if (!c)
    return tell(with, exit_failed, c.why().text);
  auto said = htools::say_what_if(*c, o);
  if (!said)
    return tell(with, exit_failed, said.why().text);
  with.out << (o.json ? with_dead(said->text, *c) : said->text);
  with.out.flush();
  return with.out ? said->code
                  : tell(with, exit_failed, "cannot write the output");
}

} // namespace orderly::io::console
