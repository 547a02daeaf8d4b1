// Asynchronous relaxation by owners, of a program in place that merges messages into values (push.cuh) by minimum or maximum, on a graph whose
// edges mostly stay near (roads, meshes). Every vertex belongs to one block, which alone walks its edges: vertices are cut into tiles, groups
// of neighbours of about a thousand, and tiles are dealt out to the blocks in turn, so that a front that crosses few tiles at a time still
// finds many blocks. One launch runs until nothing is left to say.
//
// What a block has to walk stands in its shared memory, so a step along a path inside a tile costs no way over other blocks: it costs a
// round, which is two barriers of the warps that walk and the ways to the edges and to the values of their other ends. Values themselves are in
// global memory and are merged by atomic operations that nobody waits for, by whoever walks an edge. What is improved of another block's is
// posted: a bit in its inbox, and a bit in a summary that its owner looks at. A bit says which vertex, the value is where it always is; so there
// is nothing that could be full. Three warps of a block serve those that walk, at their own pace, since each of their steps waits for memory:
// one delivers what the last round posted, one looks for mail, one listens to the manager. Block 0 manages: it finds the best value of all that
// waits anywhere and tells the blocks to walk what is better than that by a width (the horizon), and it finds the end. (Order by priority, a
// manager and dynamic work as in ADDS, Wang 2020, chapter 5; blocks that own what they write as in his chapter 4.)
//
// A vertex of a block is near (its bit is set, it stands once in a queue), or far (it stands with the value's key in a list, perhaps more
// than once), or held back where these are full (a bit in nextActive, whose words belong to the owner, too), or nothing. Who improves a value
// does so before he tests the bit, who takes a vertex clears the bit before he reads the value: so an improvement is either read or queued.
//
// The end: the manager finds all blocks idle, then all summaries empty, then all blocks idle once more, none having looked into its inbox
// between. A block publishes that it is idle when it has nothing and all it posted has arrived; before it takes anything out of its summary it
// publishes that it does. So between the two looks nobody worked, and what is posted by then would have been in a summary.

// Key of nothing, and of a block that has nothing but is not done.
#define SGG_TILE_NONE 0xffffffffu
#define SGG_TILE_WAITS 0xfffffffeu

// Turns of a group of lanes over one vertex's edges: one with more is walked by the whole warp.
#define SGG_TILE_TURNS 8

// A vertex that is near: which of its owner's it is, and where its edges are.
#if SGG_WALKS_OUT && SGG_WALKS_IN
struct TileItem {
  int v;
  int local;
  AsyncEnds ends;
};
SGG_DEVICE TileItem sgg_tile_item(int v, int local, const AsyncEnds& ends) { return TileItem{v, local, ends}; }
SGG_DEVICE AsyncEnds sgg_tile_ends(const TileItem& item) { return item.ends; }
#else
struct alignas(16) TileItem {
  int v;
  int local;
  int begin;
  int count;
};
SGG_DEVICE TileItem sgg_tile_item(int v, int local, const AsyncEnds& ends) {
  return SGG_WALKS_OUT ? TileItem{v, local, ends.out, ends.outs} : TileItem{v, local, ends.in, ends.ins};
}
SGG_DEVICE AsyncEnds sgg_tile_ends(const TileItem& item) {
  return SGG_WALKS_OUT ? AsyncEnds{item.begin, item.count, 0, 0} : AsyncEnds{0, 0, item.begin, item.count};
}
#endif

struct TileFar {
  int v;
  unsigned key;
};

// What a block counts, in shared memory. Of pairs one is filled while the other is used up.
struct TileCounts {
  int near[2];
  int far[2];
  int posts;
  int held;
  unsigned nearLeast[2];
  unsigned farLeast[2];
  unsigned heldLeast;
  // What warps that do not meet tell each other (sgg_tell_block).
  unsigned horizon;
  unsigned stop;
  unsigned handled;   // looks into the inbox that are done with
  unsigned mailTail;  // vertices that came by mail …
  unsigned mailHead;  // … and that were taken
  unsigned ready[2];  // posts of a list that wait for delivery; 0: the list is free
};

// What a round is to do, in shared memory.
struct TilePlan {
  int near;   // which near queue is walked; the other one is filled
  int far;    // which far list is filled; a scan empties the other one
  int post;   // which list of posts is filled; -1: none is free
  int scans;
  int refills;
  int stop;
  unsigned horizon;
  unsigned mailFrom;
  unsigned mailTo;
  int rounds;
};

// A block's own.
struct TileBlock {
  int owner;
  int words;    // of the bitmaps of its vertices
  int threads;  // that walk
  TileItem* near;
  TileItem* mail;
  unsigned* mailKeys;
  TileFar* far;
  int* posts;
  unsigned* queued;
  TileCounts* counts;
  TilePlan plan;
};

