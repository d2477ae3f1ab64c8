// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/config/settings_file.hpp"
#include "tests/support/scratch.hpp"

#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <thread>

#include <sys/stat.h>

namespace orderly::config_settings_file_test {

using namespace orderly::io;

TEST_CASE("a file that sets nothing is nothing to read anew") {
  scratch_folder folder;
  auto path = folder.path("orderly.toml");
  auto says = [&](const std::string& text) {
    std::ofstream{path} << text;
    auto read = text_to_reload(path);
    return read ? *read : read.why().text;
  };
  for (const auto* text : {"", " \t\r\n\n", "#\n\t # b\n", "# c\n[http]\n"})
    CHECK(says(text).find("sets nothing") != std::string::npos);
  for (const std::string text : {"a = 1", "# c\n[http]\nport = 1", "\n\n  x"})
    CHECK(says(text) == text);
  std::filesystem::remove(path);
  auto gone = text_to_reload(path);
  REQUIRE_FALSE(gone);
  CHECK(gone.why().text.find(path) != std::string::npos);
}

TEST_CASE("a file that is being written is read once it is whole") {
  scratch_folder folder;
  auto path = folder.path("orderly.toml");
  std::ofstream{path} << "a = 1";
  std::thread editor{[&] {
    for (int i = 0; i < 4; ++i) {
      std::this_thread::sleep_for(millis{60});
      std::ofstream{path} << std::string(static_cast<std::size_t>(i), '\n')
                          << "a = 1\nb =";
    }
    std::ofstream{path} << "a = 1\nb = 2";
  }};
  auto text = text_to_reload(path);
  editor.join();
  REQUIRE(text);
  CHECK(*text == "a = 1\nb = 2");
}

TEST_CASE("a pipe in the place of the settings is no file, and is not waited "
          "for") {
  scratch_folder folder;
  auto path = folder.path("orderly.toml");
  REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
  for (const auto& place : {path, std::string{"/dev/null"}}) {
    auto text = text_to_reload(place);
    REQUIRE_FALSE(text);
    CHECK(text.why().text.find("plain file") != std::string::npos);
  }
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
