// What workers (workers.cuh) do with an item where a program in place merges messages into values (push.cuh) by minimum or maximum: the item is a
// vertex whose value has improved, and that value.
//
// A worker is handed up to 32 items at a time. What it improves it walks itself at once, if that is near (chasing): a step along a path then
// costs no way over the manager. What is far, or more than it walks at once, goes into the buckets. An item whose vertex has a better value by
// now is dropped: who improved it wrote another item.
//
// A part of a graph (SGG_PUSHES_PARTS) begins with its ghosts, too, and ends at its horizon: what workers have walked of what they found
// is counted in `walked`, and from `asyncWork` edges and items on vertices that are found are marked in `nextActive`, too. What the launch
// began with is walked all the same, at least once, by the newest value: so it is never less than a superstep.

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

// The part of the items that a launch begins with: without a horizon they are like all others.
SGG_DEVICE int sgg_async_seeding(const Frame& f) {
#if SGG_PUSHES_PARTS
  return f.asyncWork < 0x7fffffffffffffffll ? SGG_ASYNC_SEED : 0;
#else
  (void)f;
  return 0;
#endif
}

// Items that a launch begins with and that have found no place are marked like all others.
SGG_DEVICE void sgg_async_unseeded(const Frame&, int, bool, int, int, unsigned long long, AsyncTally&) {}

// Nothing is to be done behind the last item.
SGG_DEVICE void sgg_async_end(const Frame&, int, int) {}
