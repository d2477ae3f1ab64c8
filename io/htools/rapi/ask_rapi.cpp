// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/htools/rapi/ask_rapi.hpp"

#include "io/loop/answer_head.hpp"

#include <optional>
#include <utility>
#include <vector>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/host_name_verification.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/http/write.hpp>
#include <fmt/format.h>
#include <openssl/evp.h>
#include <openssl/ssl.h>

namespace orderly::io::htools {

namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace web = boost::beast::http;
using boost::system::error_code;

constexpr std::size_t body_max = std::size_t{256} << 20;
constexpr std::size_t header_max = 8192;
constexpr std::size_t buffer_max = std::size_t{64} << 10;

std::string base64(const std::string& text) {
  // A NUL comes behind it.
  std::vector<unsigned char> coded((text.size() + 2) / 3 * 4 + 1);
  auto size = EVP_EncodeBlock(
    coded.data(), reinterpret_cast<const unsigned char*>(text.data()),
    static_cast<int>(text.size()));
  return {coded.begin(), coded.begin() + size};
}

/// One question on a connection of its own. Each step is begun by the one
/// before; the first that fails ends it, and so does the time limit.
class question {
public:
  question(const rapi_address& where, asio::ssl::context& tls,
           std::string target)
    : where_(where),
      target_(std::move(target)),
      resolver_(loop_),
      stream_(loop_, tls) {
    parser_.body_limit(body_max);
  }

  result<std::string> ask(millis time_limit) {
    resolve();
    loop_.run_for(time_limit);
    if (!end_)
      return failed("no answer in time");
    return *std::move(end_);
  }

private:
  fault failed(const std::string& why) const {
    return {fault_kind::unreachable,
            fmt::format("RAPI of {}, {}: {}", where_.host, target_, why)};
  }

  /// Goes on unless the step before has failed.
  template <class Next>
  auto then(const char* what, Next next) {
    return [this, what, next](error_code e, auto&&... got) -> void {
      if (e)
        end_ = failed(fmt::format("{}: {}", what, e.message()));
      else
        next(got...);
    };
  }

  void resolve() {
    resolver_.async_resolve(
      where_.host, where_.port,
      then("its address", [this](const auto& found) { connect(found); }));
  }

  void connect(const asio::ip::tcp::resolver::results_type& found) {
    beast::get_lowest_layer(stream_).async_connect(
      found, then("connecting", [this](const auto&) { greet(); }));
  }

  void greet() {
    SSL_set_tlsext_host_name(stream_.native_handle(), where_.host.c_str());
    stream_.async_handshake(asio::ssl::stream_base::client,
                            then("TLS", [this] { write(); }));
  }

  void write() {
    request_.method(web::verb::get);
    request_.target(target_);
    request_.version(11);
    request_.set(web::field::host, where_.host);
    request_.set(web::field::accept, "application/json");
    request_.set(web::field::connection, "close");
    if (!where_.user.empty())
      request_.set(web::field::authorization,
                   "Basic " + base64(where_.user + ":" + where_.password));
    web::async_write(stream_, request_,
                     then("asking", [this](std::size_t) { read(); }));
  }

  void read() {
    read_answer_head(stream_, buffer_, parser_, header_max,
                     then("its answer", [this] { read_on(); }));
  }

  void read_on() {
    web::async_read(stream_, buffer_, parser_,
                    then("its answer", [this](std::size_t) { judge(); }));
  }

  void judge() {
    auto& got = parser_.get();
    if (got.result() == web::status::ok)
      end_ = std::move(got.body());
    else if (got.result() == web::status::unauthorized)
      end_ = failed("it does not take user and password");
    else
      end_ = failed(fmt::format("it answers {}", got.result_int()));
  }

  const rapi_address& where_;
  std::string target_;
  asio::io_context loop_{1};
  asio::ip::tcp::resolver resolver_;
  asio::ssl::stream<beast::tcp_stream> stream_;
  web::request<web::empty_body> request_;
  web::response_parser<web::string_body> parser_;
  beast::flat_buffer buffer_{buffer_max};
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
