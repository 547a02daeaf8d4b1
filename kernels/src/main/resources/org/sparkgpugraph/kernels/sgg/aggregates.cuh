// The last step of aggregates: one block reduces what the blocks of a launch have left in their slots (tally.cuh).

// Reduces the partials of `count` aggregates in a fixed order and leaves them in the status: each thread those of every 256th slot,
// then thread 0 those of the threads. One block, all threads.
template <class Combine>
SGG_DEVICE void sgg_reduce_partials(const Frame& f, const double* neutral, int count, Combine combine) {
  SGG_SHARED(double, values, SGG_BLOCK_WARPS * SGG_WARP);
  for (int i = 0; i < count; i++) {
    double value = neutral[i];
    for (long long s = threadIdx.x; s < f.partialSlots; s += blockDim.x) {
      value = combine(i, value, f.aggregatePartials[(long long)i * f.partialSlots + s]);
    }
    values[threadIdx.x] = value;
    __syncthreads();
    if (threadIdx.x == 0u) {
      for (int t = 1; t < SGG_BLOCK_WARPS * SGG_WARP; t++) {
        value = combine(i, value, values[t]);
      }
      f.status[SGG_STATUS_AGGREGATES + i] = (unsigned long long)__double_as_longlong(value);
    }
    __syncthreads();
  }
}

#if SGG_FINAL_AGGREGATES > 0
struct CombineFinalAggregates {
  SGG_DEVICE_MEMBER double operator()(int i, double a, double b) const { return sgg_final_aggregate_combine(i, a, b); }
};

// The final aggregates of the values as they are: a thread per held vertex, partials per block.
SGG_KERNEL(final_aggregates) {
  double sums[SGG_FINAL_AGGREGATES];
  sgg_final_aggregates_neutral(sums);
  long long threads = (long long)gridDim.x * blockDim.x;
  for (long long v = sgg_first_row(f) + (long long)blockIdx.x * blockDim.x + threadIdx.x; v < sgg_end_row(f); v += threads) {
    if (sgg_present(f, (int)v)) {
      State value;
      sgg_load_state(f, (int)v, value);
      sgg_final_aggregate(f, (int)v, value, sums);
    }
  }
  sgg_block_aggregates(f, sums, SGG_FINAL_AGGREGATES, (int)blockIdx.x, CombineFinalAggregates());
}

// Reduces the partials of the final aggregates; one block.
SGG_KERNEL(final_aggregate) {
  double neutral[SGG_FINAL_AGGREGATES];
  sgg_final_aggregates_neutral(neutral);
  sgg_reduce_partials(f, neutral, SGG_FINAL_AGGREGATES, CombineFinalAggregates());
}
#endif

#if SGG_AGGREGATES > 0
// Reduces the partials of the superstep's aggregates; one block.
SGG_KERNEL(aggregate) {
  double neutral[SGG_AGGREGATES];
  sgg_aggregates_neutral(neutral);
  sgg_reduce_partials(f, neutral, SGG_AGGREGATES, CombineAggregates());
}
#endif
