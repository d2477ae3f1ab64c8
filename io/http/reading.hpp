// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What is read: each path's answer, from the snapshots. Used by the routes, on
// the doors' thread.

#pragma once

#include "io/http/call.hpp"
#include "io/http/snapshots.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace orderly::io::http {

/// How many large answers may be under way at once: each is kept in memory
/// until its last byte has left, and slow readers take their time.
inline constexpr std::size_t heavy_bytes = 256 * 1024;

class heavy_limit : public std::enable_shared_from_this<heavy_limit> {
public:
  explicit heavy_limit(std::uint32_t most) : most_(most) {
    // nop
  }

  /// A place, for as long as it is kept; null: all are taken. Who may give
  /// orders has places of its own, as many again: whoever only reads keeps
  /// nobody from looking who has to act.
  std::shared_ptr<void> take(bool may_order) {
    auto& taken = may_order ? by_owners_ : by_readers_;
    if (taken.fetch_add(1) >= most_) {
      taken.fetch_sub(1);
      return nullptr;
    }
    return {this,
            [me = shared_from_this(), &taken](void*) { taken.fetch_sub(1); }};
  }

private:
  std::uint32_t most_;
  std::atomic<std::uint32_t> by_readers_ = 0;
  std::atomic<std::uint32_t> by_owners_ = 0;
};

struct reading_room {
  std::shared_ptr<snapshots> shown;
  std::shared_ptr<heavy_limit> heavy;
  std::uint32_t own_uid = 0; ///< who may give orders, like root
};

/// The document, packed if the client takes that, or that it has it already.
void send_document(const call& x, const reading_room& in, document_kind kind);

/// Has `work` done by the kitchen. What it makes depends on nothing of the
/// request but its target.
void cook(const call& x, const reading_room& in, text_maker work);

/// /2/nodes and /2/instances: all, or those that the parameters are about.
void send_nodes(const call& x, const reading_room& in);
void send_instances(const call& x, const reading_room& in);

/// One of them.
void send_node(const call& x, const reading_room& in);
void send_instance(const call& x, const reading_room& in);

void send_advice(const call& x, const reading_room& in);
void send_decisions(const call& x, const reading_room& in);
void send_explanation(const call& x, const reading_room& in);

} // namespace orderly::io::http
