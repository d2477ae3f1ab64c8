// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What is done about a node group, or about the cluster as a whole.

#pragma once

#include "messages/ids.hpp"
#include "messages/protocol/job_client.hpp"
#include "messages/protocol/type_ids.hpp"
#include "messages/time.hpp"

#include <caf/replies_to.hpp>
#include <caf/typed_actor.hpp>

#include <string>
#include <vector>

namespace orderly {

/// A piece of the current picture, for one group.
struct group_facts {
  std::vector<std::string> tags; ///< those about auto-repair
  instant read_at;
};

/// How a group stands: told with each piece of a picture, and at the end of a
/// job.
struct group_standing {
  group_name group;      ///< empty: the cluster as a whole
  bool removing = false; ///< a job that removes tags is under way
};

/// Is told how groups stand.
using group_listener = caf::typed_actor<
  /// After all facts that it gets, and at the end of each job, whether or not
  /// anything changed.
  caf::reacts_to<group_standing>>;

/// A group, or the cluster as a whole: removes suspensions that are over.
using group_actor = caf::typed_actor<
  /// With each reading while there are such tags, and once when the last of
  /// them went. Expired ones go by one job at a time.
  caf::reacts_to<group_facts>>::extend_with<job_client>;

} // namespace orderly

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::group_facts)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::group_standing)
