// What a kernel and the emulator's runtime both know of a lane.
//
// A lane is a fiber. Its stack is aligned to its own size and begins with a header, so the lane that
// executes is found by masking the address of the stack frame: no thread-local state, and several
// emulated devices run side by side, each on the thread that launches.

#ifndef SGG_EMULATOR_LANE_H
#define SGG_EMULATOR_LANE_H

#define SGG_EMULATED 1

#ifdef __SANITIZE_ADDRESS__
#define SGG_STACK_BYTES (1ul << 18)
#else
#define SGG_STACK_BYTES (1ul << 16)
#endif

struct SggIndex {
  unsigned x;
  unsigned y;
  unsigned z;
};

/** First bytes of a lane's stack: what threadIdx, blockIdx, blockDim and gridDim are. */
struct SggLane {
  SggIndex thread;
  SggIndex block;
  SggIndex threads;
  SggIndex blocks;
};

static inline const SggLane& sggLane() {
  return *reinterpret_cast<const SggLane*>(
      reinterpret_cast<unsigned long>(__builtin_frame_address(0)) & ~(SGG_STACK_BYTES - 1));
}

/** Collectives of a warp. */
enum SggWarpOperation : unsigned {
  SGG_SYNCWARP,
  SGG_SHFL,
  SGG_SHFL_UP,
  SGG_SHFL_DOWN,
  SGG_SHFL_XOR,
  SGG_BALLOT,
  SGG_ANY,
  SGG_ALL,
  SGG_MATCH_ANY,
  SGG_REDUCE_ADD,
  SGG_REDUCE_AND,
  SGG_REDUCE_OR,
  SGG_REDUCE_XOR,
  SGG_REDUCE_MIN_SIGNED,
  SGG_REDUCE_MAX_SIGNED,
  SGG_REDUCE_MIN_UNSIGNED,
  SGG_REDUCE_MAX_UNSIGNED,
};

/** Collectives of a block. */
enum SggBlockOperation : unsigned {
  SGG_SYNCTHREADS,
  SGG_SYNCTHREADS_COUNT,
  SGG_SYNCTHREADS_AND,
  SGG_SYNCTHREADS_OR,
  /** Of all blocks of a cooperative launch. */
  SGG_SYNCGRID,
};

/** Atomic operations: each returns the old value. */
enum SggAtomicOperation : unsigned {
  SGG_ATOMIC_ADD,
  SGG_ATOMIC_AND,
  SGG_ATOMIC_OR,
  SGG_ATOMIC_XOR,
  SGG_ATOMIC_EXCH,
  SGG_ATOMIC_CAS,
  SGG_ATOMIC_MIN_SIGNED,
  SGG_ATOMIC_MAX_SIGNED,
  SGG_ATOMIC_MIN_UNSIGNED,
  SGG_ATOMIC_MAX_UNSIGNED,
  SGG_ATOMIC_ADD_FLOAT,
  SGG_ATOMIC_ADD_DOUBLE,
};

extern "C" {
/**
 * A collective of the lanes in mask. Argument: source lane, delta or lane mask of a shuffle in the
 * low 32 bits of argument, its width in the high ones. Line: where in the source it is called.
 */
unsigned long long sggWarp(
    unsigned operation, unsigned mask, unsigned long long value, unsigned long long argument, int line);

/** A collective of all threads of the block. */
int sggBlock(unsigned operation, int predicate, int line);

/** A barrier of so many threads of the block, which others pass by. */
void sggPart(int threads, int line);

/** An atomic operation on 32 bits. The lane may lose its turn before it. */
unsigned sggAtomic32(
    unsigned operation, void* address, unsigned value, unsigned compare);

/** An atomic operation on 64 bits. */
unsigned long long sggAtomic64(
    unsigned operation, void* address, unsigned long long value, unsigned long long compare);

/** A point at which the lane may lose its turn: a fence, a pause. */
void sggPause();

/** A point at which another block may go on: something is waited for. */
void sggYield();

/** A store that others see when it is released, or earlier. */
void sggStore64(void* address, unsigned long long value);
void sggStore32(void* address, unsigned value);

/** A load of what others may store meanwhile. */
unsigned long long sggLoad64(const void* address);
unsigned sggLoad32(const void* address);

/** Lets the lane's stores be seen, and those that it knows of. */
void sggRelease();

/** The clock, in nanoseconds from some point on. */
unsigned long long sggNanos();

/** The block's array of a name, garbage when its first lane asks. */
void* sggShared(const void* site, const char* name, unsigned long bytes, unsigned long alignment);
}

#endif
