// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Ganeti's own texts, as 3.0 writes them.

#include "actors/policy/base/job_errors.hpp"

#include <catch2/catch.hpp>

namespace orderly::base_job_errors_test {

TEST_CASE("a closed queue says nothing about the job") {
  CHECK(is_closed_queue("Job queue is drained, refusing job"));
  CHECK(is_closed_queue("Job queue is full"));
  CHECK_FALSE(is_closed_queue("Instance 'web1' not known"));
}

TEST_CASE("want of room is told by Ganeti and by its allocator") {
  CHECK(is_want_of_room("Can't compute nodes using iallocator 'hail': Request "
                        "failed: No valid allocation solutions"));
  CHECK(is_want_of_room("error type: insufficient_resources, error details: "
                        "Not enough memory on node n1"));
  CHECK_FALSE(is_want_of_room("Instance web1 is running"));
}

TEST_CASE("a tag that was to be removed and is gone") {
  CHECK(is_missing_tag("Tag(s) 'a:b' not found"));
  CHECK_FALSE(is_missing_tag("Tag(s) 'a:b' too long"));
  CHECK_FALSE(is_missing_tag("Instance web1 not found"));
}

} // namespace orderly::base_job_errors_test