#ifndef SGG_EMULATED
// Atomic operations on shared memory by one lane: the compiler would look for others that do the same.
SGG_DEVICE int sgg_tile_reserve(int* count, int places) {
  int first;
  asm volatile("atom.shared.add.s32 %0, [%1], %2;" : "=r"(first) : "r"((unsigned)__cvta_generic_to_shared(count)), "r"(places) : "memory");
  return first;
}
SGG_DEVICE void sgg_tile_lower(unsigned* least, unsigned key) {
  asm volatile("red.shared.min.u32 [%0], %1;" ::"r"((unsigned)__cvta_generic_to_shared(least)), "r"(key) : "memory");
}
// Waits for the block's threads that walk.
SGG_DEVICE void sgg_tile_meet(int threads) {
  __syncwarp();
  asm volatile("barrier.sync 1, %0;" ::"r"(threads) : "memory");
}
// Words of shared memory by which warps that do not meet tell each other things: what was done before is seen by who hears it.
SGG_DEVICE unsigned sgg_hear_block(unsigned* word) {
  unsigned value;
  asm volatile("atom.shared.or.b32 %0, [%1], 0;" : "=r"(value) : "r"((unsigned)__cvta_generic_to_shared(word)) : "memory");
  return value;
}
SGG_DEVICE void sgg_tell_block(unsigned* word, unsigned value) {
  __threadfence_block();
  asm volatile("atom.shared.exch.b32 _, [%0], %1;" ::"r"((unsigned)__cvta_generic_to_shared(word)), "r"(value) : "memory");
}
#else
SGG_DEVICE int sgg_tile_reserve(int* count, int places) { return atomicAdd(count, places); }
SGG_DEVICE void sgg_tile_lower(unsigned* least, unsigned key) { atomicMin(least, key); }
SGG_DEVICE void sgg_tile_meet(int threads) { sggPart(threads, __LINE__); }
SGG_DEVICE unsigned sgg_hear_block(unsigned* word) { return atomicOr(word, 0u); }
SGG_DEVICE void sgg_tell_block(unsigned* word, unsigned value) { atomicExch(word, value); }
#endif

// Keys have the order of priorities, as near as floats are to them; 0 is none's.
SGG_DEVICE unsigned sgg_tile_key(float priority) {
  int bits = __float_as_int(priority);
  unsigned key = bits < 0 ? ~(unsigned)bits : (unsigned)bits | 0x80000000u;
  return priority == priority && key > 0u ? key : 1u;
}
SGG_DEVICE double sgg_tile_of_key(unsigned key) {
  return (double)__int_as_float(key >= 0x80000000u ? (int)(key & 0x7fffffffu) : (int)~key);
}

SGG_DEVICE unsigned sgg_warp_least(unsigned value) {
#if SGG_ARCHITECTURE > 0 && SGG_ARCHITECTURE < 800
  for (int d = SGG_WARP / 2; d > 0; d >>= 1) {
    unsigned other = __shfl_xor_sync(SGG_ALL_LANES, value, d);
    value = other < value ? other : value;
  }
  return value;
#else
  return __reduce_min_sync(SGG_ALL_LANES, value);
#endif
}

SGG_DEVICE int sgg_tile_owner(unsigned place) { return (int)(place >> 16); }
SGG_DEVICE int sgg_tile_local(unsigned place, int v) { return (int)((place & 0xffffu) << 5) | (v & 31); }

// What a block publishes: the key of the best that it has, below how many looks into its inbox are done; and how many were begun.
SGG_DEVICE unsigned long long* sgg_tile_told(const Frame& f, int owner) { return &f.tileState[SGG_TILE_BLOCKS_AT + SGG_TILE_STRIDE * owner]; }
SGG_DEVICE unsigned long long* sgg_tile_looks(const Frame& f, int owner) { return sgg_tile_told(f, owner) + 1; }

// A place for each lane that wants one, by one atomic operation. All lanes.
SGG_DEVICE int sgg_tile_take(int lane, bool wants, unsigned key, int* count, unsigned* least) {
  unsigned all = __ballot_sync(SGG_ALL_LANES, wants);
  if (all == 0u) {
    return 0;
  }
  unsigned smallest = sgg_warp_least(wants ? key : SGG_TILE_NONE);
  int first = 0;
  if (lane == 0) {
    first = sgg_tile_reserve(count, __popc(all));
    sgg_tile_lower(least, smallest);
  }
  return sgg_shfl(first, 0) + __popc(all & sgg_lanes(0, lane));
}

// Holds back what there is no room for. All lanes.
SGG_DEVICE void sgg_tile_hold(const Frame& f, const TileBlock& block, int lane, bool wants, int v, unsigned key, AsyncTally& tally) {
  if (wants) {
    atomicOr(&f.nextActive[v >> 5], 1u << (v & 31));
    tally.spilled++;
  }
  sgg_tile_take(lane, wants, key, &block.counts->held, &block.counts->heldLeast);
}

// Brings what is walked next into L2, and at the begin of each line what lies behind it: neighbours in the order of ids are likely to be walked
// soon, and nobody waits for what is fetched in time.
template <class Walk, class Side>
SGG_DEVICE void sgg_tile_prefetch_side(const Frame& f, int v, int begin, int count) {
  if (count > 0) {
    sgg_prefetch(Walk::others(f) + begin);
    Side::ahead(f, begin);
    int last = (int)f.tileEdges - 1;
    if ((begin & 15) < count) {
      sgg_prefetch(Walk::others(f) + sgg_smaller(begin + 48, last));
    }
    if ((begin & 7) < count) {
      Side::ahead(f, sgg_smaller(begin + 32, last));
    }
  }
  if ((v & 15) == 0) {
    Walk::prefetch(f, sgg_smaller(v + 32, (int)f.stored));
  }
}
SGG_DEVICE void sgg_tile_prefetch(const Frame& f, int v, const AsyncEnds& ends) {
  if constexpr (SGG_WALKS_OUT) {
    sgg_tile_prefetch_side<WalkOut, In>(f, v, ends.out, ends.outs);
  }
  if constexpr (SGG_WALKS_IN) {
    sgg_tile_prefetch_side<WalkIn, Out>(f, v, ends.in, ends.ins);
  }
  if ((v & 7) == 0) {
    sgg_prefetch((const int*)&f.state0[sgg_smaller(v + 16, (int)f.stored - 1)]);
  }
}

