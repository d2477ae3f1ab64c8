// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/door/tls.hpp"

#include <array>
#include <exception>
#include <utility>

#include <boost/asio/buffer.hpp>
#include <boost/asio/ssl/error.hpp>
#include <fmt/format.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

namespace orderly::io::http {

namespace {

namespace ssl = boost::asio::ssl;
using boost::system::error_code;

certificate_digest digest_of(const X509* certificate) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> bytes{};
  unsigned size = 0;
  certificate_digest result;
  if (certificate == nullptr
      || X509_digest(certificate, EVP_sha1(), bytes.data(), &size) != 1)
    return result;
  for (unsigned i = 0; i < size; ++i)
    result += fmt::format("{:02x}", bytes[i]);
  return result;
}

fault unusable(const std::string& why) {
  // What one call left behind must not be told of the next.
  ERR_clear_error();
  return {fault_kind::bad_input, why};
}

} // namespace

tls_side::tls_side(admission admits, tls_role role)
  : context_(role == tls_role::server ? ssl::context::tls_server
                                      : ssl::context::tls_client),
    admits_(std::move(admits)) {
  auto* raw = context_.native_handle();
  SSL_CTX_set_min_proto_version(raw, TLS1_2_VERSION);
  // Nothing is resumed: who was put off the list must not come back by a
  // session that began when he was on it.
  SSL_CTX_set_session_cache_mode(raw, SSL_SESS_CACHE_OFF);
  SSL_CTX_set_options(raw, SSL_OP_NO_TICKET | SSL_OP_NO_RENEGOTIATION);
  SSL_CTX_set_num_tickets(raw, 0);
  context_.set_verify_mode(ssl::verify_peer | ssl::verify_fail_if_no_peer_cert);
  SSL_CTX_set_cert_verify_callback(raw, &tls_side::verify, this);
}

result<std::shared_ptr<tls_side>>
tls_side::make(const std::string& pem, admission admits, tls_role role) {
  std::shared_ptr<tls_side> made{new tls_side{std::move(admits), role}};
  error_code e;
  auto text = boost::asio::buffer(pem);
  made->context_.use_certificate_chain(text, e);
  if (e)
    return unusable("there is no certificate in it: " + e.message());
  made->context_.use_private_key(text, ssl::context::pem, e);
  if (e)
    return unusable("there is no key for its certificate in it: "
                    + e.message());
  return made;
}

int tls_side::verify(X509_STORE_CTX* chain, void* self) {
  auto digest = digest_of(X509_STORE_CTX_get0_cert(chain));
  auto known = false;
  try {
    known = !digest.empty() && static_cast<tls_side*>(self)->admits_(digest);
  } catch (const std::exception&) {
    known = false; // it must not pass through the library
  }
  X509_STORE_CTX_set_error(chain, known ? X509_V_OK : X509_V_ERR_CERT_REJECTED);
  return known ? 1 : 0;
}

certificate_digest tls_side::digest_of_peer(SSL* connection) {
  return digest_of(SSL_get0_peer_certificate(connection));
}

result<certificate_digest> digest_of_pem(const std::string& pem) {
  std::unique_ptr<BIO, decltype(&BIO_free)> text{
    BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())), &BIO_free};
  std::unique_ptr<X509, decltype(&X509_free)> certificate{
    text ? PEM_read_bio_X509(text.get(), nullptr, nullptr, nullptr) : nullptr,
    &X509_free};
  if (!certificate)
    return unusable("there is no certificate in it");
  return digest_of(certificate.get());
}

} // namespace orderly::io::http
