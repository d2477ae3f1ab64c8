// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/node_reports/vote.hpp"

#include "io/files/small_file.hpp"
#include "io/loop/loop.hpp"
#include "io/node_reports/line.hpp"
#include "io/node_reports/papers.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <sstream>
#include <string_view>

#include <boost/asio/ip/address.hpp>
#include <fmt/format.h>

namespace orderly::io::node_reports {

namespace {

using nlohmann::json;

std::vector<std::string> words_of(const result<std::string>& text) {
  std::vector<std::string> all;
  if (!text)
    return all;
  std::istringstream in{*text};
  for (std::string word; in >> word;)
    all.push_back(std::move(word));
  return all;
}

bool is_missing(const result<std::string>& text) {
  return !text && text.why().kind == fault_kind::not_found;
}

/// What a crash left empty, and what cannot be read, is no sign that there is
/// no cluster: the one that comes back may be the old master.
start_verdict says_nothing(const std::string& path,
                           const result<std::string>& text,
                           std::string_view what) {
  return {start_step::leave,
          fmt::format("{} does not say {}: {}; `gnt-cluster redist-conf` on "
                      "the master writes it anew",
                      path, what, text ? "it is empty" : text.why().text)};
}

/// One round of questions, all at once; who has not answered in time is silent.
class round {
public:
  round(const vote_place& where, std::map<node_name, std::string> nodes)
    : where_(where), nodes_(std::move(nodes)) {
    // nop
  }

  ballots hold() {
    loop on;
    on.post([&] { ask_all(on.context()); });
    std::unique_lock guard{lock_};
    news_.wait_for(guard, where_.limit + seconds{1},
                   [&] { return asked_ && open_ == 0; });
    guard.unlock();
    on.stop();
    lines_.clear();
    return said_;
  }

private:
  void ask_all(boost::asio::io_context& context) {
    papers ours{where_.folder};
    auto side = ours.side();
    std::unique_lock guard{lock_};
    asked_ = true;
    for (const auto& [name, address] : nodes_) {
      boost::system::error_code wrong;
      auto ip = boost::asio::ip::make_address(address, wrong);
      if (!side || wrong)
        continue;
      ++open_;
      lines_.push_back(std::make_unique<line>(context, room_));
      lines_.back()->ask({ip, where_.port}, *side, {"/master_node_name", "[]"},
                         where_.limit,
                         [this, node = name](const result<line_answer>& got) {
                           take(node, got);
                         });
    }
    guard.unlock();
    if (!side && where_.tell)
      where_.tell("no node can be asked for its vote: " + side.why().text);
    news_.notify_all();
  }

  void take(const node_name& node, const result<line_answer>& got) {
    std::unique_lock guard{lock_};
    --open_;
    if (got && got->status == 200)
      if (auto ballot = read_ballot(got->body); ballot)
        said_[node] = *ballot;
    guard.unlock();
    news_.notify_all();
  }

  const vote_place& where_;
  std::map<node_name, std::string> nodes_; ///< with their addresses
  std::shared_ptr<allowance> room_ = std::make_shared<allowance>();
  std::vector<std::unique_ptr<line>> lines_;
  std::mutex lock_;
  std::condition_variable news_;
  ballots said_;
  std::size_t open_ = 0;
  bool asked_ = false;
};

} // namespace

result<node_name> read_ballot(const std::string& body) {
  auto x = json::parse(body, nullptr, false);
  if (x.is_array() && x.size() == 2 && x[0] == true && x[1].is_string())
    return x[1].get<std::string>();
  return fault{fault_kind::bad_input,
               "the node daemon does not name the master"};
}

start_verdict hold_vote(const vote_place& where) {
  auto master_path = where.folder + "/ssconf_master_node";
  auto list_path = where.folder + "/ssconf_node_list";
  auto record = read_small(master_path);
  auto list = read_small(list_path);
  if (is_missing(record) && is_missing(list))
    return {start_step::go, {}};
  auto master = words_of(record);
  if (master.empty())
    return says_nothing(master_path, record, "who the master is");
  auto own = by_own_record(where.self, master.front());
  if (own.what == start_step::leave || !where.voting)
    return own;
  auto names = words_of(list);
  if (names.empty())
    return says_nothing(list_path, list, "which nodes there are");
  auto places = words_of(read_small(where.folder + "/ssconf_node_primary_ips"));
  std::map<node_name, std::string> nodes;
  for (std::size_t i = 0; i + 1 < places.size(); i += 2)
    nodes[places[i]] = places[i + 1];
  std::erase_if(nodes, [&](const auto& x) {
    return std::count(names.begin(), names.end(), x.first) == 0;
  });
  for (std::uint32_t repeats = 0;; ++repeats) {
    auto said = round{where, nodes}.hold();
    auto verdict = by_vote(where.self, names, said, repeats);
    if (verdict.what != start_step::ask_again)
      return verdict;
    if (where.tell)
      where.tell(verdict.why + ": they are asked again");
    if (where.pause)
      where.pause(vote_pause);
  }
}

} // namespace orderly::io::node_reports