// Keeps own vertices whose values have improved, but are not near. All lanes.
SGG_DEVICE void sgg_tile_defer(const Frame& f, const TileBlock& block, int lane, bool wants, int v, unsigned key, AsyncTally& tally) {
  int list = block.plan.far;
  int at = sgg_tile_take(lane, wants, key, &block.counts->far[list], &block.counts->farLeast[list]);
  bool fits = at < (int)f.tileFar;
  if (wants && fits) {
    TileFar entry{v, key};
    block.far[list * (int)f.tileFar + at] = entry;
  }
  if (__any_sync(SGG_ALL_LANES, wants && !fits)) {
    sgg_tile_hold(f, block, lane, wants && !fits, v, key, tally);
  }
}

// Queues own vertices whose values have improved: what is better than the horizon is near. All lanes.
SGG_DEVICE void sgg_tile_add(const Frame& f, const TileBlock& block, int lane, bool wants, int v, int local, const AsyncEnds& ends, unsigned key,
                             int near, AsyncTally& tally) {
  bool isNear = wants && key < block.plan.horizon;
  bool first = isNear && sgg_first(block.queued, local);
  int at = sgg_tile_take(lane, first, key, &block.counts->near[near], &block.counts->nearLeast[near]);
  bool fits = at < (int)f.tileNear;
  if (first && fits) {
    block.near[near * (int)f.tileNear + at] = sgg_tile_item(v, local, ends);
    sgg_tile_prefetch(f, v, ends);
  }
  if (__any_sync(SGG_ALL_LANES, first && !fits)) {
    if (first && !fits) {
      sgg_clear_bit(block.queued, local);
    }
    sgg_tile_hold(f, block, lane, first && !fits, v, key, tally);
  }
  if (__any_sync(SGG_ALL_LANES, wants && !isNear)) {
    sgg_tile_defer(f, block, lane, wants && !isNear, v, key, tally);
  }
}

// Tells a vertex's owner, behind a fence that the value's change is before.
SGG_DEVICE void sgg_tile_deliver(const Frame& f, int words, int v) {
  unsigned place = f.tilePlaces[v >> 5];
  int owner = sgg_tile_owner(place);
  int local = sgg_tile_local(place, v);
  unsigned bit = 1u << (local & 31);
  if ((atomicOr(&f.tileInbox[(long long)owner * words + (local >> 5)], bit) & bit) == 0u) {
    __threadfence();
    atomicOr(&f.tileSums[owner * SGG_WARP + (local >> 15)], 1u << ((local >> 10) & 31));
  }
}

// Leaves other blocks' vertices to the warp that delivers, as far as there is room. All lanes.
SGG_DEVICE void sgg_tile_post(const Frame& f, const TileBlock& block, int lane, bool wants, int v) {
  unsigned all = __ballot_sync(SGG_ALL_LANES, wants);
  if (all == 0u) {
    return;
  }
  int at = lane == 0 ? sgg_tile_reserve(&block.counts->posts, __popc(all)) : 0;
  at = sgg_shfl(at, 0) + __popc(all & sgg_lanes(0, lane));
  int list = block.plan.post;
  if (wants && list >= 0 && at < (int)f.tilePosts) {
    atomicExch(&block.posts[list * (int)f.tilePosts + at], v);
  } else if (wants) {
    __threadfence();
    sgg_tile_deliver(f, block.words, v);
  }
}

// Delivers what rounds have posted, until all is done. One warp.
SGG_DEVICE void sgg_tile_deliveries(const Frame& f, const TileBlock& block, int lane) {
  TileCounts& c = *block.counts;
  for (;;) {
    unsigned ends = lane == 0 ? sgg_hear_block(&c.stop) : 0u;
    for (int list = 0; list < 2; list++) {
      int count = lane == 0 ? (int)sgg_hear_block(&c.ready[list]) : 0;
      count = sgg_shfl(count, 0);
      if (count == 0) {
        continue;
      }
      // The values were changed by lanes that came to a barrier before this was told.
      __threadfence();
      for (int i = lane; i < count; i += SGG_WARP) {
        sgg_tile_deliver(f, block.words, atomicOr(&block.posts[list * (int)f.tilePosts + i], 0));
      }
      __threadfence();
      __syncwarp();
      if (lane == 0) {
        sgg_tell_block(&c.ready[list], 0u);
      }
    }
    if (sgg_shfl((int)ends, 0) != 0) {
      return;
    }
    sgg_breathe();
  }
}

