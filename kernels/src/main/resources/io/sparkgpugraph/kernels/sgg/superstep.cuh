// The kernels that gather and apply: all rows (dense) or candidate rows (sparse), 32 rows a warp.

// Gathers one side of a warp's rows, streamed where every edge of them counts.
template <int Mode, class Side, int Filter>
SGG_DEVICE void sgg_take_side(const Frame& f, int lane, int v, int begin, int end, bool isRow, bool rowActive, Stage* room,
                              Inbox& inbox, int& edges) {
  if constexpr (Mode != SGG_SPARSE && Filter == SGG_FILTER_NONE && sgg_streams<Side>()) {
    (void)rowActive;
    sgg_stream_rows<Side>(f, lane, v, begin, end, isRow, room, inbox, edges);
  } else {
    (void)room;
    sgg_gather_side<Side, Filter>(f, lane, v, begin, end, isRow, rowActive, inbox, edges);
  }
}

// The edges of this lane's row: none behind the last row.
struct RowEdges {
  int inBegin;
  int inEnd;
  int outBegin;
  int outEnd;
};

SGG_DEVICE RowEdges sgg_row_edges(const Frame& f, int v) {
  int here = sgg_smaller(v, (int)sgg_end_row(f));
  int behind = sgg_smaller(v + 1, (int)sgg_end_row(f));
  RowEdges row{};
#if SGG_IN_ROWS
  row.inBegin = In::begin(f, here);
  row.inEnd = In::begin(f, behind);
#endif
#if SGG_OUT_ROWS
  row.outBegin = Out::begin(f, here);
  row.outEnd = Out::begin(f, behind);
#endif
  return row;
}

// Lets the other ends of a warp's edges come closer, as far as a line per lane reaches. Hubs, which others gather, are left out.
template <class Side>
SGG_DEVICE void sgg_fetch_ends(const Frame& f, int lane, int begin, int end) {
  int first = sgg_shfl(begin, 0);
  int last = sgg_shfl(end, SGG_WARP - 1);
  if (last - first <= SGG_WARP * SGG_WARP && lane * SGG_WARP < last - first) {
    sgg_prefetch(Side::neighbours(f) + first + lane * SGG_WARP);
  }
}

// Whether a row's values are loaded before its edges: every row needs them, and they are few.
SGG_DEVICE constexpr bool sgg_loads_state_first() {
  return SGG_STREAM && SGG_EVERY_VERTEX && SGG_AHEAD >= 1 && sizeof(State) <= 16;
}

// Whether a row exists and is a candidate.
SGG_DEVICE bool sgg_candidate_row(const Frame& f, int v) {
  return v < (int)sgg_end_row(f) && sgg_candidate(f, v) && sgg_present(f, v);
}

// Gathers and applies the 32 rows of a bitmap word; `row` is this lane's, `room` is what the warp may stage edges in.
template <int Mode, int Bits>
SGG_DEVICE void sgg_gather_word(const Frame& f, int lane, int word, const RowEdges& row, Stage* room, Tally& tally) {
  constexpr int inFilter = sgg_filter_of(Mode, SGG_IN_FILTER);
  constexpr int outFilter = sgg_filter_of(Mode, SGG_OUT_FILTER);
  int v = (word << 5) + lane;
  bool isRow = v < (int)sgg_end_row(f) && sgg_present(f, v) && (Mode != SGG_SPARSE || sgg_candidate(f, v));
#if SGG_IN_ROWS
  isRow = isRow && row.inEnd - row.inBegin <= f.hubDegree;
#endif
#if SGG_OUT_ROWS
  isRow = isRow && row.outEnd - row.outBegin <= f.hubDegree;
#endif
  bool rowActive = false;
  if (sgg_filter_reads_row(inFilter) || sgg_filter_reads_row(outFilter)) {
    rowActive = isRow && sgg_bit(f.active, v);
  }
  State before{};
  if (sgg_loads_state_first() && isRow) {
    sgg_load_state(f, v, before);
  }
  Inbox inbox;
  sgg_inbox_reset(inbox);
#if SGG_IN_ROWS
  sgg_take_side<Mode, In, inFilter>(f, lane, v, row.inBegin, row.inEnd, isRow, rowActive, room, inbox, tally.edges);
#endif
#if SGG_OUT_ROWS
  {
    // An edge counts once, although each of its ends evaluates it.
    int uncounted = 0;
    sgg_take_side<Mode, Out, outFilter>(f, lane, v, row.outBegin, row.outEnd, isRow, rowActive, room, inbox,
                                       SGG_IN_ROWS ? uncounted : tally.edges);
  }
#endif
  sgg_apply<Mode, Bits>(f, lane, v, isRow, inbox, tally, sgg_loads_state_first() ? &before : nullptr);
}

