// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The Ed25519 key of one agent. All nodes of a cluster have the cluster's key;
// this one no other node has, so it tells who of them has spoken. Its
// fingerprint is what others remember of it.

#pragma once

#include "messages/result.hpp"

#include <memory>
#include <string>
#include <string_view>

struct evp_pkey_st;

namespace orderly::io::report {

class node_key {
public:
  static result<node_key> make();

  /// From what `to_pem` wrote.
  static result<node_key> from_pem(const std::string& pem);

  /// With the secret in it.
  [[nodiscard]] std::string to_pem() const;

  /// 64 digits of hex: the public half.
  [[nodiscard]] std::string public_hex() const;

  /// 128 digits of hex; empty only if the library has failed.
  [[nodiscard]] std::string sign(std::string_view text) const;

private:
  explicit node_key(evp_pkey_st* own);

  std::shared_ptr<evp_pkey_st> key_;
};

/// Has the owner of the public key signed `text`? Both in hex.
bool is_signed(std::string_view text, std::string_view public_hex,
               std::string_view signature_hex);

/// The SHA-256 of the key's bytes in hex, as in the tag
/// `orderly:agent:FINGERPRINT`; empty if `public_hex` is no key.
std::string fingerprint_of(std::string_view public_hex);

} // namespace orderly::io::report