// Listens to the manager, until it says that all is done. One warp.
SGG_DEVICE void sgg_tile_listen(const Frame& f, const TileBlock& block, int lane) {
  for (;;) {
    unsigned long long horizon = sgg_load(&f.tileState[SGG_TILE_HORIZON]);
    unsigned long long stop = sgg_load_acquire(&f.tileState[SGG_TILE_STOPPED]);
    if (lane == 0) {
      sgg_tell_block(&block.counts->horizon, (unsigned)horizon);
      if (stop != 0ull) {
        sgg_tell_block(&block.counts->stop, 1u);
      }
    }
    if (sgg_shfl((long long)stop, 0) != 0ll) {
      return;
    }
    sgg_breathe();
  }
}

// Loads the edge at a place of a sender's, where there is one, and all that its other end is looked at for. Lanes without one load what is there
// at any rate: a load that some lanes leave out is waited for before the next one is made.
SGG_DEVICE AsyncEdge sgg_tile_edge(const Frame& f, bool is, int sender, const State& said, const AsyncEnds& ends, int place, unsigned& where) {
  AsyncEdge edge{};
  edge.out = SGG_WALKS_OUT && (!SGG_WALKS_IN || place < ends.outs);
  if constexpr (SGG_WALKS_OUT) {
    if (!SGG_WALKS_IN || edge.out) {
      int e = is ? ends.out + place : 0;
      edge.row = WalkOut::other(f, e);
      edge.toDestination = In::told(f, e, sender, said);
    }
  }
  if constexpr (SGG_WALKS_IN) {
    if (!SGG_WALKS_OUT || !edge.out) {
      int e = is ? ends.in + place - ends.outs : 0;
      edge.row = WalkIn::other(f, e);
      edge.toSource = Out::told(f, e, sender, said);
    }
  }
  edge.ends = sgg_async_ends(f, true, edge.row);
  where = f.tilePlaces[edge.row >> 5];
  sgg_fresh_state(f, edge.row, edge.known);
  if (edge.out) {
    edge.destination = In::row(f, edge.row, true);
  } else {
    edge.source = Out::row(f, edge.row, true);
  }
  edge.row = is && sgg_present(f, edge.row) ? edge.row : -1;
  return edge;
}

// Walks one edge per lane. All lanes.
SGG_DEVICE void sgg_tile_turn(const Frame& f, const TileBlock& block, int lane, bool is, int v, const State& value, const AsyncEnds& ends, int place,
                              AsyncTally& tally) {
  unsigned where = 0u;
  AsyncEdge edge = sgg_tile_edge(f, is, v, value, ends, place, where);
  sgg_async_say(f, edge);
  tally.edges += edge.row >= 0 ? 1 : 0;
  bool improved = edge.sends && sgg_async_tell(f, edge.row, edge.known, edge.message);
  // The value before the bit.
  __threadfence_block();
  bool own = sgg_tile_owner(where) == block.owner;
  unsigned key = sgg_tile_key(sgg_rough_priority(edge.message));
  sgg_tile_add(f, block, lane, improved && own, edge.row, sgg_tile_local(where, edge.row), edge.ends, key, block.plan.near ^ 1, tally);
  sgg_tile_post(f, block, lane, improved && !own, edge.row);
}

// Walks the edges of what is near, and of what came by mail: a group of lanes a vertex, or all lanes one after the other of those of many edges.
// All warps that walk.
SGG_DEVICE void sgg_tile_walk(const Frame& f, const TileBlock& block, int lane, int warp, int warps, AsyncTally& tally) {
  int near = block.plan.near;
  int queued = sgg_smaller(block.counts->near[near], (int)f.tileNear);
  int count = queued + (int)(block.plan.mailTo - block.plan.mailFrom);
  int shift = (int)f.tileGroup;
  int sub = lane & ((1 << shift) - 1);
  int each = SGG_WARP >> shift;
  for (int base = warp * each; base < count; base += warps * each) {
    int index = base + (lane >> shift);
    bool takes = index < count;
    TileItem item{};
    if (takes) {
      int mail = (int)((block.plan.mailFrom + (unsigned)(index - queued)) & (SGG_TILE_MAILS - 1u));
      item = index < queued ? block.near[near * (int)f.tileNear + index] : block.mail[mail];
      if (index >= queued) {
        unsigned key = block.mailKeys[mail];
        // Who is queued already is walked from there.
        int found = key >= block.plan.horizon ? 2 : sub != 0 || sgg_first(block.queued, item.local) ? 0 : 1;
        item.local |= found << 30;
      }
    }
    if (base + each > queued) {
      int found = sgg_shfl(item.local, lane & ~((1 << shift) - 1)) >> 30;
      item.local &= 0x3fffffff;
      bool defers = takes && (found & 3) == 2;
      int mail = (int)((block.plan.mailFrom + (unsigned)(index - queued)) & (SGG_TILE_MAILS - 1u));
      sgg_tile_defer(f, block, lane, defers && sub == 0, item.v, defers ? block.mailKeys[mail] : 0u, tally);
      takes = takes && (found & 3) == 0;
    }
    if (takes && sub == 0) {
      sgg_clear_bit(block.queued, item.local);
      tally.ran++;
    }
    // The bit before the value.
    __threadfence_block();
    __syncwarp();
    // Of no vertex that of the first is read.
    State value;
    sgg_fresh_state(f, item.v, value);
    AsyncEnds ends = sgg_tile_ends(item);
    int edges = takes ? ends.outs + ends.ins : 0;
    if (f.tileLongest <= 1ll << shift) {
      sgg_tile_turn(f, block, lane, sub < edges, item.v, value, ends, sub, tally);
      continue;
    }
    bool large = edges > SGG_TILE_TURNS << shift;
    unsigned larges = __ballot_sync(SGG_ALL_LANES, large && sub == 0);
    int turns = sgg_warp_max(large ? 0 : (edges + (1 << shift) - 1) >> shift);
    for (int t = 0; t < turns; t++) {
      int place = (t << shift) + sub;
      sgg_tile_turn(f, block, lane, !large && place < edges, item.v, value, ends, place, tally);
    }
    for (; larges != 0u; larges &= larges - 1u) {
      int from = __ffs((int)larges) - 1;
      int v = sgg_shfl(item.v, from);
      State said;
      sgg_state_shfl(value, from, said);
      AsyncEnds all{sgg_shfl(ends.out, from), sgg_shfl(ends.outs, from), sgg_shfl(ends.in, from), sgg_shfl(ends.ins, from)};
      for (int place = 0; place < all.outs + all.ins; place += SGG_WARP) {
        sgg_tile_turn(f, block, lane, place + lane < all.outs + all.ins, v, said, all, place + lane, tally);
      }
    }
  }
}

