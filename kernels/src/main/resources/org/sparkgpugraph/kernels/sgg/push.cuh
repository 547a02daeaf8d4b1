// Supersteps that push: active vertices stand in a queue (queue.cuh), their edges are walked from the sending end, and a message is merged
// by an atomic operation. Several supersteps run in one launch (iteration outlining, Pai 2016, section 4.1): its blocks are all resident
// and meet at a barrier, so that a superstep of a few thousand edges costs microseconds.
//
// A program in place whose vertex program is its merge function, on one column that the GPU has an atomic for, merges messages into the
// values themselves (SGG_PUSHES_VALUES). What an edge says to the vertex that is active is left out: it was said when the edge's other end
// was last active, or is said by it now. Other programs merge into slots, one for each vertex; behind a barrier those that got something
// run, so that a superstep is exactly one of Pregel's. A merge function must be one whose result does not depend on the order, to the bit.
// Where it is no atomic operation, messages may be merged by blocks that do nothing else (SGG_DELEGATES, delegate.cuh).
//
// A part of a graph (SGG_PUSHES_PARTS) pushes into values only, from its ghosts as from its own vertices, over the edges whose other end it
// holds (queue.cuh). Who changed has a bit until its readers are told: behind the launch, or behind each superstep where the readers are on
// devices that do the same at the same time (peers.cuh).

// Notes that a held vertex has changed, for readers elsewhere: until they are told, which may be several supersteps later.
SGG_DEVICE void sgg_push_changed(const Frame& f, int row) {
#if SGG_PUSHES_PARTS
  if (!sgg_bit(f.changed, row)) {
    atomicOr(&f.changed[row >> 5], 1u << (row & 31));
  }
#else
  (void)f;
  (void)row;
#endif
}

// Lets one edge per lane that is selected say something to its end `row`, and merges it. `e` is the edge's index where the walk found it:
// Far says that this is the row of the other end. All lanes.
template <class Side, bool Far>
SGG_DEVICE void sgg_push_tell(const Frame& f, int lane, const Round& round, bool selected, int e, int row, int neighbour, bool counts,
                              RoundTally& tally) {
  bool first = false;
  bool far = false;
  bool evaluates = selected && sgg_present(f, row);
  typename Side::Row own{};
  typename Side::Edge loaded{};
  if (evaluates) {
    loaded = Far ? Side::pushed(f, e, neighbour) : Side::edge(f, e, neighbour);
    own = Side::row(f, row, true);
    tally.edges += counts ? 1 : 0;
  }
  Message message;
  sgg_message_reset(message);
  bool sends = false;
  sgg_send<Side>(f, lane, evaluates, row, own, loaded, message, sends);
  if (sends) {
    if constexpr (SGG_PUSHES_VALUES) {
      first = sgg_push_merge(f, row, message);
      if (first) {
        sgg_push_changed(f, row);
      }
      if constexpr (SGG_BUCKETS) {
        far = first && sgg_is_far(sgg_far_value(message), round.threshold);
        first = first && !far;
        far = far && sgg_first(f.farBits, row);
      }
      first = first && sgg_first(round.nextActive, row);
    } else {
#if SGG_LOCKS
      first = sgg_slot_lock(f, row, message);
#elif !SGG_DELEGATES
      sgg_slot_merge(f, row, message);
      first = !sgg_bit(f.touched, row) && sgg_first(f.touched, row);
#endif
    }
  }
  if constexpr (SGG_PUSHES_VALUES) {
    if constexpr (SGG_BUCKETS) {
      sgg_put_off(f, lane, far, row, round.list);
      tally.ran += far ? 1 : 0;
    }
    tally.ran += first ? 1 : 0;
    sgg_push_activate(f, lane, round, first, row, tally);
  } else {
#if SGG_DELEGATES
    sgg_delegate(f, lane, round, sends, row, message, tally);
#else
    sgg_touch(f, lane, round, first, row);
#endif
  }
}

