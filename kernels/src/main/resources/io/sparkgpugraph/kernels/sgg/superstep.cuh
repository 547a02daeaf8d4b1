// The kernels of a superstep, over the functions and adapters that were generated for one program.
//
// A warp owns 32 consecutive rows. Its lanes walk the edges of those rows 32 at a time; every lane finds the row
// that owns its edge, evaluates the send function, and a segmented reduction over the lanes merges what belongs to one row
// (warp segmentation, Khorasani 2016, section 2.2). In sparse supersteps only candidate rows take part: their edges are packed
// into a virtual list first (KiTES, dynamic thread assignment, section 3.2). The vertex program, the activity and change bitmaps
// and the refined outboxes follow in the same kernel. Rows of more than hubDegree edges are left to the hub kernels.
//
// The reduction merges neighbours first (strides 1, 2, 4, 8, 16), so messages are merged in the order of the edges: a merge
// function has to be associative, as GraphX demands, but need not be commutative to give the same result as on the processor.

// Rows of so many edges and more, up to hubDegree, are gathered by a whole warp one after the other.
#define SGG_LONG_ROW 64

// How the rows of a superstep are chosen.
#define SGG_ALL 0     // every row, every edge
#define SGG_DENSE 1   // every row, the edges that the filter selects
#define SGG_SPARSE 2  // candidate rows, the edges that the filter selects

// Edge filters (KernelShape.Filter).
#define SGG_FILTER_NONE 0
#define SGG_FILTER_ROW 1
#define SGG_FILTER_NEIGHBOUR 2
#define SGG_FILTER_ROW_OR_NEIGHBOUR 3
#define SGG_FILTER_ROW_AND_NEIGHBOUR 4

SGG_DEVICE constexpr bool sgg_filter_reads_row(int filter) {
  return filter == SGG_FILTER_ROW || filter == SGG_FILTER_ROW_OR_NEIGHBOUR || filter == SGG_FILTER_ROW_AND_NEIGHBOUR;
}

SGG_DEVICE constexpr bool sgg_filter_reads_neighbour(int filter) {
  return filter >= SGG_FILTER_NEIGHBOUR;
}

// Filters of a mode. A monotone program in place evaluates all edges of a dense superstep.
SGG_DEVICE constexpr int sgg_filter_of(int mode, int filter) {
  return mode == SGG_ALL || (mode == SGG_DENSE && SGG_IN_PLACE) ? SGG_FILTER_NONE : filter;
}

SGG_DEVICE bool sgg_present(const Frame& f, int v) {
#if SGG_MISSING
  return f.present == nullptr || sgg_bit(f.present, v);
#else
  (void)f;
  (void)v;
  return true;
#endif
}

// ---- merging --------------------------------------------------------------------------------------------------------

// A row's message so far.
struct Inbox {
  Message message;
  bool has;
};

SGG_DEVICE void sgg_inbox_reset(Inbox& inbox) {
  sgg_message_reset(inbox.message);
  inbox.has = false;
}

SGG_DEVICE void sgg_inbox_take(const Frame& f, int row, Inbox& inbox, const Message& message) {
  if (inbox.has) {
    sgg_merge(f, row, inbox.message, message);
  } else {
    inbox.message = message;
    inbox.has = true;
  }
}

// Merges the messages of each segment of lanes into its first lane, in lane order. A segment is what lies between its first lane
// and `end` (the same for all of its lanes); `sent` has a bit for every lane whose message counts; `span` is a power of two that
// no segment exceeds. All lanes of the warp take part.
SGG_DEVICE void sgg_reduce_segments(const Frame& f, int row, Message& message, unsigned sent, int lane, int end, int span) {
  if (sent == SGG_ALL_LANES) {
    // The common case: nobody has to ask who sent.
    for (int d = 1; d < span; d <<= 1) {
      Message other = sgg_message_shfl_down(message, d);
      if (lane + d < end) {
        sgg_merge(f, row, message, other);
      }
    }
    return;
  }
  for (int d = 1; d < span; d <<= 1) {
    Message other = sgg_message_shfl_down(message, d);
    unsigned theirs = sent & sgg_lanes(lane + d, sgg_smaller(lane + 2 * d, end));
    if (theirs != 0u) {
      if ((sent & sgg_lanes(lane, sgg_smaller(lane + d, end))) != 0u) {
        sgg_merge(f, row, message, other);
      } else {
        message = other;
      }
    }
  }
}

// ---- gather ---------------------------------------------------------------------------------------------------------

// Whether the filter selects an edge, given its row's activity and its other end.
template <int Filter>
SGG_DEVICE bool sgg_selects(const Frame& f, bool rowActive, int neighbour) {
  switch (Filter) {
    case SGG_FILTER_NEIGHBOUR:
      return sgg_bit(f.active, neighbour);
    case SGG_FILTER_ROW:
      return rowActive;
    case SGG_FILTER_ROW_OR_NEIGHBOUR:
      return rowActive || sgg_bit(f.active, neighbour);
    case SGG_FILTER_ROW_AND_NEIGHBOUR:
      return rowActive && sgg_bit(f.active, neighbour);
    default:
      return true;
  }
}

// The edges of a warp's rows as one list: this lane's row owns places [start, start + count) of it.
struct PackedRows {
  int begin;  // first edge of this lane's row
  int count;  // its edges; 0 when the row takes no part
  int start;
  int total;  // length of the list
};

// Packs the rows; `whole` says that every row takes part, so that the list is one range of edges as it is.
SGG_DEVICE PackedRows sgg_pack(int begin, int count, bool whole, int lane) {
  PackedRows rows;
  rows.begin = begin;
  rows.count = count;
  if (whole) {
    rows.start = begin - sgg_shfl(begin, 0);
  } else {
    int sum = count;
    for (int d = 1; d < SGG_WARP; d <<= 1) {
      int before = __shfl_up_sync(SGG_ALL_LANES, sum, d);
      if (lane >= d) {
        sum += before;
      }
    }
    rows.start = sum - count;
  }
  rows.total = sgg_shfl(rows.start + count, SGG_WARP - 1);
  return rows;
}

