// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/node_reports/said.hpp"

#include "io/json/distinct_keys.hpp"

#include <algorithm>
#include <string_view>

namespace orderly::io::node_reports {

namespace {

/// Objects may have 32, and are inside another.
constexpr int depth_max = 40;

/// Text of a stranger goes on into sentences: not all of it.
constexpr std::size_t error_length_max = 1000;

diagnosis unknown(std::string why) {
  diagnosis x;
  x.how = hearing::failed;
  x.text = std::move(why);
  return x;
}

/// The object is kept as it was spelled: its numbers may be larger than any
/// type of ours. Agents put it last, and a quotation mark within a text has a
/// backslash before it.
std::string spelled(const std::string& report) {
  constexpr std::string_view before = ",\"data\":";
  auto at = report.find(before);
  if (at == std::string::npos || report.back() != '}')
    return {};
  at += before.size();
  return report.substr(at, report.size() - 1 - at);
}

} // namespace

diagnosis read_said(const std::string& report, instant now) {
  auto read = parse_distinct(report, depth_max);
  if (!read || !read->is_object())
    return unknown("the agent's report cannot be taken: "
                   + (read ? "it is no JSON object" : read.why().text));
  const auto& x = *read;
  auto name = x.find("name");
  if (name == x.end() || *name != "diagnose")
    return unknown("the agent's report is that of another collector");
  if (auto error = x.find("probe_error"); error != x.end()) {
    auto text = error->is_string() ? error->get<std::string>() : "";
    return unknown(text.empty() ? "the probe failed, and does not say why"
                                : text.substr(0, error_length_max));
  }
  auto age = x.find("age_ms");
  if (age == x.end() || !age->is_number_integer()
      || age->get<std::int64_t>() < 0)
    return unknown("the agent's report does not say when it was seen");
  diagnosis said;
  said.object = spelled(report);
  if (!parse_distinct(said.object, depth_max))
    return unknown("the agent's report has no data");
  // By our clock: theirs may be off by as much as is believed of it.
  said.at
    = now
      - millis{std::min<std::int64_t>(age->get<std::int64_t>(), to_ms(now))};
  said.how = hearing::heard;
  return said;
}

} // namespace orderly::io::node_reports
