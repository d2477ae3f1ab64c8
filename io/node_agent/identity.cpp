// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/node_agent/identity.hpp"

#include "io/files/small_file.hpp"

#include <cerrno>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace orderly::io::node_agent {

namespace {

std::string why_no_folder(const std::string& folder) {
  if (::mkdir(folder.c_str(), 0700) == 0 || errno == EEXIST)
    return {};
  return fmt::format("cannot make the folder {}: {}; make it, or set "
                     "node.folder to another place",
                     folder, std::generic_category().message(errno));
}

std::string why_not_secret(const std::string& path) {
  struct stat found {};

  if (::stat(path.c_str(), &found) != 0)
    return {}; // told by whoever reads it
  if ((found.st_mode & 077) != 0)
    return fmt::format("{} can be used by others: its mode is {:04o} and must "
                       "be 0600; remove it, so that a new one is made, and "
                       "have the cluster forget the old one",
                       path, found.st_mode & 07777);
  if (found.st_uid != ::geteuid())
    return fmt::format("{} belongs to uid {}; it must be ours, uid {}", path,
                       found.st_uid, ::geteuid());
  return {};
}

result<report::node_key> make_key(const std::string& path) {
  auto key = report::node_key::make();
  if (!key)
    return key;
  if (auto why = write_small(path, key->to_pem()); !why.empty())
    return fault{fault_kind::io, why};
  return key;
}

std::string line_of(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

} // namespace

result<report::node_key> load_or_make_key(const std::string& folder) {
  if (auto why = why_no_folder(folder); !why.empty())
    return fault{fault_kind::io, why};
  auto path = folder + "/agent.key";
  auto text = read_small(path);
  if (!text)
    return text.why().kind == fault_kind::not_found
             ? make_key(path)
             : result<report::node_key>{text.why()};
  if (auto why = why_not_secret(path); !why.empty())
    return fault{fault_kind::refused, why};
  auto key = report::node_key::from_pem(*text);
  if (!key)
    return fault{key.why().kind, path + ": " + key.why().text
                                   + "; remove it, so that a new one is made"};
  return key;
}

bool is_uuid(const std::string& text) {
  constexpr std::size_t length = 36;
  if (text.size() != length)
    return false;
  for (std::size_t i = 0; i < length; ++i) {
    auto c = text[i];
    auto dash = i == 8 || i == 13 || i == 18 || i == 23;
    auto digit = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f')
                 || (c >= 'A' && c <= 'F');
    if (dash ? c != '-' : !digit)
      return false;
  }
  return true;
}

identity::identity(std::string folder, std::string fixed)
  : place_(std::move(folder) + "/node.uuid"), fixed_(std::move(fixed)) {
  if (auto text = read_small(place_); text && is_uuid(line_of(*text)))
    told_ = line_of(*text);
}

std::string identity::uuid(const std::string& by_certificate) const {
  if (!fixed_.empty())
    return fixed_;
  return by_certificate.empty() ? told_ : by_certificate;
}

bool identity::hear(const std::string& uuid, const std::string& by_certificate,
                    std::string& trouble) {
  if (auto known = this->uuid(by_certificate); !known.empty())
    return known == uuid;
  if (!is_uuid(uuid))
    return false;
  told_ = uuid;
  trouble = write_small(place_, uuid + "\n");
  return true;
}

} // namespace orderly::io::node_agent
