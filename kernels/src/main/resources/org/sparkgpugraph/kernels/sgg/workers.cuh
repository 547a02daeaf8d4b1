// What the warps of an asynchronous relaxation (async.cuh) do: they write what is active into buckets, and then walk what they are handed.

// Finds the best value of all active vertices; once the manager knows where to begin, writes them into the buckets and empties the bitmap.
SGG_DEVICE void sgg_async_seed(const Frame& f, int lane, int worker, AsyncTally& tally) {
  long long words = sgg_bitmap_words(sgg_push_rows(f));
  long long step = (long long)f.asyncWorkers * SGG_WARP;
  unsigned long long least = 0ull;
  for (long long word = (long long)worker * SGG_WARP + lane; word < words; word += step) {
    for (unsigned left = sgg_async_seeds(f, word, words); left != 0u; left &= left - 1u) {
      int v = (int)(word << 5) + __ffs((int)left) - 1;
      if (v < (int)sgg_push_rows(f)) {
        State value;
        sgg_load_state(f, v, value);
        unsigned long long ordered = sgg_least_first(sgg_priority(value));
        least = ordered > least ? ordered : least;
      }
    }
  }
  if (least != 0ull) {
    atomicMax(&f.asyncState[SGG_ASYNC_LEAST], least);
  }
  __syncwarp();
  if (lane == 0) {
    sgg_add_release(&f.asyncState[SGG_ASYNC_LOOKED], 1ull);
  }
  while (__any_sync(SGG_ALL_LANES, sgg_load_acquire(&f.asyncState[SGG_ASYNC_READY]) == 0ull)) {
    sgg_relax();
  }
  AsyncControl c = sgg_async_control(f);
  for (long long first = (long long)worker * SGG_WARP; first < words; first += step) {
    unsigned own = sgg_async_seeds(f, first + lane, words);
    for (unsigned left = __ballot_sync(SGG_ALL_LANES, own != 0u); left != 0u; left &= left - 1u) {
      int which = __ffs((int)left) - 1;
      unsigned seeds = (unsigned)sgg_shfl((int)own, which);
      int v = (int)((first + which) << 5) + lane;
      bool is = ((seeds >> lane) & 1u) != 0u && v < (int)sgg_push_rows(f);
      State value{};
      if (is) {
        sgg_load_state(f, v, value);
      }
      int part = sgg_async_seeding(f);
      unsigned long long bits = sgg_async_bits(value);
      bool refused = sgg_async_push(f, lane, is, v, part, bits, sgg_async_bucket(c, sgg_priority(value)), tally);
      sgg_async_unseeded(f, lane, refused, v, part, bits, tally);
    }
    if (own != 0u) {
      const_cast<unsigned*>(f.active)[first + lane] = 0u;
    }
  }
  __syncwarp();
  if (lane == 0) {
    sgg_add_release(&f.asyncState[SGG_ASYNC_SEEDED], 1ull);
  }
}

// Takes assignments until the manager says that all is done. One warp; `local` is what it keeps items in.
//
// Assignment: first place in the pool (32 bits), items less 1 (6), bucket (5), entry of the bucket's map (16), 1.
SGG_DEVICE void sgg_async_work(const Frame& f, int lane, int worker, AsyncLocal& local) {
  AsyncTally tally{};
  sgg_async_seed(f, lane, worker, tally);
  unsigned long long* flag = &f.asyncFlags[worker];
  if (lane == 0) {
    sgg_or_release(&f.asyncIdle[worker >> 5], 1u << (worker & 31));
  }
  for (;;) {
    // Who acquires empties the cache of all warps beside it: only when there is something.
    long long told = lane == 0 ? (long long)sgg_load(flag) : 0;
    if (sgg_shfl(told, 0) == 0) {
      sgg_relax();
      continue;
    }
    told = lane == 0 ? (long long)sgg_load_acquire(flag) : 0;
    __syncwarp();
    unsigned long long assignment = (unsigned long long)sgg_shfl(told, 0);
    if (assignment == SGG_ASYNC_STOP) {
      break;
    }
    long long at = (long long)(assignment & 0xffffffffull);
    int count = (int)((assignment >> 32) & 63ull) + 1;
    int bucket = (int)((assignment >> 38) & 31ull);
    unsigned long long item = 0ull;
    unsigned long long bits = 0ull;
    if (lane < count) {
      sgg_load_pair(&f.asyncItems[2 * (at + lane)], item, bits);
    }
    if (lane == 0) {
      sgg_store(flag, 0ull);
    }
    sgg_async_chase(f, lane, lane < count, item, bits, local, tally);
    // All that these items led to is in buckets now, or done: only then do they count as done themselves.
    __syncwarp();
    int last = 0;
    if (lane == 0) {
      sgg_add_release(sgg_async_done(f, bucket), (unsigned long long)count);
      sgg_or_release(&f.asyncIdle[worker >> 5], 1u << (worker & 31));
      unsigned read = sgg_add_both(&f.asyncRead[at >> f.asyncShift], (unsigned)count);
      last = read + (unsigned)count == 1u << f.asyncShift ? 1 : 0;
    }
    if (sgg_shfl(last, 0) != 0) {
      // The block has been read: it is emptied for its next use.
      long long block = at >> f.asyncShift;
      long long segments = (1ll << f.asyncShift) / SGG_ASYNC_SEGMENT;
      for (long long s = lane; s < segments; s += SGG_WARP) {
        sgg_store(&f.asyncWritten[block * segments + s], 0u);
      }
      __syncwarp();
      if (lane == 0) {
        sgg_store(&f.asyncRead[block], 0u);
        sgg_or_release(sgg_async_map(f, bucket, (assignment >> 43) & 0xffffull), 1ull);
      }
    }
  }
  sgg_async_end(f, lane, worker);
  unsigned sums[5] = {sgg_warp_add((unsigned)tally.edges), sgg_warp_add((unsigned)tally.ran), sgg_warp_add((unsigned)tally.stale),
                      sgg_warp_add((unsigned)tally.chased), sgg_warp_add((unsigned)tally.spilled)};
  if (lane == 0) {
    for (int i = 0; i < 5; i++) {
      if (sums[i] != 0u) {
        atomicAdd(&f.asyncState[SGG_ASYNC_EDGES + i], (unsigned long long)sums[i]);
      }
    }
  }
}
