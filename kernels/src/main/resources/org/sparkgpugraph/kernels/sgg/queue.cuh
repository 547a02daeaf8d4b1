// The queue of active vertices, whose supersteps push (push.cuh). An item is a vertex (low 32 bits) and which part of its edges (high 32
// bits), of which a vertex has one for each SGG_PUSH_PART of them, so that a warp never waits long for another. There are two queues, of
// this superstep and of the next one; words of QueueWord count their items. The queue is made from the bitmap of active vertices, and
// then by supersteps themselves.

// The out-edges of active vertices, and their in-edges. Of a part of a graph those whose other end is held here, of ghosts too, which are
// the rows of transposes: each message to a vertex is merged where that is held, and nothing is told but the values of ghosts.
struct WalkOut {
#if SGG_PUSHES_PARTS
  SGG_DEVICE_STATIC const int* offsets(const Frame& f) { return f.inTransposeOffsets; }
  SGG_DEVICE_STATIC const int* others(const Frame& f) { return f.inTransposeTargets; }
#else
  SGG_DEVICE_STATIC const int* offsets(const Frame& f) { return f.outOffsets; }
  SGG_DEVICE_STATIC const int* others(const Frame& f) { return f.outDestinations; }
#endif
  SGG_DEVICE_STATIC int other(const Frame& f, int e) { return others(f)[e]; }
  SGG_DEVICE_STATIC int begin(const Frame& f, int v) { return offsets(f)[v]; }
  SGG_DEVICE_STATIC void prefetch(const Frame& f, int v) { sgg_prefetch(&offsets(f)[v]); }
};
struct WalkIn {
#if SGG_PUSHES_PARTS
  SGG_DEVICE_STATIC const int* offsets(const Frame& f) { return f.outTransposeOffsets; }
  SGG_DEVICE_STATIC const int* others(const Frame& f) { return f.outTransposeTargets; }
#else
  SGG_DEVICE_STATIC const int* offsets(const Frame& f) { return f.inOffsets; }
  SGG_DEVICE_STATIC const int* others(const Frame& f) { return f.inSources; }
#endif
  SGG_DEVICE_STATIC int other(const Frame& f, int e) { return others(f)[e]; }
  SGG_DEVICE_STATIC int begin(const Frame& f, int v) { return offsets(f)[v]; }
  SGG_DEVICE_STATIC void prefetch(const Frame& f, int v) { sgg_prefetch(&offsets(f)[v]); }
};

// Vertices that may push: those held, and of a part of a graph its ghosts.
SGG_DEVICE long long sgg_push_rows(const Frame& f) { return SGG_PUSHES_PARTS ? f.locals : f.stored; }

// Edges that a vertex pushes over: over the side with more of them, and over both.
SGG_DEVICE void sgg_push_degrees(const Frame& f, int v, int& larger, long long& sum) {
  larger = 0;
  sum = 0;
  if constexpr (SGG_WALKS_OUT) {
    int out = WalkOut::begin(f, v + 1) - WalkOut::begin(f, v);
    larger = sgg_larger(larger, out);
    sum += out;
  }
  if constexpr (SGG_WALKS_IN) {
    int in = WalkIn::begin(f, v + 1) - WalkIn::begin(f, v);
    larger = sgg_larger(larger, in);
    sum += in;
  }
}

// … the first of these.
SGG_DEVICE int sgg_push_larger(const Frame& f, int v) {
  int larger = 0;
  long long sum = 0;
  sgg_push_degrees(f, v, larger, sum);
  return larger;
}

// Items of a vertex of so many edges.
SGG_DEVICE int sgg_push_parts(int edges) { return sgg_larger(1, (edges - 1) / SGG_PUSH_PART + 1); }

SGG_DEVICE long long sgg_push_item(int v, int part) {
  return (long long)(((unsigned long long)(unsigned)part << 32) | (unsigned long long)(unsigned)v);
}

// Where the warps of a block put what goes into the next queue, until one thread takes places there for all of it.
struct Shelf {
  int items;    // places that were asked for
  int end;      // the first of those that there were not; the largest int: none
  unsigned long long first;
  long long at[SGG_PUSH_SHELF > 0 ? SGG_PUSH_SHELF : 1];
};

SGG_DEVICE void sgg_empty(Shelf& shelf) {
  shelf.items = 0;
  shelf.end = 2147483647;
}

