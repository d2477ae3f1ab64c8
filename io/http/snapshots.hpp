// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What readers get: made once a scene, packed once, and shared by all of them.
// The view is asked by one question at a time, however many readers there are,
// and only if something changed since; what costs much to make is not made
// again at once. Used by the routes, on the doors' thread; what is made is made
// on another, so that nobody waits behind it.
//
//   reader -> fresh? --yes--> the same text for all
//               | no: waits, with all who came since
//               v
//            view: scene --> renderer, on its own thread --> all who wait

#pragma once

#include "io/http/document.hpp"
#include "io/http/renderer.hpp"
#include "io/loop/loop.hpp"
#include "messages/plan.hpp"
#include "messages/result.hpp"
#include "messages/time.hpp"
#include "messages/view.hpp"

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace orderly::io::http {

using scene_ptr = std::shared_ptr<const scene>;

/// Where scenes come from. The answers are given once, on any thread.
struct scene_source {
  std::function<void(std::function<void(result<scene_ptr>)>)> scene;
  std::function<void(balance_query, std::function<void(result<balance_sheet>)>)>
    balance;
  /// Grows with each change of what a scene shows; empty: nobody counts.
  std::function<std::uint64_t()> revision;
  /// Appended to the metrics; may be empty.
  std::function<std::string()> more_metrics;
  /// What was not heard of for so long is begun anew: it found no memory.
  millis lost_after = seconds{15};
};

/// Makes a text of a scene, or says why there is none.
using text_maker = std::function<result<std::string>(const scene&, renderer&)>;

class snapshots : public std::enable_shared_from_this<snapshots> {
public:
  /// `doors` and `kitchen` must outlive it, and may be the same.
  snapshots(loop& doors, loop& kitchen, scene_source from);
  ~snapshots();

  /// The newest document of that kind; packed too if somebody wants that. On
  /// the doors' thread only, at once or later.
  void get(document_kind kind, bool packed,
           std::function<void(result<document_ptr>)> then);

  /// The newest scene, likewise.
  void with_scene(std::function<void(result<scene_ptr>)> then);

  /// What was seen last, perhaps long ago; null: nothing yet.
  [[nodiscard]] scene_ptr last() const;

  /// Has `work` done on the newest scene by the kitchen, unless the same
  /// `question` was asked of it before; its answer is given to `then` on the
  /// doors' thread. Refused if too much is to do already.
  void cook(const std::string& question, bool packed, text_maker work,
            std::function<void(result<document_ptr>)> then);

  /// Somebody changed something and may look for it: nothing that was made
  /// before is good enough.
  void forget();

private:
  using moment = std::chrono::steady_clock::time_point;

  void ask();
  void have_scene(const result<scene_ptr>& got, moment began);
  void make(document_kind kind);
  void render(document_kind kind, scene_ptr all,
              std::optional<balance_sheet> balance, moment began);
  void have_document(document_kind kind, const result<document_ptr>& made);
  void pack(document_kind kind);

  struct state;
  std::unique_ptr<state> state_;
};

} // namespace orderly::io::http
