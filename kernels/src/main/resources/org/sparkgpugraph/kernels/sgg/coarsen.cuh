// Makes the next level of Louvain's method: a vertex for each community, connected with others by the sums of the weights between their members
// (engine.louvain.Coarsening). Communities are numbered by their smallest members.
//
// Members of a community are put side by side, so that the entries of its rows follow each other. Blocks take SGG_COARSEN_CHUNK of these each, add
// up what is of the same two communities in a table in shared memory, and leave a record of each sum: a community above the other one. Records are
// sorted, and those of the same two added up. What is inside of a community is left out. Sums are of whole numbers and rows ascend, whatever runs
// when.

static constexpr unsigned long long SGG_COARSEN_FREE = 0xffffffffffffffffull;

// 2^64 by the golden ratio, odd: multiplicative hashing (Knuth, The Art of Computer Programming, vol. 3, 6.4).
static constexpr unsigned long long SGG_COARSEN_ODD = 0x9E3779B97F4A7C15ull;

// Behind all vertices.
static constexpr int SGG_COARSEN_NOBODY = 0x7fffffff;

static constexpr int SGG_COARSEN_SLOTS = SGG_COARSEN_CHUNK + SGG_COARSEN_CHUNK / 3 + 1;

// ---- communities --------------------------------------------------------------------------------------------------------

SGG_KERNEL(coarsen_begin) {
  for (long long v = sgg_thread(); v < f.size; v += sgg_threads()) {
    f.least[v] = SGG_COARSEN_NOBODY;
  }
}

// The smallest member of each community.
SGG_KERNEL(coarsen_least) {
  for (long long v = sgg_thread(); v < f.size; v += sgg_threads()) {
    int c = f.community[v];
    if (*(volatile const int*)&f.least[c] > (int)v) {
      atomicMin(&f.least[c], (int)v);
    }
  }
}

// Whether a vertex is the smallest member: 1.
SGG_KERNEL(coarsen_firsts) {
  for (long long v = sgg_thread(); v < f.size; v += sgg_threads()) {
    f.flags[v] = f.least[f.community[v]] == (int)v ? 1 : 0;
  }
}

// Numbers of communities, what they are made of, and keys by which vertices are put in order.
SGG_KERNEL(coarsen_number) {
  for (long long v = sgg_thread(); v < f.size; v += sgg_threads()) {
    int number = f.places[f.least[f.community[v]]];
    f.numberOf[v] = number;
    if (f.strengths[v] != 0ll) {
      sgg_louvain_add_to(&f.nextStrengths[number], f.strengths[v]);
    }
    if (f.flags[v] != 0) {
      f.nextSmallest[number] = f.smallest[v];
    }
  }
}

// Of parts of communities (f.outer): the smallest part of each community, and that of each part.
SGG_KERNEL(coarsen_within) {
  for (long long v = sgg_thread(); v < f.size; v += sgg_threads()) {
    if (f.flags[v] != 0) {
      atomicMin(&f.least[f.outer[v]], f.numberOf[v]);
    }
  }
}
SGG_KERNEL(coarsen_together) {
  for (long long v = sgg_thread(); v < f.size; v += sgg_threads()) {
    if (f.flags[v] != 0) {
      f.together[f.numberOf[v]] = f.least[f.outer[v]];
    }
  }
}

// The vertices of the graph, each on its own.
SGG_KERNEL(coarsen_alone) {
  for (long long x = sgg_thread(); x < f.graphSize; x += sgg_threads()) {
    f.label[x] = (int)x;
    f.smallest[x] = (int)x;
  }
}

// The vertex of the next level that each vertex of the graph is in.
SGG_KERNEL(coarsen_label) {
  for (long long x = sgg_thread(); x < f.graphSize; x += sgg_threads()) {
    f.label[x] = f.numberOf[f.label[x]];
  }
}

// ---- what is connected --------------------------------------------------------------------------------------------------

// Every vertex is a tree of its own.
SGG_KERNEL(connect_alone) {
  for (long long v = sgg_thread(); v < f.size; v += sgg_threads()) {
    f.parents[v] = (int)v;
  }
}

// Joins trees (trees.cuh) of vertices of one community that an entry of positive weight connects.
SGG_KERNEL(connect_link) {
  int lane = sgg_lane();
  for (long long number = sgg_warp(); number * Policy::EDGE_PART < f.entries; number += sgg_warps()) {
    EdgePart part = sgg_edge_part(f.offsets, lane, number, f.entries, f.size);
    int row = part.firstRow;
    for (int e = part.begin + lane; e < part.end; e += SGG_WARP) {
      row = sgg_row_of(f.offsets, e, row, part.lastRow);
      int u = f.neighbours[e];
      if (u >= row || f.community[u] != f.community[row] || (f.weights != nullptr && f.weights[e] == 0)) {
        continue;  // The entry at the other end is the same.
      }
      sgg_link<false>(f.parents, row, u);
    }
  }
}

// Hangs vertices under their roots.
SGG_KERNEL(connect_compress) {
  for (long long v = sgg_thread(); v < f.size; v += sgg_threads()) {
    sgg_compress<false>(f.parents, (int)v);
  }
}

// ---- records ------------------------------------------------------------------------------------------------------------

SGG_KERNEL(coarsen_keys) {
  for (long long v = sgg_thread(); v < f.size; v += sgg_threads()) {
    f.keys[v] = (RowKey)(unsigned)f.numberOf[v] << 32 | (RowKey)v;
  }
}

// Vertices in the order of their communities, and the lengths of their rows.
SGG_KERNEL(coarsen_order) {
  for (long long i = sgg_thread(); i < f.size; i += sgg_threads()) {
    int v = (int)(unsigned)f.keys[i];
    f.order[i] = v;
    f.flags[i] = f.offsets[v + 1] - f.offsets[v];
  }
}

