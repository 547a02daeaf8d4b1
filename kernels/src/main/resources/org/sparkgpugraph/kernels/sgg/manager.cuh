// The manager of an asynchronous relaxation (async.cuh): one block that hands out items, fills the pool's blocks in ahead of the writers, moves
// the head on, chooses how wide a bucket is, and finds the end. It never looks at an item. Its rounds have three parts with a barrier behind
// each: warps look at different things at the same time (counts, pool, the buckets that items are taken from, who is idle); all threads hand
// out assignments; one thread decides.

// What the block keeps. Words of a bucket are at [which * SGG_ASYNC_BUCKETS + bucket].
#define SGG_KEPT_VALID 0     // places up to here are written
#define SGG_KEPT_ASSIGNED 1  // … and up to here handed out
#define SGG_KEPT_RESERVED 2  // as looked at in this round …
#define SGG_KEPT_DONE 3      // … before which this was
#define SGG_KEPT_BEFORE 4    // what was reserved when the width was last thought about
#define SGG_KEPT 5

// Workers that a round hands something to at most.
#define SGG_ASYNC_HANDS 256

// Rounds between two thoughts about the width, and how much of what is written may be in the last two buckets.
#define SGG_ASYNC_EPOCH 64
#define SGG_ASYNC_CLIPPED 0.65

struct AsyncManager {
  double base;
  double width;
  double lower;  // the width below which most is out of reach
  int head;
  int taken;     // buckets that items are taken from
  int idle;
  int listed;
  int hand;      // where the search for idle workers begins
  int seeded;
  int busyRounds;
  int epochRound;
  int settled;   // moves of the head since the width was changed
  int changed;   // whether it was changed in the last epoch
  int stop;
  int stuck;
  int progress;  // rounds without any, about
  unsigned open;  // bitmap of buckets that are not done, as looked at in this round
  int fault;
  unsigned long long busy;
  unsigned long long rounds;
  unsigned long long switches;
  unsigned long long changes;
  unsigned long long seen;
};

// One step with the pool's blocks: takes back one of each bucket that has been read, and gives one to each whose writers have little room
// ahead. Lane b is bucket b's. Returns whether another step would give more. All lanes of a warp.
SGG_DEVICE bool sgg_async_pool(const Frame& f, int lane, unsigned long long& mapped, unsigned long long& freed, int& available) {
  unsigned long long reserved = sgg_load(sgg_async_reserved(f, lane));
  bool back = false;
  int block = 0;
  if (freed < mapped) {
    unsigned long long entry = sgg_load_acquire(sgg_async_map(f, lane, freed));
    back = (entry & 1ull) != 0ull;
    block = (int)((entry & 0xffffffffull) >> 1);
  }
  unsigned returns = __ballot_sync(SGG_ALL_LANES, back);
  if (back) {
    f.asyncFree[available + __popc(returns & sgg_lanes(0, lane))] = block;
    freed++;
  }
  available += __popc(returns);
  __syncwarp();
  unsigned long long ahead = reserved + (unsigned long long)f.asyncSlack + (1ull << f.asyncShift);
  bool needs = (mapped << f.asyncShift) < ahead;
  unsigned needing = __ballot_sync(SGG_ALL_LANES, needs);
  int rank = __popc(needing & sgg_lanes(0, lane));
  bool gets = needs && rank < available;
  if (gets) {
    block = f.asyncFree[available - 1 - rank];
    sgg_store(sgg_async_map(f, lane, mapped), ((mapped + 1ull) << 32) | ((unsigned long long)(unsigned)block << 1));
    mapped++;
    sgg_store_release(sgg_async_limit(f, lane), mapped << f.asyncShift);
  }
  __syncwarp();
  int given = sgg_smaller(__popc(needing), available);
  available -= given;
  unsigned lacking = __ballot_sync(SGG_ALL_LANES, needs && !gets);
  if (lane == 0) {
    sgg_store(&f.asyncState[SGG_ASYNC_EXHAUSTED], (unsigned long long)lacking);
  }
  return given > 0;
}

