// The emulator's runtime: what kernels call, what the compiler puts before accesses to memory, and what
// the host calls. Blocks run one after the other, in random order; the lanes of one as fibers. Those of a
// cooperative launch are all there, each on lanes and shared memory of its own: one runs for some turns of its lanes,
// until it waits for others, or as far as the grid's barrier; then another one, chosen at random, goes on.

#include <chrono>
#include <cstring>

#include <sys/mman.h>

#include "checks.h"
#include "collectives.h"
#include "stores.h"

#define SGG_EXPORT extern "C" __attribute__((visibility("default")))

namespace sgg {
namespace {

Lane* newLane() {
  // Stacks are aligned to their size: that many bytes more are mapped and the rest given back.
  void* mapped = mmap(nullptr, 2 * SGG_STACK_BYTES, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED) {
    return nullptr;
  }
  const uintptr_t start = reinterpret_cast<uintptr_t>(mapped);
  const uintptr_t aligned = (start + SGG_STACK_BYTES - 1) & ~(SGG_STACK_BYTES - 1);
  if (aligned > start) {
    munmap(mapped, aligned - start);
  }
  const uintptr_t end = start + 2 * SGG_STACK_BYTES;
  if (end > aligned + SGG_STACK_BYTES) {
    munmap(reinterpret_cast<void*>(aligned + SGG_STACK_BYTES), end - aligned - SGG_STACK_BYTES);
  }
  return reinterpret_cast<Lane*>(aligned);
}

bool makeLanes(Device& device, int threads) {
  while (static_cast<int>(device.lanes.size()) < threads) {
    Lane* lane = newLane();
    if (lane == nullptr) {
      return false;
    }
    const int thread = static_cast<int>(device.lanes.size());
    lane->thread = {static_cast<unsigned>(thread), 0, 0};
    lane->warp = &device.warps[thread / WARP];
    lane->number = thread % WARP;
    lane->canary = CANARY;
    lane->warp->lanes[lane->number] = lane;
    device.lanes.push_back(lane);
  }
  return true;
}

/** Forgets the last block's shared arrays. */
void clearShared(Device& device) {
  device.sharedArrays.clear();
  device.sharedUsed = 0;
#ifdef __SANITIZE_ADDRESS__
  __asan_poison_memory_region(device.shared, ARENA_BYTES);
#endif
}

/** Lets lanes run, from one on, until the block ends, waits at the grid's barrier or fails. */
void enter(Device& device, Lane& first) {
#ifdef __SANITIZE_ADDRESS__
  void* fake = nullptr;
  __sanitizer_start_switch_fiber(&fake, stackBottom(first), STACK_BYTES);
#endif
  switchStacks(device.main, first.context);
#ifdef __SANITIZE_ADDRESS__
  __sanitizer_finish_switch_fiber(fake, nullptr, nullptr);
#endif
}

/** Runs one block to its end, to the grid's barrier, or to the first fault. */
void runBlock(Device& device) {
  clearShared(device);
  device.epoch++;
  device.delayed.clear();
  device.exitedLanes = 0;
  device.barrier = {0, 0, 0, 0};
  device.arrivedPart = 0;
  device.runnableWarps = 0;
  for (int i = 0; i < device.warpCount; i++) {
    Warp& warp = device.warps[i];
    warp.runnable = FULL;
    warp.exited = 0;
    warp.atBarrier = 0;
    warp.atPart = 0;
    warp.meetings = 0;
    device.runnableWarps |= 1u << i;
  }
  for (int i = 0; i < device.threads; i++) {
    Lane& lane = *device.lanes[static_cast<size_t>(i)];
    lane.block = device.block;
    lane.threads = {static_cast<unsigned>(device.threads), 1, 1};
    lane.blocks = device.blocks;
    // Stacks of equal alignment would all fall into the same lines of the cache.
    const size_t colour = static_cast<size_t>(i % 61) * 64;
#ifdef __SANITIZE_ADDRESS__
    __asan_unpoison_memory_region(stackBottom(lane), STACK_BYTES);
#endif
    prepare(lane.context, stackBottom(lane), STACK_BYTES - colour, laneEntry);
  }
  device.standstill = 0;
  device.turn = newTurn(device);
  device.running = device.pick(device.runnableWarps);
  // Reported anew by the first fiber: a launch may come from another thread than the last one.
  device.mainStack = nullptr;
  enter(device, *choose(device));
}

/** A device's parts that a launch needs, whether it is one block of a grid or the device itself. */
bool prepareLaunch(Device& device, const Device& like) {
  device.kernel = like.kernel;
  device.kernelName = like.kernelName;
  device.frame = like.frame;
  device.frameBytes = like.frameBytes;
  device.libraryBase = like.libraryBase;
  device.threads = like.threads;
  device.warpCount = like.warpCount;
  device.blocks = like.blocks;
  device.launches = like.launches;
  device.peers = like.peers;
  device.failed = false;
  device.parked = false;
  return makeLanes(device, like.threads);
}

void initialise(Device& device) {
  device.recent.clear();
  if (device.settings.checks) {
    device.shadow.resize(ARENA_BYTES / 4);
  }
  device.shared = static_cast<unsigned char*>(std::aligned_alloc(128, ARENA_BYTES));
  for (int i = 0; i < MAX_WARPS; i++) {
    device.warps[i].device = &device;
    device.warps[i].number = i;
  }
}

void release(Device& device) {
  for (Device* block : device.grid) {
    release(*block);
    delete block;
  }
  for (Lane* lane : device.lanes) {
#ifdef __SANITIZE_ADDRESS__
    __asan_unpoison_memory_region(lane, SGG_STACK_BYTES);
#endif
    munmap(lane, SGG_STACK_BYTES);
  }
#ifdef __SANITIZE_ADDRESS__
  __asan_unpoison_memory_region(device.shared, ARENA_BYTES);
#endif
  std::free(device.shared);
}

/** Numbers below a bound in random order. */
std::vector<unsigned> shuffled(Device& device, unsigned count) {
  std::vector<unsigned> order(count);
  for (size_t i = 0; i < order.size(); i++) {
    order[i] = static_cast<unsigned>(i);
  }
  for (size_t i = order.size(); i > 1; i--) {
    std::swap(order[i - 1], order[device.next() % i]);
  }
  return order;
}

/** Runs all blocks as far as the grid's barrier, again and again, until they end. */
bool runGrid(Device& device, unsigned blocks) {
  while (device.grid.size() < blocks) {
    Device* block = new Device();
    block->settings = device.settings;
    block->self = &device;
    block->cooperative = true;
    initialise(*block);
    device.grid.push_back(block);
  }
  for (unsigned i = 0; i < blocks; i++) {
    Device& block = *device.grid[i];
    block.random = device.random + i * 0x9e3779b97f4a7c15ull;
    block.random |= 1;
    block.block = {i, 0, 0};
    if (!prepareLaunch(block, device)) {
      device.error = "no memory for the stacks of the lanes";
      return false;
    }
  }
  std::vector<unsigned> ready(blocks);
  std::vector<bool> begun(blocks, false);
  for (unsigned i = 0; i < blocks; i++) {
    ready[i] = i;
  }
  std::vector<unsigned> waiting;
  while (!ready.empty()) {
    const size_t turn = device.next() % ready.size();
    const unsigned which = ready[turn];
    Device& block = *device.grid[which];
    block.parked = false;
    block.yielded = false;
    if (begun[which]) {
      block.standstill = 0;
      enter(block, *block.waiting);
    } else {
      begun[which] = true;
      runBlock(block);
    }
    if (block.failed) {
      device.error = block.error;
      return false;
    }
    if (!block.yielded) {
      reachAll(block);
      ready.erase(ready.begin() + static_cast<long>(turn));
      if (block.parked) {
        waiting.push_back(which);
      }
    }
    if (ready.empty() && !waiting.empty()) {
      if (waiting.size() != blocks) {
        device.error = format("kernel %s: %zu blocks of %u wait at the grid's barrier, the others have ended", device.kernelName,
                              waiting.size(), blocks);
        return false;
      }
      ready.swap(waiting);
    }
  }
  return true;
}

}  // namespace
}  // namespace sgg

