// Supersteps in which rows stop early: bottom-up search (Beamer, Asanović and Patterson, SC 2012), as a consequence of what is proved of a
// program. Where a message depends on its sender's value alone and is sent only if it improves its receiver, the best of all that active
// vertices say is a bound of all messages of a superstep. A row that is as good as the bound already cannot improve, and is not walked at
// all; others are walked up to the first message that attains it. For a search whose active vertices all stand on one level this is the
// first active neighbour.
//
// What active vertices say is found behind a superstep (stop_bound), so that the host knows whether most of it attains the bound before it
// decides what comes next; of a part of a graph before the superstep, when its ghosts have been told who is active. Values are in place: a
// sender that gets better meanwhile is active in the next superstep, so that what its row's receivers miss is said again.
//
// Where messages depend on an edge value, too (SGG_STOPS_BY_EDGE), the bound is the best value of all that say anything, and rows whose
// edges are sorted stop when it could not improve them over the edges that are left (sorted_rows.cuh).

// Keys of values of which the larger is the better one, and the larger one wins where messages merge. 0 is nobody's: the worst value of
// all is never said.
SGG_DEVICE unsigned long long sgg_stop_key(ColumnValue value) { return SGG_STOPS_AT_LEAST ? ~sgg_key(value) : sgg_key(value); }

SGG_DEVICE unsigned long long sgg_stop_bound(const Frame& f) { return (unsigned long long)f.stopsAt; }

#if SGG_STOPS_BY_EDGE
// What the best sender says over an edge; the largest key: nothing that is known.
template <class Side>
SGG_DEVICE unsigned long long sgg_stop_says_over(const Frame& f, int v, typename Side::SentEdge edge) {
  State sender{};
  sgg_key_value(SGG_STOPS_AT_LEAST ? ~sgg_stop_bound(f) : sgg_stop_bound(f), sender.c0);
  Message message;
  sgg_message_reset(message);
  bool says = false;
  Side::saysOver(f, v, sender, edge, message, says);
  return says ? sgg_stop_key(message.c0) : ~0ull;
}
#endif

// The key of the best message that a held vertex might get.
SGG_DEVICE unsigned long long sgg_stop_best(const Frame& f, int v) {
#if SGG_STOPS_BY_EDGE
  return sgg_stop_says_over<Gathered>(f, v, sgg_first_edge<Gathered>(f));
#else
  (void)v;
  return sgg_stop_bound(f);
#endif
}

// Whether some message of the superstep may improve a held vertex.
SGG_DEVICE bool sgg_stop_open(const Frame& f, int v) {
  State value;
  sgg_load_state(f, v, value);
  return sgg_stop_key(value.c0) < sgg_stop_best(f, v);
}

// ---- what active vertices say -------------------------------------------------------------------------------------------

// The best that some active vertices say, how many say it, and how many others there are.
struct Heard {
  unsigned long long best;
  int attaining;
  int others;
};

SGG_DEVICE void sgg_stop_hear(Heard& heard, unsigned long long key, int attaining, int others) {
  int worse = key > heard.best ? heard.attaining : key < heard.best ? attaining : 0;
  int better = key > heard.best ? attaining : key < heard.best ? heard.attaining : heard.attaining + attaining;
  heard.best = key > heard.best ? key : heard.best;
  heard.attaining = better;
  heard.others += worse + others;
}

// What the lanes of a warp heard, in lane 0. All lanes.
SGG_DEVICE void sgg_stop_gather_heard(Heard& heard) {
  for (int d = SGG_WARP / 2; d > 0; d >>= 1) {
    unsigned long long best = (unsigned long long)sgg_shfl_down((long long)heard.best, d);
    int attaining = sgg_shfl_down(heard.attaining, d);
    int others = sgg_shfl_down(heard.others, d);
    sgg_stop_hear(heard, best, attaining, others);
  }
}

// What the threads of a block heard, in all of them. All threads; `warps` is free again behind a barrier of the block.
SGG_DEVICE void sgg_stop_gather_block(Heard& heard, int lane, Heard* warps) {
  sgg_stop_gather_heard(heard);
  if (lane == 0) {
    warps[threadIdx.x >> 5] = heard;
  }
  __syncthreads();
  heard = warps[0];
  for (int w = 1; w < SGG_BLOCK_WARPS; w++) {
    sgg_stop_hear(heard, warps[w].best, warps[w].attaining, warps[w].others);
  }
}