// Lets an edge per lane that is selected say what it says where its sender is active. All lanes.
template <class Walk, bool FromSource>
SGG_DEVICE void sgg_push_edge(const Frame& f, int lane, const Round& round, bool selected, int e, int sender, RoundTally& tally) {
  // Clients of servers have no registers left to count lanes.
  tally.rounds += SGG_DELEGATES ? 0 : 1;
  int other = selected ? Walk::other(f, e) : 0;
  if (selected && f.prefetches != 0) {
    // It may become active: its row is read then. With much work that is waste, with little it saves a wait.
    Walk::prefetch(f, other);
  }
  if constexpr (SGG_PUSHES_VALUES) {
    if constexpr (FromSource && SGG_IN_ROWS) {
      sgg_push_tell<In, true>(f, lane, round, selected, e, other, sender, true, tally);
    }
    if constexpr (!FromSource && SGG_OUT_ROWS) {
      sgg_push_tell<Out, true>(f, lane, round, selected, e, other, sender, true, tally);
    }
  } else {
    if constexpr (FromSource && SGG_PUSH_BOTH) {
      selected = selected && sgg_bit(round.active, other);
    }
    if constexpr (!FromSource && SGG_WALKS_OUT) {
      // Both ends active: the edge is walked from its source.
      selected = selected && !sgg_bit(round.active, other);
    }
    int source = FromSource ? sender : other;
    int destination = FromSource ? other : sender;
    if constexpr (SGG_IN_ROWS) {
      sgg_push_tell<In, FromSource>(f, lane, round, selected, e, destination, source, true, tally);
    }
    if constexpr (SGG_OUT_ROWS) {
      sgg_push_tell<Out, !FromSource>(f, lane, round, selected, e, source, destination, !SGG_IN_ROWS, tally);
    }
  }
}

// Walks the out-edges of the vertices of a warp's items, or their in-edges (nested.cuh says who walks which).
template <class Walk, bool FromSource>
SGG_DEVICE void sgg_push_walk(const Frame& f, int lane, const Round& round, bool takes, int v, int part, RoundTally& tally) {
  WalkedItem own{v, 0, 0};
  if (takes) {
    int end = Walk::begin(f, v + 1);
    own.begin = Walk::begin(f, v);
    // Of the two sides of a vertex one may have fewer parts.
    if (part <= (end - own.begin) / SGG_PUSH_PART) {
      own.begin += part * SGG_PUSH_PART;
      own.count = sgg_smaller(end - own.begin, SGG_PUSH_PART);
    }
  }
  sgg_walk_items(lane, own, [&](bool selected, int e, int sender) {
    sgg_push_edge<Walk, FromSource>(f, lane, round, selected, e, sender, tally);
  });
}

// Blocks that walk edges, all or those behind the servers, and which of them this is; a server is none.
SGG_DEVICE int sgg_push_blocks(const Frame& f) { return (int)gridDim.x - sgg_push_servers(f); }
SGG_DEVICE int sgg_push_block(const Frame& f) { return (int)blockIdx.x - sgg_push_servers(f); }

// Which of the first items of a queue a lane takes: items go to the warps of all blocks in turn, so that few of them spread over as many
// multiprocessors as there are.
SGG_DEVICE long long sgg_push_index(const Frame& f, int lane) {
  long long blocks = sgg_push_blocks(f);
  return (long long)lane * blocks * SGG_BLOCK_WARPS + (long long)(threadIdx.x >> 5) * blocks + sgg_push_block(f);
}

// Loads this lane's first item, before anybody knows how many there are: the load's latency is that of the count's.
SGG_DEVICE void sgg_push_load(const Frame& f, int lane, Round& round) {
  long long index = sgg_push_index(f, lane);
  round.item = sgg_push_block(f) >= 0 && index < f.queueCapacity ? round.queue[index] : 0;
}

// Walks the edges of the queue's items.
SGG_DEVICE void sgg_push_items(const Frame& f, int lane, const Round& round, RoundTally& tally) {
  long long warps = (long long)sgg_push_blocks(f) * SGG_BLOCK_WARPS;
  for (long long base = 0; base < round.items; base += warps * SGG_WARP) {
    long long index = base + sgg_push_index(f, lane);
    bool takes = index < round.items;
    unsigned taking = __ballot_sync(SGG_ALL_LANES, takes);
    if (SGG_PUSH_BY_BLOCK ? __syncthreads_or(taking != 0u ? 1 : 0) == 0 : taking == 0u) {
      return;
    }
    if constexpr (!SGG_DELEGATES) {
      tally.waves += taking != 0u ? 1 : 0;
      tally.rows += __popc(taking);
    }
    long long item = base == 0 ? round.item : takes ? round.queue[index] : 0;
    int v = (int)(unsigned)item;
    int part = (int)(item >> 32);
    if (SGG_PUSHES_VALUES && takes && part == 0) {
      // This bitmap is the next superstep's: it has to be empty then.
      sgg_clear_bit(round.active, v);
    }
    if constexpr (SGG_WALKS_OUT) {
      sgg_push_walk<WalkOut, true>(f, lane, round, takes, v, part, tally);
    }
    if constexpr (SGG_WALKS_IN) {
      sgg_push_walk<WalkIn, false>(f, lane, round, takes, v, part, tally);
    }
  }
}

