// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "actors/planning/moves/placement.hpp"
#include "io/htools/formats/fields.hpp"
#include "io/htools/formats/json_value.hpp"
#include "io/htools/formats/text.hpp"
#include "io/htools/hail/answer.hpp"
#include "io/htools/hail/state.hpp"
#include "io/htools/tools/hbal_load.hpp"
#include "io/htools/tools/read_pools.hpp"
#include "io/htools/tools/source.hpp"
#include "io/htools/tools/tables.hpp"
#include "io/htools/tools/tools.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace orderly::io::htools {

namespace {

using namespace planning;

/// One run, from the options to the line of the answer.
class hail_run {
public:
  hail_run(const tool_options& o, tool_output to) : o_(o), to_(to) {
    // nop
  }

  int all() {
    if (!load())
      return 1;
    if (o_.verbose > 1)
      fmt::print(to_.err, "Received request: {}\n",
                 request_text(request_.what));
    if (o_.verbose > 2)
      fmt::print(to_.err, "Received cluster data:\n{}",
                 cluster_text(request_.nodes));
    auto suffix = common_suffix(request_.nodes);
    add_new_instances(request_);
    if (auto wrong = add_pools(request_.nodes, o_, to_.err)) {
      stop("failed to load data, aborting: " + wrong->text);
      return 1;
    }
    const auto& c = request_.nodes;
    placement p{c, std::nullopt, o_.build};
    show(p, suffix, "Initial");
    if (!save(p, "pre-ialloc", "before"))
      return 1;
    fmt::print(to_.out, "{}", answer(p, request_, o_));
    show(p, suffix, "Final");
    return save(p, "post-ialloc", "after") ? 0 : 1;
  }

private:
  bool stop(const std::string& why) {
    fmt::print(to_.err, "Error: {}\n", why);
    return false;
  }

  bool load() {
    if (o_.words.empty())
      return stop("This program needs an input file.");
    if (o_.words.size() > 1)
      return stop("Only one argument is accepted (the input file)");
    const auto& path = o_.words.front();
    auto text
      = path == "-" ? read_all(stdin, "standard input") : read_whole(path);
    if (!text) {
      fmt::print(to_.err, "hail: {}\n", text.why().text);
      return false;
    }
    auto request = read_request(*text, path, o_.kvm_node_memory);
    if (!request)
      return stop(request.why().text);
    request_ = std::move(*request);
    if (o_.sources > 0 || !o_.simulate.empty()) {
      auto c = read_source(o_);
      if (!c)
        return stop("failed to load data, aborting: " + c.why().text);
      request_.nodes = std::move(*c);
    }
    if (auto wrong = add_monitored_load(request_.nodes, o_, to_.err))
      return stop(wrong->text);
    warn();
    return true;
  }

  void warn() {
    auto odd = oddities(request_.nodes);
    if (odd.empty())
      return;
    fmt::print(to_.err, "Warning: cluster has inconsistent data:\n");
    for (const auto& x : odd)
      fmt::print(to_.err, "  - {}\n", x);
    fmt::print(to_.err, "\n");
  }

  void show(const placement& p, const std::string& suffix, const char* when) {
    if (o_.node_fields)
      fmt::print(to_.err, "\n{} cluster status:\n{}\n", when,
                 node_table(p, *o_.node_fields, suffix));
  }

  bool save(const placement& p, const char* suffix, const char* when) {
    if (!o_.save)
      return true;
    auto c = moved_cluster(request_.nodes, p);
    auto nowhere = [](const instance_spec& i) { return i.primary < 0; };
    c.instances.erase(
      std::remove_if(c.instances.begin(), c.instances.end(), nowhere),
      c.instances.end());
    auto path = *o_.save + "." + suffix;
    if (auto wrong = write_whole(path, write_text(c)))
      return stop(wrong->text);
    fmt::print(to_.err,
               "The cluster state {} iallocator run has been written to file "
               "'{}'\n",
               when, path);
    return true;
  }

  const tool_options& o_;
  tool_output to_;
  allocator_request request_;
};

} // namespace

int run_hail(const tool_options& o, tool_output to) {
  return hail_run{o, to}.all();
}

} // namespace orderly::io::htools