// Who is active in the superstep that comes. Behind a launch that pushed it depends on the number of its supersteps which bitmap that is.
SGG_DEVICE const unsigned* sgg_stop_active(const Frame& f) {
  bool even = f.stopsBehind == SGG_STOPS_PUSHED && (f.queueState[SGG_QUEUE_ROUNDS] & 1ull) == 0ull;
  return even || f.stopsBehind == SGG_STOPS_BEGUN ? f.active : f.nextActive;
}

#if SGG_STOPS_BY_EDGE
// The key of a vertex's value, where it says anything over the edge that says the best; the largest one where a sum overflows.
SGG_DEVICE void sgg_stop_hear_vertex(const Frame& f, int v, const State& value, Heard& heard) {
  Message message;
  sgg_message_reset(message);
  bool says = false;
  Gathered::saysOver(f, v, value, sgg_first_edge<Gathered>(f), message, says);
  bool overflows = Gathered::overflows(value, sgg_first_edge<Gathered>(f)) || Gathered::overflows(value, sgg_last_edge<Gathered>(f));
  sgg_stop_hear(heard, overflows ? ~0ull : says ? sgg_stop_key(value.c0) : 0ull, 1, 0);
}
#else
// The key of the best that a vertex says on a side to somebody of the worst value; 0: nothing.
template <class Side>
SGG_DEVICE unsigned long long sgg_stop_says(const Frame& f, int v, const State& value) {
  Message message;
  sgg_message_reset(message);
  bool says = false;
  Side::says(f, v, value, message, says);
  return says ? sgg_stop_key(message.c0) : 0ull;
}

SGG_DEVICE void sgg_stop_hear_vertex(const Frame& f, int v, const State& value, Heard& heard) {
  unsigned long long in = sgg_stop_says<In>(f, v, value);
  unsigned long long out = sgg_stop_says<Out>(f, v, value);
  // Who says different things to its two sides does not say one thing to all.
  sgg_stop_hear(heard, in > out ? in : out, 1, SGG_IN_ROWS && SGG_OUT_ROWS && in != out ? 1 : 0);
}
#endif

// What the active vertices say that this thread looks at. A warp per Policy::SCAN_WORDS words of the bitmap.
SGG_DEVICE void sgg_stop_listen(const Frame& f, Heard& heard) {
  const unsigned* bits = sgg_stop_active(f);
  int lane = sgg_lane();
  long long words = sgg_bitmap_words(sgg_push_rows(f));
  for (long long first = sgg_warp() * Policy::SCAN_WORDS; first < words; first += sgg_warps() * Policy::SCAN_WORDS) {
    unsigned own = lane < Policy::SCAN_WORDS && first + lane < words ? bits[first + lane] : 0u;
    for (unsigned left = __ballot_sync(SGG_ALL_LANES, own != 0u); left != 0u; left &= left - 1u) {
      int which = __ffs((int)left) - 1;
      unsigned active = (unsigned)sgg_shfl((int)own, which);
      if ((active >> lane) & 1u) {
        int v = (int)((first + which) << 5) + lane;
        State value;
        sgg_load_state(f, v, value);
        sgg_stop_hear_vertex(f, v, value, heard);
      }
    }
  }
}

// Leaves what this block heard, SGG_STOP_WORDS words of `heard`.
SGG_DEVICE void sgg_stop_leave(const Frame& f, const Heard& heard) {
  unsigned long long* own = &f.heard[(long long)blockIdx.x * SGG_STOP_WORDS];
  own[0] = heard.best;
  own[1] = (unsigned long long)heard.attaining;
  own[2] = (unsigned long long)heard.others;
}

// Adds what a block has left.
SGG_DEVICE void sgg_stop_take_left(const Frame& f, int block, Heard& all) {
  const unsigned long long* of = &f.heard[(long long)block * SGG_STOP_WORDS];
  sgg_stop_hear(all, of[0], (int)of[1], (int)of[2]);
}

