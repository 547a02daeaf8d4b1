// Superstep 0, aggregates, results.

// Superstep 0: state from attributes, then the vertex program with the initial message, on held vertices and ghosts. Vertices
// that do not exist get zeros, and hidden columns what follows from zeros. A thread per vertex.
SGG_KERNEL(initialise) {
  Tally tally;
  sgg_tally_reset(tally);
  long long threads = (long long)gridDim.x * blockDim.x;
  for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < f.locals; i += threads) {
    int v = (int)i;
    State after{};
    if (sgg_present(f, v)) {
      bool held = i >= sgg_first_row(f) && i < sgg_end_row(f);
      State value;
      sgg_initial_state(f, v, value);
      after = value;
#if SGG_STARTS_WITH_MESSAGE
      Message message;
      sgg_initial_message(f, message);
      sgg_vertex_program(f, v, value, message, after);
      if (held) {
        tally.ran++;
#if SGG_AGGREGATES > 0
        sgg_aggregate(f, v, value, after, tally.aggregates);
#endif
      }
#endif
      if (held) {
        tally.activated++;
      }
    }
#if SGG_MISSING
    else {
      sgg_missing_state(f, v, after);
    }
#endif
    sgg_write_state(f, v, after);
  }
  sgg_tally_store(f, tally);
}

#if SGG_AGGREGATES > 0 || SGG_FINAL_AGGREGATES > 0
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
#endif

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

#if SGG_RESULT
// The result function, on the final values: a thread per held vertex. Rows of vertices that do not exist are zero.
SGG_KERNEL(result) {
  long long threads = (long long)gridDim.x * blockDim.x;
  for (long long v = sgg_first_row(f) + (long long)blockIdx.x * blockDim.x + threadIdx.x; v < sgg_end_row(f); v += threads) {
    Result value{};
    if (sgg_present(f, (int)v)) {
      sgg_result(f, (int)v, value);
    }
    sgg_result_store(f, (int)v, value);
  }
}
#endif
