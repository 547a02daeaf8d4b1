// Many supersteps of a search in one cooperative launch: those that push (push.cuh) and those in which rows stop early (stopping.cuh), as
// they come. Which one is next is decided here as the host decides it (engine.device.run.EarlyStops), by what the superstep has counted;
// all threads read that behind a barrier of the grid, and so all decide the same. A launch ends where the host has more ways than these two:
// where most of the graph is active and says different things; and where supersteps have been so small for a while that fewer blocks do.
//
// It begins with the queue of the last superstep that pushed, or with that of all that send anything at first (senders.cuh).
//
// searchRing is 0 at first. Behind SGG_SEARCH_WORDS words of the launch each superstep has an entry: status words, ring words of a superstep
// that pushes, and which of the two it was.

// What is heard of the active vertices of the next superstep, the same in all threads. All threads of all blocks.
SGG_DEVICE Heard sgg_search_hear(const Frame& f, int lane, unsigned long long* arrivals, unsigned& target) {
  SGG_SHARED(Heard, warps, SGG_BLOCK_WARPS);
  Heard heard{};
  sgg_stop_listen(f, heard);
  sgg_stop_gather_block(heard, lane, warps);
  if (threadIdx.x == 0u) {
    sgg_stop_leave(f, heard);
  }
  sgg_grid_sync(arrivals, target);
  Heard all{};
  for (int block = (int)threadIdx.x; block < (int)gridDim.x; block += (int)blockDim.x) {
    sgg_stop_take_left(f, block, all);
  }
  sgg_stop_gather_block(all, lane, warps);
  return all;
}

// Makes the queue of those who are active behind a superstep whose rows stopped early, and empties the other bitmap. All threads of all
// blocks; it is there behind a barrier.
SGG_DEVICE void sgg_search_queue(const Frame& f, const Round& round) {
  Frame own = f;
  own.active = round.active;
  own.queue = const_cast<long long*>(round.queue);
  sgg_frontier(own, 0);
}

// A superstep that pushes. All threads of all blocks.
SGG_DEVICE void sgg_search_push(const Frame& f, int lane, const Round& round, unsigned long long* counts) {
  RoundTally tally;
  sgg_tally_reset(tally);
  sgg_push_items(f, lane, round, tally);
  sgg_push_unshelve(round);
  sgg_push_count(counts, round.ring, lane, tally);
}

// Makes the queue of all that send anything at first, and their bitmap; the other one is empty then. All threads of all blocks.
SGG_DEVICE void sgg_search_select(const Frame& f, int lane, unsigned long long* arrivals, unsigned& target) {
  SGG_SHARED(ColumnValue, worstOf, SGG_BLOCK_WARPS);
  ColumnValue worst = sgg_worst_of_warp(f);
  sgg_clear(f.nextActive, sgg_bitmap_words(f.stored));
  if (lane == 0) {
    worstOf[threadIdx.x >> 5] = worst;
  }
  __syncthreads();
  if (threadIdx.x == 0u) {
    for (int w = 1; w < SGG_BLOCK_WARPS; w++) {
      worst = sgg_is_worse(worstOf[w], worst) ? worstOf[w] : worst;
    }
    *(ColumnValue*)&f.heard[blockIdx.x] = worst;
  }
  sgg_grid_sync(arrivals, target);
  for (int block = (int)threadIdx.x; block < (int)gridDim.x; block += (int)blockDim.x) {
    ColumnValue other = *(const ColumnValue*)&f.heard[block];
    worst = sgg_is_worse(other, worst) ? other : worst;
  }
  worst = sgg_worst_of_lanes(worst);
  if (lane == 0) {
    worstOf[threadIdx.x >> 5] = worst;
  }
  __syncthreads();
  State all{};
  all.c0 = worst;
  for (int w = 0; w < SGG_BLOCK_WARPS; w++) {
    all.c0 = sgg_is_worse(worstOf[w], all.c0) ? worstOf[w] : all.c0;
  }
  sgg_push_senders(f, all);
  sgg_grid_sync(arrivals, target);
}

