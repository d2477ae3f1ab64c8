// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "messages/cluster.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace orderly {

namespace {

constexpr std::array<std::pair<disk_template, const char*>, 9> templates{{
  {disk_template::diskless, "diskless"},
  {disk_template::file, "file"},
  {disk_template::sharedfile, "sharedfile"},
  {disk_template::plain, "plain"},
  {disk_template::blockdev, "blockdev"},
  {disk_template::drbd, "drbd"},
  {disk_template::rbd, "rbd"},
  {disk_template::ext, "ext"},
  {disk_template::gluster, "gluster"},
}};

} // namespace

const char* to_string(disk_template x) {
  for (const auto& [value, text] : templates)
    if (value == x)
      return text;
  return "unknown";
}

disk_template disk_template_from(const std::string& text) {
  for (const auto& [value, name] : templates)
    if (text == name)
      return value;
  return disk_template::unknown;
}

bool is_external(disk_template x) {
  switch (x) {
  case disk_template::sharedfile:
  case disk_template::gluster:
  case disk_template::blockdev:
  case disk_template::rbd:
  case disk_template::ext:
    return true;
  default:
    return false;
  }
}

const char* to_string(admin_state x) {
  switch (x) {
  case admin_state::up:
    return "up";
  case admin_state::down:
    return "down";
  case admin_state::offline:
    return "offline";
  }
  return "?";
}

bool only_syncs(const std::vector<disk_fault>& all) {
  return !all.empty() && std::all_of(all.begin(), all.end(), [](const auto& x) {
    return x.syncing;
  });
}

std::string to_string(const std::vector<disk_fault>& all) {
  std::string result;
  for (const auto& x : all)
    result += (result.empty() ? "" : ", ") + x.disk
              + (x.broken    ? " is faulty on "
                 : x.syncing ? " is being synchronised on "
                             : " is degraded on ")
              + x.node;
  return result;
}

} // namespace orderly
