// Intersects sorted rows of an oriented graph: every edge is in the row of one end, rows ascend, and a row names vertices of lower rank
// than its own alone. An entry is rank << 1 | reciprocal. For each triangle, found from its vertex u of the highest rank, its three
// corners get 1 in the upper half of a total and in the lower half the edges of the opposite side, 1 or 2.
//
// A source is a vertex whose row has two entries or more. Sources with a long row and a low rank are counted by a block, which keeps two
// bits for every lower rank in shared memory; the others by a warp, which searches. Totals are sums of integers: any order gives the
// same.

// Printed by Java: SGG_ONE, a 1 in the upper half of a total; SGG_MAP_WORDS, size of a block's map, of 1 << SGG_MAP_SHIFT ranks each;
// SGG_MAP_BLOCKS, blocks of it that a multiprocessor should hold; SGG_ROW_DEPTH, entries of a row that a lane has under way together.

SGG_DEVICE unsigned long long sgg_side(int entry) { return SGG_ONE + 1ull + (unsigned long long)(entry & 1); }

SGG_DEVICE void sgg_add_total(const Frame& f, int vertex, unsigned long long sum) {
  if (sum != 0ull) {
    atomicAdd(&f.totals[vertex], sum);
  }
}

SGG_DEVICE unsigned long long sgg_warp_sum(unsigned long long value) {
  for (int d = 16; d > 0; d >>= 1) {
    value += (unsigned long long)sgg_shfl_down((long long)value, d);
  }
  return value;
}

