// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/htools/tools/source.hpp"

#include "io/htools/formats/luxi_source.hpp"
#include "io/htools/formats/read_request.hpp"
#include "io/htools/formats/read_text.hpp"
#include "io/htools/tools/hbal_load.hpp"

namespace orderly::io::htools {

result<planning::cluster> read_source(const tool_options& o) {
  if (!o.simulate.empty())
    return simulated_cluster(o.simulate);
  if (!o.other_source.empty())
    return fault{fault_kind::refused,
                 o.other_source
                   + " is not there yet; give a file with -t or a socket with "
                     "-L"};
  if (o.luxi)
    return read_luxi(*o.luxi, o.kvm_node_memory);
  if (!o.text_file.empty()) {
    auto text = read_whole(o.text_file);
    if (!text)
      return text.why();
    return read_text(*text, o.text_file);
  }
  if (!o.request_file.empty()) {
    auto text = read_whole(o.request_file);
    if (!text)
      return text.why();
    return read_request_cluster(*text, o.request_file, o.kvm_node_memory);
  }
  return fault{fault_kind::bad_input, "No backend selected! Exiting."};
}

} // namespace orderly::io::htools
