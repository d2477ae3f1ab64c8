// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What was made of the newest scene for single questions, by what was asked:
// the same answer for whoever asks the same before there is another scene. Used
// by the snapshots, on the doors' thread.

#pragma once

#include "io/http/document.hpp"

#include <cstddef>
#include <map>
#include <string>

namespace orderly::io::http {

class answer_cache {
public:
  /// So much is kept at most, questions included; whoever varies them without
  /// end gets what is made for him alone, as if nothing was kept.
  static constexpr std::size_t bytes_max = 4 * 1024 * 1024;
  static constexpr std::size_t count_max = 256;

  /// The answer; null: none that will do.
  [[nodiscard]] document_ptr find(const std::string& question,
                                  bool packed) const;

  void keep(const std::string& question, document_ptr answer);

  /// There is another scene.
  void clear();

private:
  std::map<std::string, document_ptr> all_;
  std::size_t bytes_ = 0;
};

} // namespace orderly::io::http
