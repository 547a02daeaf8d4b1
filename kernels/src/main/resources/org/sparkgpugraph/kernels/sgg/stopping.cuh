// Supersteps in which rows stop early: bottom-up search (Beamer, Asanović and Patterson, SC 2012), as a consequence of what is proved of a
// program. Where a message depends on its sender's value alone and is sent only if it improves its receiver, the best of all that active
// vertices say is a bound of all messages of a superstep. A row that is as good as the bound already cannot improve, and is not walked at
// all; others are walked up to the first message that attains it. For a search whose active vertices all stand on one level this is the
// first active neighbour.
//
// What an active vertex says is found behind a superstep (stop_bound, stop_count), so that the host knows whether most of it attains the
// bound before it decides what comes next. Values are in place: a sender that gets better meanwhile is active in the next superstep, so
// that what its row's receivers miss is said again.

// Values as numbers of which the larger is the better one, and the larger one wins where messages merge. 0 is nobody's: the worst value of
// all is never said.
SGG_DEVICE unsigned long long sgg_stop_order(int value) { return (unsigned long long)((unsigned)value ^ 0x80000000u); }
SGG_DEVICE unsigned long long sgg_stop_order(long long value) { return (unsigned long long)value ^ 0x8000000000000000ull; }
SGG_DEVICE unsigned long long sgg_stop_order(float value) {
  unsigned bits = (unsigned)__float_as_int(value);
  return (unsigned long long)((bits >> 31) != 0u ? ~bits : bits | 0x80000000u);
}
SGG_DEVICE unsigned long long sgg_stop_order(double value) {
  unsigned long long bits = (unsigned long long)__double_as_longlong(value);
  return (bits >> 63) != 0ull ? ~bits : bits | 0x8000000000000000ull;
}
SGG_DEVICE unsigned long long sgg_stop_key(ColumnValue value) { return SGG_STOPS_AT_LEAST ? ~sgg_stop_order(value) : sgg_stop_order(value); }

// The value of a key.
SGG_DEVICE void sgg_stop_value(unsigned long long order, int& value) { value = (int)((unsigned)order ^ 0x80000000u); }
SGG_DEVICE void sgg_stop_value(unsigned long long order, long long& value) { value = (long long)(order ^ 0x8000000000000000ull); }
SGG_DEVICE void sgg_stop_value(unsigned long long order, float& value) {
  unsigned bits = (unsigned)order;
  value = __int_as_float((int)((bits >> 31) != 0u ? bits ^ 0x80000000u : ~bits));
}
SGG_DEVICE void sgg_stop_value(unsigned long long order, double& value) {
  value = __longlong_as_double((long long)((order >> 63) != 0ull ? order ^ 0x8000000000000000ull : ~order));
}

SGG_DEVICE unsigned long long sgg_stop_bound(const Frame& f) { return (unsigned long long)f.stopsAt; }

// Whether some message of the superstep may improve a held vertex.
SGG_DEVICE bool sgg_stop_open(const Frame& f, int v) {
  State value;
  sgg_load_state(f, v, value);
  return sgg_stop_key(value.c0) < sgg_stop_bound(f);
}

// ---- what active vertices say -------------------------------------------------------------------------------------------

// Who is active in the next superstep. Of a launch that pushed it depends on the number of its supersteps which bitmap that is.
SGG_DEVICE const unsigned* sgg_stop_active(const Frame& f) {
  return f.stopsPushed != 0 && (f.queueState[SGG_QUEUE_ROUNDS] & 1ull) == 0ull ? f.active : f.nextActive;
}

// The key of the best that a vertex says on a side to somebody of the worst value; 0: nothing.
template <class Side>
SGG_DEVICE unsigned long long sgg_stop_says(const Frame& f, int v, const State& value) {
  Message message;
  sgg_message_reset(message);
  bool says = false;
  Side::says(f, v, value, message, says);
  return says ? sgg_stop_key(message.c0) : 0ull;
}

