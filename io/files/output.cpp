// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/files/output.hpp"

#include <cstdio>
#include <iostream>

namespace orderly::io {

int after_output(int code, std::string_view program) {
  std::cout.flush();
  auto lost = std::fflush(stdout) != 0 || std::ferror(stdout) != 0;
  if (!lost && std::cout)
    return code;
  std::fprintf(stderr, "%.*s: cannot write the output\n",
               static_cast<int>(program.size()), program.data());
  return code == 0 ? 1 : code;
}

} // namespace orderly::io