// How far a bucket's places are written: whole segments, and of the next one what is reserved, if all of that is written. What was counted
// in a segment was reserved before; so if as much is reserved later as was written before, nothing is reserved that is not written. All
// lanes of a warp.
SGG_DEVICE unsigned long long sgg_async_probe(const Frame& f, int lane, int bucket, unsigned long long valid) {
  unsigned long long segment = valid / SGG_ASYNC_SEGMENT + (unsigned long long)lane;
  unsigned long long place = segment * SGG_ASYNC_SEGMENT;
  unsigned written = 0u;
  // Both loads at a time: of a block that is not mapped the second one is not used.
  unsigned long long limit = sgg_load(sgg_async_limit(f, bucket));
  unsigned long long mapped = sgg_load(sgg_async_map(f, bucket, place >> f.asyncShift));
  if (place < limit) {
    written = sgg_load_acquire(&f.asyncWritten[sgg_async_at(f, mapped, place) / SGG_ASYNC_SEGMENT]);
  }
  unsigned whole = __ballot_sync(SGG_ALL_LANES, written == (unsigned)SGG_ASYNC_SEGMENT);
  int wholes = whole == SGG_ALL_LANES ? SGG_WARP : __ffs((int)~whole) - 1;
  unsigned long long to = (valid / SGG_ASYNC_SEGMENT + (unsigned long long)wholes) * SGG_ASYNC_SEGMENT;
  unsigned long long reserved = sgg_load(sgg_async_reserved(f, bucket));
  if (wholes < SGG_WARP) {
    unsigned partly = (unsigned)sgg_shfl((int)written, wholes);
    reserved = (unsigned long long)sgg_shfl((long long)reserved, wholes);
    unsigned long long in = reserved <= to ? 0ull : reserved - to < SGG_ASYNC_SEGMENT ? reserved - to : SGG_ASYNC_SEGMENT;
    to += in == (unsigned long long)partly ? in : 0ull;
  }
  return to > valid ? to : valid;
}

// Lists idle workers, beginning at another place each time. Returns how many are idle. All lanes of a warp.
SGG_DEVICE int sgg_async_idle(const Frame& f, int lane, int hand, int* list, int& listed) {
  int words = (int)sgg_bitmap_words(f.asyncWorkers);
  int idle = 0;
  listed = 0;
  for (int first = 0; first < words; first += SGG_WARP) {
    int word = (hand + first + lane) % words;
    unsigned bits = first + lane < words ? sgg_load_acquire(&f.asyncIdle[word]) : 0u;
    int count = __popc(bits);
    int sum = sgg_warp_sums(count, lane);
    int total = sgg_shfl(sum, SGG_WARP - 1);
    int at = idle + sum - count;
    for (unsigned left = bits; left != 0u && at < SGG_ASYNC_HANDS; left &= left - 1u) {
      list[at++] = (word << 5) + __ffs((int)left) - 1;
    }
    idle += total;
  }
  listed = sgg_smaller(idle, SGG_ASYNC_HANDS);
  return idle;
}

// Tells all what belongs where. One thread.
SGG_DEVICE void sgg_async_publish(const Frame& f, const AsyncManager& m) {
  sgg_store(&f.asyncState[SGG_ASYNC_BASE], (unsigned long long)__double_as_longlong(m.base));
  sgg_store(&f.asyncState[SGG_ASYNC_INVERSE], (unsigned long long)__double_as_longlong(1.0 / m.width));
  double horizon = m.base + m.width * (double)m.taken;
  sgg_store(&f.asyncState[SGG_ASYNC_HORIZON], (unsigned long long)__double_as_longlong(horizon));
  sgg_store_release(&f.asyncState[SGG_ASYNC_HEAD], (unsigned long long)m.head);
}

