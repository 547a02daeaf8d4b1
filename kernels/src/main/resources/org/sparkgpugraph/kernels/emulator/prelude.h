// The CUDA names that device code uses, for g++. It stands before a generated translation unit, which
// is otherwise the text that NVRTC compiles. Lines in messages are lines of that text.

#ifndef SGG_EMULATOR_PRELUDE_H
#define SGG_EMULATOR_PRELUDE_H

// The C header alone: the C++ one is ten times as long to compile.
#define _GLIBCXX_INCLUDE_NEXT_C_HEADERS
#include <math.h>
#undef _GLIBCXX_INCLUDE_NEXT_C_HEADERS

#include "lane.h"

#define SGG_KERNEL(name) SGG_ENTRY(name)

#define SGG_ENTRY(name)                                                     \
  static void name##_body([[maybe_unused]] const Frame& f);                 \
  extern "C" __attribute__((visibility("default"))) void name(const void* frame) { \
    name##_body(*static_cast<const Frame*>(frame));                         \
  }                                                                         \
  static void name##_body([[maybe_unused]] const Frame& f)

#define SGG_SHARED(type, name, count)                                 \
  static const char name##_site = 0;                                  \
  type(&name)[count] = *static_cast<type(*)[count]>(                  \
      sggShared(&name##_site, #name, sizeof(type) * (count), alignof(type)))

#define __device__
#define __host__
#define __global__
#define __constant__
#define __forceinline__ inline
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(...)
#define __grid_constant__
#define __align__(bytes) __attribute__((aligned(bytes)))

#define threadIdx (sggLane().thread)
#define blockIdx (sggLane().block)
#define blockDim (sggLane().threads)
#define gridDim (sggLane().blocks)
#define warpSize 32

#define SGG_LINE int line = __builtin_LINE()

// ---- values as bits -----------------------------------------------------------------------------

template <class To, class From>
static inline To sggBits(From from) {
  static_assert(sizeof(To) == sizeof(From), "sizes differ");
  To to;
  __builtin_memcpy(&to, &from, sizeof(to));
  return to;
}

static inline int __float_as_int(float value) { return sggBits<int>(value); }
static inline unsigned __float_as_uint(float value) { return sggBits<unsigned>(value); }
static inline float __int_as_float(int value) { return sggBits<float>(value); }
static inline float __uint_as_float(unsigned value) { return sggBits<float>(value); }
static inline long long __double_as_longlong(double value) { return sggBits<long long>(value); }
static inline double __longlong_as_double(long long value) { return sggBits<double>(value); }
static inline int __double2hiint(double value) { return static_cast<int>(sggBits<long long>(value) >> 32); }
static inline int __double2loint(double value) { return static_cast<int>(sggBits<long long>(value)); }
static inline double __hiloint2double(int high, int low) {
  return sggBits<double>(static_cast<unsigned long long>(static_cast<unsigned>(high)) << 32 |
                         static_cast<unsigned>(low));
}

// ---- collectives of a warp ------------------------------------------------------------------------

static inline void __syncwarp(unsigned mask = 0xffffffffu, SGG_LINE) {
  sggWarp(SGG_SYNCWARP, mask, 0, 0, line);
}

static inline unsigned __ballot_sync(unsigned mask, int predicate, SGG_LINE) {
  return static_cast<unsigned>(sggWarp(SGG_BALLOT, mask, predicate != 0, 0, line));
}

static inline int __any_sync(unsigned mask, int predicate, SGG_LINE) {
  return static_cast<int>(sggWarp(SGG_ANY, mask, predicate != 0, 0, line));
}

static inline int __all_sync(unsigned mask, int predicate, SGG_LINE) {
  return static_cast<int>(sggWarp(SGG_ALL, mask, predicate != 0, 0, line));
}

static inline unsigned long long sggShuffle(unsigned operation, unsigned mask, unsigned long long value,
                                            unsigned lane, int width, int line) {
  return sggWarp(operation, mask, value,
                 static_cast<unsigned long long>(static_cast<unsigned>(width)) << 32 | lane, line);
}

#define SGG_SHUFFLE(type, bits, name, operation, argument)                                         \
  static inline type name(unsigned mask, type value, argument lane, int width = 32, SGG_LINE) {    \
    return sggBits<type>(static_cast<bits>(sggShuffle(operation, mask, sggBits<bits>(value),       \
                                                      static_cast<unsigned>(lane), width, line))); \
  }
#define SGG_SHUFFLES(type, bits)                                     \
  SGG_SHUFFLE(type, bits, __shfl_sync, SGG_SHFL, int)                \
  SGG_SHUFFLE(type, bits, __shfl_up_sync, SGG_SHFL_UP, unsigned)     \
  SGG_SHUFFLE(type, bits, __shfl_down_sync, SGG_SHFL_DOWN, unsigned) \
  SGG_SHUFFLE(type, bits, __shfl_xor_sync, SGG_SHFL_XOR, int)
SGG_SHUFFLES(int, unsigned)
SGG_SHUFFLES(unsigned, unsigned)
SGG_SHUFFLES(long, unsigned long)
SGG_SHUFFLES(unsigned long, unsigned long)
SGG_SHUFFLES(long long, unsigned long long)
SGG_SHUFFLES(unsigned long long, unsigned long long)
SGG_SHUFFLES(float, unsigned)
SGG_SHUFFLES(double, unsigned long long)
#undef SGG_SHUFFLES
#undef SGG_SHUFFLE

#define SGG_MATCH(type, bits)                                                                \
  static inline unsigned __match_any_sync(unsigned mask, type value, SGG_LINE) {             \
    return static_cast<unsigned>(sggWarp(SGG_MATCH_ANY, mask, sggBits<bits>(value), 0, line)); \
  }
SGG_MATCH(int, unsigned)
SGG_MATCH(unsigned, unsigned)
SGG_MATCH(long long, unsigned long long)
SGG_MATCH(unsigned long long, unsigned long long)
SGG_MATCH(float, unsigned)
SGG_MATCH(double, unsigned long long)
#undef SGG_MATCH

#define SGG_REDUCE(type, name, operation)                                              \
  static inline type name(unsigned mask, type value, SGG_LINE) {                       \
    return static_cast<type>(sggWarp(operation, mask, static_cast<unsigned>(value), 0, line)); \
  }
SGG_REDUCE(int, __reduce_add_sync, SGG_REDUCE_ADD)
SGG_REDUCE(unsigned, __reduce_add_sync, SGG_REDUCE_ADD)
SGG_REDUCE(int, __reduce_min_sync, SGG_REDUCE_MIN_SIGNED)
SGG_REDUCE(unsigned, __reduce_min_sync, SGG_REDUCE_MIN_UNSIGNED)
SGG_REDUCE(int, __reduce_max_sync, SGG_REDUCE_MAX_SIGNED)
SGG_REDUCE(unsigned, __reduce_max_sync, SGG_REDUCE_MAX_UNSIGNED)
SGG_REDUCE(unsigned, __reduce_and_sync, SGG_REDUCE_AND)
SGG_REDUCE(unsigned, __reduce_or_sync, SGG_REDUCE_OR)
SGG_REDUCE(unsigned, __reduce_xor_sync, SGG_REDUCE_XOR)
#undef SGG_REDUCE

// ---- collectives of a block -----------------------------------------------------------------------

static inline void __syncthreads(SGG_LINE) { sggBlock(SGG_SYNCTHREADS, 0, line); }
static inline int __syncthreads_count(int predicate, SGG_LINE) {
  return sggBlock(SGG_SYNCTHREADS_COUNT, predicate, line);
}
static inline int __syncthreads_and(int predicate, SGG_LINE) {
  return sggBlock(SGG_SYNCTHREADS_AND, predicate, line);
}
static inline int __syncthreads_or(int predicate, SGG_LINE) {
  return sggBlock(SGG_SYNCTHREADS_OR, predicate, line);
}

/** The barrier of a cooperative launch; the words that a GPU counts arrivals in are not needed. */
static inline void sgg_grid_sync(unsigned long long*, unsigned&, SGG_LINE) { sggBlock(SGG_SYNCGRID, 0, line); }

#undef SGG_LINE

// ---- memory ---------------------------------------------------------------------------------------

static inline void __threadfence() { sggPause(); }
static inline void __threadfence_block() { sggPause(); }
static inline void __threadfence_system() { sggPause(); }
static inline unsigned long long sgg_nanos() { return sggNanos(); }
static inline void __nanosleep(unsigned) { sggPause(); }

template <class T>
static inline T __ldg(const T* address) {
  return *address;
}

#define SGG_ATOMIC32(type, name, operation)                                                  \
  static inline type name(type* address, type value) {                                       \
    return static_cast<type>(sggAtomic32(operation, address, static_cast<unsigned>(value), 0)); \
  }
#define SGG_ATOMIC64(type, name, operation)                          \
  static inline type name(type* address, type value) {               \
    return static_cast<type>(sggAtomic64(                            \
        operation, address, static_cast<unsigned long long>(value), 0)); \
  }
#define SGG_ATOMICS(macro, type, minimum, maximum) \
  macro(type, atomicExch, SGG_ATOMIC_EXCH)         \
  macro(type, atomicMin, minimum)                  \
  macro(type, atomicMax, maximum)                  \
  macro(type, atomicAnd, SGG_ATOMIC_AND)           \
  macro(type, atomicOr, SGG_ATOMIC_OR)             \
  macro(type, atomicXor, SGG_ATOMIC_XOR)
SGG_ATOMICS(SGG_ATOMIC32, int, SGG_ATOMIC_MIN_SIGNED, SGG_ATOMIC_MAX_SIGNED)
SGG_ATOMICS(SGG_ATOMIC32, unsigned, SGG_ATOMIC_MIN_UNSIGNED, SGG_ATOMIC_MAX_UNSIGNED)
SGG_ATOMICS(SGG_ATOMIC64, unsigned long long, SGG_ATOMIC_MIN_UNSIGNED, SGG_ATOMIC_MAX_UNSIGNED)
SGG_ATOMIC64(long long, atomicMin, SGG_ATOMIC_MIN_SIGNED)
SGG_ATOMIC64(long long, atomicMax, SGG_ATOMIC_MAX_SIGNED)
SGG_ATOMIC32(int, atomicAdd, SGG_ATOMIC_ADD)
SGG_ATOMIC32(unsigned, atomicAdd, SGG_ATOMIC_ADD)
SGG_ATOMIC64(unsigned long long, atomicAdd, SGG_ATOMIC_ADD)
#undef SGG_ATOMICS
#undef SGG_ATOMIC64
#undef SGG_ATOMIC32

static inline int atomicSub(int* address, int value) {
  return static_cast<int>(sggAtomic32(SGG_ATOMIC_ADD, address, 0u - static_cast<unsigned>(value), 0));
}
static inline unsigned atomicSub(unsigned* address, unsigned value) {
  return sggAtomic32(SGG_ATOMIC_ADD, address, 0u - value, 0);
}
static inline float atomicAdd(float* address, float value) {
  return sggBits<float>(sggAtomic32(SGG_ATOMIC_ADD_FLOAT, address, sggBits<unsigned>(value), 0));
}
static inline double atomicAdd(double* address, double value) {
  return sggBits<double>(
      sggAtomic64(SGG_ATOMIC_ADD_DOUBLE, address, sggBits<unsigned long long>(value), 0));
}
static inline float atomicExch(float* address, float value) {
  return sggBits<float>(sggAtomic32(SGG_ATOMIC_EXCH, address, sggBits<unsigned>(value), 0));
}
static inline int atomicCAS(int* address, int compare, int value) {
  return static_cast<int>(sggAtomic32(
      SGG_ATOMIC_CAS, address, static_cast<unsigned>(value), static_cast<unsigned>(compare)));
}
static inline unsigned atomicCAS(unsigned* address, unsigned compare, unsigned value) {
  return sggAtomic32(SGG_ATOMIC_CAS, address, value, compare);
}
static inline unsigned long long atomicCAS(
    unsigned long long* address, unsigned long long compare, unsigned long long value) {
  return sggAtomic64(SGG_ATOMIC_CAS, address, value, compare);
}

// ---- integers -------------------------------------------------------------------------------------

static inline int __popc(unsigned value) { return __builtin_popcount(value); }
static inline int __popcll(unsigned long long value) { return __builtin_popcountll(value); }
static inline int __clz(int value) { return value == 0 ? 32 : __builtin_clz(static_cast<unsigned>(value)); }
static inline int __clzll(long long value) {
  return value == 0 ? 64 : __builtin_clzll(static_cast<unsigned long long>(value));
}
static inline int __ffs(int value) { return __builtin_ffs(value); }
static inline int __ffsll(long long value) { return __builtin_ffsll(value); }
static inline unsigned __brev(unsigned value) {
  value = (value >> 1 & 0x55555555u) | (value & 0x55555555u) << 1;
  value = (value >> 2 & 0x33333333u) | (value & 0x33333333u) << 2;
  value = (value >> 4 & 0x0f0f0f0fu) | (value & 0x0f0f0f0fu) << 4;
  return __builtin_bswap32(value);
}
static inline unsigned long long __brevll(unsigned long long value) {
  return static_cast<unsigned long long>(__brev(static_cast<unsigned>(value))) << 32 |
         __brev(static_cast<unsigned>(value >> 32));
}
static inline int __mulhi(int a, int b) { return static_cast<int>(static_cast<long long>(a) * b >> 32); }
static inline unsigned __umulhi(unsigned a, unsigned b) {
  return static_cast<unsigned>(static_cast<unsigned long long>(a) * b >> 32);
}
__extension__ typedef __int128 SggInt128;
__extension__ typedef unsigned __int128 SggUnsigned128;
static inline long long __mul64hi(long long a, long long b) {
  return static_cast<long long>(static_cast<SggInt128>(a) * b >> 64);
}
static inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  return static_cast<unsigned long long>(static_cast<SggUnsigned128>(a) * b >> 64);
}
static inline unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift) {
  return static_cast<unsigned>(
      ((static_cast<unsigned long long>(high) << 32 | low) << (shift & 31)) >> 32);
}
static inline unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
  return static_cast<unsigned>(
      (static_cast<unsigned long long>(high) << 32 | low) >> (shift & 31));
}
/** Position of the n-th set bit from bit base on: upwards for n > 0, downwards for n < 0. */
static inline unsigned __fns(unsigned mask, unsigned base, int n) {
  if (n == 0) {
    return mask >> base & 1 ? base : 0xffffffffu;
  }
  const int step = n > 0 ? 1 : -1;
  int left = n > 0 ? n : -n;
  for (int bit = static_cast<int>(base); bit >= 0 && bit < 32; bit += step) {
    if ((mask >> bit & 1) != 0 && --left == 0) {
      return static_cast<unsigned>(bit);
    }
  }
  return 0xffffffffu;
}

