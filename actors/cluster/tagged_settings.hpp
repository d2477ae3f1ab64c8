// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Settings that tags of the cluster give: read with each picture, before
// anybody decides by that picture.

#pragma once

#include "actors/cluster/facts.hpp"

namespace orderly {

/// What the tags of the cluster set is in force from now on. What is not heeded
/// is told once, with what to do about it.
void heed_settings(cluster_self self, const cluster_record& read);

} // namespace orderly