// The entry of a vertex in the row [from, to), or -1.
SGG_DEVICE int sgg_find_entry(const int* entries, int from, int to, int vertex) {
  int low = from;
  int high = to;
  while (low < high) {
    int middle = low + ((high - low) >> 1);
    if (entries[middle] >> 1 < vertex) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  int found = low < to ? entries[low] : -1;
  return found >= 0 && found >> 1 == vertex ? found : -1;
}

// The entries [first, first + before) of the source are looked for in the row of its entry `entry`, a lane each. Adds what the source
// gets to `own`.
SGG_DEVICE void sgg_search_row(const Frame& f, int lane, int first, int before, int entry, unsigned long long& own) {
  int v = entry >> 1;
  int begin = f.begin[v];
  int end = f.end[v];
  unsigned long long ofEntry = 0ull;
  for (int k = lane; k < before; k += 32) {
    int wanted = f.entries[first + k];
    int found = sgg_find_entry(f.entries, begin, end, wanted >> 1);
    if (found >= 0) {
      own += sgg_side(found);
      ofEntry += sgg_side(wanted);
      sgg_add_total(f, wanted >> 1, sgg_side(entry));
    }
  }
  ofEntry = sgg_warp_sum(ofEntry);
  if (lane == 0) {
    sgg_add_total(f, v, ofEntry);
  }
}

// As sgg_search_row, the other way round: the entries of the row of `entry` are looked for in the source's.
SGG_DEVICE void sgg_search_source(const Frame& f, int lane, int first, int before, int entry, unsigned long long& own) {
  int v = entry >> 1;
  int end = f.end[v];
  unsigned long long ofEntry = 0ull;
  for (int j = f.begin[v] + lane; j < end; j += 32) {
    int other = f.entries[j];
    int found = sgg_find_entry(f.entries, first, first + before, other >> 1);
    if (found >= 0) {
      own += sgg_side(other);
      ofEntry += sgg_side(found);
      sgg_add_total(f, other >> 1, sgg_side(entry));
    }
  }
  ofEntry = sgg_warp_sum(ofEntry);
  if (lane == 0) {
    sgg_add_total(f, v, ofEntry);
  }
}

// A source with at most 32 entries: a lane takes a pair of them at a time.
SGG_DEVICE unsigned long long sgg_count_pairs(const Frame& f, int lane, int first, int size) {
  int entry = lane < size ? f.entries[first + lane] : 0;
  int begin = lane < size ? f.begin[entry >> 1] : 0;
  int end = lane < size ? f.end[entry >> 1] : 0;
  int pairs = size * (size - 1) / 2;
  unsigned long long own = 0ull;
  for (int at = 0; at < pairs; at += 32) {
    int pair = at + lane;
    // Pairs (i, k), k < i, in the order of i: i (i - 1) / 2 come before those of i.
    int i = (int)((1.0f + sqrtf(1.0f + 8.0f * (float)pair)) * 0.5f);
    i -= i * (i - 1) / 2 > pair ? 1 : 0;
    i += i * (i + 1) / 2 <= pair ? 1 : 0;
    int k = pair - i * (i - 1) / 2;
    int upper = sgg_shfl(entry, i & 31);
    int from = sgg_shfl(begin, i & 31);
    int to = sgg_shfl(end, i & 31);
    int lower = sgg_shfl(entry, k & 31);
    if (pair < pairs) {
      int found = sgg_find_entry(f.entries, from, to, lower >> 1);
      if (found >= 0) {
        own += sgg_side(found);
        sgg_add_total(f, upper >> 1, sgg_side(lower));
        sgg_add_total(f, lower >> 1, sgg_side(upper));
      }
    }
  }
  return own;
}

// Sources of a warp each.
SGG_KERNEL(intersect_search) {
  int lane = sgg_lane();
  for (long long s = sgg_warp(); s < f.sourceCount; s += sgg_warps()) {
    int u = f.sources[s];
    int first = f.begin[u];
    int size = f.end[u] - first;
    unsigned long long own = 0ull;
    if (size <= 32) {
      own = sgg_count_pairs(f, lane, first, size);
    } else {
      for (int i = 1; i < size; i++) {
        int entry = f.entries[first + i];
        int v = entry >> 1;
        if (f.end[v] - f.begin[v] < i) {
          sgg_search_source(f, lane, first, i, entry, own);
        } else {
          sgg_search_row(f, lane, first, i, entry, own);
        }
      }
    }
    own = sgg_warp_sum(own);
    if (lane == 0) {
      sgg_add_total(f, u, own);
    }
  }
}

// Where a rank has its two bits in a word of the map.
SGG_DEVICE int sgg_map_bit(int rank) { return (rank & ((1 << SGG_MAP_SHIFT) - 1)) << 1; }

// Sources of a block each, all of them below rank SGG_MAP_WORDS << SGG_MAP_SHIFT.
SGG_KERNEL_OF(intersect_map, SGG_MAP_BLOCKS) {
  // Two bits a rank: 0 no entry of the source, else the number of edges that the entry stands for.
  SGG_SHARED(unsigned, map, SGG_MAP_WORDS);
  SGG_SHARED(int, taken, 1);
  int thread = (int)threadIdx.x;
  int lane = sgg_lane();
  for (int word = thread; word < SGG_MAP_WORDS; word += SGG_BLOCK) {
    map[word] = 0u;
  }
  for (;;) {
    __syncthreads();
    if (thread == 0) {
      taken[0] = atomicAdd(f.next, 1);
    }
    __syncthreads();
    int s = taken[0];
    if (s >= f.sourceCount) {
      return;
    }
    int u = f.sources[s];
    int first = f.begin[u];
    int size = f.end[u] - first;
    for (int i = thread; i < size; i += SGG_BLOCK) {
      int entry = f.entries[first + i];
      int w = entry >> 1;
      atomicOr(&map[w >> SGG_MAP_SHIFT], (1u + (unsigned)(entry & 1)) << sgg_map_bit(w));
    }
    __syncthreads();
    unsigned long long own = 0ull;
    for (int i = 1 + (thread >> 5); i < size; i += SGG_BLOCK_WARPS) {
      int entry = f.entries[first + i];
      int v = entry >> 1;
      int begin = f.begin[v];
      int end = f.end[v];
      if ((end - begin) / Policy::SEARCHED > i) {
        sgg_search_row(f, lane, first, i, entry, own);
        continue;
      }
      unsigned long long ofEntry = 0ull;
      for (int j = begin + lane; j < end; j += 32 * SGG_ROW_DEPTH) {
        int others[SGG_ROW_DEPTH];
        SGG_UNROLL
        for (int d = 0; d < SGG_ROW_DEPTH; d++) {
          others[d] = j + 32 * d < end ? f.entries[j + 32 * d] : -1;
        }
        SGG_UNROLL
        for (int d = 0; d < SGG_ROW_DEPTH; d++) {
          int w = others[d] >> 1;
          unsigned mark = others[d] < 0 ? 0u : map[w >> SGG_MAP_SHIFT] >> sgg_map_bit(w) & 3u;
          if (mark != 0u) {
            own += sgg_side(others[d]);
            ofEntry += SGG_ONE + mark;
            atomicAdd(&f.totals[w], sgg_side(entry));
          }
        }
      }
      ofEntry = sgg_warp_sum(ofEntry);
      if (lane == 0) {
        sgg_add_total(f, v, ofEntry);
      }
    }
    own = sgg_warp_sum(own);
    if (lane == 0) {
      sgg_add_total(f, u, own);
    }
    __syncthreads();
    for (int i = thread; i < size; i += SGG_BLOCK) {
      atomicAnd(&map[(f.entries[first + i] >> 1) >> SGG_MAP_SHIFT], 0u);
    }
  }
}
