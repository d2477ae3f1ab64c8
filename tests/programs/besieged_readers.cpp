// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The doors of orderlyd and what reads requests behind them, with nothing else:
// built under address and undefined sanitizers, whatever the rest is built as.
// For the siege, which throws broken requests at it.
//
//   besieged_readers FOLDER    prints its port; sockets are in FOLDER; ends
//                              with its standard input

#include "io/door/origin.hpp"
#include "io/door/server.hpp"
#include "io/json/errand_json.hpp"
#include "io/json/strict_reader.hpp"
#include "io/loop/loop.hpp"
#include "io/query/list_query.hpp"
#include "io/query/target.hpp"
#include "io/query/values.hpp"

#include <cstdio>
#include <cstdlib>

using namespace orderly;

namespace {

/// Reads all that the real one would read of it.
void take(const io::http::request& x, const io::http::reply& answer) {
  io::http::response said;
  if (auto to = io::http::parse_target(x.target))
    (void)io::http::read_list_query(to->query, io::http::node_phases());
  else
    said.status = 400;
  (void)io::http::host_of(x.host);
  (void)io::http::host_of_origin(x.origin);
  if (!x.body.empty()) {
    auto body = io::http::parse_strictly(x.body);
    auto errand = io::http::read_errand_request(x.body);
    if (!body || !errand)
      said = io::http::error_response(
        400, "bad_body", body ? errand.why().text : body.why().text);
  }
  answer(std::move(said));
}

void fail(const std::string& why) {
  std::fprintf(stderr, "an exception was let out: %s\n", why.c_str());
  std::abort();
}

} // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: besieged_readers FOLDER\n");
    return 2;
  }
  std::string folder = argv[1];
  io::loop loop{{.failed = fail}};
  io::http::server_rules rules;
  rules.socket = folder + "/orders";
  rules.failed = fail;
  auto open = io::http::server::start(loop, rules, take);
  if (!open) {
    std::fprintf(stderr, "%s\n", open.why().text.c_str());
    return 2;
  }
  std::printf("%u\n", unsigned{(*open)->port()});
  std::fflush(stdout);
  while (std::getchar() != EOF)
    continue;
  return 0;
}
