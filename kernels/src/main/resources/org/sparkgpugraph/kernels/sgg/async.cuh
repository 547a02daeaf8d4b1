// Asynchronous relaxation in order of priority (ADDS, Wang 2020, chapter 5). There are no supersteps: one launch runs until nothing is left to
// say. Block 0 manages (manager.cuh), the warps of all others work (workers.cuh): on values of which the least or largest wins (chase.cuh), or on
// residuals (residual.cuh).
//
// An item is a vertex (low 32 bits), which part of its edges is to be walked (high 32 bits; part 0 begins the others where there are several),
// and the bits of a number that belongs to it. Items stand in buckets, of which there are SGG_ASYNC_BUCKETS in a ring: the head has what is next,
// each one behind it values that are worse by another step, the last one all that are worse still. A bucket is a sequence of places. Who
// writes takes the next ones (`reserved`), writes his items, and counts them in the segment of SGG_ASYNC_SEGMENT places where they stand
// (`written`): the manager gives a segment to workers when all that is reserved of it is written. Places are in blocks of a pool that all
// buckets share; `map` tells which, the manager fills it ahead of the writers, and `limit` says how far it has.
//
// Why no item is lost when the pool is full: a warp takes places only while `slack` more are mapped, as many as all warps together can take
// between such a look and their own taking (32 each). So what is reserved is always mapped, and nobody waits for a block while he has places
// to fill. If the pool has no block left, the writer is told so.

// What the manager tells who writes into buckets: values below `base` belong to the head. They are read one by one: a mixture
// of old and new ones puts an item into another bucket, which is a matter of speed only.
struct AsyncControl {
  double base;
  double inverse;
  int head;
};

// What a worker is told at the end.
#define SGG_ASYNC_STOP 0xffffffffffffffffull

// Of an item's part: the launch began with it.
constexpr int SGG_ASYNC_SEED = SGG_PUSHES_PARTS ? 1 << 30 : 0;

// Turns of a walk that are under way at a time.
#define SGG_ASYNC_TURNS 4

// Edges of a vertex that its lane walks alone, where no vertex beside it has more.
#define SGG_ASYNC_OWN 8

// Far vertices that a warp keeps at most: less than a warp of them stay, the turns of a batch find more, and some are shed.
#define SGG_ASYNC_FAR (SGG_WARP * (SGG_ASYNC_TURNS + 2))

struct AsyncTally {
  int edges;
  int ran;
  int stale;
  int chased;
  int spilled;
  int walked;  // not counted for all yet
};

SGG_DEVICE AsyncControl sgg_async_control(const Frame& f) {
  AsyncControl c;
  c.base = __longlong_as_double((long long)sgg_load(&f.asyncState[SGG_ASYNC_BASE]));
  c.inverse = __longlong_as_double((long long)sgg_load(&f.asyncState[SGG_ASYNC_INVERSE]));
  c.head = (int)sgg_load(&f.asyncState[SGG_ASYNC_HEAD]);
  return c;
}

SGG_DEVICE unsigned long long* sgg_async_reserved(const Frame& f, int bucket) {
  return &f.asyncState[SGG_ASYNC_RESERVED_AT + bucket * SGG_ASYNC_STRIDE];
}
SGG_DEVICE unsigned long long* sgg_async_limit(const Frame& f, int bucket) {
  return &f.asyncState[SGG_ASYNC_LIMIT_AT + bucket * SGG_ASYNC_STRIDE];
}
SGG_DEVICE unsigned long long* sgg_async_done(const Frame& f, int bucket) {
  return &f.asyncState[SGG_ASYNC_DONE_AT + bucket * SGG_ASYNC_STRIDE];
}

// Which block a bucket's block number is: number + 1 (32 bits), block (31 bits), whether it has been read.
SGG_DEVICE unsigned long long* sgg_async_map(const Frame& f, int bucket, unsigned long long number) {
  return &f.asyncMap[(long long)bucket * f.asyncRing + (long long)(number & (unsigned long long)(f.asyncRing - 1))];
}
SGG_DEVICE long long sgg_async_at(const Frame& f, unsigned long long mapped, unsigned long long place) {
  long long block = (long long)((mapped & 0xffffffffull) >> 1);
  return (block << f.asyncShift) + (long long)(place & ((1ull << f.asyncShift) - 1ull));
}

