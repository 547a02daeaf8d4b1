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
