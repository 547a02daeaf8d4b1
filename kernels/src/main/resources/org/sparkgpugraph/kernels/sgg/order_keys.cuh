// Numbers as keys of 64 bits in the same order, as unsigned ones: of floating point that of the bits, -0.0 before 0.0, NaN at the ends.

SGG_DEVICE unsigned long long sgg_key(int value) { return (unsigned long long)((unsigned)value ^ 0x80000000u); }
SGG_DEVICE unsigned long long sgg_key(long long value) { return (unsigned long long)value ^ 0x8000000000000000ull; }
SGG_DEVICE unsigned long long sgg_key(float value) {
  unsigned bits = (unsigned)__float_as_int(value);
  return (unsigned long long)((bits >> 31) != 0u ? ~bits : bits | 0x80000000u);
}
SGG_DEVICE unsigned long long sgg_key(double value) {
  unsigned long long bits = (unsigned long long)__double_as_longlong(value);
  return (bits >> 63) != 0ull ? ~bits : bits | 0x8000000000000000ull;
}

// The number of a key.
SGG_DEVICE void sgg_key_value(unsigned long long key, int& value) { value = (int)((unsigned)key ^ 0x80000000u); }
SGG_DEVICE void sgg_key_value(unsigned long long key, long long& value) { value = (long long)(key ^ 0x8000000000000000ull); }
SGG_DEVICE void sgg_key_value(unsigned long long key, float& value) {
  unsigned bits = (unsigned)key;
  value = __int_as_float((int)((bits >> 31) != 0u ? bits ^ 0x80000000u : ~bits));
}
SGG_DEVICE void sgg_key_value(unsigned long long key, double& value) {
  value = __longlong_as_double((long long)((key >> 63) != 0ull ? key ^ 0x8000000000000000ull : ~key));
}