// A cooperative launch, which begins with a superstep that pushes. Bitmaps change places behind each superstep, queues behind each one that
// pushed.
SGG_KERNEL_OF(search_loop, Policy::SEARCH_BLOCKS) {
  SGG_SHARED(unsigned long long, counts, SGG_RING_COUNTED);
  int lane = sgg_lane();
  unsigned long long* arrivals = &f.queueState[SGG_QUEUE_ARRIVALS];
  unsigned target = 0u;
  bool chief = blockIdx.x == 0u && threadIdx.x == 0u;
  Frame own = f;
  Round round{};
#if SGG_PUSH_SHELF > 0
  SGG_SHARED(Shelf, shelf, 1);
  if (threadIdx.x == 0u) {
    sgg_empty(*shelf);
  }
  round.shelf = shelf;
#endif
  if (threadIdx.x < SGG_RING_COUNTED) {
    counts[threadIdx.x] = 0ull;
  }
  __syncthreads();
  round.queue = f.queue;
  round.nextQueue = f.nextQueue;
  round.active = const_cast<unsigned*>(f.active);
  round.nextActive = f.nextActive;
  if (chief) {
    f.searchRing[SGG_SEARCH_BEGAN] = sgg_nanos();
  }
  if (f.searchSelects != 0) {
    sgg_search_select(f, lane, arrivals, target);
    if ((long long)sgg_fresh(&f.queueState[SGG_QUEUE_WORK]) > f.mostWork) {
      return;
    }
  }
  round.items = (long long)sgg_fresh(&f.queueState[SGG_QUEUE_ITEMS]);
  sgg_push_load(f, lane, round);
  own.status = f.searchRing + SGG_SEARCH_WORDS;
  bool stops = false;
  int calm = 0;
  for (int done = 1;; done++) {
    round.ring = own.status + SGG_SEARCH_RING;
    own.active = round.active;
    own.nextActive = round.nextActive;
    if (stops) {
      if (chief) {
        f.queueState[SGG_QUEUE_ITEMS] = 0ull;
        own.status[SGG_SEARCH_STOPPED] = 1ull;
      }
      sgg_stop_gather(own);
    } else {
      sgg_search_push(own, lane, round, counts);
    }
    sgg_grid_sync(arrivals, target);
    const unsigned long long* counted = stops ? own.status : round.ring;
    unsigned long long active = sgg_fresh(&counted[SGG_STATUS_ACTIVATED]);
    long long work = (long long)(active + sgg_fresh(&counted[SGG_STATUS_ACTIVE_EDGES]));
    bool faulty = SGG_FAULTS && sgg_fresh(&own.status[SGG_STATUS_FAULT]) != 0ull;
    calm = work < f.leastWork ? calm + 1 : 0;
    bool last = active == 0ull || faulty || done == (int)f.rounds || calm == SGG_SEARCH_CALM;
    bool next = false;
    if (stops && !last) {
      sgg_clear(round.active, sgg_bitmap_words(f.stored));
    }
    if (!last && work > (stops ? f.searchUntil : f.searchFrom)) {
      Heard heard = sgg_search_hear(own, lane, arrivals, target);
      next = heard.best != 0ull && heard.attaining >= heard.others;
      own.stopsAt = (long long)heard.best;
      own.stopsAtOnce = f.stopsAtOnce != 0 && heard.others == 0 ? 1 : 0;
      last = !next && work > f.mostWork;
    }
    if (chief) {
      round.ring[SGG_RING_NANOS] = sgg_nanos();
      if (last) {
        f.searchRing[SGG_SEARCH_ROUNDS] = (unsigned long long)done;
        f.queueState[SGG_QUEUE_ITEMS] = stops ? 0ull : sgg_fresh(&round.ring[SGG_RING_ITEMS]);
      }
    }
    if (last) {
      return;
    }
    unsigned* before = round.active;
    round.active = round.nextActive;
    round.nextActive = before;
    if (!stops) {
      long long* queue = const_cast<long long*>(round.queue);
      round.queue = round.nextQueue;
      round.nextQueue = queue;
    }
    if (!next) {
      unsigned long long* items = &round.ring[SGG_RING_ITEMS];
      if (stops) {
        sgg_search_queue(f, round);
        sgg_grid_sync(arrivals, target);
        items = &f.queueState[SGG_QUEUE_ITEMS];
      }
      sgg_push_load(f, lane, round);
      round.items = (long long)sgg_fresh(items);
    }
    stops = next;
    own.status += SGG_SEARCH_ENTRY;
    own.superstep++;
  }
}
