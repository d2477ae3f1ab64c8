// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/htools/formats/fields.hpp"
#include "io/htools/options/option_table.hpp"

#include <fmt/format.h>

namespace orderly::io::htools {

namespace {

using options = tool_options;
using t = takes;

std::string set_rule_of_n1(options& o, const std::string& text) {
  if (text != "3.0" && text != "3.1")
    return fmt::format("N+1 rule: '{}' is neither 3.0 nor 3.1", text);
  o.build.n1 = text == "3.0" ? planning::initial_n1::reported
                             : planning::initial_n1::guaranteed;
  return {};
}

std::string set_output(options& o, const std::string& text) {
  if (text != "text" && text != "json")
    return fmt::format("output: '{}' is neither text nor json", text);
  o.json = text == "json";
  return {};
}

/// Sources that exclude each other count.
setter set_source(std::string options::*field) {
  return set_text([field](options& o, const std::string& x) {
    o.*field = x;
    ++o.sources;
  });
}

} // namespace

std::vector<option> source_options() {
  return {
    {'t', "text-data", t::value, "FILE", "the cluster data FILE",
     set_source(&options::text_file)},
    {0, "simulate", t::value, "SPEC",
     "an empty group of nodes: policy,nodes,disk,memory,cpus[,spindles]",
     set_text(
       [](options& o, const std::string& x) { o.simulate.push_back(x); })},
    {'m', "master", t::value, "ADDRESS",
     "collect data via RAPI at ADDRESS: HOST, https://USER:PASSWORD@HOST:PORT, "
     "or file://FOLDER with its answers (groups.json, nodes.json, ...)",
     set_source(&options::master)},
    {'d', "output-dir", t::value, "PATH",
     "the folder in which to write CLUSTER.data; this one without it",
     set_text([](options& o, const std::string& x) { o.output_dir = x; })},
    {0, "rapi-ca", t::value, "FILE",
     "certificates that RAPI's must be signed by; any is taken without it",
     set_text([](options& o, const std::string& x) { o.rapi_ca = x; })},
    {'L', "luxi", t::maybe, "SOCKET", "collect data via LUXI",
     set_text([](options& o, const std::string& x) {
       o.luxi = x;
       ++o.sources;
     })},
    {'I', "ialloc-src", t::value, "FILE",
     "the cluster of an iallocator request",
     set_text([](options& o, const std::string& x) { o.request_file = x; })},
    {'U', "dynu-file", t::value, "FILE", "read dynamic load from FILE",
     set_text([](options& o, const std::string& x) { o.load_file = x; })},
    {0, "ignore-dynu", t::nothing, "", "ignore all dynamic load",
     set_text([](options& o, const std::string&) { o.build.no_load = true; })},
    {0, "pools", t::value, "FILE",
     "which node reaches which storage, and who has volumes where",
     set_text([](options& o, const std::string& x) { o.pools_file = x; })},
    {'G', "group", t::value, "ID", "the node group, by name or uuid",
     set_text([](options& o, const std::string& x) { o.group = x; })},
    {'O', "offline", t::value, "NODE", "set node as offline",
     set_text(
       [](options& o, const std::string& x) { o.offline.push_back(x); })},
    {0, "exclusion-tags", t::value, "TAG,...",
     "keep instances with such tags on different nodes",
     set_text([](options& o, const std::string& x) {
       for (const auto& tag : split_words(x, ','))
         o.build.exclusion_prefixes.push_back(tag + ":");
     })},
    {0, "n1-rule", t::value, "3.0|3.1",
     "judge memory at the start as this Ganeti does [3.1]", set_rule_of_n1},
    {0, "static-kvm-node-memory", t::value, "N",
     "memory of KVM nodes' own systems [4096]; 0: as they report",
     set_whole("static node memory",
               [](options& o, std::int64_t x) { o.kvm_node_memory = x; })},
  };
}

std::vector<option> output_options() {
  return {
    {'p', "print-nodes", t::maybe, "FIELDS", "print the final node list",
     set_text([](options& o, const std::string& x) { o.node_fields = x; })},
    {0, "print-instances", t::nothing, "", "print the final instance map",
     set_flag(&options::print_instances)},
    {'C', "print-commands", t::maybe, "FILE",
     "print the commands that carry the plan out, or write a script of them",
     set_text([](options& o, const std::string& x) { o.commands = x; })},
    {'S', "save", t::value, "FILE",
     "save the cluster before and after to files that begin with FILE",
     set_text([](options& o, const std::string& x) { o.save = x; })},
    {0, "output", t::value, "text|json", "how to print the result [text]",
     set_output},
    {'v', "verbose", t::nothing, "", "say more",
     set_text([](options& o, const std::string&) { ++o.verbose; })},
    {'q', "quiet", t::nothing, "", "say less",
     set_text([](options& o, const std::string&) { --o.verbose; })},
    {'V', "version", t::nothing, "", "show the version of the program",
     set_flag(&options::version)},
    {'h', "help", t::nothing, "", "show help", set_flag(&options::help)},
    {0, "help-completion", t::nothing, "", "show what a shell may complete",
     set_flag(&options::completion)},
  };
}

} // namespace orderly::io::htools