// Finds the bound, who attains it, and who says something else or nothing. Each block leaves what it heard, and the last one puts it
// together.
SGG_KERNEL(stop_bound) {
  SGG_SHARED(Heard, warps, SGG_BLOCK_WARPS);
  int lane = sgg_lane();
  Heard heard{};
  sgg_stop_listen(f, heard);
  sgg_stop_gather_block(heard, lane, warps);
  if (threadIdx.x >= SGG_WARP) {
    return;
  }
  int before = 0;
  if (lane == 0) {
    sgg_stop_leave(f, heard);
    before = sgg_arrive((int*)&f.status[SGG_STATUS_HEARD]);
  }
  if (sgg_shfl(before, 0) != (int)gridDim.x - 1) {
    return;
  }
  // As with the chunks of a hub: lane 0 alone has seen the others arrive.
  __threadfence();
  __syncwarp();
  Heard all{};
  for (int block = lane; block < (int)gridDim.x; block += SGG_WARP) {
    sgg_stop_take_left(f, block, all);
  }
  sgg_stop_gather_heard(all);
  if (lane == 0) {
    f.status[SGG_STATUS_BOUND] = all.best;
    f.status[SGG_STATUS_ATTAINING] = all.best == 0ull ? 0ull : (unsigned long long)all.attaining;
    f.status[SGG_STATUS_OTHERS] = (unsigned long long)(all.best == 0ull ? all.attaining + all.others : all.others);
  }
}

// ---- rows ---------------------------------------------------------------------------------------------------------------

#if SGG_STOPS_BY_EDGE
// The key of the best message over the edges of a sorted row from one of these on.
template <class Side>
SGG_DEVICE unsigned long long sgg_stop_behind(const Frame& f, int v, int edge) {
  return sgg_stop_says_over<Side>(f, v, sgg_least_behind<Side>(f, edge));
}

// The key of what a row has: its value's, or that of a message.
SGG_DEVICE unsigned long long sgg_stop_has(const Frame& f, int v, const Inbox& inbox) {
  State value;
  sgg_load_state(f, v, value);
  unsigned long long own = sgg_stop_key(value.c0);
  unsigned long long came = inbox.has ? sgg_stop_key(inbox.message.c0) : 0ull;
  return came > own ? came : own;
}

// Looks at Depth edges of a sorted row as below, whether their other ends are active or not: who is not has said everything before.
template <class Side, int Depth>
SGG_DEVICE void sgg_stop_take(const Frame& f, int v, const typename Side::Row& own, int edge, int end, int step, Inbox& inbox, int& edges) {
  int neighbour[Depth];
  typename Side::Edge loaded[Depth];
  SGG_UNROLL
  for (int i = 0; i < Depth; i++) {
    neighbour[i] = edge + i * step < end ? Side::sortedNeighbour(f, edge + i * step) : 0;
  }
  SGG_UNROLL
  for (int i = 0; i < Depth; i++) {
    if (edge + i * step < end) {
      loaded[i] = Side::sorted(f, edge + i * step, neighbour[i]);
    }
  }
  SGG_UNROLL
  for (int i = 0; i < Depth; i++) {
    if (edge + i * step < end) {
      sgg_evaluate<Side>(f, v, own, loaded[i], inbox);
      edges++;
    }
  }
}

// Looks at edges of a lane's row as below. Returns whether the row is done.
template <class Side>
SGG_DEVICE bool sgg_stop_some(const Frame& f, int v, const typename Side::Row& own, int edge, int end, int step, Inbox& inbox, int& edges) {
  sgg_stop_take<Side, Policy::STOP_DEPTH>(f, v, own, edge, end, step, inbox, edges);
  int last = sgg_smaller(edge + Policy::STOP_DEPTH * step, end) - 1;
  return sgg_stop_behind<Side>(f, v, last) <= sgg_stop_has(f, v, inbox);
}

// Gathers edges [begin, end) of one sorted row with one warp, as far as it has to; what came is in lane 0's inbox. A part of a hub's row may
// begin with edges over which nothing can improve it.
template <class Side>
SGG_DEVICE void sgg_stop_range(const Frame& f, int lane, int v, int begin, int end, Inbox& inbox, int& edges, int& rounds) {
  typename Side::Row own = Side::row(f, v, true);
  unsigned long long has = sgg_stop_has(f, v, inbox);
  bool done = begin >= end || sgg_stop_behind<Side>(f, v, begin) <= has;
  for (int base = begin; !done; base += SGG_WARP * Policy::STOP_SORTED_DEPTH) {
    int behind = sgg_smaller(end, base + SGG_WARP * Policy::STOP_SORTED_DEPTH);
    rounds += (behind - base + SGG_WARP - 1) / SGG_WARP;
    sgg_stop_take<Side, Policy::STOP_SORTED_DEPTH>(f, v, own, base + lane, end, SGG_WARP, inbox, edges);
    if (behind == end) {
      break;
    }
    unsigned long long came = inbox.has ? sgg_stop_key(inbox.message.c0) : 0ull;
    came = sgg_warp_largest(came);
    has = came > has ? came : has;
    done = sgg_stop_behind<Side>(f, v, behind - 1) <= has;
  }
  sgg_merge_lanes(f, v, lane, inbox);
}
#else
// Takes what an active neighbour says over an edge. Returns whether the row has the bound then. Where all say the bound it is known without
// a look at the neighbour's value.
template <class Side>
SGG_DEVICE bool sgg_stop_take(const Frame& f, int v, const typename Side::Row& own, int edge, int neighbour, Inbox& inbox) {
  if (f.stopsAtOnce != 0) {
    sgg_key_value(SGG_STOPS_AT_LEAST ? ~sgg_stop_bound(f) : sgg_stop_bound(f), inbox.message.c0);
    inbox.has = true;
    return true;
  }
  sgg_evaluate<Side>(f, v, own, Side::edge(f, edge, neighbour), inbox);
  return inbox.has && sgg_stop_key(inbox.message.c0) >= sgg_stop_bound(f);
}

