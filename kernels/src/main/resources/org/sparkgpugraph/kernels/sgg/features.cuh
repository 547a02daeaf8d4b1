// Gathering messages that have arrays, where every edge counts: groups of lanes take an edge each, and a lane has a part of what is read
// over it, of what is sent and of what came before (parts.cuh). A warp has one row at a time; its groups take the row's edges in turn,
// SGG_FEATURE_DEPTH of them under way together, and what they have is merged in the end, in an order that depends on nothing but the row.
// The other ends of the first edges of the next row come while this one is worked on.
// (Feature-aware aggregation of ONYX: k lanes read an edge's k numbers as one piece of memory. ONYX packs pairs of edges and features of
// several rows into a warp; rows one after the other need no search for owners and no atomics, and were faster where both were tried,
// benchmarks/gpu/feature_sum.cu.)

#define SGG_FEATURE_ROUND (SGG_FEATURE_GROUPS * SGG_FEATURE_DEPTH)

// The other ends of the edges of a round that this lane's group takes.
template <class Parts>
SGG_DEVICE void sgg_part_ends(const Frame& f, int lane, int first, int end, int (&ends)[SGG_FEATURE_DEPTH]) {
  const int* neighbours = Parts::neighbours(f);
  SGG_UNROLL
  for (int i = 0; i < SGG_FEATURE_DEPTH; i++) {
    int e = first + i * SGG_FEATURE_GROUPS + lane / SGG_FEATURE_GROUP;
    ends[i] = sgg_load_once(neighbours + e, e < end);
  }
}

// Gathers edges [begin, end) of a row, each group those that it takes, behind what it has; `ends` are those of the first round.
template <class Parts>
SGG_DEVICE void sgg_part_gather(const Frame& f, int lane, int v, int begin, int end, int (&ends)[SGG_FEATURE_DEPTH], PartInbox& inbox,
                                int& edges) {
  int part = lane % SGG_FEATURE_GROUP;
  int group = lane / SGG_FEATURE_GROUP;
  typename Parts::Row own = Parts::row(f, v, part);
  for (int first = begin; first < end; first += SGG_FEATURE_ROUND) {
    typename Parts::Edge loaded[SGG_FEATURE_DEPTH];
    SGG_UNROLL
    for (int i = 0; i < SGG_FEATURE_DEPTH; i++) {
      int e = first + i * SGG_FEATURE_GROUPS + group;
      if (e < end) {
        loaded[i] = Parts::edge(f, e, ends[i], part);
      }
    }
    if (first + SGG_FEATURE_ROUND < end) {
      sgg_part_ends<Parts>(f, lane, first + SGG_FEATURE_ROUND, end, ends);
    }
    SGG_UNROLL
    for (int i = 0; i < SGG_FEATURE_DEPTH; i++) {
      if (first + i * SGG_FEATURE_GROUPS + group < end) {
        edges += part == 0 ? 1 : 0;
        Parts::send(f, v, part, own, loaded[i], inbox.message, inbox.has);
      }
    }
  }
}

// Merges what the groups have of a row: all of them have all of it then. All lanes.
SGG_DEVICE void sgg_part_reduce(const Frame& f, int lane, int v, PartInbox& inbox) {
  SGG_UNROLL
  for (int d = SGG_FEATURE_GROUP; d < SGG_WARP; d *= 2) {
    PartMessage other = sgg_part_shfl_xor(inbox.message, d);
    sgg_part_merge(f, v, lane % SGG_FEATURE_GROUP, inbox.message, other);
  }
  inbox.has = __any_sync(SGG_ALL_LANES, inbox.has);
}

