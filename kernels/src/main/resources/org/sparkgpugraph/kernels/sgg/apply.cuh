// What happens to a row behind its gather: vertex program, activity, refined updates; and what a launch counts.

// ---- counts and aggregates ----------------------------------------------------------------------------------------------

// A thread's counts. What it evaluates and runs in one launch fits 32 bits, as all edges of a partition do; registers are scarce.
struct Tally {
  int edges;
  int ran;
  int activated;
  long long activeEdges;
#if SGG_AGGREGATES > 0
  double aggregates[SGG_AGGREGATES];
#endif
};

SGG_DEVICE void sgg_tally_reset(Tally& tally) {
  tally.edges = 0;
  tally.ran = 0;
  tally.activated = 0;
  tally.activeEdges = 0;
#if SGG_AGGREGATES > 0
  sgg_aggregates_neutral(tally.aggregates);
#endif
}

SGG_DEVICE long long sgg_warp_sum(long long value) {
  for (int d = SGG_WARP / 2; d > 0; d >>= 1) {
    value += sgg_shfl_down(value, d);
  }
  return value;
}

// Adds up a block's counts: over each warp by shuffles, over the warps in shared memory, one atomic per count. All threads.
SGG_DEVICE void sgg_tally_counts(const Frame& f, const Tally& tally) {
  SGG_SHARED(long long, counts, 4 * SGG_BLOCK_WARPS);
  long long sums[4] = {sgg_warp_sum(tally.edges), sgg_warp_sum(tally.ran), sgg_warp_sum(tally.activated),
                       sgg_warp_sum(tally.activeEdges)};
  int warp = (int)(threadIdx.x >> 5);
  if (sgg_lane() == 0) {
    for (int i = 0; i < 4; i++) {
      counts[4 * warp + i] = sums[i];
    }
  }
  __syncthreads();
  if (threadIdx.x < 4u) {
    long long sum = 0;
    for (int w = 0; w < SGG_BLOCK_WARPS; w++) {
      sum += counts[4 * w + (int)threadIdx.x];
    }
    if (sum != 0) {
      atomicAdd(&f.status[threadIdx.x], (unsigned long long)sum);
    }
  }
  __syncthreads();
}

#if SGG_AGGREGATES > 0 || SGG_FINAL_AGGREGATES > 0
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
#endif

#if SGG_AGGREGATES > 0
struct CombineAggregates {
  SGG_DEVICE_MEMBER double operator()(int i, double a, double b) const { return sgg_aggregate_combine(i, a, b); }
};
#endif

// What a launch counted, at its end. All threads.
SGG_DEVICE void sgg_tally_store(const Frame& f, const Tally& tally) {
  sgg_tally_counts(f, tally);
#if SGG_AGGREGATES > 0
  sgg_block_aggregates(f, tally.aggregates, SGG_AGGREGATES, (int)blockIdx.x, CombineAggregates());
#endif
}

// ---- apply --------------------------------------------------------------------------------------------------------------

#if SGG_TRACKS_CHANGES
// Refinement where most vertices of the lists change: each list is an array with a place for every vertex of it, so nobody asks for a
// place, nothing says whose it is, and warps write whole sectors. Who says nothing says so. `writes`: this lane has a vertex of its own.
SGG_DEVICE void sgg_refine_in_places(const Frame& f, int lane, int v, bool writes, bool says, bool changed, bool active,
                                     const State& after) {
  for (int i = 0; i < (int)f.outboxCount; i++) {
    const Outbox& box = f.outboxes[i];
    unsigned members = writes ? box.members[v >> 5] : 0u;
    bool member = (members >> (v & 31)) & 1u;
    if (member) {
      int slot = box.ranks[v >> 5] + __popc(members & sgg_lanes(0, v & 31));
      box.flags[slot] = (unsigned char)(says ? (changed ? 1 : 0) | (active ? 2 : 0) : 0);
      if (changed) {
        sgg_outbox_store(box, slot, after);
      }
    }
    unsigned update = __ballot_sync(SGG_ALL_LANES, member && says);
    unsigned valued = __ballot_sync(SGG_ALL_LANES, member && changed);
    if (lane == 0 && update != 0u) {
      atomicAdd((unsigned long long*)box.counts, ((unsigned long long)__popc(valued) << 32) | (unsigned long long)__popc(update));
    }
  }
}
#endif

// Online vertex refinement (section 2.4): each boundary list that has one of the warp's vertices gets the updates of those that
// changed or are active, compacted: vote, ballot, popc, one atomic per list and warp. `v` may differ from lane to lane by any
// amount; `writes` says that no other lane of the launch has the same one. All lanes.
SGG_DEVICE void sgg_refine(const Frame& f, int lane, int v, bool writes, bool changed, bool active, const State& after) {
#if SGG_TRACKS_CHANGES
  bool says = changed || (active && f.shipActivity != 0);
  if (f.inPlaces != 0) {
    sgg_refine_in_places(f, lane, v, writes, says, changed, active, after);
    return;
  }
  if (!__any_sync(SGG_ALL_LANES, says)) {
    return;
  }
  for (int i = 0; i < (int)f.outboxCount; i++) {
    const Outbox& box = f.outboxes[i];
    unsigned members = says ? box.members[v >> 5] : 0u;
    bool wants = says && ((members >> (v & 31)) & 1u);
    unsigned update = __ballot_sync(SGG_ALL_LANES, wants);
    if (update == 0u) {
      continue;
    }
    unsigned valued = __ballot_sync(SGG_ALL_LANES, wants && changed);
    unsigned long long counts = 0;
    if (lane == 0) {
      // Both counts, of updates (low) and of those with a value (high), by one atomic.
      counts = ((unsigned long long)__popc(valued) << 32) | (unsigned long long)__popc(update);
      counts = atomicAdd((unsigned long long*)box.counts, counts);
    }
    int slot = sgg_shfl((int)(unsigned)counts, 0) + __popc(update & sgg_lanes(0, lane));
    if (wants) {
      box.positions[slot] = box.ranks[v >> 5] + __popc(members & sgg_lanes(0, v & 31));
      box.flags[slot] = (unsigned char)((changed ? 1 : 0) | (active ? 2 : 0));
      if (changed) {
        sgg_outbox_store(box, slot, after);
      }
    }
  }
#else
  (void)f;
  (void)lane;
  (void)v;
  (void)changed;
  (void)active;
  (void)after;
#endif
  (void)writes;
}