// The lane whose row owns a place of the list: the largest with start <= place, by binary search in five steps. Rows without
// edges share their start with the next one, which is larger, and so own nothing.
SGG_DEVICE int sgg_owner(const PackedRows& rows, int place) {
  int owner = 0;
  for (int d = SGG_WARP / 2; d > 0; d >>= 1) {
    if (sgg_shfl(rows.start, owner + d) <= place) {
      owner += d;
    }
  }
  return owner;
}

// Evaluates the selected edges of a warp's rows and merges the messages of each row into its lane's inbox, behind what is in there.
// Side is In or Out; `rowActive` is this lane's row's activity; `edges` counts the evaluated edges.
template <class Side, int Filter>
SGG_DEVICE void sgg_gather(const Frame& f, int lane, int v, const PackedRows& rows, bool whole, bool rowActive, Inbox& inbox,
                           long long& edges) {
  typename Side::Row own = Side::row(f, v, rows.count > 0);
  unsigned activeRows = sgg_filter_reads_row(Filter) ? __ballot_sync(SGG_ALL_LANES, rowActive) : 0u;
  int first = sgg_shfl(rows.begin, 0);
  for (int base = 0; base < rows.total; base += SGG_WARP) {
    int place = base + lane;
    bool valid = place < rows.total;
    int edge = first + place;
    int neighbour = 0;
    typename Side::Edge loaded{};
    if (whole && valid) {
      // The only scattered loads: issued first, the search below hides their latency.
      neighbour = Side::neighbour(f, edge);
      if (Filter == SGG_FILTER_NONE || Filter == SGG_FILTER_ROW) {
        loaded = Side::edge(f, edge, neighbour);
      }
    }
    int owner = sgg_owner(rows, place);
    int start = sgg_shfl(rows.start, owner);
    int end = sgg_smaller(SGG_WARP, sgg_shfl(rows.start + rows.count, owner) - base);
    if (!whole) {
      edge = sgg_shfl(rows.begin, owner) + (place - start);
      if (valid) {
        neighbour = Side::neighbour(f, edge);
      }
    }
    bool selected = valid && sgg_selects<Filter>(f, (activeRows >> owner) & 1u, neighbour);
    if (selected && (!whole || (Filter != SGG_FILTER_NONE && Filter != SGG_FILTER_ROW))) {
      loaded = Side::edge(f, edge, neighbour);
    }
    typename Side::Row ownersRow = Side::shfl(own, owner);
    int row = (v & ~31) + owner;
    Message message;
    sgg_message_reset(message);
    bool sends = false;
    if (selected) {
      edges++;
      Side::send(f, row, neighbour, ownersRow, loaded, message, sends);
    }
    unsigned sent = __ballot_sync(SGG_ALL_LANES, sends);
    if (sent == 0u) {
      continue;
    }
    sgg_reduce_segments(f, row, message, sent, lane, end, SGG_WARP);
    // The first lane of this lane's row in this round, and whether anything was sent to it.
    int head = sgg_larger(rows.start - base, 0);
    int tail = sgg_smaller(rows.start + rows.count - base, SGG_WARP);
    Message merged = sgg_message_shfl(message, head & 31);
    if ((sent & sgg_lanes(head, tail)) != 0u) {
      sgg_inbox_take(f, v, inbox, merged);
    }
  }
}

// Whether the filter selects at least one edge of this lane's row (gather ALL).
template <class Side, int Filter>
SGG_DEVICE bool sgg_any_selected(const Frame& f, int lane, const PackedRows& rows, bool rowActive) {
  if (Filter == SGG_FILTER_NONE) {
    return rows.count > 0;
  }
  if (Filter == SGG_FILTER_ROW) {
    return rowActive && rows.count > 0;
  }
  unsigned activeRows = sgg_filter_reads_row(Filter) ? __ballot_sync(SGG_ALL_LANES, rowActive) : 0u;
  bool any = false;
  for (int base = 0; base < rows.total; base += SGG_WARP) {
    int place = base + lane;
    int owner = sgg_owner(rows, place);
    int edge = sgg_shfl(rows.begin, owner) + (place - sgg_shfl(rows.start, owner));
    bool selected = place < rows.total && sgg_selects<Filter>(f, (activeRows >> owner) & 1u, Side::neighbour(f, edge));
    unsigned found = __ballot_sync(SGG_ALL_LANES, selected);
    any |= (found & sgg_lanes(sgg_larger(rows.start - base, 0), sgg_smaller(rows.start + rows.count - base, SGG_WARP))) != 0u;
  }
  return any;
}

// Evaluates one edge per lane of a row that the whole warp works on; returns the lanes that sent something.
template <class Side, int Filter>
SGG_DEVICE unsigned sgg_send_row(const Frame& f, int v, const typename Side::Row& own, int e, int end, bool rowActive, Message& message,
                                 long long& edges) {
  sgg_message_reset(message);
  bool sends = false;
  if (e < end) {
    int neighbour = Side::neighbour(f, e);
    if (sgg_selects<Filter>(f, rowActive, neighbour)) {
      edges++;
      Side::send(f, v, neighbour, own, Side::edge(f, e, neighbour), message, sends);
    }
  }
  return __ballot_sync(SGG_ALL_LANES, sends);
}

// Gathers edges [begin, end) of one row with one warp; what came is in lane 0's inbox.
template <class Side, int Filter>
SGG_DEVICE void sgg_gather_range(const Frame& f, int lane, int v, int begin, int end, bool rowActive, Inbox& inbox, long long& edges) {
  typename Side::Row own = Side::row(f, v, true);
  for (int base = begin; base < end; base += SGG_WARP) {
    Message message;
    unsigned sent = sgg_send_row<Side, Filter>(f, v, own, base + lane, end, rowActive, message, edges);
#if SGG_COMMUTATIVE
    // Every lane merges its own edges: the order does not matter to this merge function.
    if ((sent >> lane) & 1u) {
      sgg_inbox_take(f, v, inbox, message);
    }
#else
    if (sent != 0u) {
      sgg_reduce_segments(f, v, message, sent, lane, SGG_WARP, SGG_WARP);
      if (lane == 0) {
        sgg_inbox_take(f, v, inbox, message);
      }
    }
#endif
  }
#if SGG_COMMUTATIVE
  unsigned sent = __ballot_sync(SGG_ALL_LANES, inbox.has);
  sgg_reduce_segments(f, v, inbox.message, sent, lane, SGG_WARP, SGG_WARP);
  inbox.has = sent != 0u;
#endif
}

