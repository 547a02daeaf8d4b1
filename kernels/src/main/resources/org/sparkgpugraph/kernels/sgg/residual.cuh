// Residuals without supersteps: what workers (workers.cuh) do with an item where messages are sums, a vertex adds a constant multiple of
// what it gets to its value, and says that on where it is larger than a tolerance (program.analysis.ResidualProof; PageRank until convergence).
//
// What a vertex has got and not added yet, its pending sum, stands in its slot. A message is added by an atomic operation. Whoever brings
// the sum over the tolerance writes an item of the vertex. Who is handed the item takes the sum, adds what it makes to the value, and walks the
// edges. Sums that are within the tolerance at the end are added to their vertices and not said on, as a superstep does with a message that is so
// small: but a vertex keeps one of these at most, where in supersteps it may leave out another one each time.
//
// All items are in one bucket, first come, first served: while an item waits its sum grows, and what a superstep would say in several messages is
// said in one. The largest sums first is more work, not less: vertices that many edges lead to are then walked again and again before the
// others have told them anything, and on skewed graphs these have the most edges.
//
// Why nothing above the tolerance is lost: all operations on a slot are atomic, so its values follow each other, and each addition knows the one
// before and the one behind it. Whenever a sum is above the tolerance, it was brought there by an addition behind which nobody has taken it; who
// did that writes an item, which counts as reserved before his own counts as done (workers.cuh). Who takes the item looks at the slot
// behind that. An item that finds the sum within the tolerance is dropped: somebody took it for another item. If the pool has no place for the
// item, the vertex is marked for the next launch, and the sum stays where it is.
//
// What the launch begins with has been added to the values already. What of that is within the tolerance becomes pending again, so that it is
// said together with what comes.
//
// Some items have what is to be said with them (SGG_RESIDUAL_SAYS): those the first launch begins with, whose values have grown already,
// and the parts but the first of a vertex of many edges. Of these the bits of an item are the delta; whoever finds no place for one walks it.

constexpr int SGG_RESIDUAL_SAYS = 1 << 30;

// A pending sum that grew.
struct ResidualEdge {
  Residual before;
  Residual added;
};

// A number as the bits of an item.
SGG_DEVICE unsigned long long sgg_residual_bits(double delta) { return (unsigned long long)__double_as_longlong(delta); }
SGG_DEVICE unsigned long long sgg_residual_bits(float delta) { return (unsigned long long)(unsigned)__float_as_int(delta); }
SGG_DEVICE Residual sgg_of_residual_bits(unsigned long long bits) {
  if constexpr (sizeof(Residual) == sizeof(double)) {
    return (Residual)__longlong_as_double((long long)bits);
  } else {
    return (Residual)__int_as_float((int)(unsigned)bits);
  }
}

// The bucket that all items belong to: its values begin with priority 0.
SGG_DEVICE int sgg_residual_bucket(const Frame& f) { return sgg_async_bucket(sgg_async_control(f), 0.0); }

// What a launch begins with has grown by the delta of its vertex.
SGG_DEVICE double sgg_priority(const State&) { return 0.0; }
SGG_DEVICE unsigned long long sgg_async_bits(const State& value) { return sgg_residual_bits(sgg_residual_said(value)); }

// Marks a vertex for the next launch, since the pool has no place for its item; its pending sum stays.
SGG_DEVICE void sgg_residual_leave(const Frame& f, bool left, int v, AsyncTally& tally) {
  if (left) {
    tally.spilled += sgg_first(f.nextActive, v) ? 1 : 0;
    sgg_store(&f.asyncState[SGG_ASYNC_LEFT], 1ull);
  }
}

// Loads what the end that is told has of its own.
SGG_DEVICE void sgg_residual_receiver(const Frame& f, AsyncEdge& edge) {
  if (edge.row >= 0 && !sgg_present(f, edge.row)) {
    edge.row = -1;
  }
  if (edge.row >= 0) {
    if (edge.out) {
      edge.destination = In::row(f, edge.row, true);
    } else {
      edge.source = Out::row(f, edge.row, true);
    }
  }
}

