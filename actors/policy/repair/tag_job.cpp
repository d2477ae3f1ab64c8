// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The opcodes of a job that changes tags of an instance, and their order.

#include "actors/policy/repair/moves.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace orderly::autorepair {

namespace {

opcode tag_opcode(op_kind kind, const instance_name& name,
                  std::vector<std::string> tags) {
  opcode op;
  op.kind = kind;
  op.tags_on = tag_kind::instance;
  op.tag_object = name;
  op.tags = std::move(tags);
  return op;
}

/// Without doubles and without what is set in the same job.
std::vector<std::string> removable(const std::vector<std::string>& wanted,
                                   const std::vector<std::string>& set) {
  std::vector<std::string> result;
  std::set<std::string> known{set.begin(), set.end()};
  for (const auto& text : wanted)
    if (known.insert(text).second)
      result.push_back(text);
  return result;
}

} // namespace

std::vector<opcode> tag_job(const instance_name& name,
                            std::vector<std::string> set,
                            std::vector<std::string> del, tag_order order) {
  std::vector<opcode> ops;
  del = removable(del, set);
  if (!set.empty())
    ops.push_back(tag_opcode(op_kind::tags_set, name, std::move(set)));
  if (!del.empty())
    ops.push_back(tag_opcode(op_kind::tags_del, name, std::move(del)));
  if (order == tag_order::removes_first)
    std::reverse(ops.begin(), ops.end());
  return ops;
}

const std::vector<std::string>* tags_set_by(const std::vector<opcode>& ops) {
  auto i = std::find_if(ops.begin(), ops.end(), [](const opcode& op) {
    return op.kind == op_kind::tags_set && !op.tags.empty();
  });
  return i == ops.end() ? nullptr : &i->tags;
}

} // namespace orderly::autorepair
