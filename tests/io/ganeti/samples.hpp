// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Replies of a real luxid (Ganeti 3.0.2), kept under tests/io/data/luxi.

#pragma once

#include <catch2/catch.hpp>

#include <fstream>
#include <iterator>
#include <string>

namespace orderly::test {

inline std::string luxi_sample(const std::string& name) {
  auto path
    = std::string{ORDERLY_SOURCE_DIR} + "/tests/io/data/luxi/" + name + ".json";
  std::ifstream file{path};
  INFO("sample " << path);
  REQUIRE(file.good());
  return {std::istreambuf_iterator<char>{file}, {}};
}

/// With the first `from` replaced, which must be there.
inline std::string replaced(std::string text, const std::string& from,
                            const std::string& to) {
  auto at = text.find(from);
  INFO("to replace: " << from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

/// The answer to a query, with these rows.
inline std::string table(const std::string& rows) {
  return R"({"success":true,"result":{"fields":[],"data":[)" + rows + "]}}";
}

} // namespace orderly::test
