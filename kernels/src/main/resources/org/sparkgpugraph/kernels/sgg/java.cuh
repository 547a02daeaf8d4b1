// Java's arithmetic in CUDA C++17.
//
// Code printed from Java bytecode calls these functions wherever an operator of C++ means something
// else, or nothing at all: signed overflow (undefined in C++, and compilers fold x + 1 > x to true),
// shifts by more than the width, MIN_VALUE / -1, conversions out of range, minima of NaN and -0.0.
// Functions are overloaded by kind: int (also boolean, 0 or 1), long long, float, double. Variables
// have exactly these types, so overload resolution never converts.
//
// Bit-exact with Java for every input, NaN payloads apart (Java leaves them open too): everything
// but the last section, as long as the compiler neither contracts a * b + c nor flushes subnormals
// nor approximates division and square root (nvcc and NVRTC: --fmad=false and the defaults; g++:
// -ffp-contract=off). The sign of a computed NaN is left open by Java and differs between machines;
// it shows only in sgg_to_raw_bits.
//
// Not static: nvcc warns of static functions that a program happens not to use.
//
// No includes: NVRTC has none. What is needed from outside: the bit casts and bit counting of CUDA
// (__float_as_int, __popc, ...) and the functions of math.h.

// ---- Arrays as values ----

template <class T, int Length>
struct sgg_array {
  T at[Length];

  __device__ __forceinline__ T& operator[](int i) { return at[i]; }
  __device__ __forceinline__ const T& operator[](int i) const { return at[i]; }
};

// ---- Tables ----

// An element of an array that no kernel writes.
template <class T>
__device__ __forceinline__ T sgg_load_table(const T* element) {
#ifdef __CUDA_ARCH__
  return __ldg(element);
#else
  return *element;
#endif
}

// ---- Bits ----

__device__ __forceinline__ float sgg_float_from_bits(unsigned bits) {
  return __int_as_float((int)bits);
}

__device__ __forceinline__ double sgg_double_from_bits(unsigned long long bits) {
  return __longlong_as_double((long long)bits);
}

// Float.intBitsToFloat, Double.longBitsToDouble.
__device__ __forceinline__ float sgg_from_bits(int bits) { return __int_as_float(bits); }
__device__ __forceinline__ double sgg_from_bits(long long bits) {
  return __longlong_as_double(bits);
}

// Float.floatToRawIntBits, Double.doubleToRawLongBits.
__device__ __forceinline__ int sgg_to_raw_bits(float x) { return __float_as_int(x); }
__device__ __forceinline__ long long sgg_to_raw_bits(double x) {
  return __double_as_longlong(x);
}

// Float.floatToIntBits, Double.doubleToLongBits: every NaN is the canonical one.
__device__ __forceinline__ int sgg_to_bits(float x) {
  return x != x ? 0x7fc00000 : __float_as_int(x);
}
__device__ __forceinline__ long long sgg_to_bits(double x) {
  return x != x ? 0x7ff8000000000000LL : __double_as_longlong(x);
}

__device__ __forceinline__ int sgg_is_nan(float x) { return x != x; }
__device__ __forceinline__ int sgg_is_nan(double x) { return x != x; }
__device__ __forceinline__ int sgg_is_infinite(float x) {
  return (__float_as_int(x) & 0x7fffffff) == 0x7f800000;
}
__device__ __forceinline__ int sgg_is_infinite(double x) {
  return (__double_as_longlong(x) & 0x7fffffffffffffffLL) == 0x7ff0000000000000LL;
}
__device__ __forceinline__ int sgg_is_finite(float x) {
  return (__float_as_int(x) & 0x7f800000) != 0x7f800000;
}
__device__ __forceinline__ int sgg_is_finite(double x) {
  return (__double_as_longlong(x) & 0x7ff0000000000000LL) != 0x7ff0000000000000LL;
}

// ---- Integer arithmetic: two's complement, wrapping ----

__device__ __forceinline__ int sgg_add(int a, int b) {
  return (int)((unsigned)a + (unsigned)b);
}
__device__ __forceinline__ long long sgg_add(long long a, long long b) {
  return (long long)((unsigned long long)a + (unsigned long long)b);
}

