// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/agent/prober.hpp"

#include "io/agent/http_probe.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include <boost/asio/ip/address.hpp>

namespace orderly::io::agent {

namespace {

using findings_callback = std::function<void(std::vector<finding>)>;

/// The findings of one survey as they come in; kept alive by its checks.
class collection : public std::enable_shared_from_this<collection> {
public:
  collection(survey what, findings_callback done)
    : what_(std::move(what)),
      done_(std::move(done)),
      found_(what_.checks.size()),
      missing_(what_.checks.size()) {
    what_.time_limit = std::max(what_.time_limit, millis{1});
  }

  void start(boost::asio::io_context& context) {
    boost::system::error_code problem;
    auto address = boost::asio::ip::make_address(what_.address, problem);
    // The unspecified address would lead to ourselves.
    auto usable
      = !problem && !address.is_unspecified() && !address.is_multicast();
    for (std::size_t i = 0; i < what_.checks.size(); ++i) {
      const auto& x = what_.checks[i];
      if (!usable) {
        found_[i] = {x.kind, reply::untried,
                     std::to_string(x.port) + " not tried: \"" + what_.address
                       + "\" is not the IP address of a node"};
        --missing_;
        continue;
      }
      auto probe = x.http ? probe_http : probe_tcp;
      stoppers_.push_back(probe(context, {address, x.port}, x, what_.time_limit,
                                [self = shared_from_this(), i](finding y) {
                                  self->take(i, std::move(y));
                                }));
    }
    if (missing_ == 0)
      finish();
  }

private:
  void take(std::size_t i, finding x) {
    if (!done_)
      return;
    auto enough = what_.first_sign_will_do && proves_activity(x);
    found_[i] = std::move(x);
    if (--missing_ == 0 || enough)
      finish();
  }

  void finish() {
    for (auto& stop : std::exchange(stoppers_, {}))
      stop();
    std::vector<finding> result;
    for (auto& x : found_)
      if (x)
        result.push_back(std::move(*x));
    std::exchange(done_, nullptr)(std::move(result));
  }

  survey what_;
  findings_callback done_;
  std::vector<std::optional<finding>> found_;
  std::size_t missing_;
  std::vector<stopper> stoppers_;
};

} // namespace

void look(loop& where, survey what, findings_callback done) {
  where.post(
    [&where, what = std::move(what), done = std::move(done)]() mutable {
      std::make_shared<collection>(std::move(what), std::move(done))
        ->start(where.context());
    });
}

} // namespace orderly::io::agent
