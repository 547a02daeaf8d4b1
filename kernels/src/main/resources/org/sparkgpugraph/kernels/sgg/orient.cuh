// Oriented rows (intersect.cuh) from the in-edges of a graph. Vertices are ranked by their degree, the largest first, of equal ones the
// smaller id; parallel edges and loops count for that and for nothing else. Every edge is put into the row of its end of the higher rank,
// then rows are put in order, and what stands for the same neighbour becomes one entry. An edge is met once, in the row of its
// destination, so neither out-edges nor transposes are needed. Places in a row are taken by atomic operations, in any order: sorting
// makes that the same again.
//
// First an entry is rank << 2 | SGG_ORIENT_IN or SGG_ORIENT_OUT: whether the edge comes from that vertex or leads to it; in the end it is
// rank << 1 | reciprocal. f.end[r] is the number of a row's edges, then its next place, then its end.

// ---- ranks ------------------------------------------------------------------------------------------

// Adds the edges of a partition to the degrees of their ends.
SGG_KERNEL(orient_degrees) {
  int lane = sgg_lane();
  for (long long row = sgg_thread(); row < f.stored; row += sgg_threads()) {
    atomicAdd(&f.degrees[f.first + row], f.inOffsets[row + 1] - f.inOffsets[row]);
  }
  for (long long part = sgg_warp(); part * SGG_WARP < f.edges; part += sgg_warps()) {
    long long e = part * SGG_WARP + lane;
    int source = e < f.edges ? sgg_dense(f, f.inSources[e]) : -1;
    // The rows of a star's leaves all name its hub.
    if (__all_sync(SGG_ALL_LANES, source == sgg_shfl(source, 0))) {
      if (lane == 0) {
        atomicAdd(&f.degrees[source], SGG_WARP);
      }
    } else if (source >= 0) {
      atomicAdd(&f.degrees[source], 1);
    }
  }
}

// Keys that put the largest degree first. Degrees are at most f.mostDegree, and have no sign: a loop counts twice.
SGG_KERNEL(orient_keys) {
  for (long long v = sgg_thread(); v < f.size; v += sgg_threads()) {
    f.keys[v] = (RowKey)((unsigned)f.mostDegree - (unsigned)f.degrees[v]) << 32 | (RowKey)v;
  }
}

SGG_DEVICE unsigned sgg_key_degree(const Frame& f, RowKey key) { return (unsigned)f.mostDegree - (unsigned)(key >> 32); }

// Ranks of sorted keys, and how many of them have f.listedDegree or more.
SGG_KERNEL(orient_ranks) {
  for (long long r = sgg_thread(); r < f.size; r += sgg_threads()) {
    RowKey key = f.keys[r];
    int v = (int)(unsigned)key;
    f.dense[r] = v;
    f.rank[v] = (int)r;
    if (sgg_key_degree(f, key) >= f.listedDegree && (r + 1 == f.size || sgg_key_degree(f, f.keys[r + 1]) < f.listedDegree)) {
      f.listed[0] = (int)r + 1;
    }
  }
}

// ---- rows -------------------------------------------------------------------------------------------

// Counts the edges of rows, or puts them there.
template <bool FILL>
SGG_DEVICE void sgg_orient_edges(const Frame& f) {
  int lane = sgg_lane();
  for (long long number = sgg_warp(); number * Policy::EDGE_PART < f.edges; number += sgg_warps()) {
    EdgePart part = sgg_edge_part(f.inOffsets, lane, number, f.edges, f.stored);
    int firstRow = part.firstRow;
    for (int from = part.begin; from < part.end; from += SGG_WARP) {
      int e = from + lane;
      int row = sgg_row_of(f.inOffsets, e < part.end ? e : part.end - 1, firstRow, part.lastRow);
      int own = -1;
      int other = -1;
      if (e < part.end && sgg_exists(f, row)) {
        int local = f.inSources[e];
        if (local != row && sgg_exists(f, local)) {
          own = f.rank[f.first + row];
          other = f.rank[sgg_dense(f, local)];
        }
      }
      // Edges of a row follow each other: one lane takes the places of all.
      bool here = own > other;
      unsigned same = __match_any_sync(SGG_ALL_LANES, here ? own : -1);
      int leader = __ffs((int)same) - 1;
      int place = 0;
      if (here && lane == leader) {
        place = atomicAdd(&f.end[own], __popc(same));
      }
      if (FILL) {
        place = sgg_shfl(place, leader) + __popc(same & sgg_lanes(0, lane));
        if (here) {
          f.entries[place] = (int)((unsigned)other << 2 | SGG_ORIENT_IN);
        }
      }
      if (own < other) {
        int there = atomicAdd(&f.end[other], 1);
        if (FILL) {
          f.entries[there] = (int)((unsigned)own << 2 | SGG_ORIENT_OUT);
        }
      }
      firstRow = sgg_shfl(row, SGG_WARP - 1);
    }
  }
}

