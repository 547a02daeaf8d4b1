// What every generated translation unit begins with, behind its constants and the policy: how kernels and shared arrays are declared, and
// the helpers that the other headers stand on. Compiled by NVRTC, nvcc and, behind the emulator's prelude, g++.
//
// SGG_WARP lanes of a warp, SGG_BLOCK threads of a block in every launch, SGG_BLOCK_WARPS warps of it: printed by Java, as everything is
// that the host counts with (engine.device.kernels.SharedWords).

// A kernel is an entry of its unit; where supersteps are outlined what are kernels elsewhere are functions instead (phases.cuh), and entries
// call them.
#ifndef SGG_EMULATED
#define SGG_ENTRY_OF(name, blocks) \
  extern "C" __global__ void __launch_bounds__(SGG_BLOCK, blocks) name(const __grid_constant__ Frame f)
#define SGG_KERNEL_OF(name, blocks) SGG_ENTRY_OF(name, blocks)
#define SGG_KERNEL(name) SGG_KERNEL_OF(name, Policy::RESIDENT_BLOCKS)
#define SGG_SHARED(type, name, count) __shared__ __align__(16) type name[count]
#define SGG_UNROLL _Pragma("unroll")
#define SGG_UNROLL_BY(times) SGG_PRAGMA(unroll times)
#define SGG_PRAGMA(text) _Pragma(#text)
#define SGG_KEEP_LOOP _Pragma("unroll 1")
#else
#define SGG_ENTRY_OF(name, blocks) SGG_ENTRY(name)
#define SGG_KERNEL_OF(name, blocks) SGG_KERNEL(name)
#define SGG_UNROLL
#define SGG_UNROLL_BY(times)
#define SGG_KEEP_LOOP
#endif

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

// This thread in the grid, and the number of threads.
SGG_DEVICE long long sgg_thread() { return (long long)blockIdx.x * blockDim.x + threadIdx.x; }
SGG_DEVICE long long sgg_threads() { return (long long)gridDim.x * blockDim.x; }

// This thread's warp in the grid, and the number of warps.
SGG_DEVICE long long sgg_warp() { return (long long)blockIdx.x * SGG_BLOCK_WARPS + (threadIdx.x >> 5); }
SGG_DEVICE long long sgg_warps() { return (long long)gridDim.x * SGG_BLOCK_WARPS; }

SGG_DEVICE int sgg_lane() { return (int)(threadIdx.x & 31u); }

SGG_DEVICE bool sgg_bit(const unsigned* words, int index) {
  return (words[index >> 5] >> (index & 31)) & 1u;
}

SGG_DEVICE constexpr int sgg_smaller(int a, int b) { return a < b ? a : b; }

SGG_DEVICE constexpr int sgg_larger(int a, int b) { return a > b ? a : b; }

// Words of a bitmap.
SGG_DEVICE long long sgg_bitmap_words(long long bits) { return (bits + 31) >> 5; }

// Sets words to 0, each thread its own ones.
SGG_DEVICE void sgg_clear(unsigned* words, long long count) {
  for (long long i = sgg_thread(); i < count; i += sgg_threads()) {
    words[i] = 0u;
  }
}

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

// The largest of a warp's values.
SGG_DEVICE int sgg_warp_max(int value) {
#if SGG_ARCHITECTURE > 0 && SGG_ARCHITECTURE < 800
  for (int d = SGG_WARP / 2; d > 0; d >>= 1) {
    value = sgg_larger(value, __shfl_xor_sync(SGG_ALL_LANES, value, d));
  }
  return value;
#else
  return __reduce_max_sync(SGG_ALL_LANES, value);
#endif
}

// The same of numbers of 64 bits.
SGG_DEVICE unsigned long long sgg_warp_largest(unsigned long long value) {
  for (int d = SGG_WARP / 2; d > 0; d >>= 1) {
    unsigned long long other = (unsigned long long)__shfl_xor_sync(SGG_ALL_LANES, (long long)value, d);
    value = other > value ? other : value;
  }
  return value;
}

// The sum of a warp's values, in lane 0. Numbers of 32 bits are added up in 64.
SGG_DEVICE long long sgg_warp_sum(long long value) {
  for (int d = SGG_WARP / 2; d > 0; d >>= 1) {
    value += sgg_shfl_down(value, d);
  }
  return value;
}
SGG_DEVICE long long sgg_warp_sum(int value) { return sgg_warp_sum((long long)value); }
SGG_DEVICE unsigned long long sgg_warp_sum(unsigned long long value) { return (unsigned long long)sgg_warp_sum((long long)value); }

// The sum of a warp's values up to this lane's, its own included.
SGG_DEVICE int sgg_warp_sums(int value, int lane) {
  for (int d = 1; d < SGG_WARP; d <<= 1) {
    int lower = __shfl_up_sync(SGG_ALL_LANES, value, d);
    if (lane >= d) {
      value += lower;
    }
  }
  return value;
}

// Whether the bits of two values differ (as Java's raw bits do: -0.0 is not 0.0, a NaN equals itself).
SGG_DEVICE bool sgg_differs(int a, int b) { return a != b; }
SGG_DEVICE bool sgg_differs(long long a, long long b) { return a != b; }
SGG_DEVICE bool sgg_differs(float a, float b) { return __float_as_int(a) != __float_as_int(b); }
SGG_DEVICE bool sgg_differs(double a, double b) { return __double_as_longlong(a) != __double_as_longlong(b); }

// Stops the run with an error: of all that happen in a launch, the one of the lowest row and site is kept, as its complement: 0 is none.
SGG_DEVICE void sgg_fail(unsigned long long* fault, int row, int site) {
  atomicMax(fault, ~(((unsigned long long)(unsigned)row << 32) | (unsigned long long)(unsigned)site));
}
