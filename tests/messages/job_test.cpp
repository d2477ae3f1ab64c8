// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "messages/job.hpp"

#include <catch2/catch.hpp>

namespace orderly::messages_job_test {

TEST_CASE("a node is said to be powered off only if that is recorded") {
  opcode op;
  op.kind = op_kind::node_set_offline;
  op.node = "node3";
  CHECK(describe(op) == "mark node3 offline");
  op.flag = true;
  CHECK(describe(op) == "mark node3 offline and powered off");
}

TEST_CASE("a change of a node is told with all that changes") {
  opcode op;
  op.kind = op_kind::node_modify;
  op.node = "node3";
  op.powered = false;
  CHECK(describe(op) == "set powered=no on node3");
  op.offline = true;
  op.program = "!";
  CHECK(describe(op) == "set offline=yes powered=no oob_program='!' on node3");
}

TEST_CASE("a shutdown for a while is told apart from one for good") {
  opcode op;
  op.kind = op_kind::instance_shutdown;
  op.instance = "web1";
  CHECK(describe(op) == "shutdown of web1");
  op.keep_wanted = true;
  CHECK(describe(op) == "shutdown of web1, which stays wanted up");
}

} // namespace orderly::messages_job_test
