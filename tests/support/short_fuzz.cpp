// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// A fuzz target without a fuzzer: seeds, and so many inputs made of them by
// dice that fall the same way each time. Short enough for every test run; `dev
// fuzz` looks for new ground. An input that ends the program is left in a file.
//
//   short_fuzz_NAME COUNT [FILE|FOLDER]...

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size);

namespace {

constexpr std::size_t longest = 4096;
constexpr const char* left_in = "short_fuzz.input";

std::string input; ///< the one that is tried, for the handler

/// Only what a signal handler may do.
void leave_input(int what) {
  auto file = ::open(left_in, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (file >= 0 && ::write(file, input.data(), input.size()) >= 0)
    ::close(file);
  std::signal(what, SIG_DFL);
  std::raise(what);
}

/// splitmix64: the same dice everywhere.
struct dice {
  std::uint64_t x = 1;

  std::size_t below(std::size_t n) {
    auto z = (x += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return static_cast<std::size_t>(z ^ (z >> 31)) % n;
  }
};

/// What parsers stumble over.
constexpr std::array<std::string_view, 14> words{
  "0",    "-1",     "9223372036854775807",
  "1e99", "null",   "[]",
  "{}",   "\"",     "|",
  "\n",   ",",      "\xff",
  "\n\n", {"\0", 1}};

std::string changed(const std::vector<std::string>& seeds, dice& d) {
  auto x = seeds[d.below(seeds.size())];
  for (auto changes = 1 + d.below(4); changes > 0; --changes) {
    auto at = d.below(x.size() + 1);
    auto span = std::min(x.size() - at, d.below(16) + 1);
    switch (d.below(5)) {
    case 0:
      x.erase(at, span);
      break;
    case 1:
      x.insert(at, words[d.below(words.size())]);
      break;
    case 2:
      x.insert(at, x.substr(d.below(x.size() + 1), 1 + d.below(64)));
      break;
    case 3:
      if (at < x.size())
        x[at] = static_cast<char>(d.below(256));
      break;
    default:
      x.replace(at, span, words[d.below(words.size())]);
    }
  }
  x.resize(std::min(x.size(), longest));
  return x;
}

void take(const std::filesystem::path& file, std::vector<std::string>& seeds) {
  std::ifstream in{file, std::ios::binary};
  std::string text{std::istreambuf_iterator<char>{in}, {}};
  text.resize(std::min(text.size(), longest));
  seeds.push_back(std::move(text));
}

void play(const std::string& x) {
  input = x;
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(input.data()),
                         input.size());
}

} // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    fmt::print(stderr, "usage: {} COUNT [FILE|FOLDER]...\n", argv[0]);
    return 2;
  }
  std::vector<std::string> seeds{{}, std::string(64, 'a')};
  for (auto i = 2; i < argc; ++i) {
    if (std::filesystem::is_directory(argv[i]))
      for (const auto& file : std::filesystem::directory_iterator{argv[i]})
        take(file.path(), seeds);
    else
      take(argv[i], seeds);
  }
  // Folders list their files in any order.
  std::sort(seeds.begin(), seeds.end());
  for (auto what : {SIGABRT, SIGSEGV, SIGFPE, SIGBUS})
    std::signal(what, leave_input);
  for (const auto& x : seeds)
    play(x);
  dice d;
  auto count = std::strtoul(argv[1], nullptr, 10);
  for (auto i = 0UL; i < count; ++i)
    play(changed(seeds, d));
  fmt::print("{} seeds and {} inputs made of them\n", seeds.size(), count);
  return 0;
}
