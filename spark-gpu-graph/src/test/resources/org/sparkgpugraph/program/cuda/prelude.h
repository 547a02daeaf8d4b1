// What a translation unit of printed functions needs of its surroundings in a test: by g++ the
// language extensions and bit intrinsics of CUDA, by nvcc nothing; for both the error word.
#ifdef __CUDACC__
#define TEST_FUNCTION(name) extern "C" __global__ void name(const long long* in, long long* out)
#else
#include <math.h>
#include <stdio.h>
#include <string.h>
#define __device__
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define TEST_FUNCTION(name) static void name(const long long* in, long long* out)

template <class To, class From>
static inline To test_bits(From from) {
  static_assert(sizeof(To) == sizeof(From), "sizes differ");
  To to;
  memcpy(&to, &from, sizeof(To));
  return to;
}
static inline int __float_as_int(float x) { return test_bits<int>(x); }
static inline float __int_as_float(int x) { return test_bits<float>(x); }
static inline long long __double_as_longlong(double x) { return test_bits<long long>(x); }
static inline double __longlong_as_double(long long x) { return test_bits<double>(x); }
static inline int __popc(unsigned x) { return __builtin_popcount(x); }
static inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
static inline int __clz(int x) { return x == 0 ? 32 : __builtin_clz((unsigned)x); }
static inline int __clzll(long long x) {
  return x == 0 ? 64 : __builtin_clzll((unsigned long long)x);
}
static inline unsigned __brev(unsigned x) {
  unsigned y = 0;
  for (int i = 0; i < 32; i++) {
    y |= (x >> i & 1u) << (31 - i);
  }
  return y;
}
static inline unsigned long long __brevll(unsigned long long x) {
  return (unsigned long long)__brev((unsigned)x) << 32 | __brev((unsigned)(x >> 32));
}
static inline long long __mul64hi(long long a, long long b) {
  return (long long)((__int128)a * b >> 64);
}
#endif

__device__ __forceinline__ void sgg_fail(unsigned long long* fault, int row, int site) {
  unsigned long long code = (unsigned long long)(unsigned)row << 32 | (unsigned)site;
  if (code < *fault) {
    *fault = code;
  }
}
