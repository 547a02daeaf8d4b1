// Streaming: how a warp gathers its rows when every edge of them counts. The edges of neighbouring rows are one range, so a warp
// takes them as they lie in memory, Policy::DEPTH per lane at a time: first loads their other ends, all at once, then what the send
// function reads over them, all at once, and leaves that in shared memory. Only then does each row's lane walk its own part of it,
// evaluate the send function and merge in the order of the edges; parts of more than Policy::SERIAL_PART edges are walked by the whole
// warp. Nobody has to find the owner of an edge, nothing is reduced over lanes but long parts, and the scattered loads of a lane
// wait for each other no more than once per Policy::DEPTH edges. (As CSR-Stream of Greathouse and Daga, SC 2014, does for one block and
// sparse matrices; here a warp does it, for any send and merge function.)

// Edges per lane that are under way together: Policy::DEPTH, fewer where what is loaded over an edge is long.
template <class Side>
SGG_DEVICE constexpr int sgg_depth() {
  int depth = Policy::DEPTH;
  while (depth > 1 && depth * (int)sizeof(typename Side::Edge) > Policy::STAGE_BYTES) {
    depth /= 2;
  }
  return depth;
}

// Whether rows of a side can be streamed: an edge has to fit in the room of a lane.
template <class Side>
SGG_DEVICE constexpr bool sgg_streams() {
  return SGG_STREAM && (int)sizeof(typename Side::Edge) <= Policy::STAGE_BYTES;
}

// Bytes per lane that a side needs.
template <class Side>
SGG_DEVICE constexpr int sgg_stage_bytes() {
  return sgg_streams<Side>() ? sgg_depth<Side>() * (int)sizeof(typename Side::Edge) : 0;
}

SGG_DEVICE constexpr int sgg_stage_words() {
#if SGG_FEATURES > 0
  // Lanes that share edges stage none, but may have room to deal them out (spread.cuh).
  return sgg_spread_words();
#else
  int in = SGG_IN_ROWS ? sgg_stage_bytes<In>() : 0;
  int out = SGG_OUT_ROWS ? sgg_stage_bytes<Out>() : 0;
  int bytes = in > out ? in : out > 1 ? out : 1;
  return SGG_WARP * ((bytes + 7) / 8);
#endif
}

// Blocks that a multiprocessor should hold of a kernel whose lanes share edges.
#if SGG_FEATURES > 0
SGG_DEVICE constexpr int sgg_feature_blocks() { return sgg_spreads() || SGG_TEAM != 0 ? Policy::SPREAD_BLOCKS : Policy::FEATURE_BLOCKS; }
#else
SGG_DEVICE constexpr int sgg_feature_blocks() { return 0; }
#endif

// The same of a kernel whose threads take an edge each.
SGG_DEVICE constexpr int sgg_thread_blocks() {
  if ((int)sizeof(Message) > Policy::WIDE_BYTES) {
    return Policy::WIDE_BLOCKS;
  }
  return In::CONTEXTS && Out::CONTEXTS ? Policy::CONTEXT_BLOCKS : Policy::RESIDENT_BLOCKS;
}

// Blocks that a multiprocessor should hold of a kernel that streams rows which are much alike, where every vertex runs.
SGG_DEVICE constexpr int sgg_stream_blocks() {
  if (SGG_FEATURES > 0) {
    return sgg_feature_blocks();
  }
  return SGG_IN_ROWS != SGG_OUT_ROWS && sgg_stage_words() <= SGG_WARP * Policy::DEPTH && (int)sizeof(Message) <= Policy::WIDE_BYTES
             ? Policy::RESIDENT_BLOCKS_SMALL
             : sgg_thread_blocks();
}

// The same of other kernels.
SGG_DEVICE constexpr int sgg_gather_blocks() { return SGG_FEATURES > 0 ? sgg_feature_blocks() : sgg_thread_blocks(); }

// Loads the other ends of `count` edges from `first`, at most Depth per lane.
template <class Side, int Depth, bool Full>
SGG_DEVICE void sgg_load_ends(const Frame& f, int lane, int first, int count, int (&neighbour)[Depth]) {
  const int* ends = Side::neighbours(f) + first + lane;
  SGG_UNROLL
  for (int i = 0; i < Depth; i++) {
    neighbour[i] = sgg_load_once(ends + SGG_WARP * i, Full || SGG_WARP * i + lane < count);
  }
}

