// What every generated translation unit begins with: how kernels and shared arrays are declared, and the
// helpers that the other headers stand on. Compiled by NVRTC, nvcc and, behind the emulator's prelude, g++.

// Blocks of 256 threads that a multiprocessor should hold: 5 leave 48 registers to a thread. Left to itself the compiler takes 64, and
// the gather, which waits for scattered loads, loses up to a fifth (PageRank and components on an H200). Turing holds 1024 threads.
// Where every vertex runs, little is read over an edge and rows are much alike, 40 registers do, and more warps hide more: PageRank on a
// lattice takes 0.182 ms with 6 blocks and 0.193 with 4. On R-MAT graphs 4, 5 and 6 differ by no more than a run does from itself.
#ifdef SGG_RESIDENT_BLOCKS
#define SGG_RESIDENT_BLOCKS_SMALL SGG_RESIDENT_BLOCKS
#else
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
#define SGG_RESIDENT_BLOCKS 4
#define SGG_RESIDENT_BLOCKS_SMALL 4
#else
#define SGG_RESIDENT_BLOCKS 5
#define SGG_RESIDENT_BLOCKS_SMALL 6
#endif
#endif

#ifndef SGG_KERNEL
#define SGG_KERNEL_OF(name, blocks) extern "C" __global__ void __launch_bounds__(256, blocks) name(const __grid_constant__ Frame f)
#define SGG_KERNEL(name) SGG_KERNEL_OF(name, SGG_RESIDENT_BLOCKS)
#define SGG_SHARED(type, name, count) __shared__ type name[count]
#define SGG_UNROLL _Pragma("unroll")
#define SGG_KEEP_LOOP _Pragma("unroll 1")
#else
#define SGG_KERNEL_OF(name, blocks) SGG_KERNEL(name)
#define SGG_UNROLL
#define SGG_KEEP_LOOP
#endif

// Edges per lane whose loads a streaming warp has under way together; a power of two.
#ifndef SGG_DEPTH
#define SGG_DEPTH 4
#endif

// A row's part of the staged edges that is longer than this is walked by the whole warp.
#ifndef SGG_SERIAL_PART
#define SGG_SERIAL_PART 32
#endif

#define SGG_WARP 32
#define SGG_BLOCK_WARPS 8  // every kernel is launched with 256 threads
#define SGG_ALL_LANES 0xffffffffu
#define SGG_DEVICE static __device__ __forceinline__
#define SGG_DEVICE_MEMBER __device__ __forceinline__
#define SGG_DEVICE_STATIC static __device__ __forceinline__

struct Frame;

// Lanes [from, to) as a mask; 0 <= from, to <= 32, empty when to <= from.
SGG_DEVICE unsigned sgg_lanes(int from, int to) {
  if (to <= from) {
    return 0u;
  }
  return (to == 32 ? SGG_ALL_LANES : (1u << to) - 1u) & (SGG_ALL_LANES << from);
}

// This thread's warp in the grid, and the number of warps.
SGG_DEVICE long long sgg_warp() { return (long long)blockIdx.x * SGG_BLOCK_WARPS + (threadIdx.x >> 5); }
SGG_DEVICE long long sgg_warps() { return (long long)gridDim.x * SGG_BLOCK_WARPS; }

SGG_DEVICE int sgg_lane() { return (int)(threadIdx.x & 31u); }

SGG_DEVICE bool sgg_bit(const unsigned* words, int index) {
  return (words[index >> 5] >> (index & 31)) & 1u;
}

// Loads what is read once in a launch and never written by it, if `wanted`; else 0. Evicted first, so that caches keep the values;
// without a branch, so that a lane has many of these loads under way.
SGG_DEVICE int sgg_load_once(const int* address, bool wanted) {
#ifdef __CUDA_ARCH__
  int value = 0;
  asm("{ .reg .pred wanted; setp.ne.s32 wanted, %2, 0; @wanted ld.global.cs.s32 %0, [%1]; }"
      : "+r"(value)
      : "l"(__cvta_generic_to_global(address)), "r"((int)wanted));
  return value;
#else
  return wanted ? *address : 0;
#endif
}