SGG_KERNEL(orient_count) { sgg_orient_edges<false>(f); }

// The next place of a row is its first one.
SGG_KERNEL(orient_open) {
  for (long long r = sgg_thread(); r < f.size; r += sgg_threads()) {
    f.end[r] = f.begin[r];
  }
}

SGG_KERNEL(orient_fill) { sgg_orient_edges<true>(f); }

// ---- order ------------------------------------------------------------------------------------------

SGG_DEVICE void sgg_ascend(unsigned* row, unsigned i, unsigned j) {
  unsigned a = row[i];
  unsigned b = row[j];
  if (b < a) {
    row[i] = b;
    row[j] = a;
  }
}

// Sorts a row, all comparisons upwards: what is behind its end counts as larger than all and stays where it is, so that any size will do
// (Batcher 1968, the first step of each merge turned round). A thread of `threads`; synchronise() is theirs.
template <class Barrier>
SGG_DEVICE void sgg_sort_row(unsigned* row, unsigned size, unsigned thread, unsigned threads, Barrier synchronise) {
  for (int log = 1; (1u << (log - 1)) < size; log++) {
    unsigned half = 1u << (log - 1);
    for (unsigned p = thread;; p += threads) {
      unsigned first = p >> (log - 1) << log;
      unsigned low = p & (half - 1u);
      if (first + half >= size) {
        break;
      }
      unsigned high = first + 2u * half - 1u - low;
      if (high < size) {
        sgg_ascend(row, first + low, high);
      }
    }
    synchronise();
    for (int step = log - 2; step >= 0; step--) {
      for (unsigned p = thread;; p += threads) {
        unsigned low = (p >> step << (step + 1)) + (p & ((1u << step) - 1u));
        unsigned high = low + (1u << step);
        if (low >= size) {
          break;
        }
        if (high < size) {
          sgg_ascend(row, low, high);
        }
      }
      synchronise();
    }
  }
}

// Whether the i-th edge of a sorted row, which comes in, has one that leads out behind it. Edges that are there once are found at once.
SGG_DEVICE bool sgg_leads_back(const unsigned* row, int i, int size) {
  unsigned wanted = (row[i] & ~3u) | SGG_ORIENT_OUT;
  int low = i + 1;
  int high = size;
  if (low < high && row[low] >= wanted) {
    return row[low] == wanted;
  }
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (row[middle] < wanted) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low < size && row[low] == wanted;
}

// The entry of the i-th edge of a sorted row; -1 if the edge before, of rank `before`, has the same.
SGG_DEVICE int sgg_entry(const unsigned* row, int i, int size, unsigned before) {
  unsigned edge = row[i];
  if (i > 0 && before == edge >> 2) {
    return -1;
  }
  bool reciprocal = (edge & 3u) == SGG_ORIENT_IN && sgg_leads_back(row, i, size);
  return (int)(edge >> 2 << 1 | (reciprocal ? 1u : 0u));
}

struct WarpBarrier {
  SGG_DEVICE_MEMBER void operator()() const { __syncwarp(); }
};

struct BlockBarrier {
  SGG_DEVICE_MEMBER void operator()() const { __syncthreads(); }
};

