// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Reads the head of an HTTP answer, and as much of a body in chunks as there is
// of it at least. Each client of ours begins to read by this, for two
// weaknesses of Beast 1.81. Its parser forgets how much of a head it has taken
// if a piece ends just behind a line, so that a head has no end; and it aborts
// the process if it sees the last chunk first, and then but four bytes. Whoever
// we ask could end us by either.

#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>

#include <boost/asio/error.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/system/error_code.hpp>

namespace orderly::io {

/// "0", and two ends of lines.
inline constexpr std::size_t least_of_chunks = 5;

/// Reads what comes next, if there is room for it.
template <class Stream, class Buffer, class Done>
void hear_piece(Stream& from, Buffer& buffer, Done done) {
  constexpr std::size_t at_once = 512;
  auto room = std::min(at_once, buffer.max_size() - buffer.size());
  if (room == 0)
    return done(boost::beast::http::make_error_code(
      boost::beast::http::error::buffer_overflow));
  from.async_read_some(buffer.prepare(room),
                       [&buffer, done = std::move(done)](
                         boost::system::error_code e, std::size_t got) mutable {
                         buffer.commit(got);
                         done(e);
                       });
}

/// Reads on until `buffer` holds so much. Stream and buffer are kept by `done`.
template <class Stream, class Buffer, class Done>
void fill_up(Stream& from, Buffer& buffer, std::size_t least, Done done) {
  if (buffer.size() >= least)
    return done(boost::system::error_code{});
  hear_piece(from, buffer,
             [&from, &buffer, least,
              done = std::move(done)](boost::system::error_code e) mutable {
               if (e)
                 return done(e);
               fill_up(from, buffer, least, std::move(done));
             });
}

/// Gives the parser what is there; `left` is how much more the head may have.
template <class Buffer, class Parser>
boost::system::error_code take_head(Buffer& buffer, Parser& answer,
                                    std::size_t& left) {
  boost::system::error_code e;
  while (!e && buffer.size() > 0 && !answer.is_header_done()) {
    auto used = answer.put(buffer.data(), e);
    buffer.consume(used);
    if (used > left)
      return boost::beast::http::error::header_limit;
    left -= used;
  }
  return e == boost::beast::http::error::need_more ? boost::system::error_code{}
                                                   : e;
}

/// `done` hears an error or none; then the rest may be read with any of Beast's
/// reads. A head of more than `most` bytes is an error. Stream, buffer and
/// parser are kept by `done`.
template <class Stream, class Buffer, class Parser, class Done>
void read_answer_head(Stream& from, Buffer& buffer, Parser& answer,
                      std::size_t most, Done done) {
  answer.eager(false);
  auto e = take_head(buffer, answer, most);
  if (e)
    return done(e);
  if (answer.is_header_done())
    return answer.chunked()
             ? fill_up(from, buffer, least_of_chunks, std::move(done))
             : done(e);
  hear_piece(from, buffer,
             [&from, &buffer, &answer, most, done = std::move(done)](
               boost::system::error_code problem) mutable {
               if (problem == boost::asio::error::eof)
                 problem = answer.got_some()
                             ? boost::beast::http::error::partial_message
                             : boost::beast::http::error::end_of_stream;
               if (problem)
                 return done(problem);
               read_answer_head(from, buffer, answer, most, std::move(done));
             });
}

} // namespace orderly::io