using sgg::Device;
using sgg::Lane;
using sgg::Warp;

// ---- what kernels call --------------------------------------------------------------------------

SGG_EXPORT unsigned long long sggWarp(
    unsigned operation, unsigned mask, unsigned long long value, unsigned long long argument, int line) {
  Lane& lane = sgg::currentLane();
  Warp& warp = *lane.warp;
  Device& device = *warp.device;
  const unsigned bit = 1u << lane.number;
  if (operation >= SGG_SHFL && operation <= SGG_SHFL_XOR) {
    sgg::checkWidth(warp, operation, argument, line);
  }
  sgg::Rendezvous& meeting = sgg::join(warp, operation, mask, bit, line);
  warp.value[lane.number] = value;
  warp.argument[lane.number] = argument;
  meeting.arrived |= bit;
  if (meeting.arrived == mask) {
    sgg::complete(warp, operation, mask);
    meeting = warp.meeting[--warp.meetings];
    sgg::wake(warp, mask);
    device.standstill = 0;
  } else {
    sgg::wait(warp, bit);
  }
  sgg::giveWay(device, lane);
  return warp.result[lane.number];
}

SGG_EXPORT int sggBlock(unsigned operation, int predicate, int line) {
  Lane& lane = sgg::currentLane();
  Warp& warp = *lane.warp;
  Device& device = *warp.device;
  sgg::Barrier& barrier = device.barrier;
  const unsigned bit = 1u << lane.number;
  if (operation == SGG_SYNCGRID && !device.cooperative) {
    sgg::fail(warp, sgg::format("reached the grid's barrier of line %d, but the launch is not a cooperative one", line));
  }
  const bool other = barrier.arrived != 0 && (barrier.operation != operation || barrier.line != line);
  if (other || device.exitedLanes != 0) {
    std::string others;
    for (int i = 0; i < device.warpCount; i++) {
      if (device.warps[i].exited != 0 || device.warps[i].atBarrier != 0) {
        others += sgg::format("; warp %d", i) + sgg::whereabouts(device.warps[i]);
      }
    }
    sgg::fail(warp, sgg::format("reached %s of line %d, which the threads of the block do not all do",
                                sgg::blockOperation(operation), line) +
                        others);
  }
  for (int i = 0; i < warp.meetings; i++) {
    if ((warp.meeting[i].mask & bit) != 0) {
      sgg::fail(warp, sgg::format("reached %s of line %d while lanes wait for it",
                                  sgg::blockOperation(operation), line) +
                          sgg::whereabouts(warp));
    }
  }
  if (barrier.arrived == 0) {
    barrier = {0, operation, line, 0};
  }
  barrier.arrived++;
  barrier.count += predicate != 0 ? 1 : 0;
  warp.atBarrier |= bit;
  sgg::wait(warp, bit);
  if (barrier.arrived == device.threads) {
    if (operation == SGG_SYNCGRID) {
      device.waiting = &lane;
      sgg::park(device, lane);
    }
    const int result = operation == SGG_SYNCTHREADS_COUNT ? barrier.count
                       : operation == SGG_SYNCTHREADS_AND ? barrier.count == device.threads
                                                          : barrier.count != 0;
    barrier.arrived = 0;
    device.standstill = 0;
    device.epoch++;
    for (int i = 0; i < device.warpCount; i++) {
      Warp& released = device.warps[i];
      released.atBarrier = 0;
      std::fill(released.result, released.result + sgg::WARP, static_cast<uint64_t>(result));
      sgg::wake(released, sgg::FULL);
    }
  }
  sgg::giveWay(device, lane);
  return static_cast<int>(warp.result[lane.number]);
}

