// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/node_agent/credentials.hpp"

#include "io/node_agent/candidates.hpp"

#include <utility>

namespace orderly::io::node_agent {

credentials::credentials(const std::string& folder,
                         std::function<void(const std::string&)> tell)
  : server_(folder + "/server.pem"),
    client_(folder + "/client.pem"),
    list_(folder + "/ssconf_master_candidates_certs"),
    key_(folder + "/hmac.key"),
    tell_(std::move(tell)) {
  // nop
}

void credentials::say(std::string& last, const std::string& now) {
  if (std::exchange(last, now) != now)
    tell_(now.empty() ? "what was wrong with a file of Ganeti is over" : now);
}

std::shared_ptr<http::tls_side> credentials::side() {
  if (!server_.look())
    return side_;
  const auto& text = server_.now();
  if (!text) {
    say(server_trouble_,
        text.why().text + (side_ ? "; the last certificate stays" : ""));
    return side_;
  }
  auto made = http::tls_side::make(
    *text, [this](const auto& digest) { return admits(digest); });
  if (made) {
    side_ = *made;
    say(server_trouble_, {});
  } else {
    say(server_trouble_, server_.path() + " cannot be used: " + made.why().text
                           + (side_ ? "; the last certificate stays" : ""));
  }
  return side_;
}

bool credentials::admits(const http::certificate_digest& digest) {
  if (list_.look()) {
    const auto& text = list_.now();
    candidates_
      = text ? read_candidates(*text) : std::map<std::string, std::string>{};
    auto nobody = std::string{"; nobody is let in"};
    if (!text)
      say(list_trouble_, text.why().text + nobody);
    else if (candidates_.empty())
      say(list_trouble_, list_.path() + " names no certificate" + nobody);
    else
      say(list_trouble_, {});
  }
  return candidates_.count(digest) != 0;
}

std::string credentials::cluster_key(instant now) {
  if (key_.look()) {
    const auto& text = key_.now();
    if (text && !text->empty())
      keys_.take(*text, now);
    say(key_trouble_, !text           ? text.why().text
                      : text->empty() ? key_.path() + " is empty"
                                      : std::string{});
  }
  auto all = keys_.at(now);
  return all.empty() ? std::string{} : all.front();
}

std::string credentials::own_uuid() {
  client_.look();
  if (!client_.now())
    return {};
  auto digest = http::digest_of_pem(*client_.now());
  if (!digest)
    return {};
  (void)admits(*digest); // reads the list
  auto found = candidates_.find(*digest);
  return found == candidates_.end() ? std::string{} : found->second;
}

} // namespace orderly::io::node_agent
