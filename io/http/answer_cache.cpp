// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/http/answer_cache.hpp"

namespace orderly::io::http {

namespace {

std::size_t size_of(const std::string& question, const document& x) {
  return question.size() + x.text->size() + (x.packed ? x.packed->size() : 0);
}

} // namespace

document_ptr answer_cache::find(const std::string& question,
                                bool packed) const {
  auto i = all_.find(question);
  if (i == all_.end())
    return nullptr;
  const auto& x = *i->second;
  return packed && !x.packed && is_worth_packing(x) ? nullptr : i->second;
}

void answer_cache::keep(const std::string& question, document_ptr answer) {
  if (auto old = all_.find(question); old != all_.end()) {
    // What is packed serves both kinds of readers.
    if (old->second->packed && !answer->packed)
      return;
    bytes_ -= size_of(question, *old->second);
    all_.erase(old);
  }
  auto size = size_of(question, *answer);
  if (all_.size() >= count_max || bytes_ + size > bytes_max)
    return;
  bytes_ += size;
  all_.emplace(question, std::move(answer));
}

void answer_cache::clear() {
  all_.clear();
  bytes_ = 0;
}

} // namespace orderly::io::http