SGG_EXPORT void sggPart(int threads, int line) {
  Lane& lane = sgg::currentLane();
  Warp& warp = *lane.warp;
  Device& device = *warp.device;
  const unsigned bit = 1u << lane.number;
  for (int i = 0; i < warp.meetings; i++) {
    if ((warp.meeting[i].mask & bit) != 0) {
      sgg::fail(warp, sgg::format("reached the barrier of a part of the block of line %d while lanes wait for it", line) +
                          sgg::whereabouts(warp));
    }
  }
  warp.atPart |= bit;
  device.arrivedPart++;
  sgg::wait(warp, bit);
  if (device.arrivedPart == threads) {
    device.arrivedPart = 0;
    device.standstill = 0;
    device.epoch++;
    for (int i = 0; i < device.warpCount; i++) {
      Warp& released = device.warps[i];
      if (released.atPart != 0) {
        const unsigned lanes = released.atPart;
        released.atPart = 0;
        sgg::wake(released, lanes);
      }
    }
  }
  sgg::giveWay(device, lane);
}

namespace {

/** Devices that are peers run on threads of their own: the operations are atomic for the host, too. */
template <class Bits, class Signed, class Real>
inline Bits atomically(unsigned operation, Bits* address, Bits value, Bits compare) {
  switch (operation) {
    case SGG_ATOMIC_ADD:
      return __atomic_fetch_add(address, value, __ATOMIC_RELAXED);
    case SGG_ATOMIC_AND:
      return __atomic_fetch_and(address, value, __ATOMIC_RELAXED);
    case SGG_ATOMIC_OR:
      return __atomic_fetch_or(address, value, __ATOMIC_RELAXED);
    case SGG_ATOMIC_XOR:
      return __atomic_fetch_xor(address, value, __ATOMIC_RELAXED);
    case SGG_ATOMIC_EXCH:
      return __atomic_exchange_n(address, value, __ATOMIC_RELAXED);
    case SGG_ATOMIC_CAS:
      __atomic_compare_exchange_n(address, &compare, value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
      return compare;
    default:
      break;
  }
  Bits old = __atomic_load_n(address, __ATOMIC_RELAXED);
  for (;;) {
    Bits changed;
    switch (operation) {
      case SGG_ATOMIC_MIN_SIGNED:
        changed = static_cast<Signed>(value) < static_cast<Signed>(old) ? value : old;
        break;
      case SGG_ATOMIC_MAX_SIGNED:
        changed = static_cast<Signed>(value) > static_cast<Signed>(old) ? value : old;
        break;
      case SGG_ATOMIC_MIN_UNSIGNED:
        changed = std::min(value, old);
        break;
      case SGG_ATOMIC_MAX_UNSIGNED:
        changed = std::max(value, old);
        break;
      default: {
        Real left;
        Real right;
        std::memcpy(&left, &old, sizeof(left));
        std::memcpy(&right, &value, sizeof(right));
        left += right;
        std::memcpy(&changed, &left, sizeof(changed));
        break;
      }
    }
    if (__atomic_compare_exchange_n(address, &old, changed, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
      return old;
    }
  }
}

}  // namespace

SGG_EXPORT unsigned sggAtomic32(unsigned operation, void* address, unsigned value, unsigned compare) {
  Lane& lane = sgg::currentLane();
  sgg::beforeAtomic(lane, address, sizeof(unsigned), __builtin_return_address(0));
  return atomically<unsigned, int, float>(operation, static_cast<unsigned*>(address), value, compare);
}

SGG_EXPORT unsigned long long sggAtomic64(
    unsigned operation, void* address, unsigned long long value, unsigned long long compare) {
  Lane& lane = sgg::currentLane();
  sgg::beforeAtomic(lane, address, sizeof(unsigned long long), __builtin_return_address(0));
  return atomically<unsigned long long, long long, double>(
      operation, static_cast<unsigned long long*>(address), value, compare);
}

SGG_EXPORT void sggPause() {
  Lane& lane = sgg::currentLane();
  sgg::pause(*lane.warp->device, lane, sgg::ATOMIC_SHARE);
}

SGG_EXPORT void sggYield() {
  Lane& lane = sgg::currentLane();
  Device& device = *lane.warp->device;
  // One lane of a warp asks for all: they mostly wait together.
  if (device.cooperative && lane.number == 0) {
    if ((device.next() & 3) == 0) {
      sgg::yieldBlock(device, lane);
    }
  }
  // Nothing is kept back for ever, even if nobody stores any more.
  if (!device.delayed.empty() && (device.next() & 4095) == 0) {
    sgg::reachOne(device, device.next() % device.delayed.size());
  }
  sgg::pause(device, lane, sgg::ATOMIC_SHARE);
}

SGG_EXPORT void sggStore64(void* address, unsigned long long value) {
  sgg::delay(sgg::currentLane(), address, value, sizeof(value), __builtin_return_address(0));
}

SGG_EXPORT void sggStore32(void* address, unsigned value) {
  sgg::delay(sgg::currentLane(), address, value, sizeof(value), __builtin_return_address(0));
}

SGG_EXPORT unsigned long long sggLoad64(const void* address) {
  return sgg::load(sgg::currentLane(), address, sizeof(unsigned long long), __builtin_return_address(0));
}

SGG_EXPORT unsigned sggLoad32(const void* address) {
  return static_cast<unsigned>(sgg::load(sgg::currentLane(), address, sizeof(unsigned), __builtin_return_address(0)));
}

SGG_EXPORT void sggRelease() {
  Lane& lane = sgg::currentLane();
  sgg::reachKnown(*lane.warp->device, lane);
}

SGG_EXPORT unsigned long long sggNanos() {
  return static_cast<unsigned long long>(std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1));
}

SGG_EXPORT void* sggShared(
    const void* site, const char* name, unsigned long bytes, unsigned long alignment) {
  Warp& warp = *sgg::currentLane().warp;
  Device& device = *warp.device;
  for (const sgg::SharedArray& array : device.sharedArrays) {
    if (array.site == site) {
      return device.shared + array.offset;
    }
  }
  // A gap of at least 32 bytes, so that an overflow never meets the next array.
  const unsigned long unit = std::max(alignment, 32ul);
  unsigned long used = 0;
  for (const sgg::SharedArray& array : device.sharedArrays) {
    used += array.bytes;
  }
  if (used + bytes > sgg::SHARED_BYTES) {
    sgg::fail(warp, sgg::format("shared arrays of more than %lu bytes: %s has %lu, those before it %lu",
                                sgg::SHARED_BYTES, name, bytes, used));
  }
  const unsigned long offset = (device.sharedUsed + unit - 1) / unit * unit;
  device.sharedUsed = offset + bytes + 32;
  device.sharedArrays.push_back({site, name, offset, bytes});
  unsigned char* array = device.shared + offset;
#ifdef __SANITIZE_ADDRESS__
  __asan_unpoison_memory_region(array, bytes);
#endif
  std::memset(array, 0xa5, bytes);
  return array;
}

// ---- what the compiler puts before accesses to memory ---------------------------------------------
//
// With checks, kernels are compiled with -fsanitize=thread but linked with these functions instead of
// ThreadSanitizer's.

#define SGG_ACCESS(bytes)                                                                          \
  SGG_EXPORT void __tsan_read##bytes(void* address) {                                              \
    sgg::beforeAccess(address, bytes, false, __builtin_return_address(0));                         \
  }                                                                                                \
  SGG_EXPORT void __tsan_write##bytes(void* address) {                                             \
    sgg::beforeAccess(address, bytes, true, __builtin_return_address(0));                          \
  }                                                                                                \
  SGG_EXPORT void __tsan_unaligned_read##bytes(void* address) {                                    \
    sgg::beforeAccess(address, bytes, false, __builtin_return_address(0));                         \
  }                                                                                                \
  SGG_EXPORT void __tsan_unaligned_write##bytes(void* address) {                                   \
    sgg::beforeAccess(address, bytes, true, __builtin_return_address(0));                          \
  }                                                                                                \
  SGG_EXPORT void __tsan_volatile_read##bytes(void* address) {                                     \
    sgg::beforeAccess(address, bytes, false, __builtin_return_address(0));                         \
  }                                                                                                \
  SGG_EXPORT void __tsan_volatile_write##bytes(void* address) {                                    \
    sgg::beforeAccess(address, bytes, true, __builtin_return_address(0));                          \
  }
