// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// A helper runs with our rights: nobody else may be able to replace it.

#include "io/oob/program_check.hpp"
#include "tests/io/child/scripts.hpp"

#include <catch2/catch.hpp>

#include <fstream>

#include <sys/stat.h>
#include <unistd.h>

namespace orderly::oob_program_check_test {

using io::oob::why_not_runnable;

namespace {

namespace fs = std::filesystem;

constexpr ::uid_t somebody = 12345;

/// A helper two folders down, and a folder for links beside them.
struct rig : test::scripts {
  std::string outer = path("outer");
  std::string inner = outer + "/inner";
  std::string links = path("links");
  std::string helper = inner + "/helper";

  rig() {
    fs::create_directories(inner);
    fs::create_directory(links);
    for (const auto& x : {outer, inner, links})
      allow(x, 0755);
    fs::rename(add("helper", "exit 0"), helper);
  }

  static void allow(const std::string& what, ::mode_t mode) {
    REQUIRE(::chmod(what.c_str(), mode) == 0);
  }

  [[nodiscard]] std::string link(const std::string& to) const {
    auto name = links + "/link";
    fs::create_symlink(to, name);
    return name;
  }
};

/// Only root can give files away.
bool gave_away(const std::string& what) {
  return ::geteuid() == 0 && ::lchown(what.c_str(), somebody, ::gid_t(-1)) == 0;
}

} // namespace

TEST_CASE("a helper in folders that only root and we can write may be run") {
  rig x;
  CHECK(why_not_runnable(x.helper).empty());
  CHECK(why_not_runnable(x.outer + "/../outer/./inner//helper").empty());
}

TEST_CASE("a helper below a folder that others can write is not run") {
  rig x;
  auto mode = GENERATE(0775u, 0757u);
  auto folder = GENERATE(true, false) ? x.outer : x.inner;
  rig::allow(folder, mode);
  CHECK(why_not_runnable(x.helper)
        == "out of band helper " + x.helper + " could be replaced: " + folder
             + " is writable by its group or by others: run chmod go-w on it");
}

TEST_CASE("a sticky folder is safe if it is root's, as nobody can replace "
          "what is ours there") {
  rig x;
  rig::allow(x.outer, 01777);
  CHECK(why_not_runnable(x.helper).empty() == (::geteuid() == 0));
}

TEST_CASE("a helper that belongs to somebody else is not run") {
  rig x;
  if (!gave_away(x.helper))
    return;
  CHECK(why_not_runnable(x.helper)
        == "out of band helper " + x.helper
             + " belongs to uid 12345: it must belong to root or to uid "
             + std::to_string(::geteuid()) + "; run chown root on it");
}

TEST_CASE("a helper below a folder of somebody else is not run") {
  rig x;
  auto folder = GENERATE(true, false) ? x.outer : x.inner;
  if (!gave_away(folder))
    return;
  CHECK_THAT(
    why_not_runnable(x.helper),
    Catch::Contains("could be replaced: " + folder + " belongs to uid 12345"));
}

TEST_CASE("a link to a helper may be run if what it leads through is safe") {
  rig x;
  auto name
    = x.link(GENERATE(true, false) ? x.helper : "../outer/inner/helper");
  CHECK(why_not_runnable(name).empty());
  CHECK(why_not_runnable(x.links + "/../links/link").empty());
}

TEST_CASE("a link in a folder that others can write is not followed") {
  rig x;
  auto name = x.link(x.helper);
  rig::allow(x.links, 0777);
  CHECK_THAT(why_not_runnable(name), Catch::Contains(x.links + " is writable"));
}

TEST_CASE("a link into a folder that others can write is not followed") {
  rig x;
  auto name = x.link(x.helper);
  rig::allow(x.inner, 0777);
  CHECK_THAT(why_not_runnable(name), Catch::Contains(x.inner + " is writable"));
}

TEST_CASE("a link of somebody else in a sticky folder is not followed") {
  rig x;
  rig::allow(x.links, 01777);
  auto name = x.link(x.helper);
  if (!gave_away(name))
    return;
  // The kernel may refuse to follow it before we do (fs.protected_symlinks).
  CHECK_THAT(
    why_not_runnable(name),
    Catch::Contains(name + " belongs to uid 12345")
      || Catch::StartsWith("error stating out of band helper: " + name));
}

TEST_CASE("links that lead in a circle end the check") {
  rig x;
  auto name = x.link(x.links + "/link");
  CHECK_THAT(why_not_runnable(name),
             Catch::StartsWith("error stating out of band helper: " + name));
}

TEST_CASE("the interpreter of a helper is held to what the helper is held to") {
  rig x;
  auto shell = x.inner + "/shell";
  fs::copy_file("/bin/sh", shell);
  rig::allow(shell, 0755);
  auto script = [&](const std::string& first) {
    std::ofstream{x.helper} << first << "\nexit 0\n";
    return why_not_runnable(x.helper);
  };
  CHECK(script("#!" + shell).empty());
  CHECK(script("#! " + shell + " -e").empty());
  CHECK(script("#!/usr/bin/env sh").empty());
  CHECK(script("#!/usr/bin/env -S sh -e").empty());
  CHECK_THAT(script("#!/usr/bin/env no-such-shell"),
             Catch::Contains("is not found"));
  CHECK_THAT(script("#!/usr/bin/env"), Catch::Contains("told no program"));
  CHECK_THAT(script("#!sh"), Catch::Contains("not an absolute path"));
  CHECK_THAT(script("#!" + x.inner + "/gone"), Catch::Contains("No such file"));
  rig::allow(shell, 0775);
  CHECK_THAT(script("#!" + shell), Catch::Contains("interpreter")
                                     && Catch::Contains(shell)
                                     && Catch::Contains("chmod go-w"));
  CHECK_THAT(script("#!/usr/bin/env " + shell), Catch::Contains("chmod go-w"));
  rig::allow(shell, 0755);
  auto other = x.links + "/shell";
  fs::copy_file("/bin/sh", other);
  rig::allow(other, 0755);
  rig::allow(x.links, 0777);
  CHECK_THAT(script("#!" + other), Catch::Contains("could be replaced"));
  rig::allow(x.links, 0755);
  if (gave_away(shell))
    CHECK_THAT(script("#!" + shell), Catch::Contains("must belong to root"));
}

TEST_CASE("what an interpreter is told besides the helper is options alone") {
  rig x;
  auto script = [&](const std::string& first) {
    std::ofstream{x.helper} << first << "\nexit 0\n";
    return why_not_runnable(x.helper);
  };
  for (const auto* good :
       {"#!/bin/sh -e", "#!/bin/sh -eu", "#!/usr/bin/env sh",
        "#!/usr/bin/env -S sh -e", "#!/usr/bin/env -S  sh  -e -u"})
    CHECK(script(good).empty());
  for (const auto* bad :
       {"#!/usr/bin/env -S PATH=/tmp/x sh", "#!/usr/bin/env PATH=/tmp/x",
        "#!/usr/bin/env -SPATH=/tmp/x sh", "#!/usr/bin/env -i sh",
        "#!/usr/bin/env -S -C /tmp/x sh", "#!/usr/bin/env -S sh /tmp/x",
        "#!/usr/bin/env -S sh --rcfile=/tmp/x", "#!/bin/sh /tmp/x",
        "#!/bin/sh -e/tmp/x", "#!/bin/sh x", "#!/bin/sh -I.", "#!/bin/sh -e x",
        "#!/usr/bin/env -S \"sh\" -e", "#!/usr/bin/env -S sh -e\\t/tmp"}) {
    INFO(bad);
    CHECK_THAT(script(bad),
               Catch::Contains("name the path of its interpreter"));
  }
}

TEST_CASE("interpreters of interpreters are looked at, but not for ever") {
  rig x;
  auto name = [&](int i) { return x.inner + "/s" + std::to_string(i); };
  for (int i = 0; i < 6; ++i) {
    std::ofstream{name(i)} << "#!" << (i == 0 ? "/bin/sh" : name(i - 1))
                           << "\n";
    rig::allow(name(i), 0755);
  }
  CHECK(why_not_runnable(name(2)).empty());
  CHECK_THAT(why_not_runnable(name(5)),
             Catch::Contains("interpreters of interpreters"));
  rig::allow(name(0), 0777);
  CHECK_THAT(why_not_runnable(name(2)), Catch::Contains("chmod go-w"));
}

} // namespace orderly::oob_program_check_test