// Calls `take` with what each active vertex says. A warp per Policy::SCAN_WORDS words of the bitmap.
template <class Take>
SGG_DEVICE void sgg_stop_each(const Frame& f, Take take) {
  const unsigned* bits = sgg_stop_active(f);
  int lane = sgg_lane();
  long long words = (f.stored + 31) >> 5;
  for (long long first = sgg_warp() * Policy::SCAN_WORDS; first < words; first += sgg_warps() * Policy::SCAN_WORDS) {
    unsigned own = lane < Policy::SCAN_WORDS && first + lane < words ? bits[first + lane] : 0u;
    for (unsigned left = __ballot_sync(SGG_ALL_LANES, own != 0u); left != 0u; left &= left - 1u) {
      int which = __ffs((int)left) - 1;
      unsigned active = (unsigned)sgg_shfl((int)own, which);
      if ((active >> lane) & 1u) {
        int v = (int)((first + which) << 5) + lane;
        State value;
        sgg_load_state(f, v, value);
        unsigned long long in = sgg_stop_says<In>(f, v, value);
        unsigned long long out = sgg_stop_says<Out>(f, v, value);
        take(in > out ? in : out);
      }
    }
  }
}

// Adds up over a warp, and to a word of the status. All lanes.
SGG_DEVICE void sgg_stop_add(const Frame& f, int word, long long count) {
  count = sgg_warp_sum(count);
  if (sgg_lane() == 0 && count != 0) {
    atomicAdd(&f.status[word], (unsigned long long)count);
  }
}

// Finds the bound.
SGG_KERNEL(stop_bound) {
  unsigned long long best = 0ull;
  sgg_stop_each(f, [&](unsigned long long key) { best = key > best ? key : best; });
  for (int d = SGG_WARP / 2; d > 0; d >>= 1) {
    unsigned long long other = (unsigned long long)sgg_shfl_down((long long)best, d);
    best = other > best ? other : best;
  }
  if (sgg_lane() == 0 && best > *(volatile const unsigned long long*)&f.status[SGG_STATUS_BOUND]) {
    atomicMax(&f.status[SGG_STATUS_BOUND], best);
  }
}

// Counts who attains it, and who says something else or nothing.
SGG_KERNEL(stop_count) {
  unsigned long long bound = f.status[SGG_STATUS_BOUND];
  int attaining = 0;
  int others = 0;
  sgg_stop_each(f, [&](unsigned long long key) {
    attaining += key == bound ? 1 : 0;
    others += key == bound ? 0 : 1;
  });
  sgg_stop_add(f, SGG_STATUS_ATTAINING, attaining);
  sgg_stop_add(f, SGG_STATUS_OTHERS, others);
}

// ---- rows ---------------------------------------------------------------------------------------------------------------