// Queues what of the far is near by now; drops what has a better value, since that stands there, too. All warps that walk.
SGG_DEVICE void sgg_tile_scan(const Frame& f, const TileBlock& block, int lane, int warp, int warps, AsyncTally& tally) {
  int list = block.plan.far ^ 1;
  int count = sgg_smaller(block.counts->far[list], (int)f.tileFar);
  for (int base = warp * SGG_WARP; base < count; base += warps * SGG_WARP) {
    int index = base + lane;
    bool is = index < count;
    TileFar entry{};
    if (is) {
      entry = block.far[list * (int)f.tileFar + index];
    }
    bool ready = is && entry.key < block.plan.horizon;
    bool stays = is && !ready;
    int local = 0;
    AsyncEnds ends{0, 0, 0, 0};
    if (ready) {
      State value;
      sgg_fresh_state(f, entry.v, value);
      ends = sgg_async_ends(f, true, entry.v);
      local = sgg_tile_local(f.tilePlaces[entry.v >> 5], entry.v);
      bool overtaken = sgg_tile_key(sgg_rough_priority(value)) != entry.key;
      tally.stale += overtaken ? 1 : 0;
      ready = !overtaken;
    }
    sgg_tile_add(f, block, lane, ready || stays, entry.v, local, ends, entry.key, block.plan.near, tally);
  }
}

// Queues what was held back, or what the launch begins with. All warps that walk.
SGG_DEVICE void sgg_tile_refill(const Frame& f, const TileBlock& block, int lane, int warp, int warps, AsyncTally& tally) {
  for (int base = warp * SGG_WARP; base < block.words; base += warps * SGG_WARP) {
    int word = base + lane;
    int row = word < block.words ? f.tileRows[(long long)block.owner * block.words + word] : -1;
    unsigned held = row >= 0 ? f.nextActive[row] : 0u;
    if (held != 0u) {
      f.nextActive[row] = 0u;
    }
    __syncwarp();
    while (__any_sync(SGG_ALL_LANES, held != 0u)) {
      bool wants = held != 0u;
      int bit = wants ? __ffs((int)held) - 1 : 0;
      held &= held - 1u;
      int v = (row << 5) + bit;
      State value{};
      AsyncEnds ends{0, 0, 0, 0};
      if (wants) {
        sgg_fresh_state(f, v, value);
        ends = sgg_async_ends(f, true, v);
      }
      sgg_tile_add(f, block, lane, wants, v, (word << 5) + bit, ends, sgg_tile_key(sgg_rough_priority(value)), block.plan.near, tally);
    }
  }
}