#define SGG_MINIMUM(type)                                                 \
  static inline type min(type a, type b) { return b < a ? b : a; }        \
  static inline type max(type a, type b) { return a < b ? b : a; }
SGG_MINIMUM(int)
SGG_MINIMUM(unsigned)
SGG_MINIMUM(long)
SGG_MINIMUM(unsigned long)
SGG_MINIMUM(long long)
SGG_MINIMUM(unsigned long long)
#undef SGG_MINIMUM
static inline float min(float a, float b) { return fminf(a, b); }
static inline float max(float a, float b) { return fmaxf(a, b); }
static inline double min(double a, double b) { return fmin(a, b); }
static inline double max(double a, double b) { return fmax(a, b); }
static inline int abs(int value) { return value < 0 ? -value : value; }
static inline long long abs(long long value) { return value < 0 ? -value : value; }
static inline long long llabs(long long value) { return value < 0 ? -value : value; }

// ---- floating point: IEEE operations, never contracted ----------------------------------------------

static inline float __fadd_rn(float a, float b) { return a + b; }
static inline float __fsub_rn(float a, float b) { return a - b; }
static inline float __fmul_rn(float a, float b) { return a * b; }
static inline float __fdiv_rn(float a, float b) { return a / b; }
static inline float __fsqrt_rn(float a) { return sqrtf(a); }
static inline float __fmaf_rn(float a, float b, float c) { return fmaf(a, b, c); }
static inline double __dadd_rn(double a, double b) { return a + b; }
static inline double __dsub_rn(double a, double b) { return a - b; }
static inline double __dmul_rn(double a, double b) { return a * b; }
static inline double __ddiv_rn(double a, double b) { return a / b; }
static inline double __dsqrt_rn(double a) { return sqrt(a); }
static inline double __fma_rn(double a, double b, double c) { return fma(a, b, c); }