// Gathers the long rows of a warp one after the other with all lanes, and takes them out of `count`: a row that fills whole rounds
// needs no search for owners and, where the merge function is commutative, no reduction before its end.
template <class Side, int Filter>
SGG_DEVICE void sgg_gather_long_rows(const Frame& f, int lane, int v, int begin, int& count, bool rowActive, Inbox& inbox,
                                     long long& edges) {
  unsigned longRows = __ballot_sync(SGG_ALL_LANES, count >= SGG_LONG_ROW);
  while (longRows != 0u) {
    int owner = __ffs((int)longRows) - 1;
    longRows &= longRows - 1u;
    int first = sgg_shfl(begin, owner);
    int last = first + sgg_shfl(count, owner);
    bool active = sgg_filter_reads_row(Filter) && sgg_shfl(rowActive ? 1 : 0, owner) != 0;
    Inbox gathered;
    sgg_inbox_reset(gathered);
    sgg_gather_range<Side, Filter>(f, lane, (v & ~31) + owner, first, last, active, gathered, edges);
    bool came = sgg_shfl(gathered.has ? 1 : 0, 0) != 0;
    Message message = sgg_message_shfl(gathered.message, 0);
    if (lane == owner) {
      if (came) {
        sgg_inbox_take(f, v, inbox, message);
      }
      count = 0;
    }
  }
}

// Gathers the rows of a warp: `count` edges from `begin` of this lane's row, which has [begin, end).
template <class Side, int Filter>
SGG_DEVICE void sgg_gather_packed(const Frame& f, int lane, int v, int begin, int end, int count, bool rowActive, Inbox& inbox,
                                  long long& edges) {
  sgg_gather_long_rows<Side, Filter>(f, lane, v, begin, count, rowActive, inbox, edges);
  bool whole = __all_sync(SGG_ALL_LANES, count == end - begin);
  sgg_gather<Side, Filter>(f, lane, v, sgg_pack(begin, count, whole, lane), whole, rowActive, inbox, edges);
}

// Gathers one side of a warp's rows: those that take part and are not hubs.
template <class Side, int Filter>
SGG_DEVICE void sgg_gather_side(const Frame& f, int lane, int v, bool takesPart, bool rowActive, Inbox& inbox, long long& edges) {
  constexpr bool byRow = Filter == SGG_FILTER_ROW || Filter == SGG_FILTER_ROW_AND_NEIGHBOUR;
  int begin = Side::begin(f, sgg_smaller(v, (int)f.stored));
  int end = Side::begin(f, sgg_smaller(v + 1, (int)f.stored));
  int count = takesPart && (!byRow || rowActive) ? end - begin : 0;
#if SGG_GATHER_ALL
  if (Filter != SGG_FILTER_NONE) {
    PackedRows rows = sgg_pack(begin, count, __all_sync(SGG_ALL_LANES, count == end - begin), lane);
    if (!sgg_any_selected<Side, Filter>(f, lane, rows, rowActive)) {
      count = 0;
    }
    sgg_gather_packed<Side, SGG_FILTER_NONE>(f, lane, v, begin, end, count, rowActive, inbox, edges);
    return;
  }
#endif
  sgg_gather_packed<Side, Filter>(f, lane, v, begin, end, count, rowActive, inbox, edges);
}

// ---- what a launch counts -------------------------------------------------------------------------------------------

struct Tally {
  long long edges;
  long long ran;
  long long activated;
  long long activeEdges;
#if SGG_AGGREGATES > 0
  double aggregates[SGG_AGGREGATES];
#endif
};

SGG_DEVICE void sgg_tally_reset(Tally& tally) {
  tally.edges = 0;
  tally.ran = 0;
  tally.activated = 0;
  tally.activeEdges = 0;
#if SGG_AGGREGATES > 0
  sgg_aggregates_neutral(tally.aggregates);
#endif
}

SGG_DEVICE long long sgg_warp_sum(long long value) {
  for (int d = SGG_WARP / 2; d > 0; d >>= 1) {
    value += sgg_shfl_down(value, d);
  }
  return value;
}

// Adds up a block's counts: over each warp by shuffles, over the warps in shared memory, one atomic per count. All threads.
SGG_DEVICE void sgg_tally_counts(const Frame& f, const Tally& tally) {
  SGG_SHARED(long long, counts, 4 * SGG_BLOCK_WARPS);
  long long sums[4] = {sgg_warp_sum(tally.edges), sgg_warp_sum(tally.ran), sgg_warp_sum(tally.activated),
                       sgg_warp_sum(tally.activeEdges)};
  int warp = (int)(threadIdx.x >> 5);
  if (sgg_lane() == 0) {
    for (int i = 0; i < 4; i++) {
      counts[4 * warp + i] = sums[i];
    }
  }
  __syncthreads();
  if (threadIdx.x < 4u) {
    long long sum = 0;
    for (int w = 0; w < SGG_BLOCK_WARPS; w++) {
      sum += counts[4 * w + (int)threadIdx.x];
    }
    if (sum != 0) {
      atomicAdd(&f.status[threadIdx.x], (unsigned long long)sum);
    }
  }
  __syncthreads();
}

#if SGG_AGGREGATES > 0 || SGG_FINAL_AGGREGATES > 0
// Reduces a block's values of `count` aggregates in a fixed order and leaves them in slot `slot` of the partials. All threads.
template <class Combine>
SGG_DEVICE void sgg_block_aggregates(const Frame& f, const double* values, int count, int slot, Combine combine) {
  SGG_SHARED(double, warps, SGG_BLOCK_WARPS);
  for (int i = 0; i < count; i++) {
    double value = values[i];
    for (int d = 1; d < SGG_WARP; d <<= 1) {
      double other = sgg_shfl_down(value, d);
      if (sgg_lane() + d < SGG_WARP) {
        value = combine(i, value, other);
      }
    }
    if (sgg_lane() == 0) {
      warps[threadIdx.x >> 5] = value;
    }
    __syncthreads();
    if (threadIdx.x == 0u) {
      double sum = warps[0];
      for (int w = 1; w < SGG_BLOCK_WARPS; w++) {
        sum = combine(i, sum, warps[w]);
      }
      f.aggregatePartials[(long long)i * f.partialSlots + slot] = sum;
    }
    __syncthreads();
  }
}
#endif