// Bitmap words of rows that are applied.
#define SGG_BITS_OWN 0     // the lanes are the 32 rows of a word, and nobody else writes to it
#define SGG_BITS_WORD 1    // the lanes are the 32 rows of a word; another warp may have one of them at the same time (a hub)
#define SGG_BITS_SINGLE 2  // the lanes have rows of any words

// Runs the vertex program on a row per lane and commits what it says. `isRow` says that this lane has a row at all.
// Bits: who else writes to the bitmap words of these rows. `known`: the row's values, where they were loaded before. All lanes.
template <int Mode, int Bits>
SGG_DEVICE void sgg_apply(const Frame& f, int lane, int v, bool isRow, Inbox& inbox, Tally& tally, const State* known = nullptr) {
  bool ran = isRow && inbox.has;
#if SGG_EVERY_VERTEX
  if (isRow && !inbox.has) {
    sgg_empty_message(f, inbox.message);
    ran = true;
  }
#endif
  bool active = false;
  bool changed = false;
  State after{};
  if (ran) {
    State before;
    if (known != nullptr) {
      before = *known;
    } else {
      sgg_load_state(f, v, before);
    }
    sgg_vertex_program(f, v, before, inbox.message, after);
    tally.ran++;
#if SGG_AGGREGATES > 0
    sgg_aggregate(f, v, before, after, tally.aggregates);
#endif
    active = sgg_active_when(f, v, before, after);
#if SGG_IN_PLACE
    active = sgg_state_differs(before, after);
    ran = active;
#endif
#if SGG_TRACKS_CHANGES
    changed = ran && sgg_shipped_differs(before, after);
#endif
    if (ran) {
      sgg_store_state(f, v, after);
    }
  }
  if (Mode != SGG_SPARSE && !SGG_IN_PLACE && isRow && !ran) {
    sgg_copy_unchanged(f, v);
  }
#if !SGG_EVERY_VERTEX
  if (active) {
    tally.activated++;
    if (f.activeCost != nullptr) {
      tally.activeEdges += f.activeCost[v];
    }
  }
  if (Bits == SGG_BITS_SINGLE) {
    if (active) {
      atomicOr(&f.nextActive[v >> 5], 1u << (v & 31));
    }
#if SGG_RECORDS_RAN
    if (Mode == SGG_SPARSE && ran) {
      atomicOr(&f.ran[v >> 5], 1u << (v & 31));
    }
#endif
  } else {
    unsigned activeRows = __ballot_sync(SGG_ALL_LANES, active);
    if (lane == 0) {
      if (Bits == SGG_BITS_OWN) {
        f.nextActive[v >> 5] = activeRows;
      } else if (activeRows != 0u) {
        atomicOr(&f.nextActive[v >> 5], activeRows);
      }
    }
#if SGG_RECORDS_RAN
    unsigned ranRows = __ballot_sync(SGG_ALL_LANES, ran);
    if (Mode == SGG_SPARSE && lane == 0) {
      f.ran[v >> 5] = ranRows;
    }
#endif
  }
#else
  if (active) {
    tally.activated++;
  }
#endif
#if SGG_TRACKS_CHANGES
  // Kept until readers elsewhere are told, which may be several supersteps later.
  if (f.changed != nullptr) {
    if (Bits == SGG_BITS_SINGLE) {
      if (changed) {
        atomicOr(&f.changed[v >> 5], 1u << (v & 31));
      }
    } else {
      unsigned changedRows = __ballot_sync(SGG_ALL_LANES, changed);
      if (lane == 0 && changedRows != 0u) {
        if (Bits == SGG_BITS_OWN) {
          f.changed[v >> 5] |= changedRows;
        } else {
          atomicOr(&f.changed[v >> 5], changedRows);
        }
      }
    }
  }
#endif
  // Hubs write for themselves, now or later; of a vertex that does not exist nobody else would say that it says nothing.
  bool writes = isRow || (Bits != SGG_BITS_SINGLE && v < (int)f.stored && !sgg_present(f, v));
  sgg_refine(f, lane, v, writes, changed, active, after);
}

// Whether a row is a candidate of a sparse superstep: one bit per 2^groupShift vertices.
SGG_DEVICE bool sgg_candidate(const Frame& f, int v) { return sgg_bit(f.candidates, v >> (int)f.groupShift); }

// Whether the 32 rows of a bitmap word may have a candidate.
SGG_DEVICE bool sgg_candidate_in(const Frame& f, long long word) {
  int shift = (int)f.groupShift;
  if (shift >= 5) {
    return sgg_bit(f.candidates, (int)((word << 5) >> shift));
  }
  int groups = SGG_WARP >> shift;
  int firstGroup = (int)((word << 5) >> shift);
  return (f.candidates[firstGroup >> 5] & sgg_lanes(firstGroup & 31, (firstGroup & 31) + groups)) != 0u;
}