SGG_ACCESS(1)
SGG_ACCESS(2)
SGG_ACCESS(4)
SGG_ACCESS(8)
SGG_ACCESS(16)
#undef SGG_ACCESS

SGG_EXPORT void __tsan_read_range(void* address, unsigned long bytes) {
  sgg::beforeAccess(address, bytes, false, __builtin_return_address(0));
}
SGG_EXPORT void __tsan_write_range(void* address, unsigned long bytes) {
  sgg::beforeAccess(address, bytes, true, __builtin_return_address(0));
}
SGG_EXPORT void __tsan_init() {}
SGG_EXPORT void __tsan_func_entry(void*) {}
SGG_EXPORT void __tsan_func_exit() {}

// ---- what the host calls ------------------------------------------------------------------------

SGG_EXPORT void* sggOpenDevice(unsigned long long seed, unsigned long long patience, int checks) {
  Device* device = new Device();
  device->settings = {seed, patience, checks != 0};
  sgg::initialise(*device);
  return device;
}

SGG_EXPORT void sggCloseDevice(void* opaque) {
  Device* device = static_cast<Device*>(opaque);
  sgg::release(*device);
  delete device;
}

/**
 * Runs a kernel to its end. Null, or what went wrong, valid until the next call.
 *
 * cooperative: all blocks are there at the same time and may wait for each other at the grid's barrier.
 */
