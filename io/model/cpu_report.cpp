// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/model/cpu_report.hpp"

#include "io/htools/formats/json_value.hpp"
#include "io/json/escape.hpp"

#include <cmath>

namespace orderly::io::model {

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

} // namespace

result<double> read_cpu_report(std::string_view text) {
  auto all = htools::read_json(text, "it");
  if (!all)
    return no_report(all.why().text);
  if (all->kind != htools::json_value::is::object)
    return no_report("it is no object");
  htools::json_reader report{*all, "it"};
  auto name = report.text("name");
  htools::json_reader data{report.object("data"), "its 'data'"};
  if (report.trouble())
    return no_report(report.trouble()->text);
  if (name != "cpu-avg-load")
    return no_report("it is of another collector");
  auto load = data.number("cpu_total");
  if (data.trouble())
    return no_report(data.trouble()->text);
  if (!std::isfinite(load) || load < 0 || load > load_max)
    return no_report("'cpu_total' is no number of busy CPUs");
  return load;
}

} // namespace orderly::io::model
