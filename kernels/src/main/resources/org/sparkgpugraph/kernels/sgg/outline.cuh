// Supersteps that walk rows, many of them in one cooperative launch (iteration outlining, Pai and Pingali 2016, section 4.1; those that push
// are in push.cuh). All blocks are resident and meet at a barrier wherever one launch would follow another; who goes on is decided here, by
// what the superstep counted, and all decide the same: they read it behind a barrier, and nobody writes it any more. Each superstep has status
// words of its own in the ring, 0 at first, so that what a launch alone would count, take and fail with stands there: the host reads it behind
// the launch.
//
// The frame is a copy in registers, of which the buffers of values and the bitmaps of activity change places behind each superstep.

SGG_DEVICE void sgg_outline_sync(const Frame& f, unsigned& target) { sgg_grid_sync(&f.outlineState[SGG_OUTLINE_ARRIVALS], target); }

#if SGG_AGGREGATES > 0
// Aggregates of the superstep, which the next one reads: one block adds up what all have left.
SGG_DEVICE void sgg_outline_aggregate(Frame& f, unsigned& target) {
  if (blockIdx.x == 0u) {
    sgg_phase_aggregate(f);
  }
  sgg_outline_sync(f, target);
  sgg_outline_take_aggregates(f, f.status + SGG_STATUS_AGGREGATES);
}

// Whether the run's own condition ends it behind this superstep.
SGG_DEVICE bool sgg_outline_stops(const Frame& f) {
  if (f.stopEvery == 0 || f.superstep < f.stopFirst || (f.superstep - f.stopFirst) % f.stopEvery != 0) {
    return false;
  }
  return __longlong_as_double((long long)sgg_fresh(&f.status[SGG_STATUS_AGGREGATES + f.stopAggregate])) <= f.stopBound;
}
#else
SGG_DEVICE void sgg_outline_aggregate(Frame&, unsigned&) {}
SGG_DEVICE bool sgg_outline_stops(const Frame&) { return false; }
#endif

// Whether the launch ends behind the superstep, its so-many-th, and if not, that the next one may begin: values and activity change places.
SGG_DEVICE bool sgg_outline_ends(Frame& f, int done, unsigned& target) {
  sgg_outline_aggregate(f, target);
  unsigned long long active = sgg_fresh(&f.status[SGG_STATUS_ACTIVATED]);
  bool last = done == (int)f.outlineSupersteps || active == 0ull || sgg_fresh(&f.status[SGG_STATUS_FAULT]) != 0ull || sgg_outline_stops(f);
  if constexpr (!SGG_EVERY_VERTEX) {
    long long work = (long long)(active + sgg_fresh(&f.status[SGG_STATUS_ACTIVE_EDGES]));
    last = last || work < f.outlineLeast || work > f.outlineMost;
  }
  if (blockIdx.x == 0u && threadIdx.x == 0u) {
    f.status[SGG_OUTLINE_NANOS] = sgg_nanos();
    if (last) {
      f.outlineState[SGG_OUTLINE_ROUNDS] = (unsigned long long)done;
    }
  }
  return last;
}

// The next superstep.
SGG_DEVICE void sgg_outline_next(Frame& f) {
  f.superstep++;
  f.status += SGG_OUTLINE_ENTRY;
  if constexpr (!SGG_EVERY_VERTEX) {
    unsigned* active = const_cast<unsigned*>(f.active);
    f.active = f.nextActive;
    f.nextActive = active;
  }
}

SGG_DEVICE Frame sgg_outline_begin(const Frame& f) {
  Frame own = f;
  own.status = f.outlineRing;
  return own;
}

#if SGG_BY_MODE
#if SGG_EVERY_VERTEX
#define SGG_OUTLINED(name) sgg_phase_##name##_all
#else
#define SGG_OUTLINED(name) sgg_phase_##name##_dense
#endif
// Gathers and applies all rows: those below a hub's length, then hubs, whose tables are emptied meanwhile, then what their chunks found.
SGG_DEVICE void sgg_outline_rows(const Frame& f, unsigned& target) {
  SGG_OUTLINED(gather)(f);
  if (f.hubCount > 0) {
    long long threads = (long long)gridDim.x * blockDim.x;
    for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < f.outlineSlots; i += threads) {
      f.modeKeys[i] = SGG_MODE_FREE;
      f.modeCounts[i] = 0u;
    }
    sgg_outline_sync(f, target);
    SGG_OUTLINED(hubs)(f);
    if (f.outlineSlots > 0) {
      sgg_outline_sync(f, target);
      SGG_OUTLINED(hub_finish)(f);
    }
  }
}
#else
// Gathers and applies all rows, hubs among them.
SGG_DEVICE void sgg_outline_rows(const Frame& f, unsigned&) {
#if SGG_EVERY_VERTEX
  sgg_phase_gather_uneven(f);
#else
  sgg_phase_gather_dense(f);
#endif
}
#endif