// Places for `total` items of a warp, by one atomic: of a block's shelf as long as it has some, else of the queue. All lanes.
SGG_DEVICE long long* sgg_push_places(int lane, int total, long long* queue, unsigned long long* items, Shelf* shelf) {
#if SGG_PUSH_SHELF > 0
  if (shelf != nullptr) {
    int first = 0;
    if (lane == 0) {
      first = atomicAdd(&shelf->items, total);
      if (first + total > SGG_PUSH_SHELF) {
        atomicMin(&shelf->end, first);
      }
    }
    first = sgg_shfl(first, 0);
    if (first + total <= SGG_PUSH_SHELF) {
      return shelf->at + first;
    }
  }
#endif
  (void)shelf;
  long long at = 0;
  if (lane == 0) {
    at = (long long)atomicAdd(items, (unsigned long long)total);
  }
  return queue + sgg_shfl(at, 0);
}

// Puts the vertices of the lanes that have one into a queue, with one atomic for all. Returns the edges of this lane's vertex. All lanes.
// That is legal wherever a warp comes with all lanes, since nobody reads the queue, in whatever order, before a barrier of the grid, or
// another launch; where a block's shelf is used, before all threads of the block have come to sgg_push_unshelve.
SGG_DEVICE long long sgg_push_append(const Frame& f, int lane, bool adds, int v, long long* queue, unsigned long long* items,
                                     Shelf* shelf = nullptr) {
  unsigned adding = __ballot_sync(SGG_ALL_LANES, adds);
  if (adding == 0u) {
    return 0;
  }
  int larger = 0;
  long long edges = 0;
  if (adds) {
    sgg_push_degrees(f, v, larger, edges);
  }
  int parts = adds ? sgg_push_parts(larger) : 0;
  int before = __popc(adding & sgg_lanes(0, lane));
  int total = __popc(adding);
  if (__any_sync(SGG_ALL_LANES, parts > 1)) {
    int sum = sgg_warp_sums(parts, lane);
    before = sum - parts;
    total = sgg_shfl(sum, SGG_WARP - 1);
  }
  long long* places = sgg_push_places(lane, total, queue, items, shelf) + before;
#if SGG_PUSHES_PARTS
  if (adds && f.activeCost != nullptr && v < (int)f.stored) {
    // What readers on other devices will walk counts, too.
    edges = f.activeCost[v];
  }
#endif
  for (int part = 0; part < parts; part++) {
    places[part] = sgg_push_item(v, part);
  }
  return edges;
}

// Puts the active vertices from one on into the queue: a warp per Policy::SCAN_WORDS words of their bitmap, with one atomic for all of these.
// A lane has a bit of each word.
SGG_DEVICE void sgg_frontier(const Frame& f, long long from) {
  int lane = sgg_lane();
  long long rows = sgg_push_rows(f);
  long long words = sgg_bitmap_words(rows);
  for (long long first = (from >> 5) + sgg_warp() * Policy::SCAN_WORDS; first < words; first += sgg_warps() * Policy::SCAN_WORDS) {
    unsigned own = lane < Policy::SCAN_WORDS && first + lane < words ? f.active[first + lane] : 0u;
    unsigned some = __ballot_sync(SGG_ALL_LANES, own != 0u);
    if (some == 0u) {
      continue;
    }
    unsigned mine = 0u;
    int items = 0;
    for (unsigned left = some; left != 0u; left &= left - 1u) {
      int which = __ffs((int)left) - 1;
      unsigned active = (unsigned)sgg_shfl((int)own, which);
      int v = (int)((first + which) << 5) + lane;
      if (((active >> lane) & 1u) && v >= (int)from && v < (int)rows) {
        mine |= 1u << which;
        items += sgg_push_parts(sgg_push_larger(f, v));
      }
    }
    int sum = sgg_warp_sums(items, lane);
    long long at = 0;
    if (lane == SGG_WARP - 1) {
      at = (long long)atomicAdd(&f.queueState[SGG_QUEUE_ITEMS], (unsigned long long)sum);
    }
    at = sgg_shfl(at, SGG_WARP - 1) + sum - items;
    for (; mine != 0u; mine &= mine - 1u) {
      int v = (int)((first + __ffs((int)mine) - 1) << 5) + lane;
      int parts = sgg_push_parts(sgg_push_larger(f, v));
      for (int part = 0; part < parts; part++) {
        f.queue[at++] = sgg_push_item(v, part);
      }
    }
  }
}

// Makes the queue. It is empty before.
SGG_KERNEL(frontier) { sgg_frontier(f, 0); }

#if SGG_PUSHES_PARTS
// Adds the ghosts that others say are active to a queue that the last superstep left.
SGG_KERNEL(frontier_ghosts) { sgg_frontier(f, f.stored); }
#endif