// Rows of up to SGG_ORIENT_WARP_ROW edges, a warp each.
SGG_KERNEL(orient_short_rows) {
  SGG_SHARED(unsigned, rows, SGG_BLOCK_WARPS * SGG_ORIENT_WARP_ROW);
  unsigned* row = rows + (threadIdx.x >> 5) * SGG_ORIENT_WARP_ROW;
  int lane = sgg_lane();
  for (long long r = sgg_warp(); r < f.size; r += sgg_warps()) {
    int begin = f.begin[r];
    int size = f.end[r] - begin;
    if (size == 0 || size > SGG_ORIENT_WARP_ROW) {
      continue;
    }
    for (int i = lane; i < size; i += SGG_WARP) {
      row[i] = (unsigned)f.entries[begin + i];
    }
    __syncwarp();
    sgg_sort_row(row, (unsigned)size, (unsigned)lane, SGG_WARP, WarpBarrier());
    int kept = 0;
    for (int from = 0; from < size; from += SGG_WARP) {
      int i = from + lane;
      int entry = i < size ? sgg_entry(row, i, size, i > 0 ? row[i - 1] >> 2 : 0u) : -1;
      unsigned keep = __ballot_sync(SGG_ALL_LANES, entry >= 0);
      if (entry >= 0) {
        f.entries[begin + kept + __popc(keep & sgg_lanes(0, lane))] = entry;
      }
      kept += __popc(keep);
    }
    if (lane == 0) {
      f.end[r] = begin + kept;
    }
    __syncwarp();
  }
}

// Puts a row in order by a block, in `room` if that has room for it, else where it is.
SGG_DEVICE void sgg_orient_row(const Frame& f, int r, unsigned* room, int* warpSums) {
  int thread = (int)threadIdx.x;
  int begin = f.begin[r];
  int size = f.end[r] - begin;
  unsigned* row = (unsigned*)f.entries + begin;
  if (size <= SGG_ORIENT_BLOCK_ROW) {
    for (int i = thread; i < size; i += SGG_BLOCK) {
      room[i] = row[i];
    }
    row = room;
    __syncthreads();
  }
  sgg_sort_row(row, (unsigned)size, (unsigned)thread, SGG_BLOCK, BlockBarrier());
  int kept = 0;
  for (long long from = 0; from < size; from += SGG_BLOCK) {
    // Entries go to where edges were that have been read; what is looked for stands behind. Where rows are sorted where they are, the edge
    // before these is an entry by now if all edges so far were kept.
    int i = (int)(from + thread < size ? from + thread : size);
    unsigned before = i > 0 && i < size ? row[i - 1] : 0u;
    bool replaced = thread == 0 && row != room && kept == from;
    int entry = i < size ? sgg_entry(row, i, size, before >> (replaced ? 1 : 2)) : -1;
    int all;
    int place = sgg_rows_before(entry >= 0 ? 1 : 0, warpSums, all);
    if (entry >= 0) {
      f.entries[begin + kept + place] = entry;
    }
    kept += all;
    __syncthreads();
  }
  if (thread == 0) {
    f.end[r] = begin + kept;
  }
}

// The others, a block each.
SGG_KERNEL(orient_long_rows) {
  SGG_SHARED(unsigned, room, SGG_ORIENT_BLOCK_ROW);
  SGG_SHARED(int, wanted, SGG_BLOCK);
  SGG_SHARED(int, count, 1);
  SGG_SHARED(int, warpSums, SGG_BLOCK_WARPS);
  int thread = (int)threadIdx.x;
  // Rows of near ranks are about as long: they go to different blocks.
  for (long long first = 0; first * gridDim.x < f.size; first += SGG_BLOCK) {
    if (thread == 0) {
      count[0] = 0;
    }
    __syncthreads();
    long long r = (first + thread) * gridDim.x + blockIdx.x;
    if (r < f.size && f.end[r] - f.begin[r] > SGG_ORIENT_WARP_ROW) {
      wanted[atomicAdd(&count[0], 1)] = (int)r;
    }
    __syncthreads();
    int rows = count[0];
    __syncthreads();
    for (int i = 0; i < rows; i++) {
      sgg_orient_row(f, wanted[i], room, warpSums);
      __syncthreads();
    }
  }
}

// What was found of each rank, by dense id: counts, and the number of neighbours.
SGG_KERNEL(orient_results) {
  for (long long r = sgg_thread(); r < f.size; r += sgg_threads()) {
    int v = f.dense[r];
    f.counts[v] = f.totals[r];
    f.degrees[v] = f.above[r] + (f.end[r] - f.begin[r]);
  }
}