__device__ __forceinline__ int sgg_subtract(int a, int b) {
  return (int)((unsigned)a - (unsigned)b);
}
__device__ __forceinline__ long long sgg_subtract(long long a, long long b) {
  return (long long)((unsigned long long)a - (unsigned long long)b);
}

__device__ __forceinline__ int sgg_multiply(int a, int b) {
  return (int)((unsigned)a * (unsigned)b);
}
__device__ __forceinline__ long long sgg_multiply(long long a, long long b) {
  return (long long)((unsigned long long)a * (unsigned long long)b);
}

__device__ __forceinline__ int sgg_negate(int a) { return (int)(0u - (unsigned)a); }
__device__ __forceinline__ long long sgg_negate(long long a) {
  return (long long)(0ull - (unsigned long long)a);
}

// The divisor is never 0 (the printed code tests it); MIN_VALUE / -1 is MIN_VALUE.
__device__ __forceinline__ int sgg_divide(int a, int b) {
  return b == -1 ? sgg_negate(a) : a / b;
}
__device__ __forceinline__ long long sgg_divide(long long a, long long b) {
  return b == -1 ? sgg_negate(a) : a / b;
}

__device__ __forceinline__ int sgg_remainder(int a, int b) { return b == -1 ? 0 : a % b; }
__device__ __forceinline__ long long sgg_remainder(long long a, long long b) {
  return b == -1 ? 0 : a % b;
}
// Java's % on floats is C's fmod, which is exact: the sign is the dividend's.
__device__ __forceinline__ float sgg_remainder(float a, float b) { return fmodf(a, b); }
__device__ __forceinline__ double sgg_remainder(double a, double b) { return fmod(a, b); }

// Math.floorDiv, floorMod: rounded towards minus infinity, the remainder has the divisor's sign.
__device__ __forceinline__ int sgg_floor_div(int a, int b) {
  int q = sgg_divide(a, b);
  return (a ^ b) < 0 && sgg_multiply(q, b) != a ? q - 1 : q;
}
__device__ __forceinline__ long long sgg_floor_div(long long a, long long b) {
  long long q = sgg_divide(a, b);
  return (a ^ b) < 0 && sgg_multiply(q, b) != a ? q - 1 : q;
}
__device__ __forceinline__ long long sgg_floor_div(long long a, int b) {
  return sgg_floor_div(a, (long long)b);
}
__device__ __forceinline__ int sgg_floor_mod(int a, int b) {
  int r = sgg_remainder(a, b);
  return (r ^ b) < 0 && r != 0 ? r + b : r;
}
__device__ __forceinline__ long long sgg_floor_mod(long long a, long long b) {
  long long r = sgg_remainder(a, b);
  return (r ^ b) < 0 && r != 0 ? r + b : r;
}
__device__ __forceinline__ int sgg_floor_mod(long long a, int b) {
  return (int)sgg_floor_mod(a, (long long)b);
}

// Math.multiplyHigh.
__device__ __forceinline__ long long sgg_multiply_high(long long a, long long b) {
  return __mul64hi(a, b);
}

// Shift counts are masked, also negative ones.
__device__ __forceinline__ int sgg_shift_left(int a, int n) {
  return (int)((unsigned)a << (n & 31));
}
__device__ __forceinline__ long long sgg_shift_left(long long a, int n) {
  return (long long)((unsigned long long)a << (n & 63));
}
__device__ __forceinline__ int sgg_shift_right(int a, int n) { return a >> (n & 31); }
__device__ __forceinline__ long long sgg_shift_right(long long a, int n) {
  return a >> (n & 63);
}
__device__ __forceinline__ int sgg_shift_right_unsigned(int a, int n) {
  return (int)((unsigned)a >> (n & 31));
}
__device__ __forceinline__ long long sgg_shift_right_unsigned(long long a, int n) {
  return (long long)((unsigned long long)a >> (n & 63));
}

// ---- Bit counting and moving: the methods of Integer and Long ----

