// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Tells CAF which of our words may travel between actors of this process.
// They never cross a wire (ADR 0005), so they need no inspection.

#pragma once

#include "messages/cluster.hpp"
#include "messages/errand.hpp"
#include "messages/event.hpp"
#include "messages/job.hpp"
#include "messages/journal_entry.hpp"
#include "messages/permit.hpp"
#include "messages/plan.hpp"
#include "messages/power.hpp"
#include "messages/sighting.hpp"
#include "messages/standing.hpp"
#include "messages/view.hpp"

#include <caf/allowed_unsafe_message_type.hpp>

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::probe_request)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::sighting)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::activity_request)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::activity_answer)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::power_request)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::power_answer)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::power_order)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::power_report)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::job_submission)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::submit_answer)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::job_watch)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::job_state)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::trail_query)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::trail_answer)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::job_lookup)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::job_lookup_answer)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::job_cancel)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::job_order)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::job_event)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::job_withdraw)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::ask_consent)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::consent)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::journal_entry)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::journal_batch)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::journal_ack)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::journal_read)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::journal_contents)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::node_standing)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::instance_standing)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::permit_request)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::permit)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::permit_called)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::permit_release)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::ask_risky_acts)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::risky_acts)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::pause_order)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::pause_answer)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::guard_standing)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::lease)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::view_query)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::view_answer)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::repair_request)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::repair_answer)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::program_question)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::program_answer)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::power_withdraw)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::accepted_orders)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::ask_wishes)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::power_wishes)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::off_word)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::off_word_answer)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::errand_request)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::errand_sheet)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::errand_query)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::errand_stop)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::errand_list)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::errand_list_answer)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::read_model)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::model_answer)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::plan_question)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::plan_answer)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::target_question)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::target_answer)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::ask_diagnosis)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::diagnosis)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::deposit_repair)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::deposit_answer)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::event_standing)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::event_order)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::event_order_answer)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::evacuation_question)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::evacuation_answer)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::balance_query)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(orderly::balance_sheet)