// Loads what the send function reads over `count` edges from `first`, whose other ends are known: loaded[i] is that of edge
// first + 32 * i + lane. Where there is no such edge it is that of some other one: loads without branches are under way together.
template <class Side, int Depth, bool Full>
SGG_DEVICE void sgg_load_values(const Frame& f, int lane, int first, int count, const int (&neighbour)[Depth],
                                typename Side::Edge (&loaded)[Depth]) {
  SGG_UNROLL
  for (int i = 0; i < Depth; i++) {
    int place = SGG_WARP * i + lane;
    loaded[i] = Side::edge(f, first + (Full || place < count ? place : 0), neighbour[i]);
  }
}

// Both.
template <class Side, int Depth, bool Full>
SGG_DEVICE void sgg_load_edges(const Frame& f, int lane, int first, int count, typename Side::Edge (&loaded)[Depth]) {
  int neighbour[Depth];
  sgg_load_ends<Side, Depth, Full>(f, lane, first, count, neighbour);
  sgg_load_values<Side, Depth, Full>(f, lane, first, count, neighbour, loaded);
}

template <class Side, int Depth, bool Full>
SGG_DEVICE void sgg_stage_some(const Frame& f, int lane, int first, int count, typename Side::Edge* stage) {
  typename Side::Edge loaded[Depth];
  sgg_load_edges<Side, Depth, Full>(f, lane, first, count, loaded);
  SGG_UNROLL
  for (int i = 0; i < Depth; i++) {
    stage[SGG_WARP * i + lane] = loaded[i];
  }
}

// Stages `count` edges from `first`, at least one and at most 32 * Depth.
template <class Side, int Depth>
SGG_DEVICE void sgg_stage_edges(const Frame& f, int lane, int first, int count, typename Side::Edge* stage) {
  constexpr int half = Depth > 1 ? Depth / 2 : 1;
  if (count == SGG_WARP * Depth) {
    sgg_stage_some<Side, Depth, true>(f, lane, first, count, stage);
  } else if (count > SGG_WARP * half) {
    sgg_stage_some<Side, Depth, false>(f, lane, first, count, stage);
  } else {
    sgg_stage_some<Side, half, false>(f, lane, first, count, stage);
  }
}

// Evaluates one edge and merges what it sends.
template <class Side>
SGG_DEVICE void sgg_evaluate(const Frame& f, int row, const typename Side::Row& own, const typename Side::Edge& edge, Inbox& inbox) {
  Message message;
  sgg_message_reset(message);
  bool sends = false;
  Side::send(f, row, own, edge, message, sends);
  if (sends) {
    sgg_inbox_take(f, row, inbox, message);
  }
}

// Evaluates the staged edges from, from + step, … before `to` of one row, in this order.
template <class Side>
SGG_DEVICE void sgg_walk(const Frame& f, int row, const typename Side::Row& own, const typename Side::Edge* stage, int from, int to,
                         int step, Inbox& inbox) {
  if (from < to) {
    // The first one apart: where every edge sends, the loop behind it has nothing to test.
    Inbox part;
    sgg_inbox_reset(part);
    sgg_evaluate<Side>(f, row, own, stage[from], part);
    for (int p = from + step; p < to; p += step) {
      sgg_evaluate<Side>(f, row, own, stage[p], part);
    }
    if (part.has) {
      sgg_inbox_take(f, row, inbox, part.message);
    }
  }
}

// Merges what the lanes have of one row, in the order of the lanes, into lane 0's inbox. All lanes. Loops as they are: unrolled, they
// keep a mask per step in a register through everything else.
SGG_DEVICE void sgg_merge_lanes(const Frame& f, int row, int lane, Inbox& part) {
  if (__all_sync(SGG_ALL_LANES, part.has)) {
    // The common case: nobody has to ask who has something.
    SGG_KEEP_LOOP
    for (int d = 1; d < SGG_WARP; d <<= 1) {
      Message other = sgg_message_shfl_down(part.message, d);
      if (lane + d < SGG_WARP) {
        sgg_merge(f, row, part.message, other);
      }
    }
    return;
  }
  SGG_KEEP_LOOP
  for (int d = 1; d < SGG_WARP; d <<= 1) {
    // Lane + d has what lanes lane + d up to lane + 2 * d sent.
    unsigned have = __ballot_sync(SGG_ALL_LANES, part.has);
    Message other = sgg_message_shfl_down(part.message, d);
    if (((have >> lane) >> d) & 1u) {
      sgg_inbox_take(f, row, part, other);
    }
  }
}

// Evaluates the staged edges [from, to) of one row with all lanes; what came is in lane 0's part.
template <class Side>
SGG_DEVICE void sgg_walk_together(const Frame& f, int lane, int row, const typename Side::Row& own, const typename Side::Edge* stage,
                                  int from, int to, Inbox& part) {
  if constexpr (SGG_COMMUTATIVE) {
    sgg_walk<Side>(f, row, own, stage, from + lane, to, SGG_WARP, part);
  } else {
    // Every lane takes a contiguous piece, so that the pieces are merged in the order of the edges.
    int piece = (to - from + SGG_WARP - 1) / SGG_WARP;
    int begin = sgg_smaller(from + lane * piece, to);
    sgg_walk<Side>(f, row, own, stage, begin, sgg_smaller(begin + piece, to), 1, part);
  }
  sgg_merge_lanes(f, row, lane, part);
}