__device__ __forceinline__ int sgg_bit_count(int a) { return __popc((unsigned)a); }
__device__ __forceinline__ int sgg_bit_count(long long a) {
  return __popcll((unsigned long long)a);
}
__device__ __forceinline__ int sgg_leading_zeros(int a) { return __clz(a); }
__device__ __forceinline__ int sgg_leading_zeros(long long a) { return __clzll(a); }
// The bits below the lowest one bit; all of them when there is none.
__device__ __forceinline__ int sgg_trailing_zeros(int a) {
  return __popc(~(unsigned)a & ((unsigned)a - 1u));
}
__device__ __forceinline__ int sgg_trailing_zeros(long long a) {
  return __popcll(~(unsigned long long)a & ((unsigned long long)a - 1ull));
}
__device__ __forceinline__ int sgg_reverse(int a) { return (int)__brev((unsigned)a); }
__device__ __forceinline__ long long sgg_reverse(long long a) {
  return (long long)__brevll((unsigned long long)a);
}
__device__ __forceinline__ int sgg_highest_one_bit(int a) {
  return a == 0 ? 0 : (int)(0x80000000u >> __clz(a));
}
__device__ __forceinline__ long long sgg_highest_one_bit(long long a) {
  return a == 0 ? 0 : (long long)(0x8000000000000000ull >> __clzll(a));
}
__device__ __forceinline__ int sgg_lowest_one_bit(int a) { return a & sgg_negate(a); }
__device__ __forceinline__ long long sgg_lowest_one_bit(long long a) {
  return a & sgg_negate(a);
}
__device__ __forceinline__ int sgg_rotate_left(int a, int n) {
  return (int)((unsigned)a << (n & 31) | (unsigned)a >> (-(unsigned)n & 31));
}
__device__ __forceinline__ long long sgg_rotate_left(long long a, int n) {
  return (long long)((unsigned long long)a << (n & 63) |
                     (unsigned long long)a >> (-(unsigned)n & 63));
}
__device__ __forceinline__ int sgg_rotate_right(int a, int n) {
  return (int)((unsigned)a >> (n & 31) | (unsigned)a << (-(unsigned)n & 31));
}
__device__ __forceinline__ long long sgg_rotate_right(long long a, int n) {
  return (long long)((unsigned long long)a >> (n & 63) |
                     (unsigned long long)a << (-(unsigned)n & 63));
}

// ---- Conversions ----

__device__ __forceinline__ int sgg_to_byte(int a) { return (signed char)a; }
__device__ __forceinline__ int sgg_to_short(int a) { return (short)a; }
__device__ __forceinline__ int sgg_to_char(int a) { return (unsigned short)a; }

// Towards zero, saturating, NaN to 0. The bounds are the kind's, both exact in the argument's type:
// below 2^31 (2^63) and above -2^31 (-2^63) the cast is defined.
__device__ __forceinline__ int sgg_to_int(float x) {
  return x != x                 ? 0
         : x >= 2147483648.0f   ? 2147483647
         : x <= -2147483648.0f  ? -2147483647 - 1
                                : (int)x;
}
__device__ __forceinline__ int sgg_to_int(double x) {
  return x != x                ? 0
         : x >= 2147483647.0   ? 2147483647
         : x <= -2147483648.0  ? -2147483647 - 1
                               : (int)x;
}
__device__ __forceinline__ long long sgg_to_long(float x) {
  return x != x                          ? 0
         : x >= 9223372036854775808.0f   ? 9223372036854775807LL
         : x <= -9223372036854775808.0f  ? -9223372036854775807LL - 1
                                         : (long long)x;
}
__device__ __forceinline__ long long sgg_to_long(double x) {
  return x != x                         ? 0
         : x >= 9223372036854775808.0   ? 9223372036854775807LL
         : x <= -9223372036854775808.0  ? -9223372036854775807LL - 1
                                        : (long long)x;
}

// ---- Comparison: -1, 0 or 1 ----

// lcmp, fcmpl, dcmpl: -1 for NaN.
__device__ __forceinline__ int sgg_compare_l(int a, int b) { return (a > b) - (a < b); }
__device__ __forceinline__ int sgg_compare_l(long long a, long long b) {
  return (a > b) - (a < b);
}
__device__ __forceinline__ int sgg_compare_l(float a, float b) {
  return (a > b) - !(a >= b);
}
__device__ __forceinline__ int sgg_compare_l(double a, double b) {
  return (a > b) - !(a >= b);
}

// lcmp, fcmpg, dcmpg: 1 for NaN.
__device__ __forceinline__ int sgg_compare_g(int a, int b) { return (a > b) - (a < b); }
__device__ __forceinline__ int sgg_compare_g(long long a, long long b) {
  return (a > b) - (a < b);
}
__device__ __forceinline__ int sgg_compare_g(float a, float b) {
  return !(a <= b) - (a < b);
}
__device__ __forceinline__ int sgg_compare_g(double a, double b) {
  return !(a <= b) - (a < b);
}