// Takes what an active neighbour says over an edge. Returns whether the row has the bound then. Where all say the bound it is known without
// a look at the neighbour's value.
template <class Side>
SGG_DEVICE bool sgg_stop_take(const Frame& f, int v, const typename Side::Row& own, int edge, int neighbour, Inbox& inbox) {
  if (f.stopsAtOnce != 0) {
    sgg_stop_value(SGG_STOPS_AT_LEAST ? ~sgg_stop_bound(f) : sgg_stop_bound(f), inbox.message.c0);
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

// Gathers one side of a warp's rows, [begin, end) of this lane's: nothing where they are the same.
template <class Side>
SGG_DEVICE void sgg_stop_side(const Frame& f, int lane, int v, int begin, int end, Inbox& inbox, int& edges, int& rounds) {
  typename Side::Row own = Side::row(f, v, begin < end);
  // Most rows are done after a few edges, or have no more: a lane walks the first ones of its own row …
  for (int some = 0; some < Policy::STOP_SERIAL && __any_sync(SGG_ALL_LANES, begin < end); some += Policy::STOP_DEPTH) {
    rounds += Policy::STOP_DEPTH;
    if (begin < end) {
      bool done = sgg_stop_some<Side>(f, v, own, begin, end, 1, inbox, edges);
      begin = done ? end : sgg_smaller(end, begin + Policy::STOP_DEPTH);
    }
  }
  // … and all lanes what is left of long ones, one after the other, and of short ones together.
  for (unsigned left = __ballot_sync(SGG_ALL_LANES, end - begin >= Policy::STOP_LONG); left != 0u; left &= left - 1u) {
    int owner = __ffs((int)left) - 1;
    int first = sgg_shfl(begin, owner);
    int last = sgg_shfl(end, owner);
    Inbox gathered;
    sgg_inbox_reset(gathered);
    sgg_stop_range<Side>(f, lane, (v & ~31) + owner, first, last, gathered, edges, rounds);
    bool came = sgg_shfl(gathered.has ? 1 : 0, 0) != 0;
    Message message = sgg_message_shfl(gathered.message, 0);
    if (lane == owner) {
      if (came) {
        sgg_inbox_take(f, v, inbox, message);
      }
      begin = end;
    }
  }
  sgg_gather<Side, SGG_FILTER_NEIGHBOUR>(f, lane, v, sgg_pack(begin, end - begin, false, lane), false, false, inbox, edges, rounds);
}

// Gathers and applies those of the 32 rows of a bitmap word that can improve.
SGG_DEVICE void sgg_stop_word(const Frame& f, int lane, int word, const RowEdges& row, Tally& tally) {
  int v = (word << 5) + lane;
  bool isRow = v < (int)f.stored && sgg_present(f, v);
  isRow = isRow && (!SGG_IN_ROWS || row.inEnd - row.inBegin <= f.hubDegree);
  isRow = isRow && (!SGG_OUT_ROWS || row.outEnd - row.outBegin <= f.hubDegree);
  State before{};
  if (isRow) {
    sgg_load_state(f, v, before);
    isRow = sgg_stop_key(before.c0) < sgg_stop_bound(f);
  }
  sgg_tally_wave(tally, isRow);
  if (!__any_sync(SGG_ALL_LANES, isRow)) {
    return;
  }
  Inbox inbox;
  sgg_inbox_reset(inbox);
  if constexpr (SGG_IN_ROWS) {
    sgg_stop_side<In>(f, lane, v, row.inBegin, isRow ? row.inEnd : row.inBegin, inbox, tally.edges, tally.rounds);
  }
  if constexpr (SGG_OUT_ROWS) {
    bool left = isRow && !(inbox.has && sgg_stop_key(inbox.message.c0) >= sgg_stop_bound(f));
    sgg_stop_side<Out>(f, lane, v, row.outBegin, left ? row.outEnd : row.outBegin, inbox, SGG_IN_ROWS ? tally.again : tally.edges,
                       tally.rounds);
  }
  sgg_apply<SGG_TAKE_STOPPING, SGG_BITS_WORD>(f, lane, v, isRow, inbox, tally, &before);
}

// A warp per piece: a chunk of a hub, or 32 rows. The bits of the next activity are 0 before.
SGG_KERNEL(gather_stopping) {
  Tally tally;
  sgg_tally_reset(tally);
  int lane = sgg_lane();
  int chunks = (int)f.chunkCount;
  int pieces = chunks + (int)((f.stored + 31) >> 5);
  for (int piece = (int)sgg_warp(); piece < pieces; piece += (int)sgg_warps()) {
    if (piece < chunks) {
      sgg_take_chunk<SGG_TAKE_STOPPING>(f, lane, piece, nullptr, tally);
    } else {
      int word = piece - chunks;
      sgg_stop_word(f, lane, word, sgg_row_edges(f, (word << 5) + lane), tally);
    }
  }
  sgg_tally_store(f, tally);
}
