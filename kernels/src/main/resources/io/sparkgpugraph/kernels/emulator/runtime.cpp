// The emulator's runtime: runs a kernel's blocks one after the other, in random order, each lane as a
// fiber that runs until its next collective (or loses its turn at an atomic operation), the next lane
// chosen at random. A collective is a rendezvous: it completes when all lanes of its mask have reached
// it, and fails when one of them has reached another, or the end.

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <dlfcn.h>
#include <link.h>
#include <sys/mman.h>

#include "device.h"

#define SGG_EXPORT extern "C" __attribute__((visibility("default")))

namespace sgg {
namespace {

Lane& currentLane() {
  return static_cast<Lane&>(const_cast<SggLane&>(sggLane()));
}

const char* warpOperation(unsigned operation) {
  static const char* const names[] = {
      "__syncwarp",      "__shfl_sync",       "__shfl_up_sync",    "__shfl_down_sync",
      "__shfl_xor_sync", "__ballot_sync",     "__any_sync",        "__all_sync",
      "__match_any_sync", "__reduce_add_sync", "__reduce_and_sync", "__reduce_or_sync",
      "__reduce_xor_sync", "__reduce_min_sync", "__reduce_max_sync", "__reduce_min_sync",
      "__reduce_max_sync"};
  return names[operation];
}

const char* blockOperation(unsigned operation) {
  static const char* const names[] = {"__syncthreads", "__syncthreads_count", "__syncthreads_and",
                                      "__syncthreads_or"};
  return names[operation];
}

std::string format(const char* pattern, ...) __attribute__((format(printf, 1, 2)));

std::string format(const char* pattern, ...) {
  char text[512];
  va_list arguments;
  va_start(arguments, pattern);
  vsnprintf(text, sizeof(text), pattern, arguments);
  va_end(arguments);
  return text;
}

/** Lanes of a mask: "lane 3", "lanes 0-15, 17". */
std::string lanesOf(unsigned mask) {
  std::string text = __builtin_popcount(mask) == 1 ? "lane " : "lanes ";
  bool first = true;
  for (int lane = 0; lane < WARP; lane++) {
    if ((mask >> lane & 1) == 0) {
      continue;
    }
    int last = lane;
    while (last + 1 < WARP && (mask >> (last + 1) & 1) != 0) {
      last++;
    }
    text += first ? "" : ", ";
    text += last == lane ? format("%d", lane) : format("%d-%d", lane, last);
    first = false;
    lane = last;
  }
  return text;
}

void switchFrom(Lane& from, Context& to, const void* bottom, size_t bytes, bool forGood) {
#ifdef __SANITIZE_ADDRESS__
  void* fake = nullptr;
  __sanitizer_start_switch_fiber(forGood ? nullptr : &fake, bottom, bytes);
  switchStacks(from.context, to);
  __sanitizer_finish_switch_fiber(fake, nullptr, nullptr);
#else
  (void)bottom;
  (void)bytes;
  (void)forGood;
  switchStacks(from.context, to);
#endif
}

unsigned char* stackBottom(Lane& lane) {
  return reinterpret_cast<unsigned char*>(&lane) + sizeof(Lane);
}

constexpr size_t STACK_BYTES = SGG_STACK_BYTES - sizeof(Lane);

/** Back to the launch, for good. */
void toMain(Device& device, Lane& lane) {
  switchFrom(lane, device.main, device.mainStack, device.mainStackBytes, true);
  abort();
}

/** Where a launch stands, for messages. */
std::string place(const Device& device, const Warp& warp) {
  return format("kernel %s, block %u, warp %d", device.kernelName, device.block.x, warp.number);
}

/** Ends the launch with a message. Every fiber is left as it is and never run again. */
[[noreturn]] void fail(Warp& warp, const std::string& message) {
  Device& device = *warp.device;
  Lane& lane = currentLane();
  device.failed = true;
  device.error = place(device, warp) + format(", lane %d: ", lane.number) + message +
                 format(" (seed %llu, launch %llu)", static_cast<unsigned long long>(device.settings.seed),
                        static_cast<unsigned long long>(device.launches));
  toMain(device, lane);
  abort();
}

/** What the lanes of a warp that do not run wait for. */
std::string whereabouts(const Warp& warp) {
  std::string text;
  for (int i = 0; i < warp.meetings; i++) {
    const Rendezvous& meeting = warp.meeting[i];
    text += format("; %s %s at %s of line %d with mask 0x%08x", lanesOf(meeting.arrived).c_str(),
                   __builtin_popcount(meeting.arrived) == 1 ? "waits" : "wait",
                   warpOperation(meeting.operation), meeting.line, meeting.mask);
  }
  if (warp.atBarrier != 0) {
    text += format("; %s %s at %s of line %d", lanesOf(warp.atBarrier).c_str(),
                   __builtin_popcount(warp.atBarrier) == 1 ? "waits" : "wait",
                   blockOperation(warp.device->barrier.operation), warp.device->barrier.line);
  }
  if (warp.exited != 0) {
    text += format("; %s %s returned from the kernel", lanesOf(warp.exited).c_str(),
                   __builtin_popcount(warp.exited) == 1 ? "has" : "have");
  }
  return text;
}

/** The lane to run next, of any warp; null when no lane can run. */
inline Lane* choose(Device& device) {
  Warp* warp = &device.warps[device.running];
  if (warp->runnable == 0 || (device.next() & 15) == 0) {
    if (device.runnableWarps == 0) {
      return nullptr;
    }
    device.running = device.pick(device.runnableWarps);
    warp = &device.warps[device.running];
  }
  return warp->lanes[device.pick(warp->runnable)];
}

[[noreturn]] void deadlock(Device& device) {
  for (int i = 0; i < device.warpCount; i++) {
    Warp& warp = device.warps[i];
    if (warp.meetings != 0 || (warp.atBarrier != 0 && warp.exited != 0)) {
      fail(warp, "deadlock: no lane of the block can go on" + whereabouts(warp));
    }
  }
  std::string text;
  for (int i = 0; i < device.warpCount; i++) {
    text += format("; warp %d", i) + whereabouts(device.warps[i]);
  }
  fail(device.warps[device.running], "deadlock: no lane of the block can go on" + text);
}

/** Runs other lanes until this one is chosen again. */
inline void giveWay(Device& device, Lane& lane) {
  Lane* next = choose(device);
  if (next == nullptr) {
    deadlock(device);
  }
  if (next != &lane) {
    switchFrom(lane, next->context, stackBottom(*next), STACK_BYTES, false);
  }
}

inline void wait(Warp& warp, unsigned bits) {
  warp.runnable &= ~bits;
  if (warp.runnable == 0) {
    warp.device->runnableWarps &= ~(1u << warp.number);
  }
}

inline void wake(Warp& warp, unsigned bits) {
  warp.runnable |= bits;
  warp.device->runnableWarps |= 1u << warp.number;
}

/** First frame of every lane. */
void laneEntry() {
  Lane& lane = currentLane();
  Warp& warp = *lane.warp;
  Device& device = *warp.device;
#ifdef __SANITIZE_ADDRESS__
  {
    const void* bottom = nullptr;
    size_t bytes = 0;
    __sanitizer_finish_switch_fiber(nullptr, &bottom, &bytes);
    if (device.mainStack == nullptr) {
      device.mainStack = bottom;
      device.mainStackBytes = bytes;
    }
  }
#endif
  device.kernel(device.frame);
  if (lane.canary != CANARY) {
    fail(warp, format("used more than the %lu bytes of its stack", STACK_BYTES));
  }
  const unsigned bit = 1u << lane.number;
  for (int i = 0; i < warp.meetings; i++) {
    if ((warp.meeting[i].mask & bit) != 0) {
      fail(warp, "returned from the kernel while lanes wait for it" + whereabouts(warp));
    }
  }
  if (device.barrier.arrived != 0) {
    for (int i = 0; i < device.warpCount; i++) {
      if (device.warps[i].atBarrier != 0) {
        fail(warp, format("returned from the kernel while warp %d waits for it", i) +
                       whereabouts(device.warps[i]));
      }
    }
  }
  warp.exited |= bit;
  wait(warp, bit);
  device.exitedLanes++;
  device.standstill = 0;
  if (device.exitedLanes == device.threads) {
    toMain(device, lane);
  }
  Lane* next = choose(device);
  if (next == nullptr) {
    deadlock(device);
  }
  switchFrom(lane, next->context, stackBottom(*next), STACK_BYTES, true);
  abort();
}

/** What a shuffle reads from a lane that takes no part. */
uint64_t garbage(Device& device) {
  return 0xdeadbeef00000000ull ^ (static_cast<uint64_t>(device.next()) << 32) ^ 0x7ff8a5a5u;
}

/** Lane that a shuffle reads from; the own one beyond the segment. */
inline int shuffleSource(unsigned operation, int lane, unsigned delta, int width) {
  const int first = lane & ~(width - 1);
  const int last = lane | (width - 1);
  int source;
  switch (operation) {
    case SGG_SHFL:
      return first | static_cast<int>(delta & static_cast<unsigned>(width - 1));
    case SGG_SHFL_UP:
      source = lane - static_cast<int>(std::min(delta, 32u));
      return source < first ? lane : source;
    case SGG_SHFL_DOWN:
      source = lane + static_cast<int>(std::min(delta, 32u));
      return source > last ? lane : source;
    default:
      source = lane ^ static_cast<int>(delta);
      return source > last || source < 0 ? lane : source;
  }
}

template <class Combine>
inline void reduce(Warp& warp, unsigned mask, Combine combine) {
  const int first = __builtin_ctz(mask);
  unsigned total = static_cast<unsigned>(warp.value[first]);
  for (unsigned rest = mask & (mask - 1); rest != 0; rest &= rest - 1) {
    total = combine(total, static_cast<unsigned>(warp.value[__builtin_ctz(rest)]));
  }
  for (unsigned rest = mask; rest != 0; rest &= rest - 1) {
    warp.result[__builtin_ctz(rest)] = total;
  }
}

/** What the lanes of a mask did before a __syncwarp happened before what they do after it. */
void synchronize(Warp& warp, unsigned mask) {
  warp.time++;
  if (mask == FULL) {
    warp.fullTime = warp.time;
    return;
  }
  uint32_t joined[WARP] = {};
  for (unsigned rest = mask; rest != 0; rest &= rest - 1) {
    const uint32_t* seen = warp.seen[__builtin_ctz(rest)];
    for (int lane = 0; lane < WARP; lane++) {
      joined[lane] = std::max(joined[lane], seen[lane]);
    }
  }
  for (unsigned rest = mask; rest != 0; rest &= rest - 1) {
    joined[__builtin_ctz(rest)] = warp.time;
  }
  for (unsigned rest = mask; rest != 0; rest &= rest - 1) {
    std::copy(joined, joined + WARP, warp.seen[__builtin_ctz(rest)]);
  }
}

/** Results of a collective that all its lanes have reached. */
void complete(Warp& warp, unsigned operation, unsigned mask) {
  switch (operation) {
    case SGG_SYNCWARP:
      return synchronize(warp, mask);
    case SGG_SHFL:
    case SGG_SHFL_UP:
    case SGG_SHFL_DOWN:
    case SGG_SHFL_XOR:
      for (unsigned rest = mask; rest != 0; rest &= rest - 1) {
        const int lane = __builtin_ctz(rest);
        const uint64_t argument = warp.argument[lane];
        const int source = shuffleSource(operation, lane, static_cast<unsigned>(argument),
                                         static_cast<int>(argument >> 32));
        warp.result[lane] = (mask >> source & 1) != 0 ? warp.value[source] : garbage(*warp.device);
      }
      return;
    case SGG_BALLOT:
    case SGG_ANY:
    case SGG_ALL: {
      unsigned votes = 0;
      for (unsigned rest = mask; rest != 0; rest &= rest - 1) {
        const int lane = __builtin_ctz(rest);
        votes |= (warp.value[lane] != 0 ? 1u : 0u) << lane;
      }
      const uint64_t result = operation == SGG_BALLOT ? votes
                              : operation == SGG_ANY  ? votes != 0
                                                      : votes == mask;
      for (unsigned rest = mask; rest != 0; rest &= rest - 1) {
        warp.result[__builtin_ctz(rest)] = result;
      }
      return;
    }
    case SGG_MATCH_ANY:
      for (unsigned rest = mask; rest != 0; rest &= rest - 1) {
        const int lane = __builtin_ctz(rest);
        unsigned same = 0;
        for (unsigned others = mask; others != 0; others &= others - 1) {
          const int other = __builtin_ctz(others);
          same |= (warp.value[lane] == warp.value[other] ? 1u : 0u) << other;
        }
        warp.result[lane] = same;
      }
      return;
    case SGG_REDUCE_ADD:
      return reduce(warp, mask, [](unsigned a, unsigned b) { return a + b; });
    case SGG_REDUCE_AND:
      return reduce(warp, mask, [](unsigned a, unsigned b) { return a & b; });
    case SGG_REDUCE_OR:
      return reduce(warp, mask, [](unsigned a, unsigned b) { return a | b; });
    case SGG_REDUCE_XOR:
      return reduce(warp, mask, [](unsigned a, unsigned b) { return a ^ b; });
    case SGG_REDUCE_MIN_SIGNED:
      return reduce(warp, mask, [](unsigned a, unsigned b) {
        return static_cast<int>(a) < static_cast<int>(b) ? a : b;
      });
    case SGG_REDUCE_MAX_SIGNED:
      return reduce(warp, mask, [](unsigned a, unsigned b) {
        return static_cast<int>(a) > static_cast<int>(b) ? a : b;
      });
    case SGG_REDUCE_MIN_UNSIGNED:
      return reduce(warp, mask, [](unsigned a, unsigned b) { return std::min(a, b); });
    default:
      return reduce(warp, mask, [](unsigned a, unsigned b) { return std::max(a, b); });
  }
}

[[noreturn]] void divergent(Warp& warp, unsigned operation, unsigned mask, int line) {
  fail(warp, format("reached %s of line %d with mask 0x%08x, which the lanes of the mask do not all do",
                    warpOperation(operation), line, mask) +
                 whereabouts(warp));
}

/**
 * The meeting that this call belongs to; opens one when there is none. Masks of open meetings may
 * overlap: some lanes can wait for the whole warp while the others still meet among themselves. But
 * two lanes must not wait for each other in different meetings.
 */
inline Rendezvous& join(Warp& warp, unsigned operation, unsigned mask, unsigned bit, int line) {
  if (__builtin_expect((mask & bit) == 0, 0)) {
    fail(warp, format("called %s of line %d with mask 0x%08x, in which it is not", warpOperation(operation),
                      line, mask));
  }
  Rendezvous* found = nullptr;
  for (int i = 0; i < warp.meetings; i++) {
    Rendezvous& meeting = warp.meeting[i];
    if (__builtin_expect(meeting.mask == mask, 1)) {
      if (__builtin_expect(meeting.operation != operation || meeting.line != line, 0)) {
        divergent(warp, operation, mask, line);
      }
      found = &meeting;
    } else if ((meeting.mask & bit) != 0 && (meeting.arrived & mask) != 0) {
      divergent(warp, operation, mask, line);
    }
  }
  if (found != nullptr) {
    return *found;
  }
  if (__builtin_expect((mask & (warp.exited | warp.atBarrier)) != 0, 0)) {
    divergent(warp, operation, mask, line);
  }
  Rendezvous& meeting = warp.meeting[warp.meetings++];
  meeting = {mask, 0, operation, line};
  return meeting;
}

void checkWidth(Warp& warp, unsigned operation, unsigned long long argument, int line) {
  const unsigned width = static_cast<unsigned>(argument >> 32);
  if (width == 0 || width > WARP || (width & (width - 1)) != 0) {
    fail(warp, format("called %s of line %d with width %d: a power of two up to 32 is needed",
                      warpOperation(operation), line, static_cast<int>(width)));
  }
}

/** A lane's turn ends after about 60 plain accesses to memory, or 8 atomic ones. */
constexpr unsigned LONGEST_TURN = 128;
constexpr int ATOMIC_SHARE = 8;

inline int newTurn(Device& device) {
  return 1 + static_cast<int>(device.next() & (LONGEST_TURN - 1));
}

/** An operation at which other lanes may go first. */
inline void pause(Device& device, Lane& lane, int share) {
  device.turn -= share;
  if (__builtin_expect(device.turn > 0, 1)) {
    return;
  }
  const int turn = newTurn(device);
  device.turn = turn;
  device.standstill += static_cast<uint64_t>(turn);
  if (__builtin_expect(device.standstill > device.settings.patience, 0)) {
    fail(*lane.warp,
         format("no lane of the block has reached a collective or its end for %llu memory operations: "
                "an endless loop, or one that waits for another block",
                static_cast<unsigned long long>(device.standstill)) +
             whereabouts(*lane.warp));
  }
  giveWay(device, lane);
}

// ---- memory checks ------------------------------------------------------------------------------

Ranges& allRanges() {
  static Ranges ranges;
  return ranges;
}

uint32_t codeOffset(const Device& device, const void* pc) {
  return static_cast<uint32_t>(reinterpret_cast<uintptr_t>(pc) - device.libraryBase - 1);
}

/** "line 12", once the host has looked the offset up in the library. */
std::string codePlace(uint32_t offset) { return format("@0x%x@", offset); }

/** Segments of the library that an address of code belongs to. */
struct Segments {
  uintptr_t base;
  uintptr_t address;
  uintptr_t begin;
  uintptr_t end;
};

int findSegment(dl_phdr_info* info, size_t, void* opaque) {
  Segments& wanted = *static_cast<Segments*>(opaque);
  if (info->dlpi_addr != wanted.base) {
    return 0;
  }
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const auto& header = info->dlpi_phdr[i];
    const uintptr_t begin = info->dlpi_addr + header.p_vaddr;
    if (header.p_type == PT_LOAD && wanted.address >= begin && wanted.address < begin + header.p_memsz) {
      wanted.begin = begin;
      wanted.end = begin + header.p_memsz;
    }
  }
  return 1;
}

[[noreturn]] void outside(
    Lane& lane, uintptr_t address, size_t bytes, const char* what, const void* pc) {
  Device& device = *lane.warp->device;
  std::string near;
  const Range before = allRanges().before(address);
  const Range after = allRanges().after(address);
  if (before.owner != nullptr && address < before.end && before.owner != &device &&
      address + bytes <= before.end) {
    near = ": it belongs to " + before.purpose + " of another device, to which access is not enabled";
  } else if (before.owner != nullptr && address < before.end + 4096) {
    near = format(": %lu bytes from the begin of ", static_cast<unsigned long>(address - before.begin)) +
           before.purpose + format(" (%lu bytes)", static_cast<unsigned long>(before.end - before.begin));
  } else if (after.owner != nullptr && address + 4096 > after.begin) {
    near = format(": %lu bytes before ", static_cast<unsigned long>(after.begin - address)) + after.purpose;
  }
  fail(*lane.warp, format("%s of %zu bytes at %s, outside every buffer of the device, at address 0x%lx", what,
                          bytes, codePlace(codeOffset(device, pc)).c_str(),
                          static_cast<unsigned long>(address)) +
                       near);
}

/** An address that is not among the recent ones. */
void lookUp(Lane& lane, uintptr_t address, size_t bytes, const char* what, const void* pc) {
  Device& device = *lane.warp->device;
  const uint64_t changes = allRanges().changes();
  if (device.recent.changes != changes) {
    device.recent.clear();
    device.recent.changes = changes;
  }
  const Range range = allRanges().before(address);
  if (address >= range.begin && address + bytes <= range.end &&
      (range.owner == &device ||
       std::find(device.peers.begin(), device.peers.end(), range.owner) != device.peers.end())) {
    device.recent.put(address, range.begin, range.end);
    return;
  }
  Segments segments = {device.libraryBase, address, 0, 0};
  dl_iterate_phdr(findSegment, &segments);
  if (address >= segments.begin && address + bytes <= segments.end) {
    device.recent.put(address, segments.begin, segments.end);
    return;
  }
  outside(lane, address, bytes, what, pc);
}

std::string describe(const Access& access, bool write) {
  return format("warp %d, lane %d %s at %s", access.thread / WARP, access.thread % WARP,
                access.atomic ? "did an atomic operation" : write ? "wrote" : "read",
                codePlace(access.pc).c_str());
}

/** Whether what lane `other` of a warp did at a time of its clock is known to lane `lane`. */
inline bool ordered(const Warp& warp, int lane, int other, uint32_t time) {
  return lane == other || warp.fullTime > time || warp.seen[lane][other] > time;
}

inline bool ordered(const Warp& warp, int lane, const Access& earlier) {
  return earlier.thread / WARP == warp.number && ordered(warp, lane, earlier.thread % WARP, earlier.time);
}

[[noreturn]] void race(Lane& lane, uintptr_t address, const Access& earlier, bool earlierWrites,
                       const Access& now, bool writes) {
  Device& device = *lane.warp->device;
  const unsigned long offset = address - reinterpret_cast<uintptr_t>(device.shared);
  std::string where = "shared memory";
  for (const SharedArray& array : device.sharedArrays) {
    if (offset >= array.offset && offset < array.offset + array.bytes) {
      where = format("byte %lu of shared array %s", offset - array.offset, array.name);
    }
  }
  fail(*lane.warp, "race on " + where + ": " + describe(earlier, earlierWrites) + ", then " +
                       describe(now, writes) + ", and no __syncwarp or __syncthreads of both lies between");
}

void checkShared(Lane& lane, uintptr_t address, size_t bytes, bool write, bool atomic, const void* pc) {
  Warp& warp = *lane.warp;
  Device& device = *warp.device;
  const unsigned long offset = address - reinterpret_cast<uintptr_t>(device.shared);
  bool inside = false;
  for (const SharedArray& array : device.sharedArrays) {
    if (offset >= array.offset && offset + bytes <= array.offset + array.bytes) {
      inside = true;
      break;
    }
  }
  if (!inside) {
    std::string near;
    for (const SharedArray& array : device.sharedArrays) {
      if (offset + 32 >= array.offset && offset < array.offset + array.bytes + 32) {
        near = format(": byte %ld of %s, which has %lu", static_cast<long>(offset - array.offset), array.name,
                      array.bytes);
        if (offset >= array.offset) {
          break;
        }
      }
    }
    fail(warp, format("%s of %zu bytes at %s, outside every shared array", write ? "write" : "read", bytes,
                      codePlace(codeOffset(device, pc)).c_str()) +
                   near);
  }
  const uint16_t thread = static_cast<uint16_t>(warp.number * WARP + lane.number);
  const unsigned bit = 1u << lane.number;
  for (unsigned long done = 0; done < bytes;) {
    const unsigned long in = (offset + done) & 3;
    const unsigned long part = std::min(4 - in, bytes - done);
    const uint8_t mask = static_cast<uint8_t>(((1u << part) - 1) << in);
    Shadow& shadow = device.shadow[(offset + done) / 4];
    const Access now = {device.epoch, warp.time, codeOffset(device, pc), thread, mask, atomic};
    const Access& last = shadow.write;
    if (last.epoch == device.epoch && (last.bytes & mask) != 0 && !(last.atomic && atomic) &&
        !ordered(warp, lane.number, last)) {
      race(lane, address + done, last, true, now, write);
    }
    Access& read = shadow.read;
    if (write) {
      if (read.epoch == device.epoch && (read.bytes & mask) != 0) {
        bool safe = !shadow.severalWarps && read.thread / WARP == warp.number;
        unsigned unsafe = safe ? 0 : shadow.readers;
        for (unsigned rest = safe ? shadow.readers & ~bit : 0; rest != 0; rest &= rest - 1) {
          const int reader = __builtin_ctz(rest);
          if (!ordered(warp, lane.number, reader, read.time)) {
            unsafe |= 1u << reader;
          }
        }
        if (unsafe != 0) {
          Access earlier = read;
          earlier.thread = static_cast<uint16_t>(read.thread / WARP * WARP + __builtin_ctz(unsafe));
          race(lane, address + done, earlier, false, now, true);
        }
      }
      shadow.write = now;
    } else if (read.epoch == device.epoch && read.thread / WARP != warp.number) {
      shadow.severalWarps = true;
      shadow.readers = bit;
      read = now;
    } else if (read.epoch == device.epoch && read.time == warp.time && read.bytes == mask) {
      shadow.readers |= bit;
      read = now;
    } else {
      if (read.epoch != device.epoch) {
        shadow.severalWarps = false;
      }
      shadow.readers = bit;
      read = now;
    }
    done += part;
  }
}

inline void checkAddress(
    Lane& lane, uintptr_t address, size_t bytes, bool write, bool atomic, const void* pc) {
  Device& device = *lane.warp->device;
  if (address - reinterpret_cast<uintptr_t>(device.shared) < ARENA_BYTES) {
    checkShared(lane, address, bytes, write, atomic, pc);
  } else if (write ||
             address - reinterpret_cast<uintptr_t>(device.frame) >= device.frameBytes ||
             address + bytes - reinterpret_cast<uintptr_t>(device.frame) > device.frameBytes) {
    if (__builtin_expect(
            device.recent.changes != allRanges().changes() || !device.recent.contains(address, bytes), 0)) {
      lookUp(lane, address, bytes, atomic ? "atomic operation" : write ? "write" : "read", pc);
    }
  }
}

/** What a kernel compiled with checks calls before every access to memory. */
inline void beforeAccess(const volatile void* pointer, size_t bytes, bool write, const void* pc) {
  Lane& lane = currentLane();
  const uintptr_t address = reinterpret_cast<uintptr_t>(pointer);
  if ((address & ~(SGG_STACK_BYTES - 1)) == reinterpret_cast<uintptr_t>(&lane)) {
    return;
  }
  pause(*lane.warp->device, lane, 1);
  checkAddress(lane, address, bytes, write, false, pc);
}

inline void beforeAtomic(Lane& lane, void* pointer, size_t bytes, const void* pc) {
  Device& device = *lane.warp->device;
  pause(device, lane, ATOMIC_SHARE);
  const uintptr_t address = reinterpret_cast<uintptr_t>(pointer);
  if (__builtin_expect(address % bytes != 0, 0)) {
    fail(*lane.warp, format("atomic operation on %zu bytes at address 0x%lx, which is not aligned", bytes,
                            static_cast<unsigned long>(address)));
  }
  if (device.settings.checks) {
    checkAddress(lane, address, bytes, true, true, pc);
  }
}

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

/** Runs one block to its end, or to the first fault. */
void runBlock(Device& device) {
  clearShared(device);
  device.epoch++;
  device.exitedLanes = 0;
  device.barrier = {0, 0, 0, 0};
  device.runnableWarps = 0;
  for (int i = 0; i < device.warpCount; i++) {
    Warp& warp = device.warps[i];
    warp.runnable = FULL;
    warp.exited = 0;
    warp.atBarrier = 0;
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
  Lane* first = choose(device);
#ifdef __SANITIZE_ADDRESS__
  void* fake = nullptr;
  __sanitizer_start_switch_fiber(&fake, stackBottom(*first), STACK_BYTES);
  // Reported anew by the first fiber: a launch may come from another thread than the last one.
  device.mainStack = nullptr;
#endif
  switchStacks(device.main, first->context);
#ifdef __SANITIZE_ADDRESS__
  __sanitizer_finish_switch_fiber(fake, nullptr, nullptr);
#endif
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
  device->recent.clear();
  if (checks != 0) {
    device->shadow.resize(sgg::ARENA_BYTES / 4);
  }
  device->shared = static_cast<unsigned char*>(std::aligned_alloc(128, sgg::ARENA_BYTES));
  for (int i = 0; i < sgg::MAX_WARPS; i++) {
    device->warps[i].device = device;
    device->warps[i].number = i;
  }
  return device;
}

SGG_EXPORT void sggCloseDevice(void* opaque) {
  Device* device = static_cast<Device*>(opaque);
  for (Lane* lane : device->lanes) {
#ifdef __SANITIZE_ADDRESS__
    __asan_unpoison_memory_region(lane, SGG_STACK_BYTES);
#endif
    munmap(lane, SGG_STACK_BYTES);
  }
#ifdef __SANITIZE_ADDRESS__
  __asan_unpoison_memory_region(device->shared, sgg::ARENA_BYTES);
#endif
  std::free(device->shared);
  delete device;
}

/** Runs a kernel to its end. Null, or what went wrong, valid until the next call. */
SGG_EXPORT const char* sggLaunch(
    void* opaque, void* kernel, const char* name, int blocks, int threads, const void* frame,
    unsigned long frameBytes) {
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
  if (!sgg::makeLanes(device, threads)) {
    device.error = "no memory for the stacks of the lanes";
    return device.error.c_str();
  }
  std::vector<unsigned> order(static_cast<size_t>(blocks));
  for (size_t i = 0; i < order.size(); i++) {
    order[i] = static_cast<unsigned>(i);
  }
  for (size_t i = order.size(); i > 1; i--) {
    std::swap(order[i - 1], order[device.next() % i]);
  }
  for (unsigned block : order) {
    device.block = {block, 0, 0};
    sgg::runBlock(device);
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
