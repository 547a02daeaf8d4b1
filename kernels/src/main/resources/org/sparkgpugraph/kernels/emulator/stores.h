// Stores that others do not see yet. A lane's plain stores of words that blocks tell each other things by (sgg/order.cuh) are kept back: they
// reach memory when a lane releases them that knows of them - its own, and those before a __syncwarp or __syncthreads that leads to it -, at
// a barrier of the grid, at the block's end, or at any time before, in any order but that of one address. Atomic operations are done at once.

#ifndef SGG_EMULATOR_STORES_H
#define SGG_EMULATOR_STORES_H

#include "checks.h"

namespace sgg {
namespace {

/** Most that a block keeps back. */
constexpr size_t MOST_DELAYED = 96;

inline void reach(const DelayedStore& store) {
  if (store.bytes == 4) {
    __atomic_store_n(reinterpret_cast<uint32_t*>(store.address), static_cast<uint32_t>(store.value), __ATOMIC_RELAXED);
  } else {
    __atomic_store_n(reinterpret_cast<uint64_t*>(store.address), store.value, __ATOMIC_RELAXED);
  }
}

/** Whether a lane knows of a store. */
inline bool known(const Lane& lane, const DelayedStore& store) {
  const Warp& warp = *lane.warp;
  return store.epoch != warp.device->epoch ||
         (store.warp == warp.number && ordered(warp, lane.number, store.lane, store.time));
}

/** Lets one store reach memory, or an older one to the same address. */
void reachOne(Device& device, size_t which) {
  size_t first = 0;
  while (device.delayed[first].address != device.delayed[which].address) {
    first++;
  }
  reach(device.delayed[first]);
  device.delayed.erase(device.delayed.begin() + static_cast<long>(first));
}

/** Lets all stores reach memory that a lane knows of, and older ones to their addresses. */
void reachKnown(Device& device, const Lane& lane) {
  std::vector<DelayedStore> kept;
  for (size_t i = 0; i < device.delayed.size(); i++) {
    const DelayedStore& store = device.delayed[i];
    const auto same = [&](const DelayedStore& other) { return other.address == store.address && known(lane, other); };
    if (std::any_of(device.delayed.begin() + static_cast<long>(i), device.delayed.end(), same)) {
      reach(store);
    } else {
      kept.push_back(store);
    }
  }
  device.delayed.swap(kept);
}

void reachAll(Device& device) {
  for (const DelayedStore& store : device.delayed) {
    reach(store);
  }
  device.delayed.clear();
}

/** What a lane stored last at an address, or knows of; false: it reads memory. */
inline bool forwarded(const Device& device, const Lane& lane, uintptr_t address, uint64_t& value) {
  for (size_t i = device.delayed.size(); i-- > 0;) {
    if (device.delayed[i].address == address && known(lane, device.delayed[i])) {
      value = device.delayed[i].value;
      return true;
    }
  }
  return false;
}

void delay(Lane& lane, void* pointer, uint64_t value, size_t bytes, const void* pc) {
  Warp& warp = *lane.warp;
  Device& device = *warp.device;
  pause(device, lane, 1);
  if (device.settings.checks) {
    checkAddress(lane, reinterpret_cast<uintptr_t>(pointer), bytes, true, false, pc);
  }
  device.delayed.push_back({reinterpret_cast<uintptr_t>(pointer), value, bytes, device.epoch, warp.time, warp.number, lane.number});
  while (device.delayed.size() > MOST_DELAYED || (!device.delayed.empty() && (device.next() & 15) == 0)) {
    reachOne(device, device.next() % device.delayed.size());
  }
}

inline uint64_t load(Lane& lane, const void* pointer, size_t bytes, const void* pc) {
  Device& device = *lane.warp->device;
  pause(device, lane, 1);
  if (device.settings.checks) {
    checkAddress(lane, reinterpret_cast<uintptr_t>(pointer), bytes, false, false, pc);
  }
  uint64_t value = 0;
  if (!device.delayed.empty() && forwarded(device, lane, reinterpret_cast<uintptr_t>(pointer), value)) {
    return value;
  }
  return bytes == 4 ? __atomic_load_n(static_cast<const uint32_t*>(pointer), __ATOMIC_RELAXED)
                    : __atomic_load_n(static_cast<const uint64_t*>(pointer), __ATOMIC_RELAXED);
}

}  // namespace
}  // namespace sgg

#endif