// Gathers one side of a warp's rows, [begin, end) of this lane's, those that take part; each lane has its row's message in the end, by way
// of memory. All lanes.
template <class Side>
SGG_DEVICE void sgg_feature_rows(const Frame& f, int lane, int v, int begin, int end, bool takesPart, Stage* room, Inbox& inbox,
                                 int& edges) {
  typedef typename PartsOf<Side>::Type Parts;
  if constexpr (sgg_spreads()) {
    SpreadRoom& spread = *reinterpret_cast<SpreadRoom*>(room);
    unsigned sent = sgg_spread_rows<Side, false>(f, lane, v, begin, end, takesPart, 0u, spread, edges);
    if ((sent >> lane) & 1u) {
      Message message;
      for (int part = 0; part < SGG_FEATURE_GROUP; part++) {
        sgg_part_put(message, spread.rows[lane * SGG_FEATURE_GROUP + part].message, part);
      }
      sgg_inbox_take(f, v, inbox, message);
    }
    __syncwarp();
    return;
  }
  unsigned rows = __ballot_sync(SGG_ALL_LANES, takesPart && begin < end);
  if (rows == 0u) {
    return;
  }
  int owner = __ffs((int)rows) - 1;
  int first = sgg_shfl(begin, owner);
  int last = sgg_shfl(end, owner);
  int ends[SGG_FEATURE_DEPTH];
  sgg_part_ends<Parts>(f, lane, first, last, ends);
  bool came = false;
  while (owner >= 0) {
    rows &= rows - 1u;
    int nextOwner = __ffs((int)rows) - 1;
    int nextFirst = sgg_shfl(begin, nextOwner & 31);
    int nextLast = sgg_shfl(end, nextOwner & 31);
    int nextEnds[SGG_FEATURE_DEPTH] = {};
    if (nextOwner >= 0) {
      sgg_part_ends<Parts>(f, lane, nextFirst, nextLast, nextEnds);
    }
    PartInbox row;
    sgg_part_inbox_reset(row);
    sgg_part_gather<Parts>(f, lane, (v & ~31) + owner, first, last, ends, row, edges);
    sgg_part_reduce(f, lane, (v & ~31) + owner, row);
    if (row.has && lane < SGG_FEATURE_GROUP) {
      sgg_part_store_gathered(f, (v & ~31) + owner, lane, row.message);
    }
    came = lane == owner ? row.has : came;
    owner = nextOwner;
    first = nextFirst;
    last = nextLast;
    SGG_UNROLL
    for (int i = 0; i < SGG_FEATURE_DEPTH; i++) {
      ends[i] = nextEnds[i];
    }
  }
  // What other lanes have written is read.
  __syncwarp();
  if (came) {
    Message message;
    sgg_load_gathered(f, v, message);
    sgg_inbox_take(f, v, inbox, message);
  }
}

// Gathers a chunk of a hub; lane 0 has the message, by way of the chunk's partial one. All lanes.
template <class Side>
SGG_DEVICE void sgg_feature_chunk(const Frame& f, int lane, int c, int v, int begin, int end, Inbox& inbox, int& edges) {
  typedef typename PartsOf<Side>::Type Parts;
  int ends[SGG_FEATURE_DEPTH];
  sgg_part_ends<Parts>(f, lane, begin, end, ends);
  PartInbox row;
  sgg_part_inbox_reset(row);
  sgg_part_gather<Parts>(f, lane, v, begin, end, ends, row, edges);
  sgg_part_reduce(f, lane, v, row);
  if (row.has && lane < SGG_FEATURE_GROUP) {
    sgg_part_store_partial(f, c, lane, row.message);
  }
  __syncwarp();
  if (row.has && lane == 0) {
    Message message;
    sgg_partial_load(f, c, message);
    sgg_inbox_take(f, v, inbox, message);
  }
}

#if SGG_FEATURES_APPLY || SGG_TEAM
// The edges of a row, with the other ends of the first of them.
struct PartRow {
  int begin;
  int end;
  int ends[SGG_FEATURE_DEPTH];
};

// The row of a lane; none where that is negative. All lanes.
template <class Parts>
SGG_DEVICE PartRow sgg_part_row(const Frame& f, int lane, int begin, int end, int owner) {
  PartRow row;
  row.begin = sgg_shfl(begin, owner & 31);
  row.end = owner < 0 ? row.begin : sgg_shfl(end, owner & 31);
  sgg_part_ends<Parts>(f, lane, row.begin, row.end, row.ends);
  return row;
}

// One side of the rows of a warp, each asked for while the one before is gathered.
template <class Side>
struct PartSide {
  typedef typename PartsOf<Side>::Type Parts;
  int begin;
  int end;
  PartRow next;