#if SGG_AGGREGATES > 0
struct CombineAggregates {
  SGG_DEVICE_MEMBER double operator()(int i, double a, double b) const { return sgg_aggregate_combine(i, a, b); }
};
#endif

// What a launch counted, at its end. All threads.
SGG_DEVICE void sgg_tally_store(const Frame& f, const Tally& tally) {
  sgg_tally_counts(f, tally);
#if SGG_AGGREGATES > 0
  sgg_block_aggregates(f, tally.aggregates, SGG_AGGREGATES, (int)blockIdx.x, CombineAggregates());
#endif
}

// ---- apply ----------------------------------------------------------------------------------------------------------

// Online vertex refinement (section 2.4): each boundary list that has one of the warp's vertices gets the updates of those that
// changed or are active, compacted: vote, ballot, popc, one atomic per list and warp. `v` may differ from lane to lane by any
// amount. All lanes.
SGG_DEVICE void sgg_refine(const Frame& f, int lane, int v, bool changed, bool active, const State& after) {
#if SGG_TRACKS_CHANGES
  bool says = changed || (active && f.shipActivity != 0);
  if (!__any_sync(SGG_ALL_LANES, says)) {
    return;
  }
  for (int i = 0; i < (int)f.outboxCount; i++) {
    const Outbox& box = f.outboxes[i];
    unsigned members = says ? box.members[v >> 5] : 0u;
    bool wants = says && ((members >> (v & 31)) & 1u);
    unsigned update = __ballot_sync(SGG_ALL_LANES, wants);
    if (update == 0u) {
      continue;
    }
    unsigned valued = __ballot_sync(SGG_ALL_LANES, wants && changed);
    int slot = 0;
    if (lane == 0) {
      slot = atomicAdd(&box.counts[0], __popc(update));
      if (valued != 0u) {
        atomicAdd(&box.counts[1], __popc(valued));
      }
    }
    slot = sgg_shfl(slot, 0) + __popc(update & sgg_lanes(0, lane));
    if (wants) {
      box.positions[slot] = box.ranks[v >> 5] + __popc(members & sgg_lanes(0, v & 31));
      box.flags[slot] = (unsigned char)((changed ? 1 : 0) | (active ? 2 : 0));
      if (changed) {
        sgg_outbox_store(box, slot, after);
      }
    }
  }
#else
  (void)f;
  (void)lane;
  (void)v;
  (void)changed;
  (void)active;
  (void)after;
#endif
}

// Runs the vertex program on a row per lane and commits what it says. `isRow` says that this lane has a row at all.
// Shared: other warps have rows of the same bitmap words (hubs, virtual warps), so bits are set by atomics; otherwise the lanes
// are the 32 rows of one word. All lanes.
template <int Mode, bool Shared>
SGG_DEVICE void sgg_apply(const Frame& f, int lane, int v, bool isRow, Inbox& inbox, Tally& tally) {
  bool ran = isRow && inbox.has;
#if SGG_EVERY_VERTEX
  if (isRow && !inbox.has) {
    sgg_empty_message(f, inbox.message);
    ran = true;
  }
#endif
  bool active = false;
  bool changed = false;
  State after{};
  if (ran) {
    State before;
    sgg_load_state(f, v, before);
    sgg_vertex_program(f, v, before, inbox.message, after);
    tally.ran++;
#if SGG_AGGREGATES > 0
    sgg_aggregate(f, v, before, after, tally.aggregates);
#endif
    active = sgg_active_when(f, v, before, after);
#if SGG_IN_PLACE
    active = sgg_state_differs(before, after);
    ran = active;
#endif
#if SGG_TRACKS_CHANGES
    changed = ran && sgg_shipped_differs(before, after);
#endif
    if (ran) {
      sgg_store_state(f, v, after);
    }
  }
  if (Mode != SGG_SPARSE && !SGG_IN_PLACE && isRow && !ran) {
    sgg_copy_unchanged(f, v);
  }
#if !SGG_EVERY_VERTEX
  if (active) {
    tally.activated++;
    if (f.activeCost != nullptr) {
      tally.activeEdges += f.activeCost[v];
    }
  }
  if (Shared) {
    if (active) {
      atomicOr(&f.nextActive[v >> 5], 1u << (v & 31));
    }
#if SGG_RECORDS_RAN
    if (Mode == SGG_SPARSE && ran) {
      atomicOr(&f.ran[v >> 5], 1u << (v & 31));
    }
#endif
  } else {
    unsigned activeRows = __ballot_sync(SGG_ALL_LANES, active);
    if (lane == 0) {
      f.nextActive[v >> 5] = activeRows;
    }
#if SGG_RECORDS_RAN
    unsigned ranRows = __ballot_sync(SGG_ALL_LANES, ran);
    if (Mode == SGG_SPARSE && lane == 0) {
      f.ran[v >> 5] = ranRows;
    }
#endif
  }
#else
  if (active) {
    tally.activated++;
  }
#endif
  sgg_refine(f, lane, v, changed, active, after);
}

// Whether a row is a candidate of a sparse superstep: one bit per 2^groupShift vertices.
SGG_DEVICE bool sgg_candidate(const Frame& f, int v) { return sgg_bit(f.candidates, v >> (int)f.groupShift); }

// Rows that this kernel leaves to the hub kernels.
SGG_DEVICE bool sgg_is_hub(const Frame& f, int v) {
  bool hub = false;
#if SGG_IN_ROWS
  hub |= f.inOffsets[v + 1] - f.inOffsets[v] > f.hubDegree;
#endif
#if SGG_OUT_ROWS
  hub |= f.outOffsets[v + 1] - f.outOffsets[v] > f.hubDegree;
#endif
  return hub;
}