// Loads a value at the other end of an edge. Evicted last from L2: these are loaded over and over, in no order, all else once.
template <class T>
SGG_DEVICE T sgg_load_value(const T* address) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  if constexpr (sizeof(T) == 4) {
    T value;
    unsigned bits;
    asm("{ .reg .b64 last; createpolicy.fractional.L2::evict_last.b64 last, 1.0; ld.global.L2::cache_hint.b32 %0, [%1], last; }"
        : "=r"(bits)
        : "l"(__cvta_generic_to_global(address)));
    memcpy(&value, &bits, 4);
    return value;
  } else if constexpr (sizeof(T) == 8) {
    T value;
    unsigned long long bits;
    asm("{ .reg .b64 last; createpolicy.fractional.L2::evict_last.b64 last, 1.0; ld.global.L2::cache_hint.b64 %0, [%1], last; }"
        : "=l"(bits)
        : "l"(__cvta_generic_to_global(address)));
    memcpy(&value, &bits, 8);
    return value;
  } else {
    return *address;
  }
#else
  return *address;
#endif
}

// Brings the line of an address into L2.
SGG_DEVICE void sgg_prefetch(const int* address) {
#ifdef __CUDA_ARCH__
  asm volatile("prefetch.global.L2 [%0];" : : "l"(__cvta_generic_to_global(address)));
#else
  (void)address;
#endif
}

SGG_DEVICE int sgg_smaller(int a, int b) { return a < b ? a : b; }

SGG_DEVICE int sgg_larger(int a, int b) { return a > b ? a : b; }

// Sets a bit that other threads may set at the same time. A bit that is set already costs a read.
SGG_DEVICE void sgg_set_bit(unsigned* words, int index) {
  unsigned bit = 1u << (index & 31);
  if ((words[index >> 5] & bit) == 0u) {
    atomicOr(&words[index >> 5], bit);
  }
}

// Values of other lanes, for every kind of column.
SGG_DEVICE int sgg_shfl(int value, int lane) { return __shfl_sync(SGG_ALL_LANES, value, lane); }
SGG_DEVICE long long sgg_shfl(long long value, int lane) { return __shfl_sync(SGG_ALL_LANES, value, lane); }
SGG_DEVICE float sgg_shfl(float value, int lane) { return __shfl_sync(SGG_ALL_LANES, value, lane); }
SGG_DEVICE double sgg_shfl(double value, int lane) { return __shfl_sync(SGG_ALL_LANES, value, lane); }
SGG_DEVICE int sgg_shfl_down(int value, int d) { return __shfl_down_sync(SGG_ALL_LANES, value, d); }
SGG_DEVICE long long sgg_shfl_down(long long value, int d) { return __shfl_down_sync(SGG_ALL_LANES, value, d); }
SGG_DEVICE float sgg_shfl_down(float value, int d) { return __shfl_down_sync(SGG_ALL_LANES, value, d); }
SGG_DEVICE double sgg_shfl_down(double value, int d) { return __shfl_down_sync(SGG_ALL_LANES, value, d); }

// Whether the bits of two values differ (as Java's raw bits do: -0.0 is not 0.0, a NaN equals itself).
SGG_DEVICE bool sgg_differs(int a, int b) { return a != b; }
SGG_DEVICE bool sgg_differs(long long a, long long b) { return a != b; }
SGG_DEVICE bool sgg_differs(float a, float b) { return __float_as_int(a) != __float_as_int(b); }
SGG_DEVICE bool sgg_differs(double a, double b) { return __double_as_longlong(a) != __double_as_longlong(b); }

// Stops the run with an error: of all that happen in a launch, the one of the lowest row and site is kept, as its complement: 0 is none.
SGG_DEVICE void sgg_fail(unsigned long long* fault, int row, int site) {
  atomicMax(fault, ~(((unsigned long long)(unsigned)row << 32) | (unsigned long long)(unsigned)site));
}