// Adds what the lanes' edges said, all of them before anybody waits for one, and writes items of those that came to be above the tolerance.
// All lanes.
SGG_DEVICE void sgg_residual_add(const Frame& f, int lane, int turns, const AsyncEdge* edges, AsyncTally& tally) {
  ResidualEdge grown[SGG_ASYNC_TURNS];
  SGG_UNROLL
  for (int t = 0; t < SGG_ASYNC_TURNS; t++) {
    if (t < turns) {
      grown[t].before = grown[t].added = sgg_residual_message(edges[t].message);
      if (edges[t].sends) {
        grown[t].before = sgg_sum_begin(sgg_residual_slot(f, edges[t].row), grown[t].added);
      }
    }
  }
  __syncwarp();
  int bucket = sgg_residual_bucket(f);
  SGG_UNROLL
  for (int t = 0; t < SGG_ASYNC_TURNS; t++) {
    if (t < turns) {
      Residual before = sgg_residual_of(f, grown[t].before);
      Residual behind = sgg_residual_of(f, grown[t].before + grown[t].added);
      bool crosses = edges[t].sends && !sgg_residual_exceeds(f, before) && sgg_residual_exceeds(f, behind);
      if (edges[t].sends && sgg_residual_shrinks(before, behind)) {
        sgg_store(&f.asyncState[SGG_ASYNC_SHRUNK], 1ull);
      }
      bool left = sgg_async_push(f, lane, crosses, edges[t].row, 0, 0ull, bucket, tally);
      sgg_residual_leave(f, left, edges[t].row, tally);
    }
  }
}

// Says something along a part of the edges of the lanes' vertices. All lanes.
SGG_DEVICE void sgg_residual_walk(const Frame& f, int lane, bool takes, int v, int part, Residual delta, AsyncTally& tally) {
  AsyncEnds ends = sgg_async_part(sgg_async_ends(f, takes, v), takes, part);
  State said{};
  if (takes) {
    sgg_load_state(f, v, said);
    sgg_residual_say(said, delta);
  }
  PackedRows rows = sgg_pack(0, ends.outs + ends.ins, false, lane);
  for (int first = 0; first < rows.total; first += SGG_WARP * SGG_ASYNC_TURNS) {
    AsyncEdge edges[SGG_ASYNC_TURNS];
    int turns = sgg_smaller(SGG_ASYNC_TURNS, (rows.total - first + SGG_WARP - 1) / SGG_WARP);
    SGG_UNROLL
    for (int t = 0; t < SGG_ASYNC_TURNS; t++) {
      if (t < turns) {
        edges[t] = sgg_async_load_listed(f, v, said, rows, ends, first + t * SGG_WARP + lane);
      }
    }
    __syncwarp();
    SGG_UNROLL
    for (int t = 0; t < SGG_ASYNC_TURNS; t++) {
      if (t < turns) {
        sgg_residual_receiver(f, edges[t]);
        sgg_async_say(f, edges[t]);
        tally.edges += edges[t].row >= 0 ? 1 : 0;
      }
    }
    __syncwarp();
    sgg_residual_add(f, lane, turns, edges, tally);
  }
}

// Puts items that say something into buckets; those that find no place are walked here. All lanes.
SGG_DEVICE void sgg_residual_put(const Frame& f, int lane, bool wants, int v, int part, Residual delta, AsyncTally& tally) {
  bool left = sgg_async_push(f, lane, wants, v, part | SGG_RESIDUAL_SAYS, sgg_residual_bits(delta), sgg_residual_bucket(f), tally);
  if (__any_sync(SGG_ALL_LANES, left)) {
    sgg_residual_walk(f, lane, left, v, part, delta, tally);
  }
}

// Says something along the edges of the lanes' vertices, or a part of them that is not the first; of many edges the others do the other parts. All
// lanes.
SGG_DEVICE void sgg_residual_spread(const Frame& f, int lane, bool walks, int v, int part, Residual delta, AsyncTally& tally) {
  AsyncEnds ends = sgg_async_ends(f, walks, v);
  int larger = sgg_larger(ends.outs, ends.ins);
  unsigned hubs = __ballot_sync(SGG_ALL_LANES, walks && part == 0 && larger > SGG_PUSH_PART);
  for (unsigned left = hubs; left != 0u; left &= left - 1u) {
    int owner = __ffs((int)left) - 1;
    int parts = sgg_shfl((larger - 1) / SGG_PUSH_PART + 1, owner);
    int hub = sgg_shfl(v, owner);
    Residual said = sgg_shfl(delta, owner);
    for (int p = 1; p < parts; p += SGG_WARP) {
      sgg_residual_put(f, lane, p + lane < parts, hub, p + lane, said, tally);
    }
  }
  if (__any_sync(SGG_ALL_LANES, walks)) {
    sgg_residual_walk(f, lane, walks, v, part, delta, tally);
  }
}

// Makes what a value has grown by, and is not said on since it is within the tolerance, pending again: so it is said together with what comes.
// Returns whether it has come to be above the tolerance by that.
SGG_DEVICE bool sgg_residual_back(const Frame& f, int v, Residual delta) {
  Residual multiple = sgg_residual_of(f, (Residual)1);
  if (delta == (Residual)0 || multiple == (Residual)0) {
    return false;
  }
  sgg_residual_grow(f, v, -delta);
  // A little less, so that rounding alone never brings it above the tolerance: it would be taken and made pending for ever.
  constexpr double ROUNDING = sizeof(Residual) == sizeof(double) ? 0x1p-50 : 0x1p-21;
  Residual sum = delta / multiple * (Residual)(1.0 - ROUNDING);
  Residual before = sgg_sum_begin(sgg_residual_slot(f, v), sum);
  return !sgg_residual_exceeds(f, sgg_residual_of(f, before)) && sgg_residual_exceeds(f, sgg_residual_of(f, before + sum));
}