// Merges the staged edges, `count` from edge `first` on, into the inboxes of their rows. This lane's row has [begin, end) of all
// edges, and none of the staged ones unless it takes part. Lanes that have fewer than another wait for it: that counts as rounds.
template <class Side>
SGG_DEVICE void sgg_take_staged(const Frame& f, int lane, int v, const typename Side::Row& own, const typename Side::Edge* stage,
                                int first, int count, int begin, int end, Inbox& inbox, int& rounds) {
  int from = sgg_larger(begin - first, 0);
  int to = sgg_smaller(end - first, count);
  bool together = to - from > Policy::SERIAL_PART;
  rounds += sgg_warp_max(together ? 0 : sgg_larger(to - from, 0));
  if (!together) {
    sgg_walk<Side>(f, v, own, stage, from, to, 1, inbox);
  }
  for (unsigned left = __ballot_sync(SGG_ALL_LANES, together); left != 0u; left &= left - 1u) {
    int owner = __ffs((int)left) - 1;
    int ownersFrom = sgg_shfl(from, owner);
    int ownersTo = sgg_shfl(to, owner);
    rounds += (ownersTo - ownersFrom + SGG_WARP - 1) / SGG_WARP;
    Inbox part;
    sgg_inbox_reset(part);
    sgg_walk_together<Side>(f, lane, (v & ~31) + owner, Side::shfl(own, owner), stage, ownersFrom, ownersTo, part);
    bool came = sgg_shfl(part.has ? 1 : 0, 0) != 0;
    Message message = sgg_message_shfl(part.message, 0);
    if (lane == owner && came) {
      sgg_inbox_take(f, v, inbox, message);
    }
  }
}

// Gathers `left` edges from `first`, of neighbouring rows of a warp. The other ends of those to come are loaded before these are merged:
// where a multiprocessor holds few warps, that hides what loads take.
template <class Side, int Depth>
SGG_DEVICE void sgg_stream_ahead(const Frame& f, int lane, int v, const typename Side::Row& own, int first, int left, int begin, int end,
                                 typename Side::Edge* stage, Inbox& inbox, int& rounds) {
  int neighbour[Depth];
  sgg_load_ends<Side, Depth, false>(f, lane, first, left, neighbour);
  while (left > 0) {
    int count = sgg_smaller(left, SGG_WARP * Depth);
    typename Side::Edge loaded[Depth];
    sgg_load_values<Side, Depth, false>(f, lane, first, count, neighbour, loaded);
    sgg_load_ends<Side, Depth, false>(f, lane, first + count, left - count, neighbour);
    SGG_UNROLL
    for (int i = 0; i < Depth; i++) {
      stage[SGG_WARP * i + lane] = loaded[i];
    }
    __syncwarp();
    sgg_take_staged<Side>(f, lane, v, own, stage, first, count, begin, end, inbox, rounds);
    __syncwarp();
    left -= count;
    first += count;
  }
}

// Gathers all edges of those rows of a warp that take part, [begin, end) of this lane's. Rows that do not, but have edges, cut the range
// into several; Whole: there are none.
template <class Side, bool Whole>
SGG_DEVICE void sgg_stream_rows(const Frame& f, int lane, int v, int begin, int end, bool takesPart, Stage* room, Inbox& inbox,
                                int& edges, int& rounds) {
  constexpr int depth = sgg_depth<Side>();
  typename Side::Edge* stage = reinterpret_cast<typename Side::Edge*>(room);
  typename Side::Row own = Side::row(f, v, takesPart && begin < end);
  if (takesPart) {
    edges += end - begin;
  }
  unsigned cuts = Whole ? 0u : __ballot_sync(SGG_ALL_LANES, !takesPart && begin < end);
  for (int from = 0; from < SGG_WARP;) {
    // Rows [from, to) are one range.
    unsigned behind = cuts & sgg_lanes(from, SGG_WARP);
    int to = behind == 0u ? SGG_WARP : __ffs((int)behind) - 1;
    if (to > from) {
      int first = sgg_shfl(begin, from);
      int left = sgg_shfl(end, to - 1) - first;
      if constexpr (SGG_HOT) {
        sgg_stream_ahead<Side, depth>(f, lane, v, own, first, left, begin, end, stage, inbox, rounds);
        left = 0;
      }
      while (left > 0) {
        int count = sgg_smaller(left, SGG_WARP * depth);
        sgg_stage_edges<Side, depth>(f, lane, first, count, stage);
        __syncwarp();
        sgg_take_staged<Side>(f, lane, v, own, stage, first, count, begin, end, inbox, rounds);
        __syncwarp();
        left -= count;
        first += count;
      }
    }
    from = to + 1;
  }
}