// ---- kernels: gather and apply --------------------------------------------------------------------------------------

template <int Mode>
SGG_DEVICE void sgg_gather_rows(const Frame& f) {
  constexpr int inFilter = sgg_filter_of(Mode, SGG_IN_FILTER);
  constexpr int outFilter = sgg_filter_of(Mode, SGG_OUT_FILTER);
  Tally tally;
  sgg_tally_reset(tally);
  int lane = sgg_lane();
  long long words = (f.stored + 31) >> 5;
  long long warps = (long long)gridDim.x * SGG_BLOCK_WARPS;
  for (long long w = (long long)blockIdx.x * SGG_BLOCK_WARPS + (threadIdx.x >> 5); w < words; w += warps) {
    int v = (int)(w << 5) + lane;
    bool isRow = v < (int)f.stored && sgg_present(f, v) && !sgg_is_hub(f, v);
    if (Mode == SGG_SPARSE) {
      isRow = isRow && sgg_candidate(f, v);
      if (!__any_sync(SGG_ALL_LANES, isRow)) {
        continue;
      }
    }
    bool rowActive = false;
    if (sgg_filter_reads_row(inFilter) || sgg_filter_reads_row(outFilter)) {
      rowActive = isRow && sgg_bit(f.active, v);
    }
    Inbox inbox;
    sgg_inbox_reset(inbox);
#if SGG_IN_ROWS
    sgg_gather_side<In, inFilter>(f, lane, v, isRow, rowActive, inbox, tally.edges);
#endif
#if SGG_OUT_ROWS
    {
      // An edge counts once, although each of its ends evaluates it.
      long long uncounted = 0;
      sgg_gather_side<Out, outFilter>(f, lane, v, isRow, rowActive, inbox, SGG_IN_ROWS ? uncounted : tally.edges);
    }
#endif
    sgg_apply<Mode, false>(f, lane, v, isRow, inbox, tally);
  }
  sgg_tally_store(f, tally);
}

SGG_KERNEL(gather_all) { sgg_gather_rows<SGG_ALL>(f); }

#if !SGG_EVERY_VERTEX
SGG_KERNEL(gather_dense) { sgg_gather_rows<SGG_DENSE>(f); }

SGG_KERNEL(gather_sparse) { sgg_gather_rows<SGG_SPARSE>(f); }
#endif

// ---- kernels: virtual warps (baseline) ------------------------------------------------------------------------------

#if SGG_VIRTUAL_WARPS
// One side of a row per group of `width` lanes; the lanes take the row's edges `width` at a time (VWC; width 1: a thread per vertex).
template <class Side, int Filter>
SGG_DEVICE void sgg_lanes_side(const Frame& f, int lane, int v, bool isRow, bool rowActive, int width, Inbox& inbox, long long& edges) {
  int begin = isRow ? Side::begin(f, v) : 0;
  int end = isRow ? Side::begin(f, v + 1) : 0;
  int group = lane & ~(width - 1);
  typename Side::Row own = Side::row(f, v, isRow);
  bool take = true;
#if SGG_GATHER_ALL
  if (Filter != SGG_FILTER_NONE) {
    bool any = false;
    for (int e = begin + (lane - group); __any_sync(SGG_ALL_LANES, e < end); e += width) {
      any |= e < end && sgg_selects<Filter>(f, rowActive, Side::neighbour(f, e));
    }
    take = (__ballot_sync(SGG_ALL_LANES, any) & sgg_lanes(group, group + width)) != 0u;
  }
  constexpr int filter = SGG_FILTER_NONE;
#else
  constexpr int filter = Filter;
#endif
  for (int base = begin; __any_sync(SGG_ALL_LANES, base < end); base += width) {
    int e = base + (lane - group);
    Message message;
    sgg_message_reset(message);
    bool sends = false;
    if (take && e < end) {
      int neighbour = Side::neighbour(f, e);
      if (sgg_selects<filter>(f, rowActive, neighbour)) {
        edges++;
        Side::send(f, v, neighbour, own, Side::edge(f, e, neighbour), message, sends);
      }
    }
    unsigned sent = __ballot_sync(SGG_ALL_LANES, sends);
    if (sent == 0u) {
      continue;
    }
    sgg_reduce_segments(f, v, message, sent, lane, group + width, width);
    if (lane == group && (sent & sgg_lanes(group, group + width)) != 0u) {
      sgg_inbox_take(f, v, inbox, message);
    }
  }
}

template <int Mode>
SGG_DEVICE void sgg_gather_lanes(const Frame& f) {
  constexpr int inFilter = sgg_filter_of(Mode, SGG_IN_FILTER);
  constexpr int outFilter = sgg_filter_of(Mode, SGG_OUT_FILTER);
  Tally tally;
  sgg_tally_reset(tally);
  int lane = sgg_lane();
  int width = (int)f.width;
  long long rowsPerWarp = SGG_WARP / width;
  long long warps = (long long)gridDim.x * SGG_BLOCK_WARPS;
  for (long long w = (long long)blockIdx.x * SGG_BLOCK_WARPS + (threadIdx.x >> 5); w * rowsPerWarp < f.stored; w += warps) {
    long long index = w * rowsPerWarp + lane / width;
    int v = (int)(index < f.stored ? index : f.stored - 1);
    bool isRow = index < f.stored && sgg_present(f, v);
    bool rowActive = false;
    if (sgg_filter_reads_row(inFilter) || sgg_filter_reads_row(outFilter)) {
      rowActive = isRow && sgg_bit(f.active, v);
    }
    Inbox inbox;
    sgg_inbox_reset(inbox);
#if SGG_IN_ROWS
    sgg_lanes_side<In, inFilter>(f, lane, v, isRow, rowActive, width, inbox, tally.edges);
#endif
#if SGG_OUT_ROWS
    {
      long long uncounted = 0;
      sgg_lanes_side<Out, outFilter>(f, lane, v, isRow, rowActive, width, inbox, SGG_IN_ROWS ? uncounted : tally.edges);
    }
#endif
    sgg_apply<Mode, true>(f, lane, v, isRow && (lane & (width - 1)) == 0, inbox, tally);
  }
  sgg_tally_store(f, tally);
}