// Looks for mail and hands it to those that walk, until all is done. One warp.
SGG_DEVICE void sgg_tile_mail(const Frame& f, const TileBlock& block, int lane, AsyncTally& tally) {
  TileCounts& c = *block.counts;
  unsigned looks = 0u;
  unsigned tail = 0u;
  for (;;) {
    unsigned* sum = &f.tileSums[block.owner * SGG_WARP + lane];
    unsigned found = sgg_load(sum);
    unsigned ends = lane == 0 ? sgg_hear_block(&c.stop) : 0u;
    if (sgg_shfl((int)ends, 0) != 0) {
      return;
    }
    if (!__any_sync(SGG_ALL_LANES, found != 0u)) {
      sgg_breathe();
      continue;
    }
    looks++;
    if (lane == 0) {
      sgg_store(sgg_tile_looks(f, block.owner), (unsigned long long)looks);
    }
    // Each lane's taking behind lane 0's publication.
    __syncwarp();
    sgg_fence();
    unsigned groups = found != 0u ? atomicExch(sum, 0u) : 0u;
    __threadfence();
    for (unsigned who = __ballot_sync(SGG_ALL_LANES, groups != 0u); who != 0u; who = __ballot_sync(SGG_ALL_LANES, groups != 0u)) {
      int from = __ffs((int)who) - 1;
      int bit = sgg_shfl(__ffs((int)groups) - 1, from);
      if (lane == from) {
        groups &= groups - 1u;
      }
      int word = ((from << 5) + bit) * SGG_WARP + lane;
      unsigned mail = 0u;
      int row = -1;
      if (word < block.words) {
        row = f.tileRows[(long long)block.owner * block.words + word];
        unsigned* inbox = &f.tileInbox[(long long)block.owner * block.words + word];
        mail = sgg_load(inbox) != 0u ? atomicExch(inbox, 0u) : 0u;
      }
      __threadfence();
      while (__any_sync(SGG_ALL_LANES, mail != 0u)) {
        bool has = mail != 0u;
        int at = has ? __ffs((int)mail) - 1 : 0;
        mail &= mail - 1u;
        int v = (row << 5) + at;
        State value{};
        AsyncEnds where{0, 0, 0, 0};
        if (has) {
          sgg_fresh_state(f, v, value);
          where = sgg_async_ends(f, true, v);
          tally.chased++;
        }
        unsigned all = __ballot_sync(SGG_ALL_LANES, has);
        while (sgg_shfl(lane == 0 ? (int)(tail + SGG_WARP - sgg_hear_block(&c.mailHead)) : 0, 0) > SGG_TILE_MAILS) {
          if (sgg_shfl(lane == 0 ? (int)sgg_hear_block(&c.stop) : 0, 0) != 0) {
            return;
          }
          sgg_breathe();
        }
        if (has) {
          unsigned place = (tail + (unsigned)__popc(all & sgg_lanes(0, lane))) & (SGG_TILE_MAILS - 1u);
          block.mail[place] = sgg_tile_item(v, (word << 5) + at, where);
          block.mailKeys[place] = sgg_tile_key(sgg_rough_priority(value));
          sgg_tile_prefetch(f, v, where);
        }
        __threadfence_block();
        __syncwarp();
        tail += (unsigned)__popc(all);
        if (lane == 0) {
          sgg_tell_block(&c.mailTail, tail);
        }
      }
    }
    __syncwarp();
    if (lane == 0) {
      sgg_tell_block(&c.handled, looks);
    }
  }
}

// Plans a round, and publishes what the block has. One thread; `told` is what it published last, `taken` how many looks for mail were done when
// it planned the last round, which has walked all that they found.
SGG_DEVICE void sgg_tile_think(const Frame& f, const TileBlock& block, TilePlan& plan, unsigned long long& told, unsigned& taken) {
  TileCounts& c = *block.counts;
  // All is read first, so that it is waited for once; the looks before what they found.
  TilePlan now = plan;
  now.stop = (int)sgg_hear_block(&c.stop);
  now.horizon = sgg_hear_block(&c.horizon);
  unsigned handled = sgg_hear_block(&c.handled);
  unsigned tail = sgg_hear_block(&c.mailTail);
  bool busy0 = sgg_hear_block(&c.ready[0]) != 0u;
  bool busy1 = sgg_hear_block(&c.ready[1]) != 0u;
  int posts = c.posts;
  int next = now.near ^ 1;
  unsigned nearLeast = c.near[next] > 0 ? c.nearLeast[next] : SGG_TILE_NONE;
  unsigned farLeast = c.far[now.far] > 0 ? c.farLeast[now.far] : SGG_TILE_NONE;
  unsigned heldLeast = c.held > 0 ? c.heldLeast : SGG_TILE_NONE;
  if (now.mailFrom != now.mailTo) {
    sgg_tell_block(&c.mailHead, now.mailTo);
  }
  if (posts > 0) {
    if (now.post >= 0) {
      sgg_tell_block(&c.ready[now.post], (unsigned)sgg_smaller(posts, (int)f.tilePosts));
      busy0 = busy0 || now.post == 0;
      busy1 = busy1 || now.post == 1;
    }
    c.posts = 0;
  }
  c.near[now.near] = 0;
  c.nearLeast[now.near] = SGG_TILE_NONE;
  now.rounds++;
  now.near = next;
  now.mailFrom = now.mailTo;
  now.mailTo = tail;
  now.post = !busy0 ? 0 : !busy1 ? 1 : -1;
  now.scans = farLeast < now.horizon ? 1 : 0;
  now.refills = now.scans == 0 && nearLeast == SGG_TILE_NONE && heldLeast < now.horizon ? 1 : 0;
  if (now.scans != 0) {
    now.far ^= 1;
    c.far[now.far] = 0;
    c.farLeast[now.far] = SGG_TILE_NONE;
  }
  if (now.refills != 0) {
    c.held = 0;
    c.heldLeast = SGG_TILE_NONE;
  }
  plan = now;
  unsigned least = farLeast < nearLeast ? farLeast : nearLeast;
  least = heldLeast < least ? heldLeast : least;
  least = least == SGG_TILE_NONE && (busy0 || busy1) ? SGG_TILE_WAITS : least;
  unsigned long long tells = ((unsigned long long)taken << 32) | (unsigned long long)least;
  if (tells != told) {
    told = tells;
    if (least == SGG_TILE_NONE) {
      // All that this block did is seen by who sees that it is idle.
      sgg_store_release(sgg_tile_told(f, block.owner), tells);
    } else {
      sgg_store(sgg_tile_told(f, block.owner), tells);
    }
  }
  taken = handled;
}