SGG_DEVICE int sgg_async_bucket(const AsyncControl& c, double key) {
  double steps = (key - c.base) * c.inverse;
  int off = !(steps > 0.0) ? 0 : steps < (double)(SGG_ASYNC_BUCKETS - 1) ? (int)steps : SGG_ASYNC_BUCKETS - 1;
  return (c.head + off) & (SGG_ASYNC_BUCKETS - 1);
}

// Writes items of the lanes that have one into buckets, with one atomic for all of a bucket. Returns whether the lane's item has found no place;
// its vertex is then marked in `nextActive`, from where the host begins anew, unless the caller sees to it (residual.cuh). All lanes.
SGG_DEVICE bool sgg_async_push(const Frame& f, int lane, bool wants, int v, int part, unsigned long long bits, int bucket,
                               AsyncTally& tally) {
  if (__ballot_sync(SGG_ALL_LANES, wants) == 0u) {
    return false;
  }
  unsigned same = __match_any_sync(SGG_ALL_LANES, wants ? bucket : SGG_ASYNC_BUCKETS);
  int leader = __ffs((int)same) - 1;
  long long first = 0;
  int waits = wants && lane == leader ? 1 : 0;
  int refused = 0;
  for (;;) {
    if (waits != 0) {
      unsigned long long limit = sgg_load_acquire(sgg_async_limit(f, bucket));
      unsigned long long reserved = sgg_load(sgg_async_reserved(f, bucket));
      if (reserved + (unsigned long long)f.asyncSlack <= limit) {
        first = (long long)atomicAdd(sgg_async_reserved(f, bucket), (unsigned long long)__popc(same));
        waits = 0;
      } else if (((sgg_load(&f.asyncState[SGG_ASYNC_EXHAUSTED]) >> bucket) & 1ull) != 0ull ||
                 sgg_load(&f.asyncState[SGG_ASYNC_STOPPED]) != 0ull) {
        refused = 1;
        waits = 0;
      }
    }
    if (!__any_sync(SGG_ALL_LANES, waits)) {
      break;
    }
    sgg_relax();
  }
  refused = sgg_shfl(refused, leader);
  first = sgg_shfl(first, leader);
  if (wants && refused != 0) {
    if constexpr (!SGG_RESIDUALS) {
      tally.spilled += sgg_first(f.nextActive, v) ? 1 : 0;
    }
  } else if (wants) {
    unsigned long long place = (unsigned long long)first + (unsigned long long)__popc(same & sgg_lanes(0, lane));
    unsigned long long number = place >> f.asyncShift;
    unsigned long long mapped = sgg_load(sgg_async_map(f, bucket, number));
    while ((unsigned)(mapped >> 32) != (unsigned)(number + 1ull)) {
      // It is there, but perhaps not seen yet: somebody else saw a later limit.
      sgg_relax();
      mapped = sgg_load(sgg_async_map(f, bucket, number));
    }
    long long at = sgg_async_at(f, mapped, place);
    sgg_store_pair(&f.asyncItems[2 * at], ((unsigned long long)(unsigned)part << 32) | (unsigned long long)(unsigned)v, bits);
    sgg_add_release(&f.asyncWritten[at / SGG_ASYNC_SEGMENT], 1u);
  }
  return wants && refused != 0;
}

// Where the edges of a vertex are: from `out` on as many as `outs` of one side, from `in` on as many as `ins` of the other.
struct AsyncEnds {
  int out;
  int outs;
  int in;
  int ins;
};

// What a warp found, in shared memory: a ring of what it will walk itself, and where its edges are; behind the ring what is far, which goes into
// buckets when it fills a warp.
struct AsyncLocal {
  unsigned long long* items;
  AsyncEnds* ends;
  int first;
  int count;
  int fars;
};

#define SGG_ASYNC_FOUND (SGG_ASYNC_LOCAL + SGG_ASYNC_FAR)

// All edges of a vertex. Where it has none of a side, or that side is not walked, the count is 0.
SGG_DEVICE AsyncEnds sgg_async_ends(const Frame& f, bool takes, int v) {
  AsyncEnds ends{0, 0, 0, 0};
  if constexpr (SGG_WALKS_OUT) {
    ends.out = takes ? WalkOut::begin(f, v) : 0;
    ends.outs = takes ? WalkOut::begin(f, v + 1) : 0;
  }
  if constexpr (SGG_WALKS_IN) {
    ends.in = takes ? WalkIn::begin(f, v) : 0;
    ends.ins = takes ? WalkIn::begin(f, v + 1) : 0;
  }
  ends.outs -= ends.out;
  ends.ins -= ends.in;
  return ends;
}