// CUDA overloads the C functions for float, as C++ does.
#define SGG_FLOAT(name) \
  static inline float name(float a) { return __builtin_##name##f(a); }
#define SGG_FLOAT2(name) \
  static inline float name(float a, float b) { return __builtin_##name##f(a, b); }
SGG_FLOAT(acos)
SGG_FLOAT(asin)
SGG_FLOAT(atan)
SGG_FLOAT(cbrt)
SGG_FLOAT(ceil)
SGG_FLOAT(cos)
SGG_FLOAT(cosh)
SGG_FLOAT(exp)
SGG_FLOAT(exp2)
SGG_FLOAT(expm1)
SGG_FLOAT(fabs)
SGG_FLOAT(floor)
SGG_FLOAT(log)
SGG_FLOAT(log10)
SGG_FLOAT(log1p)
SGG_FLOAT(log2)
SGG_FLOAT(rint)
SGG_FLOAT(sin)
SGG_FLOAT(sinh)
SGG_FLOAT(sqrt)
SGG_FLOAT(tan)
SGG_FLOAT(tanh)
SGG_FLOAT(trunc)
SGG_FLOAT2(atan2)
SGG_FLOAT2(copysign)
SGG_FLOAT2(fmax)
SGG_FLOAT2(fmin)
SGG_FLOAT2(fmod)
SGG_FLOAT2(hypot)
SGG_FLOAT2(pow)
#undef SGG_FLOAT2
#undef SGG_FLOAT
static inline float abs(float value) { return __builtin_fabsf(value); }
static inline double abs(double value) { return __builtin_fabs(value); }
static inline float rsqrtf(float a) { return 1.0f / sqrtf(a); }
static inline double rsqrt(double a) { return 1.0 / sqrt(a); }

// C has macros of these names, one of which tells the sign too.
#undef isnan
#undef isinf
#undef isfinite
#undef signbit
#define SGG_CLASSIFY(type, bits, magnitude, infinity)                                               \
  static inline bool sggIsNan(type value) { return (sggBits<bits>(value) & magnitude) > infinity; } \
  static inline bool sggIsInf(type value) { return (sggBits<bits>(value) & magnitude) == infinity; } \
  static inline bool isnan(type value) { return sggIsNan(value); }                                  \
  static inline bool isinf(type value) { return sggIsInf(value); }                                  \
  static inline bool isfinite(type value) { return (sggBits<bits>(value) & magnitude) < infinity; } \
  static inline bool signbit(type value) { return (sggBits<bits>(value) & ~magnitude) != 0; }
SGG_CLASSIFY(float, unsigned, 0x7fffffffu, 0x7f800000u)
SGG_CLASSIFY(double, unsigned long long, 0x7fffffffffffffffull, 0x7ff0000000000000ull)
#undef SGG_CLASSIFY

// Out of range, a conversion of C++ is undefined and one of CUDA saturates. A NaN gives 0 as an int
// and the smallest long long, as the PTX instructions do.
template <class To, class From>
static inline To sggRoundToZero(From value, From limit, To smallest, To largest, To nan) {
  return sggIsNan(value) ? nan : value >= limit ? largest : value < -limit ? smallest : static_cast<To>(value);
}
static inline int __float2int_rz(float value) {
  return sggRoundToZero<int, float>(value, 2147483648.0f, -2147483647 - 1, 2147483647, 0);
}
static inline int __double2int_rz(double value) {
  return sggRoundToZero<int, double>(value, 2147483648.0, -2147483647 - 1, 2147483647, 0);
}
static inline long long __float2ll_rz(float value) {
  return sggRoundToZero<long long, float>(value, 9223372036854775808.0f, -9223372036854775807ll - 1,
                                          9223372036854775807ll, -9223372036854775807ll - 1);
}
static inline long long __double2ll_rz(double value) {
  return sggRoundToZero<long long, double>(value, 9223372036854775808.0, -9223372036854775807ll - 1,
                                           9223372036854775807ll, -9223372036854775807ll - 1);
}
static inline float __int2float_rn(int value) { return static_cast<float>(value); }
static inline double __int2double_rn(int value) { return static_cast<double>(value); }
static inline float __ll2float_rn(long long value) { return static_cast<float>(value); }
static inline double __ll2double_rn(long long value) { return static_cast<double>(value); }
static inline float __double2float_rn(double value) { return static_cast<float>(value); }

// ---- vector types ---------------------------------------------------------------------------------

#define SGG_VECTORS(type, name)                                                             \
  struct alignas(2 * sizeof(type)) name##2 {                                                \
    type x, y;                                                                              \
  };                                                                                        \
  struct alignas(16) name##4 {                                                              \
    type x, y, z, w;                                                                        \
  };                                                                                        \
  static inline name##2 make_##name##2(type x, type y) { return {x, y}; }                   \
  static inline name##4 make_##name##4(type x, type y, type z, type w) { return {x, y, z, w}; }
SGG_VECTORS(int, int)
SGG_VECTORS(unsigned, uint)
SGG_VECTORS(long long, longlong)
SGG_VECTORS(unsigned long long, ulonglong)
SGG_VECTORS(float, float)
SGG_VECTORS(double, double)
#undef SGG_VECTORS

#endif