// Integer.compare, ..., Float.compare, Double.compare: -0.0 < 0.0 and NaN is above everything.
__device__ __forceinline__ int sgg_compare_total(int a, int b) { return (a > b) - (a < b); }
__device__ __forceinline__ int sgg_compare_total(long long a, long long b) {
  return (a > b) - (a < b);
}
__device__ __forceinline__ int sgg_compare_total(float a, float b) {
  return a < b   ? -1
         : a > b ? 1
                 : sgg_compare_total(sgg_to_bits(a), sgg_to_bits(b));
}
__device__ __forceinline__ int sgg_compare_total(double a, double b) {
  return a < b   ? -1
         : a > b ? 1
                 : sgg_compare_total(sgg_to_bits(a), sgg_to_bits(b));
}

// ---- Math.min, max, abs, signum, copySign ----

__device__ __forceinline__ int sgg_min(int a, int b) { return a < b ? a : b; }
__device__ __forceinline__ long long sgg_min(long long a, long long b) {
  return a < b ? a : b;
}
// NaN wins; of two zeros -0.0 is the smaller: its sign survives the or, and both are 0 otherwise.
__device__ __forceinline__ float sgg_min(float a, float b) {
  if (a == 0.0f && b == 0.0f) {
    return __int_as_float(__float_as_int(a) | __float_as_int(b));
  }
  return a != a || a < b ? a : b;
}
__device__ __forceinline__ double sgg_min(double a, double b) {
  if (a == 0.0 && b == 0.0) {
    return __longlong_as_double(__double_as_longlong(a) | __double_as_longlong(b));
  }
  return a != a || a < b ? a : b;
}

// NaN loses: the order of Double.compare.
__device__ __forceinline__ float sgg_least(float a, float b) {
  return b != b ? a : a != a ? b : sgg_min(a, b);
}
__device__ __forceinline__ double sgg_least(double a, double b) {
  return b != b ? a : a != a ? b : sgg_min(a, b);
}

__device__ __forceinline__ int sgg_max(int a, int b) { return a > b ? a : b; }
__device__ __forceinline__ long long sgg_max(long long a, long long b) {
  return a > b ? a : b;
}
__device__ __forceinline__ float sgg_max(float a, float b) {
  if (a == 0.0f && b == 0.0f) {
    return __int_as_float(__float_as_int(a) & __float_as_int(b));
  }
  return a != a || a > b ? a : b;
}
__device__ __forceinline__ double sgg_max(double a, double b) {
  if (a == 0.0 && b == 0.0) {
    return __longlong_as_double(__double_as_longlong(a) & __double_as_longlong(b));
  }
  return a != a || a > b ? a : b;
}

// The absolute value of MIN_VALUE is MIN_VALUE.
__device__ __forceinline__ int sgg_abs(int a) { return a < 0 ? sgg_negate(a) : a; }
__device__ __forceinline__ long long sgg_abs(long long a) {
  return a < 0 ? sgg_negate(a) : a;
}
__device__ __forceinline__ float sgg_abs(float a) {
  return __int_as_float(__float_as_int(a) & 0x7fffffff);
}
__device__ __forceinline__ double sgg_abs(double a) {
  return __longlong_as_double(__double_as_longlong(a) & 0x7fffffffffffffffLL);
}

// StrictMath.copySign: a NaN sign counts as positive (Math.copySign allows it), because the sign of
// a computed NaN is the machine's.
__device__ __forceinline__ float sgg_copy_sign(float a, float sign) {
  unsigned negative = sign != sign ? 0u : (unsigned)__float_as_int(sign) & 0x80000000u;
  return sgg_float_from_bits(((unsigned)__float_as_int(a) & 0x7fffffffu) | negative);
}
__device__ __forceinline__ double sgg_copy_sign(double a, double sign) {
  unsigned long long bits = (unsigned long long)__double_as_longlong(sign);
  unsigned long long negative = sign != sign ? 0ull : bits & 0x8000000000000000ull;
  return sgg_double_from_bits(
      ((unsigned long long)__double_as_longlong(a) & 0x7fffffffffffffffull) | negative);
}

