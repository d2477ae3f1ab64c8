// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Writes the text format of Ganeti's htools; read_text.hpp reads it.

#pragma once

#include "actors/planning/model/cluster.hpp"

namespace orderly::io::htools {

std::string write_text(const planning::cluster& c);

} // namespace orderly::io::htools