  SGG_DEVICE_MEMBER void start(const Frame& f, int lane, int owner) { next = sgg_part_row<Parts>(f, lane, begin, end, owner); }

  SGG_DEVICE_MEMBER void gather(const Frame& f, int lane, int row, int nextOwner, PartInbox& inbox, int& edges) {
    PartRow here = next;
    start(f, lane, nextOwner);
    sgg_part_gather<Parts>(f, lane, row, here.begin, here.end, here.ends, inbox, edges);
  }
};

template <>
struct PartSide<NoSide> {
  int begin;
  int end;

  SGG_DEVICE_MEMBER void start(const Frame&, int, int) {}

  SGG_DEVICE_MEMBER void gather(const Frame&, int, int, int, PartInbox&, int&) {}
};

#endif

#if SGG_FEATURES_APPLY
// ---- vertex programs whose lanes share arrays, too ----------------------------------------------------------------------

// What happened to a row.
struct PartOutcome {
  bool ran;
  bool active;
  bool changed;
};

// Runs the vertex program on a row per group of lanes. `exists`: the group has one. All lanes.
template <int Mode>
SGG_DEVICE PartOutcome sgg_part_apply(const Frame& f, int lane, int v, bool exists, PartInbox& inbox, Tally& tally) {
  int part = lane % SGG_FEATURE_GROUP;
  PartOutcome outcome{};
  outcome.ran = exists && inbox.has;
  if constexpr (SGG_EVERY_VERTEX) {
    if (exists && !inbox.has) {
      sgg_part_empty_message(f, part, inbox.message);
      outcome.ran = true;
    }
  }
  if (outcome.ran) {
    PartState before;
    PartState after{};
    sgg_part_load_state(f, v, part, before);
    sgg_part_vertex_program(f, v, part, before, inbox.message, after);
    if (part == 0) {
      tally.ran++;
    }
    sgg_part_aggregate(f, v, part, before, after, tally.aggregates);
    outcome.active = sgg_part_active_when(f, v, part, before, after);
    outcome.changed = SGG_TRACKS_CHANGES && sgg_part_shipped_differs(before, after);
    sgg_part_store_state(f, v, part, after);
  } else if (exists && Mode != SGG_TAKE_SPARSE) {
    sgg_part_copy_unchanged(f, v, part);
  }
  return outcome;
}

