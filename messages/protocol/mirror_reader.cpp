// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "messages/protocol/mirror_reader.hpp"

#include "messages/disk_faults.hpp"

namespace orderly {

std::string against_move(const mirror_answer& x) {
  if (!x.heard && !x.mute)
    return "it is not known how its mirror is: " + x.text;
  if (x.heard && !x.heard->fault.empty())
    return "its mirror is faulty: " + to_string(x.heard->fault);
  return {};
}

std::string against_move(const mirror_answer& x, const node_name& home) {
  if (x.heard && lacks_alone(x.heard->fault, home))
    return {};
  return against_move(x);
}

std::string against_new_mirror(const mirror_answer& x, const node_name& home) {
  const auto& fault = x.heard ? x.heard->fault : x.last;
  if (!lacks(fault, home))
    return {};
  return std::string{"the copy on its home "}
         + (x.heard ? "lacks something: "
                    : "lacked something when last heard: ")
         + to_string(fault);
}

mirror_answer no_mirror_answer() {
  return {std::nullopt, "there was no answer in time"};
}

} // namespace orderly
