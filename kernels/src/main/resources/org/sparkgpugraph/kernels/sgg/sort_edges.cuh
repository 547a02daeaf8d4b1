// Sorts the edges of rows by classes of their values (edge_order.cuh), behind order_keys.cuh: other ends and values are copied, a warp a row,
// or a block, each by counting. SGG_SORTED_VALUE is the type of the values.

typedef SGG_SORTED_VALUE SortedValue;

SGG_DEVICE unsigned long long sgg_sort_key(const Frame& f, SortedValue value) { return f.falls != 0 ? ~sgg_key(value) : sgg_key(value); }

// Finds the least and the largest key, NaN aside: edgeRange[0], the largest of all before, and [1], 0 before.
SGG_KERNEL(sort_range) {
  const SortedValue* values = (const SortedValue*)f.values;
  unsigned long long least = ~0ull;
  unsigned long long most = 0ull;
  for (long long e = sgg_thread(); e < f.count; e += sgg_threads()) {
    SortedValue value = values[e];
    if (value == value) {
      unsigned long long key = sgg_sort_key(f, value);
      least = key < least ? key : least;
      most = key > most ? key : most;
    }
  }
  least = ~sgg_warp_largest(~least);
  most = sgg_warp_largest(most);
  if (sgg_lane() == 0 && least <= most) {
    atomicMin(&f.edgeRange[0], least);
    atomicMax(&f.edgeRange[1], most);
  }
}

SGG_DEVICE unsigned long long sgg_sort_bits(unsigned long long number) { return (unsigned long long)(64 - __clzll((long long)number)); }

// Edges of less than a 2^20th of the largest magnitude are of one class where all have the same sign: else most classes would be theirs.
SGG_DEVICE void sgg_sort_octaves(const Frame&, int, int, unsigned long long&, unsigned long long&) {}
SGG_DEVICE void sgg_sort_octaves(const Frame&, long long, long long, unsigned long long&, unsigned long long&) {}
template <class Value>
SGG_DEVICE void sgg_sort_octaves(const Frame& f, Value first, Value last, unsigned long long& firstKey, unsigned long long& lastKey) {
  Value part = (Value)(1.0 / 1048576.0);
  Value less = f.falls != 0 ? last : first;
  Value more = f.falls != 0 ? first : last;
  bool positive = less >= 0;
  if (!positive && more > 0) {
    return;
  }
  unsigned long long small = sgg_sort_key(f, (positive ? more : less) * part);
  // The small ones come first where the better ones are small.
  if (positive == (f.falls == 0)) {
    firstKey = small > firstKey ? small : firstKey;
  } else {
    lastKey = small < lastKey ? small : lastKey;
  }
}

// Makes what is known of all edges of their least and largest key.
SGG_KERNEL(sort_classes) {
  if (blockIdx.x != 0u || threadIdx.x != 0u) {
    return;
  }
  unsigned long long first = f.edgeRange[0];
  unsigned long long last = f.edgeRange[1];
  f.edgeRange[SGG_EDGE_RANGE_BEST] = first;
  f.edgeRange[SGG_EDGE_RANGE_WORST] = last;
  if (first <= last) {
    SortedValue firstValue;
    SortedValue lastValue;
    sgg_key_value(f.falls != 0 ? ~first : first, firstValue);
    sgg_key_value(f.falls != 0 ? ~last : last, lastValue);
    sgg_sort_octaves(f, firstValue, lastValue, first, last);
  }
  unsigned long long bits = first < last ? sgg_sort_bits(last - first) : 0ull;
  f.edgeRange[SGG_EDGE_RANGE_FIRST] = first;
  f.edgeRange[SGG_EDGE_RANGE_SHIFT] = bits > SGG_EDGE_CLASS_BITS ? bits - SGG_EDGE_CLASS_BITS : 0ull;
}

SGG_DEVICE void sgg_sort_put(const Frame& f, int from, int to) {
  f.sortedNeighbours[to] = f.neighbours[from];
  ((SortedValue*)f.sortedValues)[to] = ((const SortedValue*)f.values)[from];
}

SGG_DEVICE int sgg_sort_class(const Frame& f, int e) {
  return sgg_edge_class(f.edgeRange, sgg_sort_key(f, ((const SortedValue*)f.values)[e]));
}

// Sorts a row of at most 32 edges: a lane finds the place of its own one.
SGG_DEVICE void sgg_sort_short(const Frame& f, int lane, int begin, int count) {
  unsigned long long own = lane < count ? sgg_sort_key(f, ((const SortedValue*)f.values)[begin + lane]) : 0ull;
  int place = 0;
  for (int i = 0; i < count; i++) {
    unsigned long long other = (unsigned long long)sgg_shfl((long long)own, i);
    place += other < own || (other == own && i < lane) ? 1 : 0;
  }
  if (lane < count) {
    sgg_sort_put(f, begin + lane, begin + place);
  }
}

// Sorts a row by counting its classes: `threads` threads, of which this is number `thread`. Sync meets all of them.
template <class Sync>
SGG_DEVICE void sgg_sort_row(const Frame& f, int* counts, int lane, int thread, int threads, int begin, int end, Sync sync) {
  for (int i = thread; i < SGG_EDGE_CLASSES; i += threads) {
    counts[i] = 0;
  }
  sync();
  for (int e = begin + thread; e < end; e += threads) {
    atomicAdd(&counts[sgg_sort_class(f, e)], 1);
  }
  sync();
  if (thread < SGG_WARP) {
    int before = 0;
    for (int i = lane; i < SGG_EDGE_CLASSES; i += SGG_WARP) {
      int own = counts[i];
      int sum = sgg_warp_sums(own, lane);
      counts[i] = before + sum - own;
      before += sgg_shfl(sum, SGG_WARP - 1);
    }
  }
  sync();
  for (int e = begin + thread; e < end; e += threads) {
    sgg_sort_put(f, e, begin + atomicAdd(&counts[sgg_sort_class(f, e)], 1));
  }
  sync();
}

// A warp a row; rows of more than f.longRow edges are listed, longRows[0] of them behind that.
SGG_KERNEL(sort_rows) {
  SGG_SHARED(int, counts, SGG_BLOCK_WARPS * SGG_EDGE_CLASSES);
  int* own = counts + (threadIdx.x >> 5) * SGG_EDGE_CLASSES;
  int lane = sgg_lane();
  for (long long v = sgg_warp(); v < f.vertices; v += sgg_warps()) {
    int begin = f.offsets[v];
    int end = f.offsets[v + 1];
    if (end - begin <= SGG_WARP) {
      sgg_sort_short(f, lane, begin, end - begin);
    } else if (end - begin <= f.longRow) {
      sgg_sort_row(f, own, lane, lane, SGG_WARP, begin, end, [] { __syncwarp(); });
    } else if (lane == 0) {
      f.longRows[1 + atomicAdd(&f.longRows[0], 1)] = (int)v;
    }
  }
}

// A block a listed row.
SGG_KERNEL(sort_long_rows) {
  SGG_SHARED(int, counts, SGG_EDGE_CLASSES);
  for (int i = (int)blockIdx.x; i < f.longRows[0]; i += (int)gridDim.x) {
    int v = f.longRows[1 + i];
    sgg_sort_row(f, counts, sgg_lane(), (int)threadIdx.x, SGG_BLOCK, f.offsets[v], f.offsets[v + 1], [] { __syncthreads(); });
  }
}
