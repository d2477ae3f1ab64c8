// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/ganeti/asking.hpp"

namespace orderly::io {

void asking::ask(luxi_client& client, const luxi_question& question,
                 millis time_limit, reply_function then) {
  auto ticket = ++last_ticket_;
  open_.emplace(ticket, std::move(then));
  client.call(question.method, question.args, time_limit,
              [send = send_, ticket](result<std::string> reply) {
                using shared = const result<std::string>;
                send({ticket, std::make_shared<shared>(std::move(reply))});
              });
}

void asking::done(const luxi_done& reply) {
  auto i = open_.find(reply.ticket);
  if (i == open_.end())
    return;
  auto then = std::move(i->second);
  open_.erase(i);
  then(*reply.reply);
}

} // namespace orderly::io
