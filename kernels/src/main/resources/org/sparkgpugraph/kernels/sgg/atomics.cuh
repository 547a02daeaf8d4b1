// Merging into values in memory by atomic operations, for programs that push (push.cuh).

// Each merges a value into a cell and says whether that changed the cell. Bits are compared as Java's raw bits are.
SGG_DEVICE bool sgg_min_into(int* cell, int value) { return value < *cell && value < atomicMin(cell, value); }
SGG_DEVICE bool sgg_min_into(long long* cell, long long value) { return value < *cell && value < atomicMin(cell, value); }
SGG_DEVICE bool sgg_max_into(int* cell, int value) { return value > *cell && value > atomicMax(cell, value); }
SGG_DEVICE bool sgg_max_into(long long* cell, long long value) { return value > *cell && value > atomicMax(cell, value); }

SGG_DEVICE bool sgg_or_into(int* cell, int value) { return (value & ~*cell) != 0 && (value & ~atomicOr(cell, value)) != 0; }
SGG_DEVICE bool sgg_and_into(int* cell, int value) { return (~value & *cell) != 0 && (~value & atomicAnd(cell, value)) != 0; }
SGG_DEVICE bool sgg_or_into(long long* cell, long long value) {
  return (value & ~*cell) != 0 &&
         ((unsigned long long)value & ~atomicOr((unsigned long long*)cell, (unsigned long long)value)) != 0ull;
}
SGG_DEVICE bool sgg_and_into(long long* cell, long long value) {
  return (~value & *cell) != 0 &&
         (~(unsigned long long)value & atomicAnd((unsigned long long*)cell, (unsigned long long)value)) != 0ull;
}

SGG_DEVICE void sgg_sum_into(int* cell, int value) { atomicAdd(cell, value); }
SGG_DEVICE void sgg_sum_into(long long* cell, long long value) { atomicAdd((unsigned long long*)cell, (unsigned long long)value); }

// Floating point goes by compare and swap: Math.min and Math.max know NaN and two zeros. A cell that is as good already is left alone.
template <class Merge>
SGG_DEVICE bool sgg_float_into(float* cell, float value, Merge merge) {
  int old = *(volatile int*)cell;
  for (;;) {
    int merged = __float_as_int(merge(__int_as_float(old), value));
    if (merged == old) {
      return false;
    }
    int seen = atomicCAS((int*)cell, old, merged);
    if (seen == old) {
      return true;
    }
    old = seen;
  }
}
template <class Merge>
SGG_DEVICE bool sgg_double_into(double* cell, double value, Merge merge) {
  unsigned long long old = *(volatile unsigned long long*)cell;
  for (;;) {
    unsigned long long merged =
        (unsigned long long)__double_as_longlong(merge(__longlong_as_double((long long)old), value));
    if (merged == old) {
      return false;
    }
    unsigned long long seen = atomicCAS((unsigned long long*)cell, old, merged);
    if (seen == old) {
      return true;
    }
    old = seen;
  }
}
struct SmallerOf {
  SGG_DEVICE_MEMBER float operator()(float a, float b) const { return sgg_min(a, b); }
  SGG_DEVICE_MEMBER double operator()(double a, double b) const { return sgg_min(a, b); }
};
struct LargerOf {
  SGG_DEVICE_MEMBER float operator()(float a, float b) const { return sgg_max(a, b); }
  SGG_DEVICE_MEMBER double operator()(double a, double b) const { return sgg_max(a, b); }
};
SGG_DEVICE bool sgg_min_into(float* cell, float value) { return sgg_float_into(cell, value, SmallerOf()); }
SGG_DEVICE bool sgg_min_into(double* cell, double value) { return sgg_double_into(cell, value, SmallerOf()); }
SGG_DEVICE bool sgg_max_into(float* cell, float value) { return sgg_float_into(cell, value, LargerOf()); }
SGG_DEVICE bool sgg_max_into(double* cell, double value) { return sgg_double_into(cell, value, LargerOf()); }
