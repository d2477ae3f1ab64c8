// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/htools/rapi/ask_rapi.hpp"

#include "io/exchange/exchange.hpp"

#include <optional>
#include <utility>
#include <vector>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/host_name_verification.hpp>
#include <boost/beast/core/error.hpp>
#include <fmt/format.h>
#include <openssl/evp.h>
#include <openssl/ssl.h>

namespace orderly::io::htools {

namespace {

namespace asio = boost::asio;
using boost::system::error_code;

constexpr std::size_t body_max = std::size_t{256} << 20;

std::string base64(const std::string& text) {
  // A NUL comes behind it.
  std::vector<unsigned char> coded((text.size() + 2) / 3 * 4 + 1);
  auto size = EVP_EncodeBlock(
    coded.data(), reinterpret_cast<const unsigned char*>(text.data()),
    static_cast<int>(text.size()));
  return {coded.begin(), coded.begin() + size};
}

/// One question on a connection of its own.
class question {
public:
  question(const rapi_address& where, asio::ssl::context& tls,
           std::string target)
    : where_(where),
      target_(std::move(target)),
      resolver_(loop_),
      way_(std::make_shared<tls_way>(loop_, tls)) {
    // nop
  }

  result<std::string> ask(millis time_limit) {
    until_ = std::chrono::steady_clock::now() + time_limit;
    resolver_.async_resolve(where_.host, where_.port,
                            [this](error_code e, const auto& found) {
                              if (e)
                                end_ = failed("its address: " + e.message());
                              else
                                go({found.begin(), found.end()});
                            });
    loop_.run_until(until_);
    if (!end_)
      return late();
    return *std::move(end_);
  }

private:
  fault failed(const std::string& why) const {
    return {fault_kind::unreachable,
            fmt::format("RAPI of {}, {}: {}", where_.host, target_, why)};
  }

  fault late() const { return failed("no answer in time"); }

  void go(std::vector<asio::ip::tcp::endpoint> found) {
    SSL_set_tlsext_host_name(way_->native_handle(), where_.host.c_str());
    exchange_question what{
      .host = where_.host, .target = target_, .accept = "application/json"};
    if (!where_.user.empty())
      what.authorization
        = "Basic " + base64(where_.user + ":" + where_.password);
    exchange(
      way_, std::move(what),
      {.places = std::move(found), .until = until_, .body_max = body_max},
      [this](exchange_end x) { end_ = judge(std::move(x)); });
  }

  result<std::string> judge(exchange_end x) const {
    if (x.at != exchange_step::answered)
      return not_answered(x);
    if (x.status == 200)
      return std::move(x.body);
    if (x.status == 401)
      return failed("it does not take user and password");
    return failed(fmt::format("it answers {}", x.status));
  }

  fault not_answered(const exchange_end& x) const {
    if (x.why == boost::beast::error::timeout)
      return late();
    const auto* what = "its answer";
    if (x.at == exchange_step::connecting)
      what = "connecting";
    else if (x.at == exchange_step::greeting)
      what = "TLS";
    else if (x.at == exchange_step::asking)
      what = "asking";
    return failed(fmt::format("{}: {}", what, x.why.message()));
  }

  const rapi_address& where_;
  std::string target_;
  std::chrono::steady_clock::time_point until_;
  asio::io_context loop_{1};
  asio::ip::tcp::resolver resolver_;
  std::shared_ptr<tls_way> way_;
  std::optional<result<std::string>> end_;
};

} // namespace

result<rapi_bodies> ask_rapi(const rapi_address& where,
                             const rapi_rules& rules) {
  asio::ssl::context tls{asio::ssl::context::tls_client};
  if (!rules.ca_file.empty()) {
    error_code e;
    tls.load_verify_file(rules.ca_file, e);
    if (e)
      return fault{fault_kind::bad_input,
                   fmt::format("--rapi-ca: {} cannot be read as certificates: "
                               "{}",
                               rules.ca_file, e.message())};
    tls.set_verify_mode(asio::ssl::verify_peer);
    tls.set_verify_callback(asio::ssl::host_name_verification{where.host});
  }
  rapi_bodies all;
  const std::pair<const char*, rapi_body*> questions[]
    = {{"/2/groups?bulk=1", &all.groups},
       {"/2/nodes?bulk=1", &all.nodes},
       {"/2/instances?bulk=1", &all.instances},
       {"/2/info", &all.info}};
  for (const auto& [target, body] : questions) {
    auto text = question{where, tls, target}.ask(rules.time_limit);
    if (!text)
      return text.why();
    body->text = std::move(*text);
    body->name = target;
  }
  return all;
}

} // namespace orderly::io::htools
