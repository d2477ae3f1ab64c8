// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/node_reports/papers.hpp"

namespace orderly::io::node_reports {

namespace {

result<std::shared_ptr<http::tls_side>> make_side(const watched_file& client,
                                                  const watched_file& server) {
  for (const auto* file : {&client, &server})
    if (!file->now())
      return file->now().why();
  auto digest = http::digest_of_pem(*server.now());
  if (!digest)
    return fault{fault_kind::bad_input,
                 server.path() + " cannot be used: " + digest.why().text};
  auto made = http::tls_side::make(
    *client.now(), [ours = *digest](const auto& x) { return x == ours; },
    http::tls_role::client);
  if (!made)
    return fault{fault_kind::bad_input,
                 client.path() + " cannot be used: " + made.why().text};
  return *made;
}

} // namespace

papers::papers(const std::string& folder)
  : client_(folder + "/client.pem"),
    server_(folder + "/server.pem"),
    key_(folder + "/hmac.key") {
  // nop
}

result<std::shared_ptr<http::tls_side>> papers::side() {
  auto other_client = client_.look();
  auto other_server = server_.look();
  if (other_client || other_server) {
    auto made = make_side(client_, server_);
    if (made)
      side_ = *made;
    trouble_ = made ? std::string{} : made.why().text;
  }
  if (side_)
    return side_;
  return fault{fault_kind::bad_input, trouble_};
}

std::vector<std::string> papers::keys(instant now) {
  if (key_.look() && key_.now())
    keys_.take(*key_.now(), now);
  return keys_.at(now);
}

} // namespace orderly::io::node_reports
