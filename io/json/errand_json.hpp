// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Errands as JSON, both ways: what a client asks for, strictly read, and the
// sheets it gets. Shared by the routes and the command `orderly`. Spans are in
// whole milliseconds; times are RFC 3339, `null` for what never happened.
//
//   {"power": {"command": "power-off", "nodes": ["node1"]},
//    "reason": "new memory", "dry": false, "count": 1}
//
// In place of "power": "modify", "info", "epo", "verify", "confirm_off", "ha",
// "setting".

#pragma once

#include "messages/errand.hpp"
#include "messages/result.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace orderly::io::http {

inline constexpr std::size_t errand_names_max = 5000;
inline constexpr std::size_t errand_reason_max = 1000;
inline constexpr std::uint32_t errand_count_max = 1'000'000;

/// Without `who`: that is the one at the other end of the socket.
nlohmann::json render(const errand_request& x);

/// Fails as `bad_input` with the place of the first mistake.
result<errand_request> read_errand_request(const std::string& body);

nlohmann::json render(const errand_sheet& x);

/// What a newer orderlyd may add is passed over; fails as `bad_input`.
result<errand_sheet> read_errand_sheet(const nlohmann::json& x);

} // namespace orderly::io::http
