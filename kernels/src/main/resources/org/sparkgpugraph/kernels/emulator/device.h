// State of an emulated device: its lanes, warps and the block that runs.

#ifndef SGG_EMULATOR_DEVICE_H
#define SGG_EMULATOR_DEVICE_H

#include <cstdint>
#include <string>
#include <vector>

#include "fiber.h"
#include "lane.h"
#include "ranges.h"

namespace sgg {

constexpr int WARP = 32;
constexpr int MAX_THREADS = 1024;
constexpr int MAX_WARPS = MAX_THREADS / WARP;
constexpr unsigned FULL = 0xffffffffu;

/** Static shared memory that a block may have on every GPU. */
constexpr unsigned long SHARED_BYTES = 48 * 1024;

/** Room for its arrays with gaps between them. */
constexpr unsigned long ARENA_BYTES = 2 * SHARED_BYTES;

struct Device;
struct Warp;

/** Head of a lane's stack. */
struct Lane : SggLane {
  Warp* warp;
  int number;
  uint64_t canary;
  Context context;
};

constexpr uint64_t CANARY = 0x5ca1ab1e0ddba11ull;

/** A warp collective that some lanes of its mask wait at. */
struct Rendezvous {
  unsigned mask;
  unsigned arrived;
  unsigned operation;
  int line;
};

/** 32 lanes. A lane is runnable, or waits in a rendezvous or at the barrier, or has exited. */
struct Warp {
  Device* device;
  int number;
  unsigned runnable;
  unsigned exited;
  unsigned atBarrier;
  unsigned atPart;
  int meetings;
  Rendezvous meeting[WARP];
  uint64_t value[WARP];
  uint64_t argument[WARP];
  uint64_t result[WARP];
  Lane* lanes[WARP];

  /** Number of __syncwarp calls that this warp has completed: its clock. */
  uint32_t time;
  /** Clock at the last one of all lanes. */
  uint32_t fullTime;
  /** [a][b]: what lane b did before this time happened before what lane a does now. */
  uint32_t seen[WARP][WARP];
};

/** The block's barrier. */
struct Barrier {
  int arrived;
  unsigned operation;
  int line;
  int count;
};

/** An array declared with SGG_SHARED. */
struct SharedArray {
  const void* site;
  const char* name;
  unsigned long offset;
  unsigned long bytes;
};

/** How a device behaves. */
struct Settings {
  uint64_t seed;
  /** Atomics, fences and checked accesses in a row without any lane getting further: then it hangs. */
  uint64_t patience;
  /** Whether kernels are compiled to report every access to memory. */
  bool checks;
};

/** One access to four bytes of shared memory. */
struct Access {
  uint32_t epoch;
  uint32_t time;
  uint32_t pc;
  uint16_t thread;
  uint8_t bytes;
  bool atomic;
};

/** What is remembered of four bytes of shared memory: their last write and their last reads. */
struct Shadow {
  Access write;
  Access read;
  /** Lanes of the last reader's warp that have read at the same time of its clock. */
  unsigned readers;
  /** Whether lanes of several warps have read since the last barrier. */
  bool severalWarps;
};

/** A store that has not reached memory. */
struct DelayedStore {
  uintptr_t address;
  uint64_t value;
  size_t bytes;
  /** When and by whom: as in Access. */
  uint32_t epoch;
  uint32_t time;
  int warp;
  int lane;
};

struct Device {
  Settings settings;
  uint64_t random;
  uint64_t launches = 0;

  /** Stacks, made when first needed. */
  std::vector<Lane*> lanes;
  Warp warps[MAX_WARPS];
  int warpCount;
  int threads;
  unsigned runnableWarps;
  int running;
  int exitedLanes;
  /** Threads at the barrier of a part of the block. */
  int arrivedPart = 0;
  SggIndex block;
  SggIndex blocks;
  Barrier barrier;
  Context main;
  const void* mainStack = nullptr;
  size_t mainStackBytes = 0;

  const char* kernelName;
  void (*kernel)(const void*);
  const void* frame;
  size_t frameBytes;
  /** Where the kernel's library begins: code addresses are told from here. */
  uintptr_t libraryBase;

  /** Pauses until the next lane is chosen. */
  int turn;
  uint64_t standstill;

  unsigned char* shared = nullptr;
  unsigned long sharedUsed;
  std::vector<SharedArray> sharedArrays;
  std::vector<Shadow> shadow;
  /** Barriers and block starts so far: accesses of an earlier epoch are in order with later ones. */
  uint32_t epoch = 0;

  RecentRanges recent;
  std::vector<const Device*> peers;

  /** The device whose buffers kernels use: this one, or the one that this stands for a block of. */
  const Device* self = this;
  /** One for each block of a cooperative launch, which are all there at the same time. */
  std::vector<Device*> grid;
  /** Whether this is a block of a cooperative launch. */
  bool cooperative = false;
  /** Whether the block waits at the grid's barrier; its last lane to come there goes on first. */
  bool parked = false;
  Lane* waiting = nullptr;
  /** Whether another block goes on, and this one later, where it was. */
  bool yielded = false;
  /** In the order in which they were made. */
  std::vector<DelayedStore> delayed;

  bool failed;
  std::string error;

  unsigned next() {
    // xorshift64*
    random ^= random >> 12;
    random ^= random << 25;
    random ^= random >> 27;
    return static_cast<unsigned>(random * 0x2545f4914f6cdd1dull >> 32);
  }

  /** One of the bits that are set. */
  int pick(unsigned bits) {
    const unsigned turned = next() & 31;
    const unsigned rotated = bits >> turned | bits << ((32 - turned) & 31);
    return static_cast<int>((static_cast<unsigned>(__builtin_ctz(rotated)) + turned) & 31);
  }
};

}  // namespace sgg

#endif
