// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Reads the head of an HTTP answer, and as much of a body in chunks as there is
// of it at least. Beast 1.81 aborts the process if its parser sees the last
// chunk first, and then but four bytes: whoever we ask could end us by that.
// Each client of ours begins to read by this.

#pragma once

#include <cstddef>
#include <utility>

#include <boost/beast/http/read.hpp>
#include <boost/system/error_code.hpp>

namespace orderly::io {

/// "0", and two ends of lines.
inline constexpr std::size_t least_of_chunks = 5;

/// Reads on until `buffer` holds so much. Stream and buffer are kept by `done`.
template <class Stream, class Buffer, class Done>
void fill_up(Stream& from, Buffer& buffer, std::size_t least, Done done) {
  if (buffer.size() >= least)
    return done(boost::system::error_code{});
  constexpr std::size_t at_once = 512;
  from.async_read_some(buffer.prepare(at_once),
                       [&from, &buffer, least, done = std::move(done)](
                         boost::system::error_code e, std::size_t got) mutable {
                         if (e)
                           return done(e);
                         buffer.commit(got);
                         fill_up(from, buffer, least, std::move(done));
                       });
}

/// `done` hears an error or none; then the rest may be read with any of Beast's
/// reads. Stream, buffer and parser are kept by `done`.
template <class Stream, class Buffer, class Parser, class Done>
void read_answer_head(Stream& from, Buffer& buffer, Parser& answer, Done done) {
  boost::beast::http::async_read_header(
    from, buffer, answer,
    [&from, &buffer, &answer,
     done = std::move(done)](boost::system::error_code e, std::size_t) mutable {
      if (e || !answer.chunked())
        return done(e);
      fill_up(from, buffer, least_of_chunks, std::move(done));
    });
}

} // namespace orderly::io