SGG_KERNEL(lanes_all) { sgg_gather_lanes<SGG_ALL>(f); }

#if !SGG_EVERY_VERTEX
SGG_KERNEL(lanes_dense) { sgg_gather_lanes<SGG_DENSE>(f); }
#endif
#endif

// ---- kernels: hubs --------------------------------------------------------------------------------------------------

// A hub is a row of more than hubDegree edges. Its edges are cut into chunks, in-edges first; a block gathers a chunk. A hub of one
// chunk is applied by its block (block path); the chunks of a larger one leave partial messages, which a warp of hub_finish merges in order
// (multi-block path). chunkHub[c], chunkSide[c] (0 in, 1 out), chunkBegin[c], chunkEnd[c]: edges of chunk c; hubRows[h]; the
// chunks of hub h are [hubFirstChunk[h], hubFirstChunk[h + 1]).

// Whether a hub takes part in the superstep at all.
template <int Mode>
SGG_DEVICE bool sgg_hub_takes_part(const Frame& f, int v) {
  return sgg_present(f, v) && (Mode != SGG_SPARSE || sgg_candidate(f, v));
}

template <class Side, int Filter>
SGG_DEVICE void sgg_hub_chunk(const Frame& f, int lane, int h, int v, int begin, int end, int side, bool rowActive, Inbox& inbox,
                              long long& edges) {
  if ((Filter == SGG_FILTER_ROW || Filter == SGG_FILTER_ROW_AND_NEIGHBOUR) && !rowActive) {
    return;
  }
#if SGG_GATHER_ALL
  if (Filter != SGG_FILTER_NONE) {
    if (f.hubSelected[2 * h + side] != 0) {
      sgg_gather_range<Side, SGG_FILTER_NONE>(f, lane, v, begin, end, rowActive, inbox, edges);
    }
    return;
  }
#else
  (void)h;
  (void)side;
#endif
  sgg_gather_range<Side, Filter>(f, lane, v, begin, end, rowActive, inbox, edges);
}

#if SGG_AGGREGATES > 0
// A hub's aggregates have a slot of their own behind those of the gather blocks.
SGG_DEVICE void sgg_hub_aggregates(const Frame& f, int h, const double* values) {
  for (int i = 0; i < SGG_AGGREGATES; i++) {
    f.aggregatePartials[(long long)i * f.partialSlots + f.partialSlots - f.hubCount + h] = values[i];
  }
}
#endif

// Applies a hub with one warp; the message is in lane 0's inbox.
template <int Mode>
SGG_DEVICE void sgg_hub_apply(const Frame& f, int lane, int h, int v, bool takesPart, Inbox& inbox, Tally& tally) {
  Tally own;
  sgg_tally_reset(own);
  if (takesPart) {
    sgg_apply<Mode, true>(f, lane, v, lane == 0, inbox, own);
  }
  tally.ran += own.ran;
  tally.activated += own.activated;
  tally.activeEdges += own.activeEdges;
#if SGG_AGGREGATES > 0
  if (lane == 0) {
    sgg_hub_aggregates(f, h, own.aggregates);
  }
#else
  (void)h;
#endif
}

template <int Mode>
SGG_DEVICE void sgg_gather_hubs(const Frame& f) {
  SGG_SHARED(Inbox, inboxes, SGG_BLOCK_WARPS);
  Tally tally;
  sgg_tally_reset(tally);
  int lane = sgg_lane();
  int warp = (int)(threadIdx.x >> 5);
  for (int c = (int)blockIdx.x; c < (int)f.chunkCount; c += (int)gridDim.x) {
    int h = f.chunkHub[c];
    int v = f.hubRows[h];
    bool single = f.hubFirstChunk[h + 1] - f.hubFirstChunk[h] == 1;
    bool takesPart = sgg_hub_takes_part<Mode>(f, v);
    Inbox inbox;
    sgg_inbox_reset(inbox);
    if (takesPart) {
      // Each warp takes a contiguous part, so that the parts are merged in the order of the edges.
      int share = ((f.chunkEnd[c] - f.chunkBegin[c] + SGG_BLOCK_WARPS * SGG_WARP - 1) / (SGG_BLOCK_WARPS * SGG_WARP)) * SGG_WARP;
      int begin = sgg_smaller(f.chunkBegin[c] + warp * share, f.chunkEnd[c]);
      int end = sgg_smaller(begin + share, f.chunkEnd[c]);
#if SGG_EVERY_VERTEX
      bool rowActive = false;
#else
      bool rowActive = Mode != SGG_ALL && sgg_bit(f.active, v);
#endif
      long long uncounted = 0;
      (void)uncounted;
      if (f.chunkSide[c] == 0) {
#if SGG_IN_ROWS
        sgg_hub_chunk<In, sgg_filter_of(Mode, SGG_IN_FILTER)>(f, lane, h, v, begin, end, 0, rowActive, inbox, tally.edges);
#endif
      } else {
#if SGG_OUT_ROWS
        sgg_hub_chunk<Out, sgg_filter_of(Mode, SGG_OUT_FILTER)>(f, lane, h, v, begin, end, 1, rowActive, inbox,
                                                                  SGG_IN_ROWS ? uncounted : tally.edges);
#endif
      }
    }
    if (lane == 0) {
      inboxes[warp] = inbox;
    }
    __syncthreads();
    if (warp == 0) {
      sgg_inbox_reset(inbox);
      if (lane == 0) {
        for (int w = 0; w < SGG_BLOCK_WARPS; w++) {
          Inbox part = inboxes[w];
          if (part.has) {
            sgg_inbox_take(f, v, inbox, part.message);
          }
        }
      }
      if (single) {
        sgg_hub_apply<Mode>(f, lane, h, v, takesPart, inbox, tally);
      } else if (lane == 0) {
        f.partialHas[c] = inbox.has ? 1 : 0;
        sgg_partial_store(f, c, inbox.message);
      }
    }
    __syncthreads();
  }
  sgg_tally_counts(f, tally);
}

