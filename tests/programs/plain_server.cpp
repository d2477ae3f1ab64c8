// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// plain_server PORT [TARGET STATUS TYPE FILE]...: a server of Boost.Beast that
// gives the bytes of a file for each target and does nothing else: no deadline,
// no bound, nobody is asked who he is. What `./dev bench doors` measures the
// doors beside. One thread, as the doors have.

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>

namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using asio::ip::tcp;
using boost::system::error_code;

struct page {
  http::status status = http::status::ok;
  std::string type;
  std::string text;
};

using pages = std::map<std::string, page, std::less<>>;

class session : public std::enable_shared_from_this<session> {
public:
  session(tcp::socket socket, const pages& all)
    : socket_(std::move(socket)), all_(all) {
    // nop
  }

  void read() {
    asked_ = {};
    http::async_read(socket_, buffer_, asked_,
                     [me = shared_from_this()](error_code e, std::size_t) {
                       if (!e)
                         me->write();
                     });
  }

private:
  void write() {
    answer_.emplace();
    auto& to = *answer_;
    to.version(asked_.version());
    to.keep_alive(asked_.keep_alive());
    to.set(http::field::server, "plain");
    auto found = all_.find(
      std::string_view{asked_.target().data(), asked_.target().size()});
    if (found == all_.end()) {
      to.result(http::status::not_found);
    } else {
      const auto& from = found->second;
      to.result(from.status);
      to.set(http::field::content_type, from.type);
      to.body() = {from.text.data(), from.text.size()};
    }
    to.prepare_payload();
    http::async_write(socket_, to,
                      [me = shared_from_this()](error_code e, std::size_t) {
                        if (!e && me->answer_->keep_alive())
                          me->read();
                      });
  }

  tcp::socket socket_;
  const pages& all_;
  beast::flat_buffer buffer_;
  http::request<http::string_body> asked_;
  std::optional<http::response<http::span_body<const char>>> answer_;
};

void accept(tcp::acceptor& at, const pages& all) {
  at.async_accept([&](error_code e, tcp::socket next) {
    if (!e)
      std::make_shared<session>(std::move(next), all)->read();
    accept(at, all);
  });
}

std::string content_of(const char* path) {
  std::ifstream file{path, std::ios::binary};
  return {std::istreambuf_iterator<char>{file}, {}};
}

} // namespace

int main(int argc, char** argv) {
  if (argc < 2 || (argc - 2) % 4 != 0) {
    std::cerr << "usage: plain_server PORT [TARGET STATUS TYPE FILE]...\n";
    return 2;
  }
  pages all;
  for (int i = 2; i < argc; i += 4)
    all[argv[i]] = {static_cast<http::status>(std::atoi(argv[i + 1])),
                    argv[i + 2], content_of(argv[i + 3])};
  try {
    asio::io_context context{1};
    auto port = static_cast<std::uint16_t>(std::atoi(argv[1]));
    tcp::acceptor at{context, {asio::ip::address_v4::loopback(), port}};
    accept(at, all);
    context.run();
  } catch (const std::exception& e) {
    std::cerr << "plain_server: " << e.what() << "\n";
    return 1;
  }
}
