// Columns whose rows are so many numbers, side by side: a thread has all of one (sgg_array in java.cuh) in its registers, or in local
// memory where it is long.

// A row of a column; a BOOLEAN is a byte there and an int here.
template <class T, int Length, class Cell>
SGG_DEVICE sgg_array<T, Length> sgg_row(const Cell* column, int row) {
  const Cell* cells = column + (long long)row * Length;
  sgg_array<T, Length> array;
  for (int i = 0; i < Length; i++) {
    array.at[i] = (T)cells[i];
  }
  return array;
}

template <class T, int Length, class Cell>
SGG_DEVICE void sgg_store_row(Cell* column, int row, const sgg_array<T, Length>& array) {
  Cell* cells = column + (long long)row * Length;
  for (int i = 0; i < Length; i++) {
    cells[i] = (Cell)array.at[i];
  }
}

template <int Length, class Cell>
SGG_DEVICE void sgg_copy_row(Cell* to, int toRow, const Cell* from, int fromRow) {
  for (int i = 0; i < Length; i++) {
    to[(long long)toRow * Length + i] = from[(long long)fromRow * Length + i];
  }
}

// Copies the elements whose bits are set, from the lowest bit of the first word on.
template <int Length, class Cell>
SGG_DEVICE void sgg_copy_elements(Cell* to, int toRow, const Cell* from, int fromRow, const unsigned* elements) {
  for (int i = 0; i < Length; i++) {
    if ((elements[i >> 5] >> (i & 31)) & 1u) {
      to[(long long)toRow * Length + i] = from[(long long)fromRow * Length + i];
    }
  }
}

// A row that is read where it lies: what no kernel writes that reads it. A long array has no room in a thread's registers.
template <class T, int Length>
struct sgg_stored {
  const T* at;

  SGG_DEVICE_MEMBER operator const sgg_array<T, Length>&() const { return *reinterpret_cast<const sgg_array<T, Length>*>(at); }
};

template <class T, int Length>
SGG_DEVICE sgg_stored<T, Length> sgg_shfl(const sgg_stored<T, Length>& place, int lane) {
  return {reinterpret_cast<const T*>(sgg_shfl(reinterpret_cast<long long>(place.at), lane))};
}

template <class T, int Length>
SGG_DEVICE sgg_array<T, Length> sgg_shfl(const sgg_array<T, Length>& array, int lane) {
  sgg_array<T, Length> other;
  for (int i = 0; i < Length; i++) {
    other.at[i] = sgg_shfl(array.at[i], lane);
  }
  return other;
}

template <class T, int Length>
SGG_DEVICE sgg_array<T, Length> sgg_shfl_down(const sgg_array<T, Length>& array, int d) {
  sgg_array<T, Length> other;
  for (int i = 0; i < Length; i++) {
    other.at[i] = sgg_shfl_down(array.at[i], d);
  }
  return other;
}

template <class T, int Length>
SGG_DEVICE bool sgg_differs(const sgg_array<T, Length>& a, const sgg_array<T, Length>& b) {
  for (int i = 0; i < Length; i++) {
    if (sgg_differs(a.at[i], b.at[i])) {
      return true;
    }
  }
  return false;
}
