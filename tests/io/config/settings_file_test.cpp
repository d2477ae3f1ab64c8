// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/config/settings_file.hpp"
#include "tests/support/scratch.hpp"

#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>

#include <sys/stat.h>

namespace orderly::config_settings_file_test {

using namespace orderly::io;

TEST_CASE("a file that sets nothing is nothing to read anew") {
  scratch_folder folder;
  auto path = folder.path("orderly.toml");
  auto says = [&](const std::string& text) {
    std::ofstream{path} << text;
    return why_nothing_to_read(path);
  };
  for (const auto* text : {"", "\n", " \t\r\n\n", "# a = 1", "#\n\t # b\n",
                           "# c\n[http]\n", "[http]\n# a = 1\n[power]"})
    CHECK(says(text).find("sets nothing") != std::string::npos);
  for (const auto* text : {"a = 1", "# c\n[http]\nport = 1", "\n\n  x"})
    CHECK(says(text).empty());
  std::filesystem::remove(path);
  CHECK(why_nothing_to_read(path).find(path) != std::string::npos);
}

TEST_CASE("a pipe in the place of the settings is no file, and is not waited "
          "for") {
  scratch_folder folder;
  auto path = folder.path("orderly.toml");
  REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
  auto why = why_nothing_to_read(path);
  CHECK(why.find("plain file") != std::string::npos);
  CHECK(why_nothing_to_read("/dev/null").find("plain file")
        != std::string::npos);
}

TEST_CASE("places that others can write are named") {
  scratch_folder folder;
  auto open = folder.path("open");
  std::filesystem::create_directory(open);
  settings rules;
  rules.journal.path = folder.path("journal.db");
  rules.http.socket = folder.path("orderly.sock");
  REQUIRE(::chmod(open.c_str(), 0777) == 0);
  auto before = places_of_others(rules).size();
  rules.http.socket = open + "/orderly.sock";
  auto found = places_of_others(rules);
  REQUIRE(found.size() == before + 1);
  CHECK(found.back().find("http.socket") == 0);
  CHECK(found.back().find(open) != std::string::npos);
}

} // namespace orderly::config_settings_file_test
