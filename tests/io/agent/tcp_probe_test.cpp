// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What the errors of a connection say of the machine behind it.

#include "io/agent/tcp_probe.hpp"

#include <catch2/catch.hpp>

#include <cerrno>

namespace orderly::agent_tcp_probe_test {

using namespace orderly::io::agent;

namespace {

reply reply_to(int error) {
  check what{check_kind::daemon, 1811, false};
  return explain_connect(what, {error, boost::system::system_category()},
                         seconds{2})
    .got;
}

} // namespace

TEST_CASE("trouble on our own side is no news about the node") {
  for (auto error : {ENETUNREACH, EMFILE, ENFILE, EADDRNOTAVAIL, ENOBUFS,
                     ENOMEM, EACCES, EPERM, EINVAL, ENETDOWN})
    CHECK(reply_to(error) == reply::untried);
  CHECK(reply_to(ETIMEDOUT) == reply::silent);
  CHECK(reply_to(EHOSTUNREACH) == reply::silent);
  CHECK(reply_to(ECONNREFUSED) == reply::refused);
  CHECK(reply_to(ECONNRESET) == reply::refused);
}

} // namespace orderly::agent_tcp_probe_test
