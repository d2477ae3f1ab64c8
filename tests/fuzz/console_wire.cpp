// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Whatever comes over a wire: it is refused with a reason, or it is a word of
// the console that is written and read the same once more. And every word
// survives that, but no part of one is taken for all of it. The length
// of the input picks the word.

#include "tests/fuzz/console_drawing.hpp"
#include "tests/support/console_bytes.hpp"

namespace {

using namespace orderly;
using namespace orderly::fuzz;

template <class Word>
void take_anything(const std::string& got) {
  Word word;
  if (!test::from_bytes(got, word).empty())
    return;
  auto written = test::to_bytes(word);
  Word again;
  demand(!written.empty() && test::from_bytes(written, again).empty());
  demand(told(again) == told(word));
}

template <class Word>
void write_and_read(bytes in) {
  auto place = in.below(256) * 256 + in.below(256);
  auto value = static_cast<char>(in.below(256));
  Word word;
  console_drawing{in}(word);
  auto written = test::to_bytes(word);
  Word again;
  demand(test::from_bytes(written, again).empty());
  demand(told(again) == told(word));
  place %= written.size();
  demand(!test::from_bytes(written.substr(0, place), again).empty());
  written[place] = value;
  take_anything<Word>(written);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  std::string got(1, static_cast<char>(wire::format));
  got.append(reinterpret_cast<const char*>(data), size);
  auto wanted = size % test::with_each_word([](auto) {});
  std::size_t at = 0;
  test::with_each_word([&]<class Word>(Word) {
    if (at++ != wanted)
      return;
    take_anything<Word>(got);
    write_and_read<Word>(bytes{data, size});
  });
  return 0;
}