// Gathers and applies the 32 rows of a bitmap word, as sgg_gather_word does.
template <int Mode, int Bits>
SGG_DEVICE void sgg_feature_word(const Frame& f, int lane, int v, bool isRow, const RowEdges& edgesOf, Stage* room, Tally& tally) {
  int group = lane / SGG_FEATURE_GROUP;
  int part = lane % SGG_FEATURE_GROUP;
  unsigned rows = __ballot_sync(SGG_ALL_LANES, isRow);
  SpreadRoom& spread = *reinterpret_cast<SpreadRoom*>(room);
  unsigned sent = 0u;
  // An edge counts once, although each of its ends evaluates it.
  int uncounted = 0;
  if constexpr (sgg_spreads() && SGG_IN_ROWS) {
    sent = sgg_spread_rows<In, false>(f, lane, v, edgesOf.inBegin, edgesOf.inEnd, isRow, sent, spread, tally.edges);
  }
  if constexpr (sgg_spreads() && SGG_OUT_ROWS) {
    sent = sgg_spread_rows<Out, SGG_IN_ROWS != 0>(f, lane, v, edgesOf.outBegin, edgesOf.outEnd, isRow, sent, spread, SGG_IN_ROWS ? uncounted : tally.edges);
  }
  bool hasEdges = edgesOf.inBegin < edgesOf.inEnd || edgesOf.outBegin < edgesOf.outEnd;
  unsigned left = sgg_spreads() ? 0u : __ballot_sync(SGG_ALL_LANES, isRow && hasEdges);
  PartSide<In> in;
  in.begin = edgesOf.inBegin;
  in.end = edgesOf.inEnd;
  PartSide<Out> out;
  out.begin = edgesOf.outBegin;
  out.end = edgesOf.outEnd;
  if constexpr (!sgg_spreads()) {
    in.start(f, lane, __ffs((int)left) - 1);
    out.start(f, lane, __ffs((int)left) - 1);
  }
  bool ran = false;
  bool active = false;
  bool changed = false;
  for (int base = 0; base < SGG_WARP; base += SGG_FEATURE_GROUPS) {
    unsigned some = sgg_lanes(base, base + SGG_FEATURE_GROUPS);
    if ((rows & some) == 0u) {
      continue;
    }
    PartInbox mine;
    mine.has = false;
    if constexpr (sgg_spreads()) {
      mine.has = (sent >> (base + group)) & 1u;
      if (mine.has) {
        mine.message = spread.rows[(base + group) * SGG_FEATURE_GROUP + part].message;
      }
    }
    while ((left & some) != 0u) {
      int owner = __ffs((int)left) - 1;
      int row = (v & ~31) + owner;
      left &= left - 1u;
      int next = __ffs((int)left) - 1;
      PartInbox gathered;
      sgg_part_inbox_reset(gathered);
      in.gather(f, lane, row, next, gathered, tally.edges);
      out.gather(f, lane, row, next, gathered, SGG_IN_ROWS ? uncounted : tally.edges);
      sgg_part_reduce(f, lane, row, gathered);
      if (base + group == owner) {
        mine = gathered;
      }
    }
    bool exists = (rows >> ((base + group) & 31)) & 1u;
    PartOutcome outcome = sgg_part_apply<Mode>(f, lane, (v & ~31) + base + group, exists, mine, tally);
    unsigned ranParts = __ballot_sync(SGG_ALL_LANES, outcome.ran);
    unsigned activeParts = __ballot_sync(SGG_ALL_LANES, outcome.active);
    unsigned changedParts = __ballot_sync(SGG_ALL_LANES, outcome.changed);
    if (lane >= base && lane < base + SGG_FEATURE_GROUPS) {
      int first = (lane - base) * SGG_FEATURE_GROUP;
      unsigned parts = sgg_lanes(first, first + SGG_FEATURE_GROUP);
      ran = (ranParts & parts) != 0u;
      active = (activeParts & parts) != 0u;
      changed = (changedParts & parts) != 0u;
    }
  }
  State after{};
  if (SGG_TRACKS_CHANGES) {
    // What other lanes have written is read.
    __syncwarp();
    if (changed) {
      sgg_load_shipped(f, v, after);
    }
  }
  sgg_applied<Mode, Bits>(f, lane, v, isRow, ran, active, changed, after, tally);
}

// Applies a hub by a warp's first group of lanes, as sgg_hub_apply does.
template <int Mode>
SGG_DEVICE void sgg_feature_hub(const Frame& f, int lane, int h, int v, bool takesPart, PartInbox& inbox, Tally& tally) {
  Tally own;
  sgg_tally_reset(own);
  if (takesPart) {
    PartOutcome outcome = sgg_part_apply<Mode>(f, lane, v, lane < SGG_FEATURE_GROUP, inbox, own);
    bool changed = __any_sync(SGG_ALL_LANES, outcome.changed);
    State after{};
    if (SGG_TRACKS_CHANGES) {
      __syncwarp();
      if (changed && lane == 0) {
        sgg_load_shipped(f, v, after);
      }
    }
    bool isRow = lane == 0;
    sgg_applied<Mode, SGG_BITS_SINGLE>(f, lane, v, isRow, isRow && outcome.ran, isRow && outcome.active, isRow && changed, after, own);
  }
  tally.ran += own.ran;
  tally.activated += own.activated;
  tally.activeEdges += own.activeEdges;
  if (lane == 0) {
    sgg_hub_aggregates(f, h, own.aggregates);
  }
}

#endif

#if SGG_FEATURES_APPLY || SGG_TEAM
// Gathers the selected edges of a chunk of a hub (selected.cuh).
template <class Side, int Filter>
SGG_DEVICE void sgg_selected_parts(const Frame& f, int lane, int h, int v, int begin, int end, int side, bool rowActive, Stage* room,
                                   PartInbox& inbox, int& edges);