// Holds what the launch begins with. All warps that walk.
SGG_DEVICE void sgg_tile_seed(const Frame& f, const TileBlock& block, int lane, int warp, int warps, AsyncTally& tally) {
  long long words = sgg_bitmap_words(f.stored);
  for (int base = warp * SGG_WARP; base < block.words; base += warps * SGG_WARP) {
    int word = base + lane;
    int row = word < block.words ? f.tileRows[(long long)block.owner * block.words + word] : -1;
    unsigned seeds = row >= 0 ? sgg_async_seeds(f, row, words) : 0u;
    if (seeds != 0u) {
      const_cast<unsigned*>(f.active)[row] = 0u;
    }
    while (__any_sync(SGG_ALL_LANES, seeds != 0u)) {
      bool wants = seeds != 0u;
      int v = wants ? (row << 5) + __ffs((int)seeds) - 1 : 0;
      seeds &= seeds - 1u;
      wants = wants && v < (int)f.stored;
      State value{};
      if (wants) {
        sgg_fresh_state(f, v, value);
      }
      sgg_tile_hold(f, block, lane, wants, v, sgg_tile_key(sgg_rough_priority(value)), tally);
    }
  }
  tally.spilled = 0;
}

// Rounds of those that walk, until the manager says that all is done. All warps that walk.
SGG_DEVICE void sgg_tile_rounds(const Frame& f, TileBlock& block, TilePlan* plan, int lane, int warp, AsyncTally& tally) {
  int warps = block.threads / SGG_WARP;
  sgg_tile_seed(f, block, lane, warp, warps, tally);
  unsigned taken = 0u;
  unsigned long long told = 0ull;
  for (;;) {
    sgg_tile_meet(block.threads);
    if (threadIdx.x == 0u) {
      sgg_tile_think(f, block, *plan, told, taken);
    }
    sgg_tile_meet(block.threads);
    block.plan = *plan;
    if (block.plan.stop != 0) {
      break;
    }
    if (block.plan.scans != 0) {
      sgg_tile_scan(f, block, lane, warp, warps, tally);
      sgg_tile_meet(block.threads);
    } else if (block.plan.refills != 0) {
      sgg_tile_refill(f, block, lane, warp, warps, tally);
      sgg_tile_meet(block.threads);
    }
    sgg_tile_walk(f, block, lane, warp, warps, tally);
    sgg_breathe();
  }
  if (sgg_load(&f.tileState[SGG_TILE_NANS]) != 0ull) {
    for (int word = (int)threadIdx.x; word < block.words; word += block.threads) {
      int row = f.tileRows[(long long)block.owner * block.words + word];
      for (int i = 0; row >= 0 && i < SGG_WARP && (row << 5) + i < (int)f.stored; i++) {
        sgg_async_settle(f, (row << 5) + i);
      }
    }
  }
  if (threadIdx.x == 0u) {
    atomicMax(&f.tileState[SGG_TILE_MOST_ROUNDS], (unsigned long long)block.plan.rounds);
  }
}

// A block that owns tiles. All threads.
SGG_DEVICE void sgg_tile_work(const Frame& f, unsigned* room) {
  SGG_SHARED(TileCounts, counts, 1);
  SGG_SHARED(TilePlan, plan, 1);
  int lane = sgg_lane();
  int warp = (int)(threadIdx.x >> 5);
  TileBlock block{};
  block.owner = (int)blockIdx.x - 1;
  block.words = (int)f.tileWords;
  block.threads = (int)blockDim.x - SGG_TILE_SERVANTS * SGG_WARP;
  block.near = (TileItem*)room;
  block.mail = block.near + 2 * f.tileNear;
  block.far = (TileFar*)(block.mail + SGG_TILE_MAILS);
  block.mailKeys = (unsigned*)(block.far + 2 * f.tileFar);
  block.posts = (int*)(block.mailKeys + SGG_TILE_MAILS);
  block.queued = (unsigned*)(block.posts + 2 * f.tilePosts);
  block.counts = counts;
  for (int i = (int)threadIdx.x; i < block.words; i += (int)blockDim.x) {
    block.queued[i] = 0u;
  }
  if (threadIdx.x == 0u) {
    TileCounts none{};
    none.nearLeast[0] = none.nearLeast[1] = none.farLeast[0] = none.farLeast[1] = none.heldLeast = SGG_TILE_NONE;
    *counts = none;
    *plan = TilePlan{};
  }
  __syncthreads();
  AsyncTally tally{};
  int servant = warp - block.threads / SGG_WARP;
  if (servant < 0) {
    sgg_tile_rounds(f, block, plan, lane, warp, tally);
  } else if (servant == 0) {
    sgg_tile_mail(f, block, lane, tally);
  } else if (servant == 1) {
    sgg_tile_deliveries(f, block, lane);
  } else {
    sgg_tile_listen(f, block, lane);
  }
  __syncwarp();
  unsigned sums[5] = {sgg_warp_add((unsigned)tally.edges), sgg_warp_add((unsigned)tally.ran), sgg_warp_add((unsigned)tally.stale),
                      sgg_warp_add((unsigned)tally.chased), sgg_warp_add((unsigned)tally.spilled)};
  if (lane == 0) {
    for (int i = 0; i < 5; i++) {
      if (sums[i] != 0u) {
        atomicAdd(&f.tileState[SGG_TILE_EDGES + i], (unsigned long long)sums[i]);
      }
    }
  }
}

