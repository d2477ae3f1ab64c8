// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/door/request_reader.hpp"

#include <optional>

#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>

namespace orderly::io::http {

namespace {

namespace beast = boost::beast::http;
using boost::system::error_code;

constexpr std::size_t piece = 4096;

/// True if `list`, a header such as `gzip;q=0.8, br`, takes gzip.
bool takes_gzip(boost::beast::string_view list) {
  for (const auto& [name, parameters] : beast::ext_list{list}) {
    if (!boost::beast::iequals(name, "gzip"))
      continue;
    for (const auto& [key, value] : parameters)
      if (boost::beast::iequals(key, "q")
          && value.find_first_not_of("0.") == value.npos)
        return false;
    return true;
  }
  return false;
}

std::string text_of(boost::beast::string_view x) {
  return {x.data(), x.size()};
}

} // namespace

struct request_reader::impl {
  explicit impl(const limits& x) : bounds(x), buffer(x.header_max + piece) {
    begin();
  }

  void begin() {
    parser.emplace();
    parser->header_limit(bounds.header_max);
    parser->body_limit(bounds.body_max);
    parser->eager(false); // the header first: it says what the body is
    told_to_go_on = false;
    begun = false;
    head_size = 0;
  }

  void note(const beast::request<beast::string_body>& from) {
    head = from.method() == beast::verb::head;
    keep = from.keep_alive();
    version = from.version();
  }

  response why(error_code e) const {
    if (e == beast::error::header_limit || e == beast::error::buffer_overflow)
      return error_response(431, "header-too-large",
                            "the request header is larger than "
                              + std::to_string(bounds.header_max) + " bytes");
    if (e == beast::error::body_limit)
      return error_response(413, "body-too-large",
                            "the request body is larger than "
                              + std::to_string(bounds.body_max) + " bytes");
    return error_response(400, "bad-request",
                          "this is no HTTP/1.1 request: " + e.message());
  }

  verdict refuse(response x) {
    refused = std::move(x);
    // Of a request that is known that far: it is answered without a body, too.
    head = parser->get().method() == beast::verb::head;
    return verdict::bad;
  }

  verdict judge() {
    auto& from = parser->get();
    note(from);
    auto hosts = from.count(beast::field::host);
    if ((version >= 11 && hosts != 1)
        || (hosts > 0 && from[beast::field::host].empty()))
      return refuse(error_response(400, "bad-request",
                                   "the request must have one Host header, "
                                   "which is not empty"));
    return verdict::whole;
  }

  verdict look() {
    while (buffer.size() > 0 && !parser->is_done()) {
      begun = true;
      error_code e;
      auto in_head = !parser->is_header_done();
      auto used = parser->put(buffer.data(), e);
      buffer.consume(used);
      // Beast 1.81 forgets how much there was if a piece ends behind a line.
      head_size += in_head ? used : 0;
      if (head_size > bounds.header_max)
        return refuse(why(beast::error::header_limit));
      // Nobody needs a body in chunks; of some that are cut in the middle Beast
      // asserts what a stranger decides.
      // Who names another coding and no length would hide a second request.
      if (parser->is_header_done()
          && (parser->chunked()
              || parser->get().count(beast::field::transfer_encoding) > 0))
        return refuse(error_response(411, "length-required",
                                     "the request must say how long its body "
                                     "is: Content-Length"));
      if (e == beast::error::need_more) {
        // What is left is a part of a header line, and more has no room.
        if (used == 0 && buffer.size() >= buffer.max_size())
          return refuse(why(beast::error::buffer_overflow));
        if (used == 0)
          break;
      } else if (e) {
        return refuse(why(e));
      }
    }
    if (parser->is_done())
      return judge();
    if (parser->is_header_done() && !told_to_go_on
        && parser->get().version() >= 11 // an older one takes it for the answer
        && boost::beast::iequals(parser->get()[beast::field::expect],
                                 "100-continue")) {
      told_to_go_on = true;
      return verdict::go_ahead;
    }
    return verdict::more;
  }

  limits bounds;
  boost::beast::flat_buffer buffer;
  std::optional<beast::request_parser<beast::string_body>> parser;
  response refused;
  bool begun = false; ///< some of the request was parsed already
  bool told_to_go_on = false;
  std::size_t head_size = 0; ///< bytes of it that were parsed
  bool head = false;
  bool keep = false;
  unsigned version = 11;
};

request_reader::request_reader(const limits& bounds)
  : impl_(std::make_unique<impl>(bounds)) {
  // nop
}

request_reader::~request_reader() = default;

std::span<char> request_reader::room() {
  auto& buffer = impl_->buffer;
  auto size = std::min(piece, buffer.max_size() - buffer.size());
  auto place = buffer.prepare(size);
  return {static_cast<char*>(place.data()), place.size()};
}

void request_reader::took(std::size_t count) {
  impl_->buffer.commit(count);
}

request_reader::verdict request_reader::look() {
  return impl_->look();
}

bool request_reader::is_empty() const {
  return !impl_->begun && impl_->buffer.size() == 0;
}

request request_reader::take() {
  auto from = impl_->parser->release();
  request to;
  to.method = text_of(from.method_string());
  to.target = text_of(from.target());
  to.accept = text_of(from[beast::field::accept]);
  to.host = text_of(from[beast::field::host]);
  // Of two nobody can say which is the page's: that is none of ours.
  to.origin = from.count(beast::field::origin) > 1
                ? "null"
                : text_of(from[beast::field::origin]);
  to.known_tags = text_of(from[beast::field::if_none_match]);
  to.takes_gzip = takes_gzip(from[beast::field::accept_encoding]);
  to.body = std::move(from.body());
  impl_->begin();
  return to;
}

response request_reader::refusal() const {
  return impl_->refused;
}

bool request_reader::is_head() const {
  return impl_->head;
}

bool request_reader::keeps_alive() const {
  return impl_->keep;
}

unsigned request_reader::version() const {
  return impl_->version;
}

} // namespace orderly::io::http
