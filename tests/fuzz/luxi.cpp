// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Feeds bytes to everything that reads what luxid sends. The first byte picks
// the part, the second a place to split the stream.

#include "io/ganeti/decode_job.hpp"
#include "io/ganeti/decode_live.hpp"
#include "io/ganeti/decode_standing.hpp"
#include "io/ganeti/frame.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

namespace {

using namespace orderly;
using namespace orderly::io;

void demand(bool holds) {
  if (!holds)
    std::abort();
}

template <class T>
void explained(const result<T>& x) {
  demand(x.ok() || !x.why().text.empty());
}

/// However it is split, the stream gives frames without an end byte in them.
void split(std::string_view bytes, std::size_t at) {
  frame_splitter splitter{1 << 16};
  at = bytes.empty() ? 0 : at % bytes.size();
  for (auto part : {bytes.substr(0, at), bytes.substr(at)}) {
    if (!splitter.feed(part))
      return;
    while (auto frame = splitter.next())
      demand(frame->find(end_of_frame) == std::string::npos);
  }
}

void decode_jobs(std::string_view text) {
  explained(decode_running_jobs(text));
  auto trails = decode_trails(text);
  explained(trails);
  if (trails)
    search_trails(*trails, "intent=");
  auto job = decode_job(text, 1);
  explained(job);
  demand(!job.ok() || job->answered);
  explained(decode_change(text, job_status::queued));
  explained(decode_cancel(text));
  auto sent = decode_submission(text, 2);
  demand(sent.outcome != submit_outcome::accepted || sent.ids.size() == 2);
}

/// What is asked about single jobs and of the nodes themselves.
void decode_details(std::string_view text) {
  explained(decode_room(text));
  auto standings = decode_standings(text, {1, 2, 1});
  explained(standings);
  demand(!standings || standings->size() == 3);
  auto found = decode_job_result(text, 1);
  explained(found);
  if (found)
    explained(decode_mirrors(*found));
  auto bare = json::parse(text, nullptr, false);
  if (bare.is_discarded())
    return;
  auto faults = decode_mirrors(bare);
  explained(faults);
  if (faults)
    for (const auto& [name, what] : faults->faults)
      demand(!what.empty());
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  if (size < 2)
    return 0;
  std::string_view text{reinterpret_cast<const char*>(data) + 2, size - 2};
  switch (data[0] % 5) {
  case 0:
    split(text, data[1]);
    break;
  case 1:
    decode_jobs(text);
    break;
  case 2:
    explained(decode_nodes(text));
    explained(decode_instances(text));
    explained(decode_groups(text));
    break;
  case 3:
    decode_details(text);
    break;
  default: {
    picture_replies replies;
    replies.fill(R"({"success":true,"result":{"data":[]}})");
    replies[4] = R"({"success":true,"result":["a","b"]})";
    replies[5] = R"({"success":true,"result":[]})";
    demand(decode_picture(replies).ok());
    replies[data[1] % picture_parts] = text;
    explained(decode_picture(replies));
  }
  }
  return 0;
}
