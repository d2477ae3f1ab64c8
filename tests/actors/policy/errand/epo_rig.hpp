// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Emergency power-offs and ways back, for the rigs that play them.

#pragma once

#include "tests/actors/policy/errand/rig.hpp"

namespace orderly::errand {

inline epo_errand epo(std::vector<std::string> names, bool on = false) {
  epo_errand x;
  x.names = std::move(names);
  x.on = on;
  return x;
}

inline epo_errand whole(bool on = false) {
  epo_errand x;
  x.all = true;
  x.on = on;
  return x;
}

/// n1 and n2 with a mirrored instance each, both off by an epo.
inline rig after_epo() {
  rig b;
  b.add_instance("i1", "n1", {"n2"});
  b.add_instance("i2", "n2", {"n1"});
  b.begin(b.request(epo({"n1", "n2"})));
  b.job("i1");
  b.job("i2");
  for (const char* name : {"n1", "n2"}) {
    b.job(name);
    b.switched(name);
    b.job(name);
  }
  return b;
}

} // namespace orderly::errand