// Integer.signum and Long.signum give an int; Math.signum keeps zeros and NaN.
__device__ __forceinline__ int sgg_signum(int a) { return (a > 0) - (a < 0); }
__device__ __forceinline__ int sgg_signum(long long a) { return (a > 0) - (a < 0); }
__device__ __forceinline__ float sgg_signum(float a) {
  return a == 0.0f || a != a ? a : sgg_copy_sign(1.0f, a);
}
__device__ __forceinline__ double sgg_signum(double a) {
  return a == 0.0 || a != a ? a : sgg_copy_sign(1.0, a);
}

// ---- Correctly rounded functions ----

// Of a float too: rounding the root of a double to float gives the same (double has more than twice
// the digits), so Java's (float) Math.sqrt(x) is sqrtf(x). Rounding to an integer is exact.
__device__ __forceinline__ float sgg_sqrt(float x) { return sqrtf(x); }
__device__ __forceinline__ double sgg_sqrt(double x) { return sqrt(x); }
__device__ __forceinline__ float sgg_floor(float x) { return floorf(x); }
__device__ __forceinline__ double sgg_floor(double x) { return floor(x); }
__device__ __forceinline__ float sgg_ceil(float x) { return ceilf(x); }
__device__ __forceinline__ double sgg_ceil(double x) { return ceil(x); }
__device__ __forceinline__ float sgg_rint(float x) { return rintf(x); }
__device__ __forceinline__ double sgg_rint(double x) { return rint(x); }
__device__ __forceinline__ float sgg_fma(float a, float b, float c) {
  return fmaf(a, b, c);
}
__device__ __forceinline__ double sgg_fma(double a, double b, double c) {
  return fma(a, b, c);
}

// Math.round: to the nearest, ties towards plus infinity, saturating, NaN to 0. x - floor(x) is
// exact where it is near one half, so 0.49999999999999994 is not rounded up.
__device__ __forceinline__ int sgg_round(float x) {
  float f = floorf(x);
  return sgg_to_int(x - f >= 0.5f ? f + 1.0f : f);
}
__device__ __forceinline__ long long sgg_round(double x) {
  double f = floor(x);
  return sgg_to_long(x - f >= 0.5 ? f + 1.0 : f);
}

// ---- Transcendental functions: not bit-equal between machines ----
//
// Java's Math allows 1 ulp for most (2 for atan2, 2.5 for sinh, cosh and tanh), CUDA documents 1 to
// 2 for double. They take and return doubles, as in Java; a float argument is widened.

__device__ __forceinline__ double sgg_exp(double x) { return exp(x); }
__device__ __forceinline__ double sgg_expm1(double x) { return expm1(x); }
__device__ __forceinline__ double sgg_log(double x) { return log(x); }
__device__ __forceinline__ double sgg_log10(double x) { return log10(x); }
__device__ __forceinline__ double sgg_log1p(double x) { return log1p(x); }
__device__ __forceinline__ double sgg_sin(double x) { return sin(x); }
__device__ __forceinline__ double sgg_cos(double x) { return cos(x); }
__device__ __forceinline__ double sgg_tan(double x) { return tan(x); }
__device__ __forceinline__ double sgg_asin(double x) { return asin(x); }
__device__ __forceinline__ double sgg_acos(double x) { return acos(x); }
__device__ __forceinline__ double sgg_atan(double x) { return atan(x); }
__device__ __forceinline__ double sgg_atan2(double y, double x) { return atan2(y, x); }
__device__ __forceinline__ double sgg_sinh(double x) { return sinh(x); }
__device__ __forceinline__ double sgg_cosh(double x) { return cosh(x); }
__device__ __forceinline__ double sgg_tanh(double x) { return tanh(x); }
__device__ __forceinline__ double sgg_cbrt(double x) { return cbrt(x); }
__device__ __forceinline__ double sgg_hypot(double x, double y) { return hypot(x, y); }
// Where C says 1 and Java says NaN: 1 to the NaN, and +-1 to an infinity.
__device__ __forceinline__ double sgg_pow(double x, double y) {
  if (y != y || (sgg_is_infinite(y) && sgg_abs(x) == 1.0)) {
    return sgg_double_from_bits(0x7ff8000000000000ull);
  }
  return pow(x, y);
}
