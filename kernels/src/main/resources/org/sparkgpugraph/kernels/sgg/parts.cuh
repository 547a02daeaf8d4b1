// Parts of arrays, where lanes share them: SGG_FEATURE_GROUP lanes have an array of SGG_FEATURES elements together, and each of them
// SGG_FEATURE_EACH: spans of SGG_FEATURE_SPAN neighbouring ones, which it loads at once, so that a group reads one piece of memory.

// The place in an array of a lane's element j.
SGG_DEVICE constexpr int sgg_feature(int part, int j) {
  return j / SGG_FEATURE_SPAN * (SGG_FEATURE_GROUP * SGG_FEATURE_SPAN) + part * SGG_FEATURE_SPAN + j % SGG_FEATURE_SPAN;
}

// Whether there is such a place: the last spans of a group may lie behind the end.
SGG_DEVICE constexpr bool sgg_is_feature(int i) {
  return SGG_FEATURES == SGG_FEATURE_GROUP * SGG_FEATURE_EACH || i < SGG_FEATURES;
}

#ifdef __CUDA_ARCH__
template <class Cell>
struct alignas(sizeof(Cell) * SGG_FEATURE_SPAN) sgg_span {
  Cell at[SGG_FEATURE_SPAN];
};
#else
template <class Cell>
struct sgg_span {
  Cell at[SGG_FEATURE_SPAN];
};
#endif

// This lane's part of a row of a column.
template <class T, class Cell>
SGG_DEVICE sgg_array<T, SGG_FEATURE_EACH> sgg_load_part(const Cell* column, int row, int part) {
  const Cell* cells = column + (long long)row * SGG_FEATURES;
  sgg_array<T, SGG_FEATURE_EACH> array{};
  SGG_UNROLL
  for (int j = 0; j < SGG_FEATURE_EACH; j += SGG_FEATURE_SPAN) {
    if (sgg_is_feature(sgg_feature(part, j))) {
      sgg_span<Cell> span = *(const sgg_span<Cell>*)(cells + sgg_feature(part, j));
      SGG_UNROLL
      for (int i = 0; i < SGG_FEATURE_SPAN; i++) {
        array.at[j + i] = (T)span.at[i];
      }
    }
  }
  return array;
}

template <class T, class Cell>
SGG_DEVICE void sgg_store_part(Cell* column, int row, int part, const sgg_array<T, SGG_FEATURE_EACH>& array) {
  Cell* cells = column + (long long)row * SGG_FEATURES;
  SGG_UNROLL
  for (int j = 0; j < SGG_FEATURE_EACH; j += SGG_FEATURE_SPAN) {
    if (sgg_is_feature(sgg_feature(part, j))) {
      sgg_span<Cell> span;
      SGG_UNROLL
      for (int i = 0; i < SGG_FEATURE_SPAN; i++) {
        span.at[i] = (Cell)array.at[j + i];
      }
      *(sgg_span<Cell>*)(cells + sgg_feature(part, j)) = span;
    }
  }
}

// Puts a lane's part into the array.
template <class T>
SGG_DEVICE void sgg_put_part(sgg_array<T, SGG_FEATURES>& array, const sgg_array<T, SGG_FEATURE_EACH>& own, int part) {
  SGG_UNROLL
  for (int j = 0; j < SGG_FEATURE_EACH; j++) {
    if (sgg_is_feature(sgg_feature(part, j))) {
      array.at[sgg_feature(part, j)] = own.at[j];
    }
  }
}

SGG_DEVICE int sgg_shfl_xor(int value, int d) { return __shfl_xor_sync(SGG_ALL_LANES, value, d); }
SGG_DEVICE long long sgg_shfl_xor(long long value, int d) { return __shfl_xor_sync(SGG_ALL_LANES, value, d); }
SGG_DEVICE float sgg_shfl_xor(float value, int d) { return __shfl_xor_sync(SGG_ALL_LANES, value, d); }
SGG_DEVICE double sgg_shfl_xor(double value, int d) { return __shfl_xor_sync(SGG_ALL_LANES, value, d); }