// Looks at Policy::STOP_DEPTH edges of a lane's row from `edge` on, `step` apart and before `end`: what is loaded is under way together.
// Returns whether the row is done.
template <class Side>
SGG_DEVICE bool sgg_stop_some(const Frame& f, int v, const typename Side::Row& own, int edge, int end, int step, Inbox& inbox, int& edges) {
  int neighbour[Policy::STOP_DEPTH];
  unsigned word[Policy::STOP_DEPTH];
  SGG_UNROLL
  for (int i = 0; i < Policy::STOP_DEPTH; i++) {
    neighbour[i] = edge + i * step < end ? Side::neighbour(f, edge + i * step) : 0;
  }
  SGG_UNROLL
  for (int i = 0; i < Policy::STOP_DEPTH; i++) {
    word[i] = edge + i * step < end ? f.active[neighbour[i] >> 5] : 0u;
  }
  bool done = false;
  SGG_UNROLL
  for (int i = 0; i < Policy::STOP_DEPTH; i++) {
    edges += edge + i * step < end ? 1 : 0;
    if (!done && ((word[i] >> (neighbour[i] & 31)) & 1u)) {
      done = sgg_stop_take<Side>(f, v, own, edge + i * step, neighbour[i], inbox);
    }
  }
  return done;
}

// Gathers edges [begin, end) of one row with one warp, as far as it has to; what came is in lane 0's inbox.
template <class Side>
SGG_DEVICE void sgg_stop_range(const Frame& f, int lane, int v, int begin, int end, Inbox& inbox, int& edges, int& rounds) {
  typename Side::Row own = Side::row(f, v, true);
  bool done = false;
  for (int base = begin; base < end && !done; base += SGG_WARP * Policy::STOP_DEPTH) {
    rounds += sgg_smaller(Policy::STOP_DEPTH, (end - base + SGG_WARP - 1) / SGG_WARP);
    bool attained = sgg_stop_some<Side>(f, v, own, base + lane, end, SGG_WARP, inbox, edges);
    done = __any_sync(SGG_ALL_LANES, attained);
  }
  sgg_merge_lanes(f, v, lane, inbox);
}
#endif

// Gathers one side of a row a lane, [begin, end): nothing where they are the same. Most rows are done after a few edges, or have no more: lanes
// walk their own ones, until so few are left that all lanes together walk these faster, one after the other.
template <class Side>
SGG_DEVICE void sgg_stop_side(const Frame& f, int lane, int v, int begin, int end, Inbox& inbox, int& edges, int& rounds) {
  typename Side::Row own = Side::row(f, v, begin < end);
  unsigned open = __ballot_sync(SGG_ALL_LANES, begin < end);
  while (__popc(open) > Policy::STOP_TOGETHER) {
    rounds += Policy::STOP_DEPTH;
    if (begin < end) {
      bool done = sgg_stop_some<Side>(f, v, own, begin, end, 1, inbox, edges);
      begin = done ? end : sgg_smaller(end, begin + Policy::STOP_DEPTH);
    }
    open = __ballot_sync(SGG_ALL_LANES, begin < end);
  }
  for (; open != 0u; open &= open - 1u) {
    int owner = __ffs((int)open) - 1;
    Inbox gathered;
    sgg_inbox_reset(gathered);
    sgg_stop_range<Side>(f, lane, sgg_shfl(v, owner), sgg_shfl(begin, owner), sgg_shfl(end, owner), gathered, edges, rounds);
    bool came = sgg_shfl(gathered.has ? 1 : 0, 0) != 0;
    Message message = sgg_message_shfl(gathered.message, 0);
    if (lane == owner && came) {
      sgg_inbox_take(f, v, inbox, message);
    }
  }
}