// Adds to the sum of two communities in a block's table.
template <class Sum>
SGG_DEVICE void sgg_coarsen_add(unsigned long long* keys, Sum* sums, unsigned long long key, Sum weight) {
  unsigned at = __umulhi((unsigned)((key * SGG_COARSEN_ODD) >> 32), (unsigned)SGG_COARSEN_SLOTS);
  for (;;) {
    unsigned long long found = sgg_claim(&keys[at], SGG_COARSEN_FREE, key);
    if (found == SGG_COARSEN_FREE || found == key) {
      atomicAdd(&sums[at], weight);
      return;
    }
    at = at + 1u == (unsigned)SGG_COARSEN_SLOTS ? 0u : at + 1u;
  }
}

// Adds up chunks of entries; leaves records where f.chunkPlaces says, or how many there are.
template <class Weights, bool COUNT>
SGG_DEVICE void sgg_coarsen_chunks(const Frame& f, unsigned long long* keys, typename Weights::Sum* sums, int* count) {
  int lane = sgg_lane();
  for (long long chunk = blockIdx.x; chunk < f.chunks; chunk += gridDim.x) {
    for (int s = (int)threadIdx.x; s < SGG_COARSEN_SLOTS; s += SGG_BLOCK) {
      keys[s] = SGG_COARSEN_FREE;
      sums[s] = 0;
    }
    if (threadIdx.x == 0u) {
      count[0] = 0;
    }
    __syncthreads();
    int begin = (int)(chunk * SGG_COARSEN_CHUNK);
    int end = (int)(f.entries - begin < SGG_COARSEN_CHUNK ? f.entries : begin + SGG_COARSEN_CHUNK);
    int first = sgg_row_of_warp(f.rowPlaces, lane, begin, 0, (int)f.size - 1);
    int last = sgg_row_of_warp(f.rowPlaces, lane, end - 1, first, (int)f.size - 1);
    for (int from = begin; from < end; from += SGG_BLOCK) {
      int i = from + (int)threadIdx.x;
      unsigned long long key = SGG_COARSEN_FREE;
      long long e = 0ll;
      if (i < end) {
        int row = sgg_row_of(f.rowPlaces, i, first, last);
        int v = f.order[row];
        e = (long long)f.offsets[v] + (i - f.rowPlaces[row]);
        int own = f.numberOf[v];
        int other = f.numberOf[f.neighbours[e]];
        key = own == other ? SGG_COARSEN_FREE : (unsigned long long)(unsigned)own << 32 | (unsigned)other;
      }
      if constexpr (Weights::ONES) {
        unsigned same = __match_any_sync(SGG_ALL_LANES, key);
        if (key != SGG_COARSEN_FREE && (same & sgg_lanes(0, lane)) == 0u) {
          sgg_coarsen_add(keys, sums, key, (unsigned)__popc(same));
        }
      } else if (key != SGG_COARSEN_FREE) {
        sgg_coarsen_add(keys, sums, key, Weights::weight(f, e));
      }
    }
    __syncthreads();
    for (int s = (int)threadIdx.x; s < SGG_COARSEN_SLOTS; s += SGG_BLOCK) {
      if (keys[s] != SGG_COARSEN_FREE) {
        int at = atomicAdd(&count[0], 1);
        if (!COUNT) {
          int record = f.chunkPlaces[chunk] + at;
          f.keys[record] = keys[s];
          f.numbers[record] = record;
          f.recordSums[record] = (unsigned long long)sums[s];
        }
      }
    }
    __syncthreads();
    if (COUNT && threadIdx.x == 0u) {
      f.chunkRecords[chunk] = count[0];
    }
    __syncthreads();
  }
}

#define SGG_COARSEN_CHUNKS(name, weights, counts)           \
  SGG_KERNEL(name) {                                        \
    SGG_SHARED(unsigned long long, keys, SGG_COARSEN_SLOTS); \
    SGG_SHARED(weights::Sum, sums, SGG_COARSEN_SLOTS);      \
    SGG_SHARED(int, count, 1);                              \
    sgg_coarsen_chunks<weights, counts>(f, keys, sums, count); \
  }

SGG_COARSEN_CHUNKS(coarsen_count_ones, LouvainOnes, true)
SGG_COARSEN_CHUNKS(coarsen_records_ones, LouvainOnes, false)
SGG_COARSEN_CHUNKS(coarsen_count_weights, LouvainWeights, true)
SGG_COARSEN_CHUNKS(coarsen_records_weights, LouvainWeights, false)

// ---- rows ---------------------------------------------------------------------------------------------------------------

// Whether a record is the first one of its two communities: 1.
SGG_KERNEL(coarsen_heads) {
  for (long long i = sgg_thread(); i < f.count; i += sgg_threads()) {
    f.flags[i] = i == 0 || f.keys[i] != f.keys[i - 1] ? 1 : 0;
  }
}

SGG_KERNEL(coarsen_entries) {
  for (long long i = sgg_thread(); i < f.count; i += sgg_threads()) {
    int at = f.places[i] + f.flags[i] - 1;
    if (f.flags[i] != 0) {
      f.nextNeighbours[at] = (int)(unsigned)f.keys[i];
    }
    atomicAdd(&f.nextWeights[at], f.recordSums[f.numbers[i]]);
  }
}

// Where the rows begin, and the end.
SGG_KERNEL(coarsen_offsets) {
  for (long long c = sgg_thread(); c <= f.communities; c += sgg_threads()) {
    long long low = 0;
    long long high = f.count;
    while (low < high) {
      long long middle = (low + high) >> 1;
      if ((long long)(f.keys[middle] >> 32) < c) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    f.nextOffsets[c] = f.places[low];
  }
}
