// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/htools/monitors/cpu_report.hpp"

#include "io/json/escape.hpp"

#include <cmath>

namespace orderly::io::htools {

namespace {

/// More CPUs has no machine: a larger number is a slip.
constexpr double load_max = 1e6;

/// Text of a stranger goes on into sentences: not all of it.
constexpr std::size_t words_max = 300;

fault no_report(const std::string& why) {
  return {fault_kind::bad_input,
          "gives no report of the CPU load: "
            + http::one_line(std::string_view{why}.substr(0, words_max))};
}

bool is_load(double x) {
  return std::isfinite(x) && x >= 0 && x <= load_max;
}

/// The data of a report of that collector.
result<const json_value*> data_of(const json_value& x, const char* collector) {
  if (x.kind != json_value::is::object)
    return no_report("it is no object");
  json_reader report{x, "it"};
  auto name = report.text("name");
  const auto& data = report.object("data");
  if (report.trouble())
    return no_report(report.trouble()->text);
  if (name != collector)
    return no_report("it is of another collector");
  return &data;
}

template <class Read>
auto read_text_by(std::string_view text, Read read)
  -> decltype(read(json_value{})) {
  auto all = read_json(text, "it");
  if (!all)
    return no_report(all.why().text);
  return read(*all);
}

} // namespace

result<double> read_cpu_report(const json_value& report) {
  auto found = data_of(report, cpu_collector);
  if (!found)
    return found.why();
  json_reader data{**found, "its 'data'"};
  auto load = data.number("cpu_total");
  if (data.trouble())
    return no_report(data.trouble()->text);
  if (!is_load(load))
    return no_report("'cpu_total' is no number of busy CPUs");
  return load;
}

result<double> read_cpu_report(std::string_view text) {
  return read_text_by(text,
                      [](const json_value& x) { return read_cpu_report(x); });
}

result<instance_loads> read_xen_report(const json_value& report) {
  auto found = data_of(report, xen_collector);
  if (!found)
    return found.why();
  instance_loads loads;
  const auto& data = **found;
  for (std::size_t k = 0; k < data.items.size(); ++k) {
    const auto& x = data.items[k];
    auto is_whole = x.kind == json_value::is::whole;
    auto load = is_whole ? static_cast<double>(x.whole) : x.real;
    if ((!is_whole && x.kind != json_value::is::real) || !is_load(load))
      return no_report("its 'data' has a member that is no number of busy "
                       "CPUs");
    loads.emplace(data.names[k], load);
  }
  return loads;
}

result<instance_loads> read_xen_report(std::string_view text) {
  return read_text_by(text,
                      [](const json_value& x) { return read_xen_report(x); });
}

} // namespace orderly::io::htools