// Gathers and applies the rows of words first, first + step, … before `end`.
template <int Mode, int Bits>
SGG_DEVICE void sgg_gather_words(const Frame& f, int lane, int first, int end, int step, Stage* room, Tally& tally) {
#if SGG_STREAM && SGG_AHEAD >= 1
  // What a warp has to know of a word before it can load anything of it comes while it works on the one before.
  RowEdges row{};
  if (first < end) {
    row = sgg_row_edges(f, (first << 5) + lane);
  }
  for (int word = first; word < end; word += step) {
    RowEdges next{};
    if (word + step < end) {
      next = sgg_row_edges(f, ((word + step) << 5) + lane);
    }
    sgg_gather_word<Mode, Bits>(f, lane, word, row, room, tally);
    row = next;
#if SGG_AHEAD >= 2 && SGG_IN_ROWS
    sgg_fetch_ends<In>(f, lane, row.inBegin, row.inEnd);
#endif
#if SGG_AHEAD >= 2 && SGG_OUT_ROWS
    sgg_fetch_ends<Out>(f, lane, row.outBegin, row.outEnd);
#endif
  }
#else
  for (int word = first; word < end; word += step) {
    sgg_gather_word<Mode, Bits>(f, lane, word, sgg_row_edges(f, (word << 5) + lane), room, tally);
  }
#endif
}

#if SGG_STREAM
// A warp per 32 rows. Where the hubs are gathered by the same launch (`fusedChunks` of them), their chunks come first: what is left
// at the end is short.
template <int Mode>
SGG_DEVICE void sgg_gather_rows(const Frame& f) {
  SGG_SHARED(Stage, stage, SGG_BLOCK_WARPS * sgg_stage_words());
  Stage* room = stage + (threadIdx.x >> 5) * sgg_stage_words();
  Tally tally;
  sgg_tally_reset(tally);
  int lane = sgg_lane();
  int warps = (int)sgg_warps();
  int piece = (int)sgg_warp();
  int chunks = (int)f.fusedChunks;
  int firstWord = (int)(sgg_first_row(f) >> 5);
  int words = (int)((sgg_end_row(f) + 31) >> 5);
#if SGG_TAKE > 0 && SGG_AGGREGATES == 0
  // Pieces of work differ a lot: each warp begins with one of its own and takes another when it is done. (Which warp has which row
  // would show in the order of an aggregate's sum.)
  int pieces = chunks + (words - firstWord + SGG_TAKE - 1) / SGG_TAKE;
  while (piece < pieces) {
    int taken = lane == 0 ? (int)atomicAdd(&f.status[SGG_STATUS_TAKEN], 1ull) : 0;
    if (piece < chunks) {
      sgg_take_chunk<Mode>(f, lane, piece, room, tally);
    } else {
      int first = firstWord + (piece - chunks) * SGG_TAKE;
      sgg_gather_words<Mode, SGG_BITS_WORD>(f, lane, first, sgg_smaller(first + SGG_TAKE, words), 1, room, tally);
    }
    piece = warps + sgg_shfl(taken, 0);
  }
#else
  for (; piece < chunks; piece += warps) {
    sgg_take_chunk<Mode>(f, lane, piece, room, tally);
  }
  sgg_gather_words<Mode, SGG_BITS_WORD>(f, lane, firstWord + piece - chunks, words, warps, room, tally);
#endif
  sgg_tally_store(f, tally);
}
#else
// A warp per 32 rows.
template <int Mode>
SGG_DEVICE void sgg_gather_rows(const Frame& f) {
  Tally tally;
  sgg_tally_reset(tally);
  sgg_gather_words<Mode, SGG_BITS_OWN>(f, sgg_lane(), (int)((sgg_first_row(f) >> 5) + sgg_warp()), (int)((sgg_end_row(f) + 31) >> 5),
                                       (int)sgg_warps(), nullptr, tally);
  sgg_tally_store(f, tally);
}
#endif

// A warp per SGG_SCAN_WORDS words of candidates: most are 0, so lanes look at one each before the warp works on those that are not.
SGG_DEVICE void sgg_gather_candidates(const Frame& f) {
  Tally tally;
  sgg_tally_reset(tally);
  int lane = sgg_lane();
  long long words = (sgg_end_row(f) + 31) >> 5;
  for (long long first = (sgg_first_row(f) >> 5) + sgg_warp() * SGG_SCAN_WORDS; first < words; first += sgg_warps() * SGG_SCAN_WORDS) {
    bool some = lane < SGG_SCAN_WORDS && first + lane < words && sgg_candidate_in(f, first + lane);
    for (unsigned left = __ballot_sync(SGG_ALL_LANES, some); left != 0u; left &= left - 1u) {
      int word = (int)first + __ffs((int)left) - 1;
      if (__any_sync(SGG_ALL_LANES, sgg_candidate_row(f, (word << 5) + lane))) {
        sgg_gather_word<SGG_SPARSE, SGG_BITS_OWN>(f, lane, word, sgg_row_edges(f, (word << 5) + lane), nullptr, tally);
      }
    }
  }
  sgg_tally_store(f, tally);
}

SGG_KERNEL_OF(gather_all, sgg_stream_blocks()) { sgg_gather_rows<SGG_ALL>(f); }

#if !SGG_EVERY_VERTEX
SGG_KERNEL(gather_dense) { sgg_gather_rows<SGG_DENSE>(f); }

SGG_KERNEL(gather_sparse) { sgg_gather_candidates(f); }
#endif