// Evaluates `count` loaded edges of one row, each lane its own.
template <class Side, int Depth, bool Full>
SGG_DEVICE void sgg_evaluate_own(const Frame& f, int lane, int v, const typename Side::Row& own, int count,
                                 const typename Side::Edge (&loaded)[Depth], Inbox& part, int& edges) {
  SGG_UNROLL
  for (int i = 0; i < Depth; i++) {
    if (Full || SGG_WARP * i + lane < count) {
      sgg_evaluate<Side>(f, v, own, loaded[i], part);
      edges++;
    }
  }
}

// Loads and evaluates `count` edges from `first` of one row, each lane its own: for merge functions to which the order does not matter.
template <class Side, int Depth, bool Full>
SGG_DEVICE void sgg_evaluate_loaded(const Frame& f, int lane, int v, const typename Side::Row& own, int first, int count, Inbox& part,
                                    int& edges) {
  typename Side::Edge loaded[Depth];
  sgg_load_edges<Side, Depth, Full>(f, lane, first, count, loaded);
  sgg_evaluate_own<Side, Depth, Full>(f, lane, v, own, count, loaded, part, edges);
}

// The same of `left` edges, with the other ends of those to come loaded before these are evaluated (sgg_stream_ahead).
template <class Side, int Depth>
SGG_DEVICE void sgg_evaluate_ahead(const Frame& f, int lane, int v, const typename Side::Row& own, int first, int left, Inbox& inbox,
                                   int& edges, int& rounds) {
  int neighbour[Depth];
  sgg_load_ends<Side, Depth, false>(f, lane, first, left, neighbour);
  while (left > 0) {
    int count = sgg_smaller(left, SGG_WARP * Depth);
    typename Side::Edge loaded[Depth];
    sgg_load_values<Side, Depth, false>(f, lane, first, count, neighbour, loaded);
    sgg_load_ends<Side, Depth, false>(f, lane, first + count, left - count, neighbour);
    rounds += (count + SGG_WARP - 1) / SGG_WARP;
    Inbox part;
    sgg_inbox_reset(part);
    sgg_evaluate_own<Side, Depth, false>(f, lane, v, own, count, loaded, part, edges);
    if (part.has) {
      sgg_inbox_take(f, v, inbox, part.message);
    }
    left -= count;
    first += count;
  }
}

// Gathers all edges [begin, end) of one row with one warp; what came is in lane 0's inbox.
template <class Side>
SGG_DEVICE void sgg_stream_range(const Frame& f, int lane, int v, int begin, int end, Stage* room, Inbox& inbox, int& edges, int& rounds) {
  constexpr int depth = sgg_depth<Side>();
  typename Side::Row own = Side::row(f, v, true);
  if constexpr (SGG_HOT && SGG_COMMUTATIVE) {
    sgg_evaluate_ahead<Side, depth>(f, lane, v, own, begin, end - begin, inbox, edges, rounds);
    begin = end;
  }
  for (int left = end - begin, first = begin; left > 0;) {
    int count = sgg_smaller(left, SGG_WARP * depth);
    rounds += (count + SGG_WARP - 1) / SGG_WARP;
    Inbox part;
    sgg_inbox_reset(part);
    if constexpr (SGG_COMMUTATIVE) {
      if (count == SGG_WARP * depth) {
        sgg_evaluate_loaded<Side, depth, true>(f, lane, v, own, first, count, part, edges);
      } else {
        sgg_evaluate_loaded<Side, depth, false>(f, lane, v, own, first, count, part, edges);
      }
      if (part.has) {
        sgg_inbox_take(f, v, inbox, part.message);
      }
    } else {
      typename Side::Edge* stage = reinterpret_cast<typename Side::Edge*>(room);
      sgg_stage_edges<Side, depth>(f, lane, first, count, stage);
      __syncwarp();
      sgg_walk_together<Side>(f, lane, v, own, stage, 0, count, part);
      if (lane == 0) {
        edges += count;
        if (part.has) {
          sgg_inbox_take(f, v, inbox, part.message);
        }
      }
      __syncwarp();
    }
    left -= count;
    first += count;
  }
  if constexpr (SGG_COMMUTATIVE) {
    sgg_merge_lanes(f, v, lane, inbox);
  }
}
