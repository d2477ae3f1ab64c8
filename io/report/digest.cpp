// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/report/digest.hpp"

#include <array>

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

namespace orderly::io::report {

namespace {

using buffer = std::array<unsigned char, EVP_MAX_MD_SIZE>;

std::string hex_of(const buffer& from, unsigned size) {
  return to_hex({reinterpret_cast<const char*>(from.data()), size});
}

/// -1: it is none.
int value_of(char c) {
  if (c >= '0' && c <= '9')
    return c - '0';
  auto low = c | 0x20;
  return low >= 'a' && low <= 'f' ? low - 'a' + 10 : -1;
}

} // namespace

std::string hmac_hex(hash kind, std::string_view key, std::string_view text) {
  buffer out{};
  unsigned size = 0;
  const auto* how = kind == hash::sha1 ? EVP_sha1() : EVP_sha256();
  if (HMAC(how, key.data(), static_cast<int>(key.size()), bytes_of(text),
           text.size(), out.data(), &size)
      == nullptr)
    return {};
  return hex_of(out, size);
}

std::string sha256_hex(std::string_view text) {
  buffer out{};
  unsigned size = 0;
  if (EVP_Digest(text.data(), text.size(), out.data(), &size, EVP_sha256(),
                 nullptr)
      != 1)
    return {};
  return hex_of(out, size);
}

std::string to_hex(std::string_view bytes) {
  static constexpr char digits[] = "0123456789abcdef";
  std::string result;
  result.reserve(2 * bytes.size());
  for (auto c : bytes) {
    auto byte = static_cast<unsigned char>(c);
    result += digits[byte >> 4];
    result += digits[byte & 15];
  }
  return result;
}

std::optional<std::string> from_hex(std::string_view text) {
  if (text.size() % 2 != 0)
    return std::nullopt;
  std::string result;
  result.reserve(text.size() / 2);
  for (std::size_t i = 0; i < text.size(); i += 2) {
    auto high = value_of(text[i]);
    auto low = value_of(text[i + 1]);
    if (high < 0 || low < 0)
      return std::nullopt;
    result += static_cast<char>(high * 16 + low);
  }
  return result;
}

bool same(std::string_view a, std::string_view b) {
  return a.size() == b.size()
         && CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

} // namespace orderly::io::report