template <class T, int Length>
SGG_DEVICE sgg_array<T, Length> sgg_shfl_xor(const sgg_array<T, Length>& array, int d) {
  sgg_array<T, Length> other;
  SGG_UNROLL
  for (int i = 0; i < Length; i++) {
    other.at[i] = sgg_shfl_xor(array.at[i], d);
  }
  return other;
}

// ---- collectives of the lanes of a group: all of them, and no others, must come ----------------------------------------

// The lanes of this lane's group.
SGG_DEVICE unsigned sgg_group_lanes() {
  constexpr unsigned first = SGG_FEATURE_GROUP == SGG_WARP ? SGG_ALL_LANES : (1u << (SGG_FEATURE_GROUP & 31)) - 1u;
  return first << (sgg_lane() & ~(SGG_FEATURE_GROUP - 1));
}

// The value of the lane whose number differs in one bit.
template <class T>
SGG_DEVICE T sgg_group_xor(T value, int d) {
  return __shfl_xor_sync(sgg_group_lanes(), value, d);
}

// The value of a part's lane.
template <class T>
SGG_DEVICE T sgg_group_shfl(T value, int part) {
  return __shfl_sync(sgg_group_lanes(), value, part, SGG_FEATURE_GROUP);
}

SGG_DEVICE bool sgg_group_any(bool value) { return __any_sync(sgg_group_lanes(), value) != 0; }

// Joins the values of a group, in an order that depends on nothing but its size: the lower lane's is always the left operand, so that all
// lanes have the same bits, those of a NaN included.
template <class T, class Join>
SGG_DEVICE T sgg_group_join(T value, int part, Join join) {
  SGG_UNROLL
  for (int d = 1; d < SGG_FEATURE_GROUP; d *= 2) {
    T other = sgg_group_xor(value, d);
    T left = (part & d) != 0 ? other : value;
    T right = (part & d) != 0 ? value : other;
    value = join(left, right);
  }
  return value;
}

// The round of a loop that no lane has ended: behind all others.
#define SGG_NO_ROUND 2147483647

// Whether a new key takes the place of an old one. Bits of Orders: for a new one that is less, equal, greater, NaN while the old one is
// none, a number while the old one is NaN, NaN as the old one is.
template <int Orders, class T>
SGG_DEVICE bool sgg_replaces(T fresh, T old) {
  int order = fresh < old ? 0 : fresh == old ? 1 : fresh > old ? 2 : old == old ? 3 : fresh == fresh ? 4 : 5;
  return (Orders >> order & 1) != 0;
}

// An element of an array, which one lane has, for all of its group. An index outside gives any number.
template <class T>
SGG_DEVICE T sgg_part_element(const sgg_array<T, SGG_FEATURE_EACH>& array, int i) {
  int at = (int)((unsigned)i / (SGG_FEATURE_GROUP * SGG_FEATURE_SPAN)) * SGG_FEATURE_SPAN + (int)((unsigned)i % SGG_FEATURE_SPAN);
  T value = array.at[0];
  SGG_UNROLL
  for (int j = 1; j < SGG_FEATURE_EACH; j++) {
    value = j == at ? array.at[j] : value;
  }
  return sgg_group_shfl(value, (int)((unsigned)i / SGG_FEATURE_SPAN % SGG_FEATURE_GROUP));
}

// Sets an element of an array: the lane that has it does.
template <class T>
SGG_DEVICE void sgg_part_set(sgg_array<T, SGG_FEATURE_EACH>& array, int part, int i, T value) {
  SGG_UNROLL
  for (int j = 0; j < SGG_FEATURE_EACH; j++) {
    array.at[j] = sgg_feature(part, j) == i ? value : array.at[j];
  }
}