// A warp's rows that can improve, with their edges: it gathers them when it has one for each lane.
struct OpenRows {
  int v[(Policy::STOP_WORDS + 1) * SGG_WARP];
  RowEdges edges[(Policy::STOP_WORDS + 1) * SGG_WARP];
};

// Gathers and applies the last `count` listed rows, one a lane.
SGG_DEVICE void sgg_stop_rows(const Frame& f, int lane, const OpenRows& open, int listed, int count, Tally& tally) {
  bool takes = lane < count;
  int at = listed - count + lane;
  int v = takes ? open.v[at] : open.v[listed - 1];
  RowEdges row = open.edges[takes ? at : listed - 1];
  sgg_tally_wave(tally, takes);
  Inbox inbox;
  sgg_inbox_reset(inbox);
  if constexpr (SGG_IN_ROWS) {
    sgg_stop_side<In>(f, lane, v, row.inBegin, takes ? row.inEnd : row.inBegin, inbox, tally.edges, tally.rounds);
  }
  if constexpr (SGG_OUT_ROWS) {
    // A sorted row has one side.
    bool left = takes && (SGG_STOPS_BY_EDGE || !(inbox.has && sgg_stop_key(inbox.message.c0) >= sgg_stop_bound(f)));
    sgg_stop_side<Out>(f, lane, v, row.outBegin, left ? row.outEnd : row.outBegin, inbox, tally.edges, tally.rounds);
  }
  sgg_apply<SGG_TAKE_STOPPING, SGG_BITS_SINGLE>(f, lane, v, takes, inbox, tally);
}

// Adds the rows of a bitmap word that can improve, hubs and those without edges aside. Returns how many are listed then.
SGG_DEVICE int sgg_stop_list(const Frame& f, int lane, int v, bool isRow, const State& value, const RowEdges& row, OpenRows& open, int listed) {
  int in = row.inEnd - row.inBegin;
  int out = row.outEnd - row.outBegin;
  isRow = isRow && in + out > 0 && in <= f.hubDegree && out <= f.hubDegree && sgg_stop_key(value.c0) < sgg_stop_best(f, v);
  unsigned some = __ballot_sync(SGG_ALL_LANES, isRow);
  if (isRow) {
    int at = listed + __popc(some & sgg_lanes(0, lane));
    open.v[at] = v;
    open.edges[at] = row;
  }
  __syncwarp();
  return listed + __popc(some);
}

// A warp per chunk of a hub, and per 32 rows, of which it lists those that can improve. The bits of the next activity are 0 before. All
// threads of all blocks.
SGG_DEVICE void sgg_stop_gather(const Frame& f) {
  SGG_SHARED(OpenRows, lists, SGG_BLOCK_WARPS);
  OpenRows& open = lists[threadIdx.x >> 5];
  Tally tally;
  sgg_tally_begin(tally);
  int lane = sgg_lane();
  int warps = (int)sgg_warps();
  int chunks = (int)f.chunkCount;
  int piece = (int)sgg_warp();
  for (; piece < chunks; piece += warps) {
    sgg_take_chunk<SGG_TAKE_STOPPING>(f, lane, piece, nullptr, tally);
  }
  int words = (int)sgg_bitmap_words(f.stored);
  int listed = 0;
  for (int first = piece - chunks; first < words; first += warps * Policy::STOP_WORDS) {
    RowEdges row[Policy::STOP_WORDS];
    State value[Policy::STOP_WORDS];
    SGG_UNROLL
    for (int i = 0; i < Policy::STOP_WORDS; i++) {
      int v = sgg_smaller(((first + i * warps) << 5) + lane, (int)f.stored - 1);
      row[i] = sgg_row_edges(f, v);
      sgg_load_state(f, v, value[i]);
    }
    SGG_UNROLL
    for (int i = 0; i < Policy::STOP_WORDS; i++) {
      int v = ((first + i * warps) << 5) + lane;
      bool isRow = first + i * warps < words && v < (int)f.stored && sgg_present(f, v);
      listed = sgg_stop_list(f, lane, v, isRow, value[i], row[i], open, listed);
    }
    for (; listed >= SGG_WARP; listed -= SGG_WARP) {
      sgg_stop_rows(f, lane, open, listed, SGG_WARP, tally);
      __syncwarp();
    }
  }
  if (listed > 0) {
    sgg_stop_rows(f, lane, open, listed, listed, tally);
  }
  sgg_tally_store(f, tally);
}

SGG_KERNEL_OF(gather_stopping, Policy::STOP_BLOCKS) { sgg_stop_gather(f); }