// Thinks about the width of a bucket (section 5.6): wide enough that what is written is within reach of the ring, then as narrow as keeps
// the workers busy, since narrow buckets do less work twice. One thread, once in an epoch.
SGG_DEVICE void sgg_async_width(const Frame& f, AsyncManager& m, unsigned long long* kept) {
  unsigned long long fresh = 0ull;
  unsigned long long clipped = 0ull;
  unsigned long long later = 0ull;
  unsigned long long soon = 0ull;
  for (int off = 0; off < SGG_ASYNC_BUCKETS; off++) {
    int b = (m.head + off) & (SGG_ASYNC_BUCKETS - 1);
    unsigned long long reserved = kept[SGG_KEPT_RESERVED * SGG_ASYNC_BUCKETS + b];
    unsigned long long more = reserved - kept[SGG_KEPT_BEFORE * SGG_ASYNC_BUCKETS + b];
    kept[SGG_KEPT_BEFORE * SGG_ASYNC_BUCKETS + b] = reserved;
    unsigned long long open = reserved - kept[SGG_KEPT_ASSIGNED * SGG_ASYNC_BUCKETS + b];
    fresh += more;
    clipped += off >= SGG_ASYNC_BUCKETS - 2 ? more : 0ull;
    later += off >= m.taken ? open : 0ull;
    soon += off < m.taken ? open : 0ull;
  }
  double workers = (double)f.asyncWorkers;
  double used = (double)m.busy / (double)m.epochRound / workers;
  bool settles = m.changed != 0;
  m.changed = 0;
  m.busy = 0ull;
  m.epochRound = 0;
  if (f.asyncDynamic == 0 || settles) {
    return;
  }
  double width = m.width;
  if (fresh >= 256ull && (double)clipped > SGG_ASYNC_CLIPPED * (double)fresh) {
    width *= 2.0;
    m.lower = width;
  } else if (used < 0.25 && later > 0ull) {
    if (m.taken < 4) {
      m.taken++;
      sgg_async_publish(f, m);
    } else if (m.settled >= 3 && width < f.asyncWidest) {
      width *= 2.0;
    }
  } else if (used > 0.9 && (double)soon > 32.0 * workers) {
    if (m.taken > 2) {
      m.taken--;
      sgg_async_publish(f, m);
    } else if (m.settled >= 3 && width > m.lower) {
      width *= 0.5;
    }
  }
  if (width != m.width) {
    m.width = width;
    m.changed = 1;
    m.settled = 0;
    m.changes++;
    sgg_async_publish(f, m);
  }
}

// Looks whether anything happened since it was called last. One thread.
SGG_DEVICE bool sgg_async_moves(AsyncManager& m, const unsigned long long* kept) {
  unsigned long long sum = 0ull;
  for (int b = 0; b < SGG_ASYNC_BUCKETS; b++) {
    sum += kept[SGG_KEPT_RESERVED * SGG_ASYNC_BUCKETS + b] + kept[SGG_KEPT_DONE * SGG_ASYNC_BUCKETS + b] +
           kept[SGG_KEPT_ASSIGNED * SGG_ASYNC_BUCKETS + b];
  }
  bool moves = sum != m.seen;
  m.seen = sum;
  return moves;
}

// One thread's part of a round.
//
// The end: all buckets have as much done as reserved (`open` is 0). `done` of every bucket was read before `reserved` of any. Both only grow, and done is
// never more than reserved; so at a moment between the two readings they were equal in all buckets. At that moment no item was written and
// not done, nor on its way: an item counts as done when all it led to is reserved or done (async.cuh), and every worker had written what it
// began with (`seeded`, read before both). Items come from items alone: there will be no other.
SGG_DEVICE void sgg_async_decide(const Frame& f, AsyncManager& m, unsigned long long* kept) {
  unsigned open = m.open;
  m.rounds++;
  m.epochRound++;
  m.busy += (unsigned long long)(f.asyncWorkers - m.idle);
  if (m.rounds % SGG_ASYNC_EPOCH == 0ull) {
    m.progress = sgg_async_moves(m, kept) ? 0 : m.progress + SGG_ASYNC_EPOCH;
  }
  if (m.seeded != (int)f.asyncWorkers) {
    return;
  }
  if (open == 0u) {
    m.stop = 1;
    return;
  }
  if (((open >> m.head) & 1u) == 0u) {
    // The next bucket that has anything: there is one.
    int off = 1;
    while (((open >> ((m.head + off) & (SGG_ASYNC_BUCKETS - 1))) & 1u) == 0u) {
      off++;
    }
    m.base += m.width * (double)off;
    m.head = (m.head + off) & (SGG_ASYNC_BUCKETS - 1);
    m.switches++;
    m.settled++;
    sgg_async_publish(f, m);
  }
  if (m.epochRound >= SGG_ASYNC_EPOCH) {
    sgg_async_width(f, m, kept);
  }
}