// Blocks that a multiprocessor should hold.
#if SGG_BY_MODE
SGG_DEVICE constexpr int sgg_outline_blocks() { return Policy::MODE_BLOCKS; }
#else
SGG_DEVICE constexpr int sgg_outline_blocks() { return sgg_smaller(sgg_gather_blocks(), SGG_EVERY_VERTEX ? Policy::OUTLINE_BLOCKS_ALL : Policy::OUTLINE_BLOCKS); }
#endif

#if SGG_EVERY_VERTEX
// Every vertex runs in every superstep: nothing is between them but the barrier.
SGG_ENTRY_OF(outline_all, sgg_outline_blocks()) {
  Frame own = sgg_outline_begin(f);
  unsigned target = 0u;
  for (int done = 1;; done++) {
    sgg_outline_rows(own, target);
    sgg_outline_sync(own, target);
    if (sgg_outline_ends(own, done, target)) {
      return;
    }
    sgg_outline_swap(own);
    sgg_outline_next(own);
  }
}
#else
// All rows are walked. Bits of the next superstep are empty before anybody sets one.
SGG_ENTRY_OF(outline_dense, sgg_outline_blocks()) {
  Frame own = sgg_outline_begin(f);
  unsigned target = 0u;
  for (int done = 1;; done++) {
#if SGG_GATHER_ALL
    if (own.hubCount > 0) {
      sgg_phase_hub_select_dense(own);
      sgg_outline_sync(own, target);
    }
#endif
    sgg_outline_rows(own, target);
    sgg_outline_sync(own, target);
    if (sgg_outline_ends(own, done, target)) {
      return;
    }
    sgg_outline_swap(own);
    sgg_outline_next(own);
    sgg_clear(own.nextActive, sgg_bitmap_words(own.stored));
#if SGG_GATHER_ALL
    sgg_clear((unsigned*)own.hubSelected, 2 * own.hubCount);
#endif
    sgg_outline_sync(own, target);
  }
}
#endif

#if SGG_OUTLINES_SPARSE
// The rows that active vertices reach are walked (KiTES): candidates, gather, hubs, commit. Bitmaps that a step fills are empty before.
SGG_ENTRY_OF(outline_sparse, sgg_outline_blocks()) {
  Frame own = sgg_outline_begin(f);
  unsigned target = 0u;
  long long groups = (own.stored + (1ll << own.groupShift) - 1) >> own.groupShift;
  for (int done = 1;; done++) {
    if constexpr (SGG_RECORDS_RAN) {
      sgg_clear(own.ran, sgg_bitmap_words(own.stored));
    }
    sgg_phase_activate(own);
    sgg_outline_sync(own, target);
#if SGG_GATHER_ALL
    if (own.hubCount > 0) {
      sgg_phase_hub_select_sparse(own);
      sgg_outline_sync(own, target);
    }
#endif
    sgg_phase_gather_sparse(own);
    sgg_outline_sync(own, target);
    if (own.hubCount > 0) {
      sgg_phase_hubs_sparse(own);
      sgg_outline_sync(own, target);
    }
    // Values are made current before anybody may leave.
    if constexpr (!SGG_IN_PLACE) {
      sgg_phase_commit(own);
    }
    if (sgg_outline_ends(own, done, target)) {
      return;
    }
    sgg_outline_next(own);
    sgg_clear(own.nextActive, sgg_bitmap_words(own.stored));
    sgg_clear(own.candidates, sgg_bitmap_words(groups));
#if SGG_GATHER_ALL
    sgg_clear((unsigned*)own.hubSelected, 2 * own.hubCount);
#endif
    sgg_outline_sync(own, target);
  }
}
#endif