template <int Mode>
SGG_DEVICE void sgg_finish_hubs(const Frame& f) {
  Tally tally;
  sgg_tally_reset(tally);
  int lane = sgg_lane();
  int warps = (int)gridDim.x * SGG_BLOCK_WARPS;
  for (int h = (int)blockIdx.x * SGG_BLOCK_WARPS + (int)(threadIdx.x >> 5); h < (int)f.hubCount; h += warps) {
    int first = f.hubFirstChunk[h];
    int last = f.hubFirstChunk[h + 1];
    if (last - first == 1) {
      continue;
    }
    int v = f.hubRows[h];
    Inbox inbox;
    sgg_inbox_reset(inbox);
    bool takesPart = sgg_hub_takes_part<Mode>(f, v);
    for (int base = first; takesPart && base < last; base += SGG_WARP) {
      int c = base + lane;
      bool has = c < last && f.partialHas[c] != 0;
      Message message;
      sgg_message_reset(message);
      if (has) {
        sgg_partial_load(f, c, message);
      }
      unsigned sent = __ballot_sync(SGG_ALL_LANES, has);
      if (sent != 0u) {
        sgg_reduce_segments(f, v, message, sent, lane, SGG_WARP, SGG_WARP);
        if (lane == 0) {
          sgg_inbox_take(f, v, inbox, message);
        }
      }
    }
    sgg_hub_apply<Mode>(f, lane, h, v, takesPart, inbox, tally);
  }
  sgg_tally_counts(f, tally);
}

SGG_KERNEL(hubs_all) { sgg_gather_hubs<SGG_ALL>(f); }
SGG_KERNEL(hub_finish_all) { sgg_finish_hubs<SGG_ALL>(f); }

#if !SGG_EVERY_VERTEX
SGG_KERNEL(hubs_dense) { sgg_gather_hubs<SGG_DENSE>(f); }
SGG_KERNEL(hub_finish_dense) { sgg_finish_hubs<SGG_DENSE>(f); }
SGG_KERNEL(hubs_sparse) { sgg_gather_hubs<SGG_SPARSE>(f); }
SGG_KERNEL(hub_finish_sparse) { sgg_finish_hubs<SGG_SPARSE>(f); }
#endif

#if SGG_GATHER_ALL
// Gather ALL: which sides of a hub have an edge that the filter selects. A block per chunk; the flags start at 0.
template <int Mode>
SGG_DEVICE void sgg_select_hubs(const Frame& f) {
  for (int c = (int)blockIdx.x; c < (int)f.chunkCount; c += (int)gridDim.x) {
    int h = f.chunkHub[c];
    int v = f.hubRows[h];
    int side = f.chunkSide[c];
    if (!sgg_hub_takes_part<Mode>(f, v)) {
      continue;
    }
    bool rowActive = sgg_bit(f.active, v);
    bool any = false;
    for (int e = f.chunkBegin[c] + (int)threadIdx.x; e < f.chunkEnd[c] && !any; e += (int)blockDim.x) {
      if (side == 0) {
#if SGG_IN_ROWS
        any = sgg_selects<sgg_filter_of(Mode, SGG_IN_FILTER)>(f, rowActive, In::neighbour(f, e));
#endif
      } else {
#if SGG_OUT_ROWS
        any = sgg_selects<sgg_filter_of(Mode, SGG_OUT_FILTER)>(f, rowActive, Out::neighbour(f, e));
#endif
      }
    }
    if (any) {
      atomicOr(&f.hubSelected[2 * h + side], 1);
    }
  }
}

SGG_KERNEL(hub_select_dense) { sgg_select_hubs<SGG_DENSE>(f); }
SGG_KERNEL(hub_select_sparse) { sgg_select_hubs<SGG_SPARSE>(f); }
#endif

// ---- kernels: activation --------------------------------------------------------------------------------------------

#if !SGG_EVERY_VERTEX
// Sets the candidate bits of the neighbours of a warp's active vertices in a transpose: the lanes walk the packed list of their
// rows (dynamic thread assignment). With vertex grouping a row of the transpose is a group, walked once by its first active lane.
SGG_DEVICE void sgg_activate_neighbours(const Frame& f, int lane, int v, unsigned active, const int* offsets, const int* targets) {
  int shift = (int)f.groupShift;
  int group = v >> shift;
  int groupLane = shift >= 5 ? 0 : lane & ~((1 << shift) - 1);
  unsigned before = active & sgg_lanes(groupLane, lane);
  bool walks = ((active >> lane) & 1u) && before == 0u;
  int begin = walks ? offsets[group] : 0;
  int count = walks ? offsets[group + 1] - begin : 0;
  PackedRows rows = sgg_pack(begin, count, false, lane);
  for (int base = 0; base < rows.total; base += SGG_WARP) {
    int place = base + lane;
    int owner = sgg_owner(rows, place);
    int edge = sgg_shfl(rows.begin, owner) + (place - sgg_shfl(rows.start, owner));
    if (place < rows.total) {
      sgg_set_bit(f.candidates, targets[edge]);
    }
  }
}

// Candidates of the next sparse superstep from the active vertices, held and ghosts: a warp per 32 of them. The candidates start
// at 0.
SGG_KERNEL(activate) {
  int lane = sgg_lane();
  long long words = (f.locals + 31) >> 5;
  long long warps = (long long)gridDim.x * SGG_BLOCK_WARPS;
  for (long long w = (long long)blockIdx.x * SGG_BLOCK_WARPS + (threadIdx.x >> 5); w < words; w += warps) {
    unsigned active = f.active[w];
    if (active == 0u) {
      continue;
    }
    int v = (int)(w << 5) + lane;
#if SGG_ACTIVATES_SELF
    if (((active >> lane) & 1u) && v < (int)f.stored) {
      sgg_set_bit(f.candidates, v >> (int)f.groupShift);
    }
#endif
#if SGG_ACTIVATES_IN
    sgg_activate_neighbours(f, lane, v, active, f.inTransposeOffsets, f.inTransposeTargets);
#endif
#if SGG_ACTIVATES_OUT
    sgg_activate_neighbours(f, lane, v, active, f.outTransposeOffsets, f.outTransposeTargets);
#endif
    (void)v;
  }
}

