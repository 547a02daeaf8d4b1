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
// … of floating point, where it may be seen in which order it was done.
SGG_DEVICE void sgg_sum_into(float* cell, float value) { atomicAdd(cell, value); }
SGG_DEVICE void sgg_sum_into(double* cell, double value) { atomicAdd(cell, value); }

// Adds to a cell, or leaves nothing in it; returns what was there.
SGG_DEVICE float sgg_sum_begin(float* cell, float value) { return atomicAdd(cell, value); }
SGG_DEVICE double sgg_sum_begin(double* cell, double value) { return atomicAdd(cell, value); }
SGG_DEVICE float sgg_sum_take(float* cell) { return __int_as_float(atomicExch((int*)cell, 0)); }
SGG_DEVICE double sgg_sum_take(double* cell) {
  return __longlong_as_double((long long)atomicExch((unsigned long long*)cell, 0ull));
}

// Floating point goes by compare and swap: Math.min and Math.max know NaN and two zeros. A cell that is as good already is left alone.
// From what was there when it was looked at last.
template <class Merge>
SGG_DEVICE bool sgg_float_from(float* cell, int old, float value, Merge merge) {
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
SGG_DEVICE bool sgg_double_from(double* cell, unsigned long long old, double value, Merge merge) {
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
template <class Merge>
SGG_DEVICE bool sgg_float_into(float* cell, float value, Merge merge) {
  return sgg_float_from(cell, *(volatile int*)cell, value, merge);
}
template <class Merge>
SGG_DEVICE bool sgg_double_into(double* cell, double value, Merge merge) {
  return sgg_double_from(cell, *(volatile unsigned long long*)cell, value, merge);
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

// A merge in two halves, so that those of several cells are under way together. The first one changes the cell, which had the value `known` not
// long ago, and returns what was there; the second one says whether that changed it, and merges again where a value that goes by compare and
// swap was another by then.
SGG_DEVICE int sgg_min_begin(int* cell, int known, int value) { return value < known ? atomicMin(cell, value) : known; }
SGG_DEVICE long long sgg_min_begin(long long* cell, long long known, long long value) { return value < known ? atomicMin(cell, value) : known; }
SGG_DEVICE int sgg_max_begin(int* cell, int known, int value) { return value > known ? atomicMax(cell, value) : known; }
SGG_DEVICE long long sgg_max_begin(long long* cell, long long known, long long value) { return value > known ? atomicMax(cell, value) : known; }
SGG_DEVICE bool sgg_min_end(int*, int, int before, int value) { return value < before; }
SGG_DEVICE bool sgg_min_end(long long*, long long, long long before, long long value) { return value < before; }
SGG_DEVICE bool sgg_max_end(int*, int, int before, int value) { return value > before; }
SGG_DEVICE bool sgg_max_end(long long*, long long, long long before, long long value) { return value > before; }

template <class Merge>
SGG_DEVICE float sgg_float_begin(float* cell, float known, float value, Merge merge) {
  int old = __float_as_int(known);
  int merged = __float_as_int(merge(known, value));
  return merged == old ? known : __int_as_float(atomicCAS((int*)cell, old, merged));
}
template <class Merge>
SGG_DEVICE bool sgg_float_end(float* cell, float known, float before, float value, Merge merge) {
  if (!sgg_differs(merge(known, value), known)) {
    return false;
  }
  return !sgg_differs(before, known) || sgg_float_from(cell, __float_as_int(before), value, merge);
}
template <class Merge>
SGG_DEVICE double sgg_double_begin(double* cell, double known, double value, Merge merge) {
  long long old = __double_as_longlong(known);
  long long merged = __double_as_longlong(merge(known, value));
  if (merged == old) {
    return known;
  }
  return __longlong_as_double((long long)atomicCAS((unsigned long long*)cell, (unsigned long long)old, (unsigned long long)merged));
}
template <class Merge>
SGG_DEVICE bool sgg_double_end(double* cell, double known, double before, double value, Merge merge) {
  if (!sgg_differs(merge(known, value), known)) {
    return false;
  }
  return !sgg_differs(before, known) || sgg_double_from(cell, (unsigned long long)__double_as_longlong(before), value, merge);
}
SGG_DEVICE float sgg_min_begin(float* cell, float known, float value) { return sgg_float_begin(cell, known, value, SmallerOf()); }
SGG_DEVICE float sgg_max_begin(float* cell, float known, float value) { return sgg_float_begin(cell, known, value, LargerOf()); }
SGG_DEVICE double sgg_min_begin(double* cell, double known, double value) { return sgg_double_begin(cell, known, value, SmallerOf()); }
SGG_DEVICE double sgg_max_begin(double* cell, double known, double value) { return sgg_double_begin(cell, known, value, LargerOf()); }
SGG_DEVICE bool sgg_min_end(float* cell, float known, float before, float value) {
  return sgg_float_end(cell, known, before, value, SmallerOf());
}
SGG_DEVICE bool sgg_max_end(float* cell, float known, float before, float value) {
  return sgg_float_end(cell, known, before, value, LargerOf());
}
SGG_DEVICE bool sgg_min_end(double* cell, double known, double before, double value) {
  return sgg_double_end(cell, known, before, value, SmallerOf());
}
SGG_DEVICE bool sgg_max_end(double* cell, double known, double before, double value) {
  return sgg_double_end(cell, known, before, value, LargerOf());
}

// Merges into a cell that had the value `known` not long ago, without waiting for what is there now; says whether it improves on that. Numbers
// are ordered as integers of their sign are. A NaN stays where others merge at the same time as the smallest or largest of these; `nans` is told,
// so that its bits can be settled when nobody merges any more.
SGG_DEVICE bool sgg_min_tell(int* cell, int known, int value, unsigned long long*) {
  if (value < known) {
    atomicMin(cell, value);
  }
  return value < known;
}
SGG_DEVICE bool sgg_min_tell(long long* cell, long long known, long long value, unsigned long long*) {
  if (value < known) {
    atomicMin(cell, value);
  }
  return value < known;
}
SGG_DEVICE bool sgg_max_tell(int* cell, int known, int value, unsigned long long*) {
  if (value > known) {
    atomicMax(cell, value);
  }
  return value > known;
}
SGG_DEVICE bool sgg_max_tell(long long* cell, long long known, long long value, unsigned long long*) {
  if (value > known) {
    atomicMax(cell, value);
  }
  return value > known;
}
SGG_DEVICE bool sgg_min_tell(float* cell, float known, float value, unsigned long long* nans) {
  if (!sgg_differs(sgg_min(known, value), known)) {
    return false;
  }
  int bits = __float_as_int(value);
  if (value != value) {
    atomicMax((unsigned*)cell, 0xffc00000u);
    atomicExch(nans, 1ull);
  } else if (bits >= 0) {
    atomicMin((int*)cell, bits);
  } else {
    atomicMax((unsigned*)cell, (unsigned)bits);
  }
  return true;
}
SGG_DEVICE bool sgg_max_tell(float* cell, float known, float value, unsigned long long* nans) {
  if (!sgg_differs(sgg_max(known, value), known)) {
    return false;
  }
  int bits = __float_as_int(value);
  if (value != value) {
    atomicMax((int*)cell, 0x7fc00000);
    atomicExch(nans, 1ull);
  } else if (bits >= 0) {
    atomicMax((int*)cell, bits);
  } else {
    atomicMin((unsigned*)cell, (unsigned)bits);
  }
  return true;
}
SGG_DEVICE bool sgg_min_tell(double* cell, double known, double value, unsigned long long* nans) {
  if (!sgg_differs(sgg_min(known, value), known)) {
    return false;
  }
  long long bits = __double_as_longlong(value);
  if (value != value) {
    atomicMax((unsigned long long*)cell, 0xfff8000000000000ull);
    atomicExch(nans, 1ull);
  } else if (bits >= 0ll) {
    atomicMin((long long*)cell, bits);
  } else {
    atomicMax((unsigned long long*)cell, (unsigned long long)bits);
  }
  return true;
}
SGG_DEVICE bool sgg_max_tell(double* cell, double known, double value, unsigned long long* nans) {
  if (!sgg_differs(sgg_max(known, value), known)) {
    return false;
  }
  long long bits = __double_as_longlong(value);
  if (value != value) {
    atomicMax((long long*)cell, 0x7ff8000000000000ll);
    atomicExch(nans, 1ull);
  } else if (bits >= 0ll) {
    atomicMax((long long*)cell, bits);
  } else {
    atomicMin((unsigned long long*)cell, (unsigned long long)bits);
  }
  return true;
}

// A NaN as Java's are, wherever it came from.
SGG_DEVICE void sgg_settle(int*) {}
SGG_DEVICE void sgg_settle(long long*) {}
SGG_DEVICE void sgg_settle(float* cell) {
  if (*cell != *cell) {
    *cell = __int_as_float(0x7fc00000);
  }
}
SGG_DEVICE void sgg_settle(double* cell) {
  if (*cell != *cell) {
    *cell = __longlong_as_double(0x7ff8000000000000ll);
  }
}