// A part of them: of the two sides one may have fewer parts.
SGG_DEVICE AsyncEnds sgg_async_part(const AsyncEnds& all, bool takes, int part) {
  AsyncEnds ends{all.out + part * SGG_PUSH_PART, 0, all.in + part * SGG_PUSH_PART, 0};
  if (takes && part <= all.outs / SGG_PUSH_PART) {
    ends.outs = sgg_smaller(all.outs - part * SGG_PUSH_PART, SGG_PUSH_PART);
  }
  if (takes && part <= all.ins / SGG_PUSH_PART) {
    ends.ins = sgg_smaller(all.ins - part * SGG_PUSH_PART, SGG_PUSH_PART);
  }
  return ends;
}

// An edge that a lane walks, and what it says. Of the two sides one is used.
struct AsyncEdge {
  int row;  // the end that is told; -1: none
  bool out;
  bool sends;
  Out::Edge toSource;
  In::Edge toDestination;
  Out::Row source;
  In::Row destination;
  State known;     // of the end that is told, …
  AsyncEnds ends;  // … and where its edges are
  Message message;
};

// Loads an edge of a sender, the one of the side that is walked, if it is one. Nothing waits here for what is loaded.
SGG_DEVICE AsyncEdge sgg_async_load(const Frame& f, bool is, bool out, int outEdge, int inEdge, int sender, const State& said) {
  AsyncEdge edge{};
  edge.out = out;
  edge.row = -1;
  if (is) {
    if (out) {
      if constexpr (SGG_WALKS_OUT) {
        edge.row = WalkOut::other(f, outEdge);
        edge.toDestination = In::told(f, outEdge, sender, said);
      }
    } else {
      if constexpr (SGG_WALKS_IN) {
        edge.row = WalkIn::other(f, inEdge);
        edge.toSource = Out::told(f, inEdge, sender, said);
      }
    }
  }
  return edge;
}

// … the one at a place of the list of all edges of a warp's vertices. Behind a vertex's out-edges stand its in-edges. All lanes.
SGG_DEVICE AsyncEdge sgg_async_load_listed(const Frame& f, int v, const State& value, const PackedRows& rows, const AsyncEnds& ends,
                                           int place) {
  int owner = sgg_owner(rows, place);
  int sender = sgg_shfl(v, owner);
  State said;
  sgg_state_shfl(value, owner, said);
  bool out = SGG_WALKS_OUT;
  if constexpr (SGG_WALKS_OUT && SGG_WALKS_IN) {
    out = place < sgg_shfl(rows.start + ends.outs, owner);
  }
  int outEdge = SGG_WALKS_OUT ? place + sgg_shfl(ends.out - rows.start, owner) : 0;
  int inEdge = SGG_WALKS_IN ? place + sgg_shfl(ends.in - rows.start - ends.outs, owner) : 0;
  return sgg_async_load(f, place < rows.total, out, outEdge, inEdge, sender, said);
}

// … the lane's own vertex's.
SGG_DEVICE AsyncEdge sgg_async_load_own(const Frame& f, int v, const State& value, const AsyncEnds& ends, int place) {
  return sgg_async_load(f, place < ends.outs + ends.ins, place < ends.outs, ends.out + place, ends.in - ends.outs + place, v, value);
}

// What an edge says.
SGG_DEVICE void sgg_async_say(const Frame& f, AsyncEdge& edge) {
  sgg_message_reset(edge.message);
  if (edge.row >= 0) {
    if (edge.out) {
      In::send(f, edge.row, edge.destination, edge.toDestination, edge.message, edge.sends);
    } else {
      Out::send(f, edge.row, edge.source, edge.toSource, edge.message, edge.sends);
    }
  }
}

// The active vertices, and those put off, that a lane has in one word of the bitmap. Of a part none was put off: it is relaxed from its
// first launch on.
SGG_DEVICE unsigned sgg_async_seeds(const Frame& f, long long word, long long words) {
  if (word >= words) {
    return 0u;
  }
  unsigned bits = f.active[word];
  if constexpr (SGG_BUCKETS && !SGG_PUSHES_PARTS) {
    bits |= f.asyncFar != 0 ? f.farBits[word] : 0u;
  }
  return bits;
}
