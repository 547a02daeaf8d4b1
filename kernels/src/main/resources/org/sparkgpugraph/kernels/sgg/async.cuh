// Asynchronous relaxation in order of priority (ADDS, Wang 2020, chapter 5), of a program in place that merges messages into values
// (push.cuh) by minimum or maximum. There are no supersteps: one launch runs until nothing is left to say. Block 0 manages (manager.cuh), the
// warps of all others work.
//
// An item is a vertex whose value has improved (low 32 bits), which part of its edges is to be walked (high 32 bits; part 0 begins the others
// where there are several), and the value. Items stand in buckets, of which there are SGG_ASYNC_BUCKETS in a ring: the head has what is next,
// each one behind it values that are worse by another step, the last one all that are worse still. A bucket is a sequence of places. Who
// writes takes the next ones (`reserved`), writes his items, and counts them in the segment of SGG_ASYNC_SEGMENT places where they stand
// (`written`): the manager gives a segment to workers when all that is reserved of it is written. Places are in blocks of a pool that all
// buckets share; `map` tells which, the manager fills it ahead of the writers, and `limit` says how far it has.
//
// A worker is handed up to 32 items at a time. What it improves it walks itself at once, if that is near (chasing): a step along a path then
// costs no way over the manager. What is far, or more than it walks at once, goes into the buckets. An item whose vertex has a better value by
// now is dropped: who improved it wrote another item.
//
// Why no item is lost when the pool is full: a warp takes places only while `slack` more are mapped, as many as all warps together can take
// between such a look and their own taking (32 each). So what is reserved is always mapped, and nobody waits for a block while he has places
// to fill. If the pool has no block left, vertices are marked in `nextActive` instead, from where the host begins anew.
//
// A part of a graph (SGG_PUSHES_PARTS) begins with its ghosts, too, and ends at its horizon: what workers have walked of what they found
// is counted in `walked`, and from `asyncWork` edges and items on vertices that are found are marked in `nextActive`, too. What the launch
// began with is walked all the same, at least once, by the newest value: so it is never less than a superstep.

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