SGG_EXPORT const char* sggLaunch(
    void* opaque, void* kernel, const char* name, int blocks, int threads, const void* frame,
    unsigned long frameBytes, int cooperative) {
  Device& device = *static_cast<Device*>(opaque);
  device.kernel = reinterpret_cast<void (*)(const void*)>(kernel);
  device.kernelName = name;
  device.frame = frame;
  device.frameBytes = frameBytes;
  Dl_info library;
  device.libraryBase =
      dladdr(kernel, &library) != 0 ? reinterpret_cast<uintptr_t>(library.dli_fbase) : 0;
  device.threads = threads;
  device.warpCount = threads / sgg::WARP;
  device.blocks = {static_cast<unsigned>(blocks), 1, 1};
  device.failed = false;
  device.launches++;
  device.random = (device.settings.seed + 1) * 0x9e3779b97f4a7c15ull ^ device.launches * 0xbf58476d1ce4e5b9ull;
  device.random |= 1;
  for (int i = 0; i < 4; i++) {
    device.next();
  }
  if (cooperative != 0) {
    return sgg::runGrid(device, static_cast<unsigned>(blocks)) ? nullptr : device.error.c_str();
  }
  if (!sgg::makeLanes(device, threads)) {
    device.error = "no memory for the stacks of the lanes";
    return device.error.c_str();
  }
  for (unsigned block : sgg::shuffled(device, static_cast<unsigned>(blocks))) {
    device.block = {block, 0, 0};
    sgg::runBlock(device);
    sgg::reachAll(device);
    if (device.failed) {
      return device.error.c_str();
    }
  }
  return nullptr;
}

