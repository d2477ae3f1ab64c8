// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/node_agent/diagnose_command.hpp"

#include "io/ownership/path.hpp"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <set>
#include <system_error>

#include <fmt/format.h>
#include <sys/stat.h>

namespace orderly::io::node_agent {

namespace {

constexpr std::string_view tag_prefix = "orderly:diagnose:";
constexpr mode_t mode_most = 0755;

std::string text_of(int error) {
  return std::generic_category().message(error);
}

/// The original's texts begin alike.
command_doubt file_must(const std::string& path, const std::string& what,
                        const std::string& advice) {
  return {"File for diagnose data collector must " + what,
          fmt::format("command {}: it must {}; {}", path, what, advice)};
}

command_doubt doubt_name(const std::string& name) {
  if (name.empty())
    return {"No file specified for diagnose data collector",
            "the name of the diagnose command is empty"};
  if (name.find('\0') != std::string::npos)
    return {"Invalid filename specified for diagnose data collector",
            "the name of the diagnose command has a NUL byte in it"};
  if (name.find('/') != std::string::npos)
    return {"Filepaths cannot be specified for diagnose data collector",
            fmt::format("the diagnose command '{}' has a folder in its name; "
                        "it must be a bare name",
                        name)};
  return {};
}

command_doubt doubt_file(const std::string& path, const owner_rule& owner) {
  struct stat found {};

  if (::stat(path.c_str(), &found) != 0)
    return {"File specified for diagnose data collector does not exist",
            fmt::format("command {}: {}", path, text_of(errno))};
  if (found.st_uid != owner.user)
    return file_must(path, "be owned by root", "run chown root on it");
  if (found.st_gid != owner.group)
    return file_must(path, "have group root", "run chgrp root on it");
  if (!S_ISREG(found.st_mode))
    return file_must(path, "be a regular file", "put a program there");
  if ((found.st_mode & 07777 & ~mode_most) != 0)
    return file_must(path, "have permissions 755 or stricter",
                     "run chmod 755 on it");
  if ((found.st_mode & S_IXUSR) == 0)
    return file_must(path, "be executable by owner", "run chmod u+x on it");
  return {};
}

command_doubt unsafe_folder(const std::string& error) {
  return {"Directory of diagnose data collector is not safe", error};
}

/// Who may write there could put another file in its place.
command_doubt doubt_folder(const std::string& folder, const std::string& path,
                           const owner_rule& owner) {
  struct stat found {};

  auto must = [&](const char* what) {
    return unsafe_folder(
      fmt::format("the folder of commands, {}, must {}", folder, what));
  };
  if (::stat(folder.c_str(), &found) != 0)
    return unsafe_folder(
      fmt::format("the folder of commands, {}: {}", folder, text_of(errno)));
  if (!S_ISDIR(found.st_mode))
    return must("be a directory");
  if (found.st_uid != owner.user || found.st_gid != owner.group)
    return must("belong to root and the group root: run chown root:root on it");
  if ((found.st_mode & 07777 & ~mode_most) != 0)
    return must("have permissions 755 or stricter: run chmod 755 on it");
  auto way = doubt_way(path);
  if (way.error != 0)
    return unsafe_folder(
      fmt::format("command {}: {}", path, text_of(way.error)));
  if (!way.text.empty())
    return unsafe_folder(
      fmt::format("command {} could be replaced: {}", path, way.text));
  return {};
}

} // namespace

command_doubt doubt_command(const std::string& folder, const std::string& name,
                            const owner_rule& owner) {
  if (auto why = doubt_name(name); !why.error.empty())
    return why;
  auto path = folder + "/" + name;
  if (auto why = doubt_file(path, owner); !why.error.empty())
    return why;
  return doubt_folder(folder, path, owner);
}

std::string doubt_repair_command(const std::string& folder,
                                 const std::string& name,
                                 const owner_rule& owner) {
  auto fits = [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_' || c == '-';
  };
  if (name.empty() || !std::all_of(name.begin(), name.end(), fits))
    return fmt::format("the name of the repair command, '{}', must be made of "
                       "letters, digits, _ and -",
                       name);
  auto path = folder + "/" + name;
  if (auto why = doubt_file(path, owner); !why.error.empty())
    return "repair " + why.error;
  return doubt_folder(folder, path, owner).error;
}

named_command command_in_tags(std::string_view tags) {
  std::set<std::string> names;
  while (!tags.empty()) {
    auto end = tags.find('\n');
    auto tag = tags.substr(0, end);
    tags.remove_prefix(end == std::string_view::npos ? tags.size() : end + 1);
    if (tag.substr(0, tag_prefix.size()) == tag_prefix)
      names.emplace(tag.substr(tag_prefix.size()));
  }
  if (names.size() > 1)
    return {{},
            fmt::format("the cluster's tags name {} diagnose commands, {} and "
                        "{} among them; leave one, or set diagnose.command",
                        names.size(), *names.begin(), *names.rbegin())};
  if (names.empty())
    return {};
  if (names.begin()->empty())
    return {{}, "the cluster's tag orderly:diagnose: names no command"};
  return {*names.begin(), {}};
}

} // namespace orderly::io::node_agent