// Makes the values that a sparse superstep wrote current: a thread per held vertex.
SGG_KERNEL(commit) {
#if SGG_RECORDS_RAN
  const unsigned* ran = f.ran;
#else
  const unsigned* ran = f.nextActive;
#endif
  long long threads = (long long)gridDim.x * blockDim.x;
  for (long long v = (long long)blockIdx.x * blockDim.x + threadIdx.x; v < f.stored; v += threads) {
    if (sgg_bit(ran, (int)v)) {
      sgg_commit_state(f, (int)v);
    }
  }
}
#endif

// ---- kernels: exchange ----------------------------------------------------------------------------------------------

#if SGG_TRACKS_CHANGES
// Applies the updates that another partition left for this one: values of its ghosts, and which of them are active.
SGG_KERNEL(inbox) {
  const Outbox& box = *f.inbox;
  int count = box.counts[0];
  int threads = (int)(gridDim.x * blockDim.x);
  for (int i = (int)(blockIdx.x * blockDim.x + threadIdx.x); i < count; i += threads) {
    int v = (int)f.firstGhost + box.positions[i];
    int flags = box.flags[i];
    if (flags & 1) {
      sgg_outbox_load(f, box, i, v);
    }
#if !SGG_EVERY_VERTEX
    if (flags & 2) {
      atomicOr(&f.nextActive[v >> 5], 1u << (v & 31));
    }
#endif
  }
}
#endif

// ---- kernels: begin and end -----------------------------------------------------------------------------------------

// Superstep 0: state from attributes, then the vertex program with the initial message, on held vertices and ghosts. Vertices
// that do not exist get zeros. A thread per vertex.
SGG_KERNEL(initialise) {
  Tally tally;
  sgg_tally_reset(tally);
  long long threads = (long long)gridDim.x * blockDim.x;
  for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < f.locals; i += threads) {
    int v = (int)i;
    State after{};
    if (sgg_present(f, v)) {
      bool held = v < (int)f.stored;
      State value;
      sgg_initial_state(f, v, value);
      after = value;
#if SGG_STARTS_WITH_MESSAGE
      Message message;
      sgg_initial_message(f, message);
      sgg_vertex_program(f, v, value, message, after);
      if (held) {
        tally.ran++;
#if SGG_AGGREGATES > 0
        sgg_aggregate(f, v, value, after, tally.aggregates);
#endif
      }
#endif
      if (held) {
        tally.activated++;
      }
    }
    sgg_write_state(f, v, after);
  }
  sgg_tally_store(f, tally);
}

#if SGG_FINAL_AGGREGATES > 0
struct CombineFinalAggregates {
  SGG_DEVICE_MEMBER double operator()(int i, double a, double b) const { return sgg_final_aggregate_combine(i, a, b); }
};

// The final aggregates of the values as they are: a thread per held vertex, partials per block.
SGG_KERNEL(final_aggregates) {
  double sums[SGG_FINAL_AGGREGATES];
  sgg_final_aggregates_neutral(sums);
  long long threads = (long long)gridDim.x * blockDim.x;
  for (long long v = (long long)blockIdx.x * blockDim.x + threadIdx.x; v < f.stored; v += threads) {
    if (sgg_present(f, (int)v)) {
      State value;
      sgg_load_state(f, (int)v, value);
      sgg_final_aggregate(f, (int)v, value, sums);
    }
  }
  sgg_block_aggregates(f, sums, SGG_FINAL_AGGREGATES, (int)blockIdx.x, CombineFinalAggregates());
}

// Reduces the partials of the final aggregates in a fixed order; one block.
SGG_KERNEL(final_aggregate) {
  SGG_SHARED(double, values, SGG_BLOCK_WARPS * SGG_WARP);
  for (int i = 0; i < SGG_FINAL_AGGREGATES; i++) {
    double neutral[SGG_FINAL_AGGREGATES];
    sgg_final_aggregates_neutral(neutral);
    double value = neutral[i];
    for (long long s = threadIdx.x; s < f.partialSlots; s += blockDim.x) {
      value = sgg_final_aggregate_combine(i, value, f.aggregatePartials[(long long)i * f.partialSlots + s]);
    }
    values[threadIdx.x] = value;
    __syncthreads();
    if (threadIdx.x == 0u) {
      for (int t = 1; t < SGG_BLOCK_WARPS * SGG_WARP; t++) {
        value = sgg_final_aggregate_combine(i, value, values[t]);
      }
      f.status[SGG_STATUS_AGGREGATES + i] = (unsigned long long)__double_as_longlong(value);
    }
    __syncthreads();
  }
}
#endif

#if SGG_AGGREGATES > 0
// Reduces the partials of the superstep's aggregates in a fixed order; one block.
SGG_KERNEL(aggregate) {
  SGG_SHARED(double, values, SGG_BLOCK_WARPS * SGG_WARP);
  for (int i = 0; i < SGG_AGGREGATES; i++) {
    double neutral[SGG_AGGREGATES];
    sgg_aggregates_neutral(neutral);
    double value = neutral[i];
    for (long long s = threadIdx.x; s < f.partialSlots; s += blockDim.x) {
      value = sgg_aggregate_combine(i, value, f.aggregatePartials[(long long)i * f.partialSlots + s]);
    }
    values[threadIdx.x] = value;
    __syncthreads();
    if (threadIdx.x == 0u) {
      for (int t = 1; t < SGG_BLOCK_WARPS * SGG_WARP; t++) {
        value = sgg_aggregate_combine(i, value, values[t]);
      }
      f.status[SGG_STATUS_AGGREGATES + i] = (unsigned long long)__double_as_longlong(value);
    }
    __syncthreads();
  }
}
#endif

#if SGG_RESULT
// The result function, on the final values: a thread per held vertex. Rows of vertices that do not exist are zero.
SGG_KERNEL(result) {
  long long threads = (long long)gridDim.x * blockDim.x;
  for (long long v = (long long)blockIdx.x * blockDim.x + threadIdx.x; v < f.stored; v += threads) {
    Result value{};
    if (sgg_present(f, (int)v)) {
      sgg_result(f, (int)v, value);
    }
    sgg_result_store(f, (int)v, value);
  }
}
#endif