// All threads of block 0.
SGG_DEVICE void sgg_async_manage(const Frame& f) {
  SGG_SHARED(unsigned long long, kept, SGG_KEPT * SGG_ASYNC_BUCKETS);
  SGG_SHARED(AsyncManager, manager, 1);
  SGG_SHARED(int, list, SGG_ASYNC_HANDS);
  AsyncManager& m = manager[0];
  int lane = sgg_lane();
  int warp = (int)(threadIdx.x >> 5);
  for (int i = (int)threadIdx.x; i < SGG_KEPT * SGG_ASYNC_BUCKETS; i += (int)blockDim.x) {
    kept[i] = 0ull;
  }
  for (int i = (int)threadIdx.x; i < (int)f.asyncBlocks; i += (int)blockDim.x) {
    f.asyncFree[i] = i;
  }
  while (sgg_load_acquire(&f.asyncState[SGG_ASYNC_LOOKED]) != (unsigned long long)f.asyncWorkers) {
    sgg_relax();
  }
  __syncthreads();
  unsigned long long mapped = 0ull;
  unsigned long long freed = 0ull;
  int available = (int)f.asyncBlocks;
  int most = available;
  if (warp == 1) {
    while (sgg_async_pool(f, lane, mapped, freed, available)) {
    }
    most = available;
  }
  if (threadIdx.x == 0u) {
    unsigned long long least = sgg_load(&f.asyncState[SGG_ASYNC_LEAST]);
    double base = least == 0ull ? 0.0 : sgg_of_least_first(least);
    m = AsyncManager{};
    m.base = base - base == 0.0 ? base : 0.0;
    m.width = f.asyncWidth;
    m.taken = (int)f.asyncTaken;
    sgg_async_publish(f, m);
  }
  __syncthreads();
  if (threadIdx.x == 0u) {
    sgg_store_release(&f.asyncState[SGG_ASYNC_READY], 1ull);
  }
  unsigned long long blockPlaces = 1ull << f.asyncShift;
  for (;;) {
    // What there is.
    if (warp == 0) {
      int seeded = m.seeded;
      if (seeded != (int)f.asyncWorkers) {
        seeded = (int)sgg_load_acquire(&f.asyncState[SGG_ASYNC_SEEDED]);
      }
      __syncwarp();
      unsigned long long done = sgg_load_acquire(sgg_async_done(f, lane));
      __syncwarp();
      unsigned long long reserved = sgg_load(sgg_async_reserved(f, lane));
      kept[SGG_KEPT_DONE * SGG_ASYNC_BUCKETS + lane] = done;
      kept[SGG_KEPT_RESERVED * SGG_ASYNC_BUCKETS + lane] = reserved;
      unsigned open = __ballot_sync(SGG_ALL_LANES, reserved != done);
      if (lane == 0) {
        m.seeded = seeded;
        m.open = open;
      }
    } else if (warp == 1) {
      sgg_async_pool(f, lane, mapped, freed, available);
      most = sgg_smaller(most, available);
    } else if (warp < 6) {
      if (warp - 2 < m.taken) {
        int bucket = (m.head + warp - 2) & (SGG_ASYNC_BUCKETS - 1);
        unsigned long long* valid = &kept[SGG_KEPT_VALID * SGG_ASYNC_BUCKETS + bucket];
        unsigned long long to = sgg_async_probe(f, lane, bucket, *valid);
        __syncwarp();
        if (lane == 0) {
          *valid = to;
        }
      }
    } else if (warp == 6) {
      int listed;
      int hand = m.hand;
      int idle = sgg_async_idle(f, lane, hand, list, listed);
      __syncwarp();
      if (lane == 0) {
        m.idle = idle;
        m.listed = listed;
        m.hand = (hand + 1) % (int)sgg_bitmap_words(f.asyncWorkers);
      }
    } else if (lane == 0) {
      m.fault = SGG_FAULTS && sgg_load(&f.status[SGG_STATUS_FAULT]) != 0ull ? 1 : 0;
    }
    __syncthreads();
    // Who gets it: the best bucket first; as few items each as fill a warp, or as many as share all out.
    int at = 0;
    unsigned long long behind[4] = {0ull, 0ull, 0ull, 0ull};
    SGG_UNROLL
    for (int q = 0; q < 4; q++) {
      int bucket = (m.head + q) & (SGG_ASYNC_BUCKETS - 1);
      unsigned long long from = kept[SGG_KEPT_ASSIGNED * SGG_ASYNC_BUCKETS + bucket];
      unsigned long long valid = q < m.taken ? kept[SGG_KEPT_VALID * SGG_ASYNC_BUCKETS + bucket] : from;
      while (from < valid && at < m.listed) {
        unsigned long long left = blockPlaces - (from & (blockPlaces - 1ull));
        int open = (int)(valid - from < left ? valid - from : left);
        int hands = m.listed - at;
        int each = sgg_smaller(SGG_WARP, sgg_larger((int)f.asyncGrain, (open - 1) / hands + 1));
        int given = sgg_smaller(hands, (open - 1) / each + 1);
        if ((int)threadIdx.x < given) {
          int first = (int)threadIdx.x * each;
          int count = sgg_smaller(each, open - first);
          int worker = list[at + (int)threadIdx.x];
          unsigned long long number = from >> f.asyncShift;
          unsigned long long entry = sgg_load(sgg_async_map(f, bucket, number));
          unsigned long long place = (unsigned long long)sgg_async_at(f, entry, from + (unsigned long long)first);
          unsigned long long slot = number & (unsigned long long)(f.asyncRing - 1);
          atomicAnd(&f.asyncIdle[worker >> 5], ~(1u << (worker & 31)));
          sgg_store_release(&f.asyncFlags[worker], place | ((unsigned long long)(count - 1) << 32) |
                                                       ((unsigned long long)bucket << 38) | (slot << 43) | (1ull << 63));
        }
        at += given;
        from += (unsigned long long)sgg_smaller(open, given * each);
      }
      behind[q] = from;
    }
    __syncthreads();
    // What is next.
    if (threadIdx.x == 0u) {
      for (int q = 0; q < 4; q++) {
        kept[SGG_KEPT_ASSIGNED * SGG_ASYNC_BUCKETS + ((m.head + q) & (SGG_ASYNC_BUCKETS - 1))] = behind[q];
      }
      sgg_async_decide(f, m, kept);
      m.stuck = m.progress > (int)f.asyncPatience ? 1 : 0;
      m.stop = m.stop | m.stuck | m.fault;
      if (m.stop != 0) {
        sgg_store_release(&f.asyncState[SGG_ASYNC_STOPPED], 1ull);
      }
    }
    __syncthreads();
    if (m.stop != 0) {
      break;
    }
    sgg_breathe();
  }
  for (int w = (int)threadIdx.x; w < (int)f.asyncWorkers; w += (int)blockDim.x) {
    sgg_store_release(&f.asyncFlags[w], SGG_ASYNC_STOP);
  }
  if (threadIdx.x == 0u) {
    unsigned long long pushed = 0ull;
    for (int b = 0; b < SGG_ASYNC_BUCKETS; b++) {
      pushed += kept[SGG_KEPT_RESERVED * SGG_ASYNC_BUCKETS + b];
    }
    f.asyncState[SGG_ASYNC_PUSHED] = pushed;
    f.asyncState[SGG_ASYNC_ROUNDS] = m.rounds;
    f.asyncState[SGG_ASYNC_SWITCHES] = m.switches;
    f.asyncState[SGG_ASYNC_CHANGES] = m.changes;
    f.asyncState[SGG_ASYNC_WIDTH] = (unsigned long long)__double_as_longlong(m.width);
    f.asyncState[SGG_ASYNC_STUCK] = (unsigned long long)m.stuck;
  }
  if (threadIdx.x == 32u) {
    f.asyncState[SGG_ASYNC_BLOCKS] = (unsigned long long)(f.asyncBlocks - most);
  }
}

// A cooperative launch of at least two blocks. The state, the counters and the flags are 0, as are the idle bits and the map.
SGG_ENTRY_OF(async_loop, Policy::ASYNC_BLOCKS) {
  if (blockIdx.x == 0u) {
    sgg_async_manage(f);
  } else {
    SGG_SHARED(unsigned long long, items, 2 * SGG_ASYNC_FOUND * SGG_BLOCK_WARPS);
    SGG_SHARED(AsyncEnds, ends, SGG_ASYNC_LOCAL * SGG_BLOCK_WARPS);
    int warp = (int)(threadIdx.x >> 5);
    AsyncLocal local{items + 2 * SGG_ASYNC_FOUND * warp, ends + SGG_ASYNC_LOCAL * warp, 0, 0, 0};
    int worker = (int)(blockIdx.x - 1u) * SGG_BLOCK_WARPS + warp;
    sgg_async_work(f, sgg_lane(), worker, local);
  }
}