/** A buffer of a device that kernels may use from now on. */
SGG_EXPORT void sggAllocated(void* device, void* address, unsigned long bytes, const char* purpose) {
  sgg::allRanges().add(reinterpret_cast<uintptr_t>(address), bytes, static_cast<Device*>(device), purpose);
}

SGG_EXPORT void sggFreed(void* address) {
  sgg::allRanges().remove(reinterpret_cast<uintptr_t>(address));
}

/** Lets kernels of a device use the buffers of another one. */
SGG_EXPORT void sggEnableAccess(void* opaque, void* peer) {
  Device& device = *static_cast<Device*>(opaque);
  if (std::find(device.peers.begin(), device.peers.end(), peer) == device.peers.end()) {
    device.peers.push_back(static_cast<Device*>(peer));
  }
}

SGG_EXPORT void* sggOpenModule(const char* path) { return dlopen(path, RTLD_NOW | RTLD_LOCAL); }

SGG_EXPORT const char* sggModuleError() { return dlerror(); }

SGG_EXPORT void* sggSymbol(void* module, const char* name) { return dlsym(module, name); }

SGG_EXPORT void sggCloseModule(void* module) {
  dlclose(module);
  sgg::allRanges().changed();
}

SGG_EXPORT void sggCopy(void* to, const void* from, unsigned long bytes) { std::memmove(to, from, bytes); }

SGG_EXPORT void sggFill(void* to, int value, unsigned long bytes) { std::memset(to, value, bytes); }
