// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Settings that belong to the cluster and not to one master's file: a tag of
// the cluster each, so that the next master has them too.
//
//   orderly:set:maintenance.interval:30s
//
// A tag goes before what the file says, and that before the default. A tag
// that is not understood, or does not fit the file, is not heeded: the value
// in force stays. Pure; used by the cluster actor, which reads the tags, and
// by the desk, which has them written for a person.

#pragma once

#include "actors/policy/settings/settings.hpp"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace orderly {

inline constexpr std::string_view setting_tag_prefix = "orderly:set:";

/// What tags set, by key, as the tags spell the values.
using setting_texts = std::map<std::string, std::string>;

/// One setting of the cluster.
struct cluster_setting {
  std::string key;      ///< ours, as in TOML: "maintenance.interval"
  std::string original; ///< as Ganeti's design of a maintenance daemon has it
};

/// All of them, in the order in which they are listed.
const std::vector<cluster_setting>& cluster_settings();

/// By either name, in any spelling of case; null: there is none.
const cluster_setting* cluster_setting_named(const std::string& name);

/// The tag that gives `key` that value.
std::string setting_tag(const std::string& key, const std::string& value);

/// Those of `tags` that begin as such a tag, in order.
std::vector<std::string>
setting_tags_among(const std::vector<std::string>& tags);

/// Those of `tags` that set this key, good or not, in order.
std::vector<std::string> tags_of_setting(const std::vector<std::string>& tags,
                                         const std::string& key);

/// A tag that is not heeded.
struct unheeded_tag {
  std::string tag;
  std::string why; ///< a clause that goes behind the tag
  /// The key has several tags, which is so for a moment while one of ours takes
  /// the place of another.
  bool one_of_many = false;

  friend bool operator==(const unheeded_tag&, const unheeded_tag&) = default;
};

struct settings_reading {
  setting_texts values; ///< that hold from now on
  std::vector<unheeded_tag> unheeded;
};

/// What the tags of a cluster set above `file`. Of a key whose tag is not
/// heeded what was in force stays, as `before` has it.
settings_reading read_setting_tags(const std::vector<std::string>& tags,
                                   const settings& file,
                                   const setting_texts& before);

/// `file`, with these values above it as far as they fit.
settings with_texts(const settings& file, const setting_texts& values);

/// Why `key` cannot have that value beside all others, a clause that goes
/// behind the key; empty: it can.
std::string why_not_set(const settings& in_force, const std::string& key,
                        const std::string& value);

/// The value of the key, as people write it; empty: there is no such key.
std::string setting_text(const settings& s, const std::string& key);

/// Do both texts give the key one value?
bool is_same_setting(const std::string& key, const std::string& one,
                     const std::string& other);

} // namespace orderly