// Writes items of the lanes that have one into buckets, with one atomic for all of a bucket. All lanes.
SGG_DEVICE void sgg_async_push(const Frame& f, int lane, bool wants, int v, int part, unsigned long long bits, int bucket,
                               AsyncTally& tally) {
  if (__ballot_sync(SGG_ALL_LANES, wants) == 0u) {
    return;
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
    tally.spilled += sgg_first(f.nextActive, v) ? 1 : 0;
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

SGG_DEVICE void sgg_async_put(const AsyncLocal& local, int place, unsigned long long item, unsigned long long bits) {
  local.items[2 * place] = item;
  local.items[2 * place + 1] = bits;
}

// Writes far vertices into buckets until at most `most` are left. All lanes.
SGG_DEVICE void sgg_async_flush(const Frame& f, int lane, int most, AsyncLocal& local, AsyncTally& tally) {
  if (local.fars <= most) {
    return;
  }
  AsyncControl c = sgg_async_control(f);
  while (local.fars > most) {
    __syncwarp();
    int count = sgg_smaller(local.fars, SGG_WARP);
    local.fars -= count;
    bool wants = lane < count;
    int v = 0;
    unsigned long long bits = 0ull;
    State value{};
    if (wants) {
      const unsigned long long* mine = &local.items[2 * (SGG_ASYNC_LOCAL + local.fars + lane)];
      v = (int)(unsigned)mine[0];
      bits = mine[1];
      sgg_async_value(bits, value);
    }
    __syncwarp();
    sgg_async_push(f, lane, wants, v, 0, bits, sgg_async_bucket(c, sgg_priority(value)), tally);
  }
}

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

// Loads what the end that is told has, and where its edges are: it may be walked next.
SGG_DEVICE void sgg_async_receiver(const Frame& f, AsyncEdge& edge) {
  if (edge.row >= 0 && !sgg_present(f, edge.row)) {
    edge.row = -1;
  }
  if (edge.row >= 0) {
    sgg_fresh_state(f, edge.row, edge.known);
    edge.ends = sgg_async_ends(f, true, edge.row);
    if (edge.out) {
      edge.destination = In::row(f, edge.row, true);
    } else {
      edge.source = Out::row(f, edge.row, true);
    }
  }
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

// Keeps what the lanes improved: what is near in the ring, where there is room for all of it. All lanes.
SGG_DEVICE void sgg_async_keep(const Frame& f, int lane, double horizon, bool improved, const AsyncEdge& edge, AsyncLocal& local,
                               AsyncTally& tally) {
  unsigned all = __ballot_sync(SGG_ALL_LANES, improved);
  unsigned near = __ballot_sync(SGG_ALL_LANES, improved && sgg_priority(edge.message) < horizon);
  near = local.count + __popc(near) <= SGG_ASYNC_LOCAL ? near : 0u;
  unsigned before = sgg_lanes(0, lane);
  bool stays = ((near >> lane) & 1u) != 0u;
  int kept = (local.first + local.count + __popc(near & before)) & (SGG_ASYNC_LOCAL - 1);
  int far = SGG_ASYNC_LOCAL + local.fars + __popc(all & ~near & before);
  if (improved) {
    sgg_async_put(local, stays ? kept : far, (unsigned long long)(unsigned)edge.row, sgg_async_bits(edge.message));
  }
  if (stays) {
    // It is walked next.
    if constexpr (SGG_WALKS_OUT) {
      sgg_prefetch(WalkOut::others(f) + (edge.ends.outs > 0 ? edge.ends.out : 0));
    }
    if constexpr (SGG_WALKS_IN) {
      sgg_prefetch(WalkIn::others(f) + (edge.ends.ins > 0 ? edge.ends.in : 0));
    }
    local.ends[kept] = edge.ends;
    tally.chased++;
  }
  local.count += __popc(near);
  local.fars += __popc(all & ~near);
}

// Walks a batch of the turns of the lanes' vertices. What each step of it waits for, it waits for once in SGG_ASYNC_TURNS turns: the steps of
// a turn depend on each other, and there is nobody else to run meanwhile where the frontier is small. All lanes.
SGG_DEVICE void sgg_async_batch(const Frame& f, int lane, double horizon, int v, const State& value, unsigned long long bits,
                                const PackedRows& rows, const AsyncEnds& ends, bool own, int first, int turns, AsyncLocal& local, AsyncTally& tally) {
  AsyncEdge edges[SGG_ASYNC_TURNS];
  if (own) {
    SGG_UNROLL
    for (int t = 0; t < SGG_ASYNC_TURNS; t++) {
      edges[t] = sgg_async_load_own(f, v, value, ends, first + t);
    }
    // Only now: what the vertex's value was read for is under way together with the edges.
    bool overtaken = sgg_overtaken(value, bits);
    SGG_UNROLL
    for (int t = 0; t < SGG_ASYNC_TURNS; t++) {
      edges[t].row = overtaken ? -1 : edges[t].row;
    }
  } else {
    SGG_UNROLL
    for (int t = 0; t < SGG_ASYNC_TURNS; t++) {
      if (first + t < turns) {
        edges[t] = sgg_async_load_listed(f, v, value, rows, ends, (first + t) * SGG_WARP + lane);
      }
    }
  }
  __syncwarp();
  SGG_UNROLL
  for (int t = 0; t < SGG_ASYNC_TURNS; t++) {
    if (first + t < turns) {
      sgg_async_receiver(f, edges[t]);
    }
  }
  __syncwarp();
  SGG_UNROLL
  for (int t = 0; t < SGG_ASYNC_TURNS; t++) {
    if (first + t < turns) {
      sgg_async_say(f, edges[t]);
      tally.edges += edges[t].row >= 0 ? 1 : 0;
    }
  }
  __syncwarp();
  AsyncMerged merged[SGG_ASYNC_TURNS];
  SGG_UNROLL
  for (int t = 0; t < SGG_ASYNC_TURNS; t++) {
    if (first + t < turns) {
      merged[t] = sgg_async_merge(f, edges[t].row, edges[t].known, edges[t].message, edges[t].sends);
    }
  }
  __syncwarp();
  SGG_UNROLL
  for (int t = 0; t < SGG_ASYNC_TURNS; t++) {
    if (first + t < turns) {
      bool improved = edges[t].sends && sgg_async_improved(f, edges[t].row, edges[t].known, edges[t].message, merged[t]);
      if (improved) {
        sgg_push_changed(f, edges[t].row);
      }
      sgg_async_keep(f, lane, horizon, improved, edges[t], local, tally);
    }
  }
}

// Puts most of what a warp has found near to what is far, where it is more than it walks at once, so that others get it. Returns whether it
// did. All lanes.
SGG_DEVICE bool sgg_async_shed(const Frame& f, int lane, AsyncLocal& local, AsyncTally& tally) {
  int keeps = (int)f.asyncKeep;
  if (local.count <= keeps) {
    return false;
  }
  int sheds = sgg_smaller(SGG_WARP, local.count - keeps / 2);
  __syncwarp();
  if (lane < sheds) {
    const unsigned long long* last = &local.items[2 * ((local.first + local.count - sheds + lane) & (SGG_ASYNC_LOCAL - 1))];
    sgg_async_put(local, SGG_ASYNC_LOCAL + local.fars + lane, last[0], last[1]);
    tally.chased--;
  }
  local.count -= sheds;
  local.fars += sheds;
  return true;
}

// Walks edges of the lanes' vertices: each lane its own vertex's, where all have few, so that nobody has to be found; otherwise all lanes
// those of all. All lanes.
SGG_DEVICE void sgg_async_walk(const Frame& f, int lane, double horizon, int v, const State& value, unsigned long long bits,
                               const AsyncEnds& ends, AsyncLocal& local, AsyncTally& tally) {
  int count = ends.outs + ends.ins;
  int largest = sgg_warp_max(count);
  bool own = largest <= SGG_ASYNC_OWN;
  PackedRows rows{};
  int turns = largest;
  if (!own) {
    rows = sgg_pack(0, sgg_overtaken(value, bits) ? 0 : count, false, lane);
    turns = (rows.total + SGG_WARP - 1) / SGG_WARP;
  }
  int first = 0;
  bool more;
  do {
    sgg_async_batch(f, lane, horizon, v, value, bits, rows, ends, own, first, turns, local, tally);
    first += SGG_ASYNC_TURNS;
    more = first < turns;
    bool all = !more && (sgg_async_shed(f, lane, local, tally) || local.count == 0);
    sgg_async_flush(f, lane, all ? 0 : SGG_WARP - 1, local, tally);
  } while (more);
}

// Puts the parts but the first of the lanes' vertices of many edges into buckets. All lanes.
SGG_DEVICE void sgg_async_parts(const Frame& f, int lane, int v, const State& value, unsigned long long bits, int seed, int larger,
                                unsigned hubs, AsyncTally& tally) {
  AsyncControl c = sgg_async_control(f);
  for (unsigned left = hubs; left != 0u; left &= left - 1u) {
    int owner = __ffs((int)left) - 1;
    int parts = sgg_shfl((larger - 1) / SGG_PUSH_PART + 1, owner);
    int hub = sgg_shfl(v, owner);
    unsigned long long hubBits = (unsigned long long)sgg_shfl((long long)bits, owner);
    int bucket = sgg_shfl(sgg_async_bucket(c, sgg_priority(value)), owner);
    int hubSeed = SGG_PUSHES_PARTS ? sgg_shfl(seed, owner) : 0;
    for (int p = 1; p < parts; p += SGG_WARP) {
      sgg_async_push(f, lane, p + lane < parts, hub, (p + lane) | hubSeed, hubBits, bucket, tally);
    }
  }
}

#if SGG_PUSHES_PARTS
// Whether what is found waits for another launch.
SGG_DEVICE bool sgg_async_ended(const Frame& f) { return (long long)sgg_load(&f.asyncState[SGG_ASYNC_WALKED]) >= f.asyncWork; }

// Counts what is walked of an item that was found, for all when it is so much that it costs little.
SGG_DEVICE void sgg_async_count(const Frame& f, int edges, AsyncTally& tally) {
  tally.walked += 1 + edges;
  if ((long long)tally.walked > f.asyncStep) {
    atomicAdd(&f.asyncState[SGG_ASYNC_WALKED], (unsigned long long)tally.walked);
    tally.walked = 0;
  }
}
#endif

// Walks the edges of the lanes' items, and of all that is found near, until nothing of it is left. All lanes.
SGG_DEVICE void sgg_async_chase(const Frame& f, int lane, bool takes, unsigned long long item, unsigned long long bits, AsyncLocal& local,
                                AsyncTally& tally) {
  local.first = 0;
  AsyncEnds ends = sgg_async_ends(f, takes, (int)(unsigned)item);
  for (;;) {
    double horizon = __longlong_as_double((long long)sgg_load(&f.asyncState[SGG_ASYNC_HORIZON]));
    int v = (int)(unsigned)item;
    int part = (int)(item >> 32);
    int seed = part & SGG_ASYNC_SEED;
    part &= ~SGG_ASYNC_SEED;
#if SGG_PUSHES_PARTS
    bool ended = sgg_async_ended(f);
#endif
    State value{};
    if (takes) {
      sgg_fresh_state(f, v, value);
    }
#if SGG_PUSHES_PARTS
    if (takes && seed != 0) {
      // Whoever has improved it: it is not overtaken.
      bits = sgg_async_bits(value);
    } else if (takes && ended) {
      tally.spilled += !sgg_overtaken(value, bits) && sgg_first(f.nextActive, v) ? 1 : 0;
      takes = false;
      ends = AsyncEnds{0, 0, 0, 0};
    }
#endif
    int larger = sgg_larger(ends.outs, ends.ins);
    if (__any_sync(SGG_ALL_LANES, part == 0 && larger > SGG_PUSH_PART)) {
      bool hub = part == 0 && larger > SGG_PUSH_PART && !sgg_overtaken(value, bits);
      sgg_async_parts(f, lane, v, value, bits, seed, larger, __ballot_sync(SGG_ALL_LANES, hub), tally);
    }
    AsyncEnds walked = sgg_async_part(ends, takes, part);
#if SGG_PUSHES_PARTS
    if (takes && seed == 0) {
      // Also what is overtaken: nobody waits for the value here.
      sgg_async_count(f, walked.outs + walked.ins, tally);
    }
#endif
    sgg_async_walk(f, lane, horizon, v, value, bits, walked, local, tally);
    if (takes) {
      bool overtaken = sgg_overtaken(value, bits);
      tally.ran += overtaken ? 0 : 1;
      tally.stale += overtaken ? 1 : 0;
    }
    __syncwarp();
    int next = sgg_smaller(local.count, SGG_WARP);
    if (next == 0) {
      return;
    }
    takes = lane < next;
    ends = AsyncEnds{0, 0, 0, 0};
    if (takes) {
      int mine = (local.first + lane) & (SGG_ASYNC_LOCAL - 1);
      item = local.items[2 * mine];
      bits = local.items[2 * mine + 1];
      ends = local.ends[mine];
    }
    __syncwarp();
    local.first += next;
    local.count -= next;
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

// The part of the items that a launch begins with: without a horizon they are like all others.
SGG_DEVICE int sgg_async_seeding(const Frame& f) {
#if SGG_PUSHES_PARTS
  return f.asyncWork < 0x7fffffffffffffffll ? SGG_ASYNC_SEED : 0;
#else
  (void)f;
  return 0;
#endif
}

// Finds the best value of all active vertices; once the manager knows where to begin, writes them into the buckets and empties the bitmap.
SGG_DEVICE void sgg_async_seed(const Frame& f, int lane, int worker, AsyncTally& tally) {
  long long words = (sgg_push_rows(f) + 31) >> 5;
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
      sgg_async_push(f, lane, is, v, sgg_async_seeding(f), sgg_async_bits(value), sgg_async_bucket(c, sgg_priority(value)), tally);
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