// Adds what the threads of a block counted to the ring, through shared memory that is 0 before and afterwards. All threads.
SGG_DEVICE void sgg_push_count(unsigned long long* counts, unsigned long long* ring, int lane, const RoundTally& tally) {
  int rounds = SGG_PUSH_BY_BLOCK ? tally.rounds : 0;
  if (__any_sync(SGG_ALL_LANES, (tally.edges | tally.ran | tally.activated | tally.waves | rounds) != 0)) {
    // The halves of activeEdges apart: sums of 32 bits are one instruction.
    unsigned long long activeEdges = (unsigned long long)tally.activeEdges;
    unsigned sums[5] = {sgg_warp_add((unsigned)tally.edges), sgg_warp_add((unsigned)tally.ran), sgg_warp_add((unsigned)tally.activated),
                        sgg_warp_add((unsigned)(activeEdges & 0xffffffull)), sgg_warp_add((unsigned)(activeEdges >> 24))};
    if (lane == 0) {
      for (int i = 0; i < 3; i++) {
        atomicAdd(&counts[i], (unsigned long long)sums[i]);
      }
      atomicAdd(&counts[3], ((unsigned long long)sums[4] << 24) + sums[3]);
      atomicAdd(&counts[4], (unsigned long long)SGG_WARP * (unsigned)tally.rounds);
      atomicAdd(&counts[5], (unsigned long long)SGG_WARP * (unsigned)tally.waves);
      atomicAdd(&counts[6], (unsigned long long)(unsigned)tally.rows);
    }
  }
  __syncthreads();
  if (threadIdx.x < SGG_RING_COUNTED) {
    unsigned long long count = counts[threadIdx.x];
    counts[threadIdx.x] = 0ull;
    if (count != 0ull) {
      atomicAdd(&ring[SGG_RING_EDGES + threadIdx.x], count);
    }
  }
}