// Gathers a chunk of a hub, and applies the hub if all its others are done, as sgg_take_chunk does. All lanes.
template <int Mode>
SGG_DEVICE void sgg_feature_take_chunk(const Frame& f, int lane, int c, Stage* room, Tally& tally) {
  constexpr int inFilter = sgg_filter_of(Mode, SGG_IN_FILTER);
  constexpr int outFilter = sgg_filter_of(Mode, SGG_OUT_FILTER);
  int part = lane % SGG_FEATURE_GROUP;
  int h = f.chunkHub[c];
  int v = f.hubRows[h];
  bool takesPart = sgg_hub_takes_part<Mode>(f, v);
  PartInbox inbox;
  sgg_part_inbox_reset(inbox);
  if (takesPart) {
    bool isIn = f.chunkSide[c] == SGG_CHUNK_IN;
    int uncounted = 0;
    if constexpr (sgg_selects_parts<Mode>()) {
      bool rowActive = (sgg_filter_reads_row(inFilter) || sgg_filter_reads_row(outFilter)) && sgg_bit(f.active, v);
      if constexpr (SGG_IN_ROWS) {
        if (isIn) {
          sgg_selected_parts<In, inFilter>(f, lane, h, v, f.chunkBegin[c], f.chunkEnd[c], SGG_CHUNK_IN, rowActive, room, inbox, tally.edges);
        }
      }
      if constexpr (SGG_OUT_ROWS) {
        if (!isIn) {
          sgg_selected_parts<Out, outFilter>(f, lane, h, v, f.chunkBegin[c], f.chunkEnd[c], SGG_CHUNK_OUT, rowActive, room, inbox,
                                             SGG_IN_ROWS ? uncounted : tally.edges);
        }
      }
    } else {
      PartSide<In> in;
      in.begin = f.chunkBegin[c];
      in.end = f.chunkEnd[c];
      PartSide<Out> out;
      out.begin = f.chunkBegin[c];
      out.end = f.chunkEnd[c];
      if (isIn) {
        in.start(f, lane, lane);
        in.gather(f, lane, v, -1, inbox, tally.edges);
      } else {
        out.start(f, lane, lane);
        out.gather(f, lane, v, -1, inbox, SGG_IN_ROWS ? uncounted : tally.edges);
      }
      sgg_part_reduce(f, lane, v, inbox);
    }
  }
  int first = f.hubFirstChunk[h];
  int last = f.hubFirstChunk[h + 1];
  if (last - first > 1) {
    if (inbox.has && lane < SGG_FEATURE_GROUP) {
      sgg_part_store_partial(f, c, part, inbox.message);
    }
    // What the other lanes have written is told with what lane 0 has: it releases what it has seen.
    __threadfence();
    __syncwarp();
    int others = 0;
    if (lane == 0) {
      f.partialHas[c] = inbox.has ? 1 : 0;
      others = sgg_arrive(&f.hubArrived[h]);
    }
    if (sgg_shfl(others, 0) != last - first - 1) {
      return;
    }
    __threadfence();
    __syncwarp();
    if (lane == 0) {
      f.hubArrived[h] = 0;
    }
    sgg_part_inbox_reset(inbox);
    for (int chunk = first + lane / SGG_FEATURE_GROUP; chunk < last; chunk += SGG_FEATURE_GROUPS) {
      if (f.partialHas[chunk] != 0) {
        PartMessage message;
        sgg_part_load_partial(f, chunk, part, message);
        sgg_part_merge(f, v, part, inbox.message, message);
        inbox.has = true;
      }
    }
    sgg_part_reduce(f, lane, v, inbox);
  }
#if SGG_TEAM
  if (inbox.has && lane < SGG_FEATURE_GROUP) {
    sgg_part_store_gathered(f, v, part, inbox.message);
  }
  __syncwarp();
  sgg_team_hub<Mode>(f, lane, h, v, takesPart, inbox.has, room, tally);
#else
  sgg_feature_hub<Mode>(f, lane, h, v, takesPart, inbox, tally);
#endif
}
#endif
