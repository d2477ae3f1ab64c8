// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// The texts that readers get, made of a scene. What was made of a row is kept,
// and made again only if the row is another: at ten thousand instances a change
// costs what changed. Used by the snapshots, on one thread.

#pragma once

#include "io/query/list_query.hpp"
#include "messages/plan.hpp"
#include "messages/view.hpp"

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace orderly::io::http {

/// What everybody gets the same of.
enum class document_kind {
  status,
  public_status,
  nodes,
  instances,
  advice,
  page,
  public_page,
  metrics,
  public_metrics,
  plan,
  balance,
};

inline constexpr std::size_t document_kinds = 11;

/// For Prometheus, whoever reads it.
bool is_metrics(document_kind x);

/// True if it tells how balancing stands, too.
bool needs_balance(document_kind x);

const char* content_type(document_kind x);

class renderer {
public:
  /// `balance`: only where needed; null if it is not known.
  std::string render(document_kind kind, const scene& all,
                     const balance_sheet* balance);

  /// Rows that fit, as a JSON list with its name.
  std::string list_nodes(const scene& all, const list_query& q);
  std::string list_instances(const scene& all, const list_query& q);

private:
  std::string text_of(document_kind kind, const scene& all,
                      const balance_sheet* balance);

  template <class Row>
  struct line {
    std::shared_ptr<const Row> row;
    std::string text;
  };

  template <class Row>
  using lines = std::vector<line<Row>>;

  template <class Row>
  static void renew(lines<Row>& known,
                    const std::vector<std::shared_ptr<const Row>>& rows);

  template <class Row, class Fits>
  static std::string join(const char* name, const lines<Row>& all,
                          const list_query& q, Fits fits);

  lines<node_row> nodes_;
  lines<instance_row> instances_;
};

/// The scene's rows by value, with so many of the newest decisions.
view_answer all_of(const scene& from, std::size_t decisions_max);

/// What everybody may know: without names of persons and their reasons, and
/// without what programs and paths said.
status_row public_part(status_row x);

} // namespace orderly::io::http
