// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/htools/tools/source.hpp"

#include "io/htools/formats/luxi_source.hpp"
#include "io/htools/formats/read_rapi.hpp"
#include "io/htools/formats/read_request.hpp"
#include "io/htools/formats/text.hpp"
#include "io/htools/rapi/ask_rapi.hpp"
#include "io/htools/tools/hbal_load.hpp"

namespace orderly::io::htools {

namespace {

/// The four answers of the remote API, from there or out of a folder. An
/// address may have a password in it, so none is ever repeated.
result<planning::cluster> read_master(const tool_options& o) {
  const std::string_view prefix = "file://";
  if (!o.master.starts_with(prefix)) {
    auto where = read_rapi_address(o.master);
    if (!where)
      return where.why();
    auto answers = ask_rapi(*where, {o.rapi_ca});
    if (!answers)
      return answers.why();
    return read_rapi(*answers, o.kvm_node_memory);
  }
  auto folder = o.master.substr(prefix.size());
  rapi_bodies bodies;
  std::optional<fault> wrong;
  auto read = [&](const char* name, rapi_body& to) {
    if (wrong)
      return;
    to.name = folder + "/" + name;
    auto text = read_whole(to.name);
    if (text)
      to.text = std::move(*text);
    else
      wrong = text.why();
  };
  read("groups.json", bodies.groups);
  read("nodes.json", bodies.nodes);
  read("instances.json", bodies.instances);
  read("info.json", bodies.info);
  if (wrong)
    return *wrong;
  return read_rapi(bodies, o.kvm_node_memory);
}

} // namespace

result<planning::cluster> read_source(const tool_options& o) {
  if (!o.simulate.empty())
    return simulated_cluster(o.simulate);
  if (!o.master.empty())
    return read_master(o);
  if (o.luxi)
    return read_luxi(*o.luxi, o.kvm_node_memory);
  if (!o.text_file.empty()) {
    auto text = read_whole(o.text_file);
    if (!text)
      return text.why();
    return read_text(*text, o.text_file);
  }
  if (!o.request_file.empty()) {
    auto text = read_whole(o.request_file);
    if (!text)
      return text.why();
    return read_request_cluster(*text, o.request_file, o.kvm_node_memory);
  }
  return fault{fault_kind::bad_input, "No backend selected! Exiting."};
}

} // namespace orderly::io::htools