// Runs supersteps until one leaves no vertex active, or more or less work than this launch is for, or a fault, or `rounds` are done. A
// cooperative launch. Of bitmaps and queues those that the last superstep filled are the next ones after an odd number of supersteps, the
// others, which were the current ones, after an even number; the rest is empty.
SGG_KERNEL_OF(push_loop, SGG_DELEGATES ? Policy::DELEGATE_BLOCKS : Policy::PUSH_BLOCKS) {
  SGG_SHARED(unsigned long long, counts, SGG_RING_COUNTED);
#if SGG_PUSH_SHELF > 0
  SGG_SHARED(Shelf, shelf, 1);
  if (threadIdx.x == 0u) {
    sgg_empty(*shelf);
  }
#endif
  int lane = sgg_lane();
  unsigned long long* arrivals = &f.queueState[SGG_QUEUE_ARRIVALS];
  unsigned target = 0u;
  if (threadIdx.x < SGG_RING_COUNTED) {
    counts[threadIdx.x] = 0ull;
  }
  __syncthreads();
  Round round{};
#if SGG_PUSH_SHELF > 0
  round.shelf = shelf;
#endif
  round.queue = f.queue;
  round.nextQueue = f.nextQueue;
  round.active = const_cast<unsigned*>(f.active);
  round.nextActive = f.nextActive;
  round.ring = f.ring;
  if constexpr (SGG_BUCKETS) {
    round.list = (int)sgg_fresh(&f.queueState[SGG_QUEUE_FAR_LIST]);
    round.threshold = f.bucket > 0.0 ? __longlong_as_double((long long)sgg_fresh(&f.queueState[SGG_QUEUE_THRESHOLD])) : SGG_INFINITY;
  }
  round.items = (long long)sgg_fresh(&f.queueState[SGG_QUEUE_ITEMS]);
#if SGG_DELEGATES
  SGG_SHARED(unsigned long long, room, sgg_delegate_words());
  round.room = room;
  unsigned place = 0u;
  sgg_delegate_begin(f, room);
#endif
  sgg_push_load(f, lane, round);
  for (int done = 1;; done++) {
    RoundTally tally;
    sgg_tally_reset(tally);
#if SGG_DELEGATES
    if (sgg_push_block(f) < 0) {
      sgg_delegate_serve(f, lane, round, (unsigned long long)done * (unsigned long long)(sgg_push_blocks(f) * SGG_BLOCK_WARPS), place);
    } else {
      sgg_push_items(f, lane, round, tally);
      sgg_delegate_finish(f, lane, round, tally);
    }
#else
    sgg_push_items(f, lane, round, tally);
#endif
    if constexpr (!SGG_PUSHES_VALUES) {
      sgg_grid_sync(arrivals, target);
      sgg_push_apply(f, lane, round, tally);
    }
    sgg_push_unshelve(round);
    sgg_push_count(counts, round.ring, lane, tally);
    // Told before the barrier: behind it all have to know the same, and some may be in the next superstep already.
    if (SGG_FAULTS && threadIdx.x == 0u && sgg_fresh(&f.status[SGG_STATUS_FAULT]) != 0ull) {
      atomicAdd(&round.ring[SGG_RING_FAULTS], 1ull);
    }
    sgg_grid_sync(arrivals, target);
    long long putOff = SGG_BUCKETS ? (long long)sgg_fresh(&f.queueState[SGG_QUEUE_FAR + round.list]) : 0;
    if (SGG_BUCKETS && putOff > 0 && sgg_fresh(&round.ring[SGG_RING_ITEMS]) == 0ull) {
      sgg_tally_reset(tally);
      sgg_push_bucket(f, lane, round, putOff, arrivals, target, tally);
      sgg_push_unshelve(round);
      sgg_push_count(counts, round.ring, lane, tally);
      sgg_grid_sync(arrivals, target);
      putOff = (long long)sgg_fresh(&f.queueState[SGG_QUEUE_FAR + round.list]);
      if (blockIdx.x == 0u && threadIdx.x == 0u) {
        f.queueState[SGG_QUEUE_FAR + 1 - round.list] = 0ull;
      }
    }
#if SGG_PUSHES_PARTS
    Met met{};
    if (f.peerCount > 0) {
      met = sgg_peers(f, lane, round, done, arrivals, target);
    }
#endif
    long long* queue = const_cast<long long*>(round.queue);
    round.queue = round.nextQueue;
    round.nextQueue = queue;
    sgg_push_load(f, lane, round);
    round.items = (long long)sgg_fresh(&round.ring[SGG_RING_ITEMS]);
    long long items = round.items;
    long long work = (long long)(sgg_fresh(&round.ring[SGG_RING_ACTIVATED]) + sgg_fresh(&round.ring[SGG_RING_ACTIVE_EDGES]));
    bool faulty = SGG_FAULTS && sgg_fresh(&round.ring[SGG_RING_FAULTS]) != 0ull;
#if SGG_DELEGATES
    faulty = faulty || sgg_fresh(&f.delegateState[SGG_DELEGATE_STUCK]) != 0ull;
#endif
#if SGG_PUSHES_PARTS
    if (f.peerCount > 0) {
      items = (long long)met.items;
      work = (long long)met.work;
      faulty = met.faulty;
    }
#endif
    bool last = items == 0 || done == (int)f.rounds || work > f.mostWork || work < f.leastWork || faulty;
    if (blockIdx.x == 0u && threadIdx.x == 0u) {
      round.ring[SGG_RING_NANOS] = sgg_nanos();
      if constexpr (SGG_BUCKETS) {
        round.ring[SGG_RING_FAR] = (unsigned long long)putOff;
        if (last) {
          f.queueState[SGG_QUEUE_FAR_LIST] = (unsigned long long)round.list;
          f.queueState[SGG_QUEUE_THRESHOLD] = (unsigned long long)__double_as_longlong(round.threshold);
        }
      }
      if (last) {
        f.queueState[SGG_QUEUE_ITEMS] = (unsigned long long)round.items;
        f.queueState[SGG_QUEUE_ROUNDS] = (unsigned long long)done;
      }
    }
    if (last) {
      return;
    }
    unsigned* active = round.active;
    round.active = round.nextActive;
    round.nextActive = active;
    round.ring += SGG_RING_WORDS;
  }
}
