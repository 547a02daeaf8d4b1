// Which lane runs. A lane runs until its next collective, or until it loses its turn at an access to
// memory; the next one is chosen at random, mostly of the same warp. A fault ends the launch: control
// goes back to where it began, and the fibers are left as they are.

#ifndef SGG_EMULATOR_SCHEDULER_H
#define SGG_EMULATOR_SCHEDULER_H

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>

#include "device.h"

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
                                      "__syncthreads_or", "the grid's barrier"};
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
  if (warp.atPart != 0) {
    text += format("; %s at the barrier of a part of the block", lanesOf(warp.atPart).c_str());
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

/** Back to the launch, until it goes on with the block. */
void park(Device& device, Lane& lane) {
  device.parked = true;
  switchFrom(lane, device.main, device.mainStack, device.mainStackBytes, false);
}

/** Lets another block of the grid run, where there is one. */
void yieldBlock(Device& device, Lane& lane) {
  device.yielded = true;
  device.waiting = &lane;
  switchFrom(lane, device.main, device.mainStack, device.mainStackBytes, false);
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

/** A lane's turn ends after about 60 plain accesses to memory, or 8 atomic ones. */
constexpr unsigned LONGEST_TURN = 128;
constexpr int ATOMIC_SHARE = 8;

/** After so many turns of its lanes, less 1, a block of a cooperative launch lets another one go on, on average. */
constexpr unsigned BLOCK_TURNS = 31;

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
  if (device.cooperative && (device.next() & BLOCK_TURNS) == 0) {
    yieldBlock(device, lane);
  }
  giveWay(device, lane);
}

}  // namespace
}  // namespace sgg

#endif
