// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Memory for orderly-sim: operator new and delete for a program that takes
// and gives back millions of small things a second on one thread. Lists of
// free pieces by size, cut from one range of addresses; nothing is given back
// to the system. Whatever is larger comes from malloc, and so does everything
// if MALLOC_PERTURB_ is set: then somebody looks for what is read too late.

#include <cstdint>
#include <cstdlib>
#include <new>

#include <sys/mman.h>

#if !defined(__SANITIZE_ADDRESS__)

namespace {

constexpr std::size_t step = 16;
constexpr std::size_t largest = 512;
constexpr std::size_t slab = std::size_t{1} << 16;
constexpr std::size_t range = std::size_t{1} << 36;

struct piece {
  piece* next;
};

/// Of one thread; what another one gives back stays there.
thread_local piece* free_pieces[largest / step + 1];

/// Where the range begins; as long as there is none, where nothing can be.
constexpr auto nowhere = ~std::uintptr_t{0} - range;
std::uintptr_t first = nowhere;
std::uintptr_t unused = 0;

bool reserve() {
  if (std::getenv("MALLOC_PERTURB_") != nullptr)
    return false;
  auto* at = mmap(nullptr, range, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (at == MAP_FAILED)
    return false;
  // Slabs begin where their size says, so that a piece finds its own.
  unused = (reinterpret_cast<std::uintptr_t>(at) + slab - 1) & ~(slab - 1);
  first = unused;
  return true;
}

/// Before anything else runs there is one thread.
const bool reserved = reserve();

void* take_large(std::size_t size) {
  if (auto* result = std::malloc(size == 0 ? 1 : size))
    return result;
  throw std::bad_alloc{};
}

/// Cuts a slab into pieces; the first of them is the caller's.
void* cut(std::size_t sort) {
  if (first == nowhere)
    return take_large(sort * step);
  auto begin = __atomic_fetch_add(&unused, slab, __ATOMIC_RELAXED);
  if (begin + 2 * slab > first + range)
    return take_large(sort * step);
  *reinterpret_cast<std::size_t*>(begin) = sort;
  auto size = sort * step;
  piece* list = nullptr;
  for (auto at = begin + slab - size; at >= begin + step + size; at -= size) {
    auto* x = reinterpret_cast<piece*>(at);
    x->next = list;
    list = x;
  }
  free_pieces[sort] = list;
  return reinterpret_cast<void*>(begin + step);
}

} // namespace

void* operator new(std::size_t size) {
  if (size > largest)
    return take_large(size);
  auto sort = size == 0 ? 1 : (size + step - 1) / step;
  auto* x = free_pieces[sort];
  if (x == nullptr)
    return cut(sort);
  free_pieces[sort] = x->next;
  return x;
}

void operator delete(void* at) noexcept {
  auto where = reinterpret_cast<std::uintptr_t>(at);
  if (where - first >= range) {
    std::free(at);
    return;
  }
  auto sort = *reinterpret_cast<std::size_t*>(where & ~(slab - 1));
  auto* x = static_cast<piece*>(at);
  x->next = free_pieces[sort];
  free_pieces[sort] = x;
}

void operator delete(void* at, std::size_t) noexcept {
  operator delete(at);
}

void* operator new[](std::size_t size) {
  return operator new(size);
}

void operator delete[](void* at) noexcept {
  operator delete(at);
}

void operator delete[](void* at, std::size_t) noexcept {
  operator delete(at);
}

#endif