// Whether something is posted that no block has taken yet. All threads.
SGG_DEVICE bool sgg_tile_posted(const Frame& f) {
  unsigned any = 0u;
  for (int i = (int)threadIdx.x; i < SGG_WARP * (int)f.tileOwners; i += (int)blockDim.x) {
    any |= sgg_load(&f.tileSums[i]);
  }
  // What a block published before it took something away is seen behind this.
  __threadfence();
  return __syncthreads_or(any != 0u ? 1 : 0) != 0;
}

// Tells the horizon and finds the end. All threads of block 0.
SGG_DEVICE void sgg_tile_manage(const Frame& f) {
  SGG_SHARED(unsigned, least, 2);
  SGG_SHARED(unsigned, sum, 2);
  SGG_SHARED(unsigned, mix, 2);
  SGG_SHARED(int, ends, 1);
  int lane = sgg_lane();
  unsigned before = 0u;  // looks into inboxes when all were found idle last, …
  bool empty = false;    // … and nothing was posted behind that
  unsigned long long still = 0ull;
  unsigned seen = 0u;
  unsigned long long rounds = 0ull;
  if (threadIdx.x < 2u) {
    least[threadIdx.x] = SGG_TILE_NONE;
    sum[threadIdx.x] = 0u;
    mix[threadIdx.x] = 0u;
  }
  if (threadIdx.x == 0u) {
    *ends = 0;
  }
  __syncthreads();
  for (int r = 0;; r ^= 1) {
    unsigned best = SGG_TILE_NONE;
    unsigned all = 0u;
    unsigned mixed = 0u;
    for (int owner = (int)threadIdx.x; owner < (int)f.tileOwners; owner += (int)blockDim.x) {
      unsigned long long looks = sgg_load_acquire(sgg_tile_looks(f, owner));
      unsigned long long told = sgg_load_acquire(sgg_tile_told(f, owner));
      unsigned key = (unsigned)told;
      bool busy = (unsigned)(told >> 32) != (unsigned)looks;
      key = key == SGG_TILE_NONE && busy ? SGG_TILE_WAITS : key;
      best = key < best ? key : best;
      // Looks only grow: if their sum is the same, each of them is.
      all += (unsigned)looks;
      mixed += ((unsigned)told + (unsigned)owner) * 2654435761u;
    }
    best = sgg_warp_least(best);
    all = sgg_warp_add(all);
    mixed = sgg_warp_add(mixed);
    if (lane == 0) {
      atomicMin(&least[r], best);
      atomicAdd(&sum[r], all);
      atomicAdd(&mix[r], mixed);
    }
    __syncthreads();
    best = least[r];
    all = sum[r];
    mixed = mix[r] + all;
    rounds++;
    bool stops = false;
    if (best == SGG_TILE_NONE) {
      stops = empty && all == before;
      before = all;
      empty = stops || !sgg_tile_posted(f);
    } else {
      empty = false;
    }
    __syncthreads();
    if (threadIdx.x == 0u) {
      least[r] = SGG_TILE_NONE;
      sum[r] = 0u;
      mix[r] = 0u;
      // Key 0: some have not looked at what they begin with.
      if (best > 0u && best < SGG_TILE_WAITS) {
        unsigned horizon = sgg_tile_key((float)(sgg_tile_of_key(best) + f.tileWidth));
        sgg_store(&f.tileState[SGG_TILE_HORIZON], (unsigned long long)(horizon > best ? horizon : best + 1u));
      }
      still = mixed == seen ? still + 1ull : 0ull;
      seen = mixed;
      if (still > (unsigned long long)f.tilePatience) {
        f.tileState[SGG_TILE_STUCK] = 1ull;
        stops = true;
      }
      if (SGG_FAULTS && (rounds & 63ull) == 0ull && sgg_load(&f.status[SGG_STATUS_FAULT]) != 0ull) {
        stops = true;
      }
      if (stops) {
        *ends = 1;
        f.tileState[SGG_TILE_ROUNDS] = rounds;
        sgg_store_release(&f.tileState[SGG_TILE_STOPPED], 1ull);
      }
    }
    __syncthreads();
    if (*ends != 0) {
      return;
    }
    sgg_breathe();
  }
}

#ifndef SGG_EMULATED
#define SGG_TILE_KERNEL(name) \
  extern "C" __global__ void __launch_bounds__(SGG_TILE_THREADS, 1) name(const __grid_constant__ Frame f)
#define SGG_TILE_ROOM(name) extern __shared__ __align__(16) unsigned name[]
#else
#define SGG_TILE_KERNEL(name) SGG_ENTRY(name)
#define SGG_TILE_ROOM(name)           \
  static const char name##_site = 0;  \
  unsigned* name = (unsigned*)sggShared(&name##_site, #name, (unsigned long)f.tileBytes, 16)
#endif

// A cooperative launch of a manager and at least one owner. The state, inboxes and summaries are 0, nextActive is empty.
SGG_TILE_KERNEL(tile_loop) {
  SGG_TILE_ROOM(room);
  if (blockIdx.x == 0u) {
    sgg_tile_manage(f);
  } else {
    sgg_tile_work(f, room);
  }
}
