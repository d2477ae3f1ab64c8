// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// TLS as Ganeti's node daemon does it: one certificate for the whole cluster,
// and clients that are known by the digest of theirs. No authority is asked:
// who signed a certificate, and until when, says nothing here. Used by doors,
// and by whoever asks at such a door.

#pragma once

#include "messages/result.hpp"

#include <functional>
#include <memory>
#include <string>

#include <boost/asio/ssl/context.hpp>

namespace orderly::io::http {

/// The SHA-1 of a certificate in lower-case hex, without colons.
using certificate_digest = std::string;

enum class tls_role { server, client };

/// What a connection is served or asked with. Made anew when the files change;
/// sessions that began with an older one keep it.
class tls_side {
public:
  /// May who has that certificate be talked with? Asked during the handshake,
  /// on the loop's thread.
  using admission = std::function<bool(const certificate_digest&)>;

  /// `pem` holds a certificate and its key, as Ganeti's `server.pem` does.
  static result<std::shared_ptr<tls_side>>
  make(const std::string& pem, admission admits,
       tls_role role = tls_role::server);

  tls_side(const tls_side&) = delete;
  tls_side& operator=(const tls_side&) = delete;

  boost::asio::ssl::context& context() { return context_; }

  /// Of who is at the other end; empty: it has shown none.
  static certificate_digest digest_of_peer(SSL* connection);

private:
  tls_side(admission admits, tls_role role);

  static int verify(X509_STORE_CTX* chain, void* self);

  boost::asio::ssl::context context_;
  admission admits_;
};

/// The digest of the first certificate in `pem`.
result<certificate_digest> digest_of_pem(const std::string& pem);

} // namespace orderly::io::http
