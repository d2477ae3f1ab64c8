// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/report/node_key.hpp"

#include "io/report/digest.hpp"

#include <array>

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>

namespace orderly::io::report {

namespace {

constexpr std::size_t key_bytes = 32;
constexpr std::size_t signature_bytes = 64;

using key_ptr = std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)>;
using context_ptr = std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)>;
using bio_ptr = std::unique_ptr<BIO, decltype(&BIO_free)>;

} // namespace

node_key::node_key(EVP_PKEY* own) : key_(own, &EVP_PKEY_free) {
  // nop
}

result<node_key> node_key::make() {
  auto* made = EVP_PKEY_Q_keygen(nullptr, nullptr, "ED25519");
  if (made == nullptr) {
    ERR_clear_error();
    return fault{fault_kind::internal, "no Ed25519 key could be made"};
  }
  return node_key{made};
}

result<node_key> node_key::from_pem(const std::string& pem) {
  bio_ptr text{BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())),
               &BIO_free};
  // A key with a password would have the library ask a terminal for it.
  auto no_password = [](char*, int, int, void*) { return 0; };
  auto* found
    = text ? PEM_read_bio_PrivateKey(text.get(), nullptr, no_password, nullptr)
           : nullptr;
  ERR_clear_error();
  if (found == nullptr)
    return fault{fault_kind::bad_input, "there is no private key in it"};
  node_key result{found};
  if (EVP_PKEY_get_base_id(found) != EVP_PKEY_ED25519)
    return fault{fault_kind::bad_input, "the key in it is no Ed25519 key"};
  return result;
}

std::string node_key::to_pem() const {
  bio_ptr text{BIO_new(BIO_s_mem()), &BIO_free};
  char* data = nullptr;
  if (!text
      || PEM_write_bio_PrivateKey(text.get(), key_.get(), nullptr, nullptr, 0,
                                  nullptr, nullptr)
           != 1)
    return {};
  auto size = BIO_get_mem_data(text.get(), &data);
  return {data, static_cast<std::size_t>(size)};
}

std::string node_key::public_hex() const {
  std::array<unsigned char, key_bytes> bytes{};
  auto size = bytes.size();
  if (EVP_PKEY_get_raw_public_key(key_.get(), bytes.data(), &size) != 1)
    return {};
  return to_hex({reinterpret_cast<const char*>(bytes.data()), size});
}

std::string node_key::sign(std::string_view text) const {
  std::array<unsigned char, signature_bytes> bytes{};
  auto size = bytes.size();
  context_ptr with{EVP_MD_CTX_new(), &EVP_MD_CTX_free};
  if (!with
      || EVP_DigestSignInit(with.get(), nullptr, nullptr, nullptr, key_.get())
           != 1
      || EVP_DigestSign(with.get(), bytes.data(), &size, bytes_of(text),
                        text.size())
           != 1)
    return {};
  return to_hex({reinterpret_cast<const char*>(bytes.data()), size});
}

bool is_signed(std::string_view text, std::string_view public_hex,
               std::string_view signature_hex) {
  auto raw = from_hex(public_hex);
  auto signature = from_hex(signature_hex);
  if (!raw || raw->size() != key_bytes || !signature
      || signature->size() != signature_bytes)
    return false;
  key_ptr key{EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nullptr,
                                          bytes_of(*raw), raw->size()),
              &EVP_PKEY_free};
  context_ptr with{EVP_MD_CTX_new(), &EVP_MD_CTX_free};
  auto good
    = key && with
      && EVP_DigestVerifyInit(with.get(), nullptr, nullptr, nullptr, key.get())
           == 1
      && EVP_DigestVerify(with.get(), bytes_of(*signature), signature->size(),
                          bytes_of(text), text.size())
           == 1;
  ERR_clear_error();
  return good;
}

std::string fingerprint_of(std::string_view public_hex) {
  auto raw = from_hex(public_hex);
  return raw && raw->size() == key_bytes ? sha256_hex(*raw) : std::string{};
}

} // namespace orderly::io::report
