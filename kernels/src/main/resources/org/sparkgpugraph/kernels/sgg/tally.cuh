// What a launch counts, and the aggregates of a program: a thread's own, added up over its block, and over blocks by atomics (counts) or
// in a fixed order from a slot for each block (aggregates: sums of doubles must not depend on who was faster).
//
// How well lanes are used is counted by rounds, in which all lanes of a warp may do something: `rounds` in which they may evaluate an edge
// each, `waves` in which they may have a row each, and how many of them had one. These are the same for all lanes, so that a block adds
// up what its warps' first lanes have. Kernels in which lanes share an edge count no rounds.

// A thread's counts. What it evaluates and runs in one launch fits 32 bits, as all edges of a partition do; registers are scarce.
struct Tally {
  int edges;
  int again;   // evaluations from the second of two sides, and of costly branches apart, which are not counted among the edges
  int rounds;
  int waves;
  int rows;
  int ran;
  int activated;
  long long activeEdges;
  double aggregates[SGG_AGGREGATES > 0 ? SGG_AGGREGATES : 1];
};

SGG_DEVICE void sgg_tally_reset(Tally& tally) {
  tally.edges = 0;
  tally.again = 0;
  tally.rounds = 0;
  tally.waves = 0;
  tally.rows = 0;
  tally.ran = 0;
  tally.activated = 0;
  tally.activeEdges = 0;
  sgg_aggregates_neutral(tally.aggregates);
}

// A warp's numbers in shared memory: while it works what it has told the first boundary lists (refine.cuh), at the end its counts.
SGG_DEVICE unsigned long long* sgg_warp_numbers() {
  SGG_SHARED(unsigned long long, numbers, SGG_STATUS_COUNTED * SGG_BLOCK_WARPS);
  return numbers + SGG_STATUS_COUNTED * (threadIdx.x >> 5);
}

// The counts of a launch, or of a superstep in one that does several. All lanes.
SGG_DEVICE void sgg_tally_begin(Tally& tally) {
  sgg_tally_reset(tally);
#if SGG_TRACKS_CHANGES
  if (sgg_lane() < SGG_STATUS_COUNTED) {
    sgg_warp_numbers()[sgg_lane()] = 0ull;
  }
#endif
}

// A warp looks at a row per lane that has one. All lanes.
SGG_DEVICE void sgg_tally_wave(Tally& tally, bool hasRow) {
  tally.waves++;
  tally.rows += __popc(__ballot_sync(SGG_ALL_LANES, hasRow));
}

// Adds up a block's counts: over each warp by shuffles, over the warps in shared memory, one atomic per count. All threads.
SGG_DEVICE void sgg_tally_counts(const Frame& f, const Tally& tally) {
  unsigned long long* own = sgg_warp_numbers();
  int lane = sgg_lane();
#if SGG_TRACKS_CHANGES
  if (lane < SGG_STATUS_COUNTED && own[lane] != 0ull) {
    atomicAdd((unsigned long long*)f.outboxes[lane].counts, own[lane]);
  }
  __syncwarp();
#endif
  long long sums[SGG_STATUS_COUNTED] = {sgg_warp_sum(tally.edges),
                                        sgg_warp_sum(tally.ran),
                                        sgg_warp_sum(tally.activated),
                                        sgg_warp_sum(tally.activeEdges),
                                        (long long)SGG_WARP * tally.rounds,
                                        (long long)SGG_WARP * tally.waves,
                                        tally.rows,
                                        (SGG_IN_ROWS && SGG_OUT_ROWS) || SGG_CONTEXTS > 0 ? sgg_warp_sum(tally.again) : 0};
  if (lane == 0) {
    for (int i = 0; i < SGG_STATUS_COUNTED; i++) {
      own[i] = (unsigned long long)sums[i];
    }
  }
  __syncthreads();
  if ((int)threadIdx.x < SGG_STATUS_COUNTED) {
    // The first warp's are those of the block.
    unsigned long long sum = 0ull;
    for (int w = 0; w < SGG_BLOCK_WARPS; w++) {
      sum += own[SGG_STATUS_COUNTED * w + (int)threadIdx.x];
    }
    if (sum != 0ull) {
      atomicAdd(&f.status[threadIdx.x], sum);
    }
  }
  __syncthreads();
}

// Reduces a block's values of `count` aggregates in a fixed order and leaves them in slot `slot` of the partials. All threads.
template <class Combine>
SGG_DEVICE void sgg_block_aggregates(const Frame& f, const double* values, int count, int slot, Combine combine) {
  SGG_SHARED(double, warps, SGG_BLOCK_WARPS);
  for (int i = 0; i < count; i++) {
    double value = values[i];
    for (int d = 1; d < SGG_WARP; d <<= 1) {
      double other = sgg_shfl_down(value, d);
      if (sgg_lane() + d < SGG_WARP) {
        value = combine(i, value, other);
      }
    }
    if (sgg_lane() == 0) {
      warps[threadIdx.x >> 5] = value;
    }
    __syncthreads();
    if (threadIdx.x == 0u) {
      double sum = warps[0];
      for (int w = 1; w < SGG_BLOCK_WARPS; w++) {
        sum = combine(i, sum, warps[w]);
      }
      f.aggregatePartials[(long long)i * f.partialSlots + slot] = sum;
    }
    __syncthreads();
  }
}
struct CombineAggregates {
  SGG_DEVICE_MEMBER double operator()(int i, double a, double b) const { return sgg_aggregate_combine(i, a, b); }
};

// What a launch counted, at its end. All threads.
SGG_DEVICE void sgg_tally_store(const Frame& f, const Tally& tally) {
  sgg_tally_counts(f, tally);
  if constexpr (SGG_AGGREGATES > 0) {
    sgg_block_aggregates(f, tally.aggregates, SGG_AGGREGATES, (int)blockIdx.x, CombineAggregates());
  }
}
