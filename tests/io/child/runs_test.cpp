// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What is left in this process after many runs of helper programs of all
// kinds: nothing.

#include "io/child/runner.hpp"
#include "tests/io/child/children.hpp"
#include "tests/io/child/scripts.hpp"

#include <catch2/catch.hpp>

#include <future>
#include <vector>

#include <malloc.h>

namespace orderly::child_runs_test {

using namespace orderly::io;
using namespace orderly::io::child;

namespace {

std::size_t descriptors() {
  std::size_t result = 0;
  for ([[maybe_unused]] auto& x :
       std::filesystem::directory_iterator{"/proc/self/fd"})
    ++result;
  return result;
}

/// Bytes that are allocated and not freed; zero under the sanitizers, which
/// look for leaks by themselves.
std::size_t allocated() {
  return ::mallinfo2().uordblks + ::mallinfo2().hblkhd;
}

struct counts {
  int good = 0;
  int failed = 0;
  int refused = 0;
  int cut = 0;
  int late = 0;
};

struct helpers_of_all_kinds : test::scripts {
  std::string good = add("good", "echo '{\"powered\": true}'");
  std::string failing = add("failing", "echo no answer >&2; exit 1");
  std::string loud = add("loud", "head -c 300000 /dev/zero");
  std::string hung = add("hung", "exec sleep 30");
  std::string missing = path("missing");

  /// 7 of 10 are good; of the others one each, the hung one of 50.
  [[nodiscard]] const std::string& pick(int i) const {
    switch (i % 10) {
    case 7:
      return failing;
    case 8:
      return missing;
    case 9:
      return i % 50 == 9 ? hung : loud;
    default:
      return good;
    }
  }

  counts run(runner& with, int runs) const {
    std::vector<std::future<outcome>> answers;
    for (int i = 0; i < runs; ++i) {
      auto promised = std::make_shared<std::promise<outcome>>();
      answers.push_back(promised->get_future());
      auto& program = pick(i);
      with.run({program,
                {"power-status", "node1"},
                &program == &hung ? millis{300} : millis{minutes{2}}},
               [promised](outcome x) { promised->set_value(std::move(x)); });
    }
    counts result;
    for (auto& each : answers) {
      auto x = each.get();
      result.good += x.exit_code == 0 && !x.out_truncated;
      result.failed += x.exit_code == 1;
      result.refused += !x.refused.empty() && x.exit_code == -1;
      result.cut += x.out_truncated;
      result.late += x.timed_out;
    }
    return result;
  }
};

} // namespace

TEST_CASE("1000 runs leave no zombie, no descriptor and no memory") {
  auto earlier = test::children();
  helpers_of_all_kinds files;
  loop where;
  runner_limits limits;
  limits.parallel_max = 8;
  limits.kill_delay = millis{300};
  limits.alone = true;
  runner with{where, limits};
  files.run(with, 200); // buffers that stay are there from now on
  auto open = descriptors();
  auto memory = allocated();
  auto got = files.run(with, 1000);
  CHECK(got.good == 700);
  CHECK(got.failed == 100);
  // A hung one that waits in the queue for its whole time is refused.
  CHECK(got.refused + got.late == 100 + 20);
  CHECK(got.cut == 80);
  CHECK(descriptors() == open);
  CHECK(test::children_left(earlier).empty());
  // One leaked outcome of a loud helper alone would be 64 KiB.
  CHECK(allocated() < memory + 64 * 1024);
}

} // namespace orderly::child_runs_test