// What happens to items that a launch begins with and that have found no place. All lanes.
SGG_DEVICE void sgg_async_unseeded(const Frame& f, int lane, bool refused, int v, int part, unsigned long long bits, AsyncTally& tally) {
  if (!__any_sync(SGG_ALL_LANES, refused)) {
    return;
  }
  bool says = refused && (part & SGG_RESIDUAL_SAYS) != 0;
  Residual delta = sgg_of_residual_bits(bits);
  bool walks = says && sgg_residual_exceeds(f, delta);
  bool again = says && !walks && sgg_residual_back(f, v, delta);
  sgg_residual_leave(f, refused && !says || again, v, tally);
  sgg_residual_spread(f, lane, walks, v, 0, delta, tally);
}

// The part of the items that a launch begins with: in the first one the values have grown by superstep 0.
SGG_DEVICE int sgg_async_seeding(const Frame& f) { return f.residualsBegin != 0 ? SGG_RESIDUAL_SAYS : 0; }

// Takes a vertex's pending sum, where it is above the tolerance, and lets its value grow by it. Whether there was one, and in `delta` what
// is to be said. What is taken and turns out to be within the tolerance is given back; `again` says that it has come to be above it by that.
SGG_DEVICE bool sgg_residual_take(const Frame& f, int v, Residual& delta, bool& again) {
  Residual* slot = sgg_residual_slot(f, v);
  if (!sgg_residual_exceeds(f, sgg_residual_of(f, *(volatile Residual*)slot))) {
    return false;
  }
  Residual sum = sgg_sum_take(slot);
  delta = sgg_residual_of(f, sum);
  if (sgg_residual_exceeds(f, delta)) {
    delta = sgg_residual_grow(f, v, delta);
    return true;
  }
  if (sum != (Residual)0) {
    Residual before = sgg_sum_begin(slot, sum);
    again = !sgg_residual_exceeds(f, sgg_residual_of(f, before)) && sgg_residual_exceeds(f, sgg_residual_of(f, before + sum));
  }
  return false;
}

// Walks the lanes' items. All lanes.
SGG_DEVICE void sgg_async_chase(const Frame& f, int lane, bool takes, unsigned long long item, unsigned long long bits, AsyncLocal& local,
                                AsyncTally& tally) {
  (void)local;
  int v = (int)(unsigned)item;
  int part = (int)(item >> 32);
  bool says = (part & SGG_RESIDUAL_SAYS) != 0;
  part &= ~SGG_RESIDUAL_SAYS;
  Residual delta = sgg_of_residual_bits(bits);
  bool again = false;
  bool walks = takes && (says || sgg_residual_take(f, v, delta, again));
  if (walks && !sgg_residual_exceeds(f, delta)) {
    // What the launch begins with. Rounding may make as little of what was taken, too.
    again = sgg_residual_back(f, v, delta);
    walks = false;
  }
  tally.ran += walks ? 1 : 0;
  tally.stale += takes && !walks ? 1 : 0;
  if (__any_sync(SGG_ALL_LANES, again)) {
    bool left = sgg_async_push(f, lane, again, v, 0, 0ull, sgg_residual_bucket(f), tally);
    sgg_residual_leave(f, left, v, tally);
  }
  sgg_residual_spread(f, lane, walks, v, part, delta, tally);
}

// Behind the last item: adds the pending sums to their vertices, unless some wait for another launch. None is above the tolerance; that is looked at,
// since the promise of the run stands on it. A vertex's delta is then what of its value is not said on. (Until here it is what the launch begins
// with: who writes that into buckets may read it after others have walked.)
SGG_DEVICE void sgg_async_end(const Frame& f, int lane, int worker) {
  if (sgg_load(&f.asyncState[SGG_ASYNC_LEFT]) != 0ull) {
    return;
  }
  long long step = (long long)f.asyncWorkers * SGG_WARP;
  for (long long v = (long long)worker * SGG_WARP + lane; v < f.stored; v += step) {
    Residual sum = *(volatile Residual*)sgg_residual_slot(f, (int)v);
    Residual unsaid = (Residual)0;
    if (sum != (Residual)0) {
      if (sgg_residual_exceeds(f, sgg_residual_of(f, sum))) {
        atomicAdd(&f.asyncState[SGG_ASYNC_LOST], 1ull);
      }
      unsaid = sgg_residual_grow(f, (int)v, sgg_residual_of(f, sum));
      *sgg_residual_slot(f, (int)v) = (Residual)0;
    }
    sgg_residual_unsaid(f, (int)v, unsaid);
  }
}
