// The kernels that gather and apply: all rows (dense) or candidate rows (sparse), 32 rows a warp.

// Gathers one side of a warp's rows, streamed where every edge of them counts, or in waves. Whole: all rows that have edges take part.
template <int Mode, class Side, int Filter, bool Whole>
SGG_DEVICE void sgg_take_side(const Frame& f, int lane, int v, int begin, int end, bool isRow, bool rowActive, Stage* room,
                              Inbox& inbox, int& edges, int& rounds) {
  if constexpr (sgg_selects_parts<Mode>()) {
    sgg_selected_side<Side, Filter>(f, lane, v, begin, end, isRow, rowActive, room, inbox, edges);
  } else if constexpr (SGG_FEATURES > 0 && Mode != SGG_TAKE_SPARSE && Filter == SGG_FILTER_NONE) {
    sgg_feature_rows<Side>(f, lane, v, begin, end, isRow, room, inbox, edges);
  } else if constexpr (Mode != SGG_TAKE_SPARSE && Filter == SGG_FILTER_NONE && sgg_streams<Side>()) {
    sgg_stream_rows<Side, Whole>(f, lane, v, begin, end, isRow, room, inbox, edges, rounds);
  } else if constexpr (Mode != SGG_TAKE_SPARSE && SGG_NESTED) {
    sgg_gather_side<Side, Filter, ScheduledWalk>(f, lane, v, begin, end, isRow, rowActive, inbox, edges, rounds);
  } else if constexpr (Mode != SGG_TAKE_SPARSE && SGG_WAVES) {
    sgg_gather_side<Side, Filter, WaveWalk>(f, lane, v, begin, end, isRow, rowActive, inbox, edges, rounds);
  } else {
    sgg_gather_side<Side, Filter, PackedWalk>(f, lane, v, begin, end, isRow, rowActive, inbox, edges, rounds);
  }
}

// Whether a row's values are loaded before its edges: every row needs them, and they are few.
SGG_DEVICE constexpr bool sgg_loads_state_first() {
  return SGG_STREAM && SGG_EVERY_VERTEX && sizeof(State) <= 16;
}

// Whether a row exists and is a candidate.
SGG_DEVICE bool sgg_candidate_row(const Frame& f, int v) {
  return v < (int)sgg_end_row(f) && sgg_candidate(f, v) && sgg_present(f, v);
}

// Gathers and applies the 32 rows of a bitmap word; `row` is this lane's, `room` is what the warp may stage edges in. Uneven: there may
// be hubs.
template <int Mode, int Bits, bool Uneven>
SGG_DEVICE void sgg_gather_word(const Frame& f, int lane, int word, const RowEdges& row, Stage* room, Tally& tally) {
  constexpr int inFilter = sgg_filter_of(Mode, SGG_IN_FILTER);
  constexpr int outFilter = sgg_filter_of(Mode, SGG_OUT_FILTER);
  constexpr bool whole = !Uneven && !SGG_MISSING;
  int v = (word << 5) + lane;
  bool isRow = v < (int)sgg_end_row(f) && sgg_present(f, v) && (Mode != SGG_TAKE_SPARSE || sgg_candidate(f, v));
  isRow = isRow && (!Uneven || !SGG_IN_ROWS || row.inEnd - row.inBegin <= f.hubDegree);
  isRow = isRow && (!Uneven || !SGG_OUT_ROWS || row.outEnd - row.outBegin <= f.hubDegree);
  bool rowActive = false;
  if (sgg_filter_reads_row(inFilter) || sgg_filter_reads_row(outFilter)) {
    rowActive = isRow && sgg_bit(f.active, v);
  }
  if constexpr (SGG_TEAM != 0) {
    sgg_team_word<Mode, Bits>(f, lane, v, isRow, rowActive, row, room, tally);
    return;
  } else if constexpr (SGG_FEATURES_APPLY != 0 && sgg_takes_all<Mode>()) {
    sgg_feature_word<Mode, Bits>(f, lane, v, isRow, row, room, tally);
    return;
  } else if constexpr (SGG_FEATURES_APPLY != 0 && sgg_selects_parts<Mode>()) {
    sgg_selected_word<Mode, Bits>(f, lane, v, isRow, rowActive, row, room, tally);
    return;
  }
  State before{};
  if (sgg_loads_state_first() && isRow) {
    sgg_load_state(f, v, before);
  }
  Inbox inbox;
  sgg_inbox_reset(inbox);
  // Behind the last word a warp comes only because all of its block have to.
  bool comesAlong = SGG_ROWS_BY_BLOCK && Mode != SGG_TAKE_SPARSE && (word << 5) >= (int)sgg_end_row(f);
  if (!comesAlong) {
    sgg_tally_wave(tally, isRow);
  }
  if constexpr (SGG_IN_ROWS) {
    sgg_take_side<Mode, In, inFilter, whole>(f, lane, v, row.inBegin, row.inEnd, isRow, rowActive, room, inbox, tally.edges,
                                            tally.rounds);
  }
  if constexpr (SGG_OUT_ROWS) {
    // An edge counts once, although each of its ends evaluates it.
    sgg_take_side<Mode, Out, outFilter, whole>(f, lane, v, row.outBegin, row.outEnd, isRow, rowActive, room, inbox,
                                              SGG_IN_ROWS ? tally.again : tally.edges, tally.rounds);
  }
  if (!comesAlong) {
    const State* known = sgg_loads_state_first() ? &before : nullptr;
#if SGG_HOT
    sgg_apply<Mode, Bits>(f, lane, v, isRow, inbox, tally, known, row.rank);
#else
    sgg_apply<Mode, Bits>(f, lane, v, isRow, inbox, tally, known);
#endif
  }
}

// Whether warps take pieces of work when they get there. (Not where there are aggregates: which warp has which row shows in the order
// of a sum.)
SGG_DEVICE bool sgg_takes(const Frame& f) { return SGG_AGGREGATES == 0 && f.pieceWords != 0; }

// Takes the next piece that nobody has. All lanes.
SGG_DEVICE int sgg_take(const Frame& f, int lane) {
  int taken = lane == 0 ? (int)atomicAdd(&f.status[SGG_STATUS_TAKEN], 1ull) : 0;
  return (int)sgg_warps() + sgg_shfl(taken, 0);
}

// A warp per piece of work: a chunk of a hub (`fusedChunks` of them come first: what is left at the end is short) or 32 rows. Where pieces
// differ a lot, a warp begins with one of its own and takes another when it is done, of rows `pieceWords` words of 32, a power of two.
// Where it is known that there is neither (Uneven false), each warp has its rows from the start, and registers for more warps are left.
template <int Mode, bool Uneven>
SGG_DEVICE void sgg_gather_streamed(const Frame& f) {
  SGG_SHARED(Stage, stage, SGG_BLOCK_WARPS * sgg_room_words<Mode>());
  Stage* room = stage + (threadIdx.x >> 5) * sgg_room_words<Mode>();
  Tally tally;
  sgg_tally_begin(tally);
  int lane = sgg_lane();
  int warps = (int)sgg_warps();
  int chunks = Uneven ? (int)f.fusedChunks : 0;
  bool takes = Uneven && sgg_takes(f);
  int firstWord = (int)(sgg_first_row(f) >> 5);
  int words = (int)sgg_bitmap_words(sgg_end_row(f));
  int piece = (int)sgg_warp();
  while (piece < chunks) {
    sgg_take_chunk<Mode>(f, lane, piece, room, tally);
    piece = takes ? sgg_take(f, lane) : piece + warps;
  }
  int word = firstWord + (piece - chunks) * (takes ? (int)f.pieceWords : 1);
  // What a warp has to know of a word before it can load anything of it comes while it works on the one before.
  RowEdges row{};
  if (word < words) {
    row = sgg_row_edges(f, (word << 5) + lane);
  }
  while (word < words) {
    int behind = word + warps;
    if (takes) {
      behind = word + 1;
      if (((behind - firstWord) & ((int)f.pieceWords - 1)) == 0) {
        behind = firstWord + (sgg_take(f, lane) - chunks) * (int)f.pieceWords;
      }
    }
    RowEdges next{};
    if (behind < words) {
      next = sgg_row_edges(f, (behind << 5) + lane);
    }
    sgg_gather_word<Mode, SGG_BITS_WORD, Uneven>(f, lane, word, row, room, tally);
    row = next;
    word = behind;
  }
  sgg_tally_store(f, tally);
}

// A warp per 32 rows, edges 32 at a time.
template <int Mode>
SGG_DEVICE void sgg_gather_segmented(const Frame& f) {
#if SGG_FEATURES_SELECT
  SGG_SHARED(Stage, stage, SGG_BLOCK_WARPS * sgg_room_words<Mode>());
  Stage* room = stage + (threadIdx.x >> 5) * sgg_room_words<Mode>();
#else
  Stage* room = nullptr;
#endif
  Tally tally;
  sgg_tally_begin(tally);
  int lane = sgg_lane();
  int words = (int)sgg_bitmap_words(sgg_end_row(f));
  sgg_contexts_begin(lane);
  // Where blocks take rows, all their warps come as long as the first one has a word.
  int inBlock = SGG_ROWS_BY_BLOCK ? (int)threadIdx.x >> 5 : 0;
  for (int word = (int)(sgg_first_row(f) >> 5) + (int)sgg_warp(); word - inBlock < words; word += (int)sgg_warps()) {
    sgg_gather_word<Mode, SGG_BITS_OWN, true>(f, lane, word, sgg_row_edges(f, (word << 5) + lane), room, tally);
  }
  sgg_contexts_end(lane, tally.again);
  sgg_tally_store(f, tally);
}

template <int Mode, bool Uneven>
SGG_DEVICE void sgg_gather_rows(const Frame& f) {
  if constexpr (SGG_STREAM) {
    sgg_gather_streamed<Mode, Uneven>(f);
  } else {
    sgg_gather_segmented<Mode>(f);
  }
}

// A warp per Policy::SCAN_WORDS words of candidates: most are 0, so lanes look at one each before the warp works on those that are not.
SGG_DEVICE void sgg_gather_candidates(const Frame& f) {
#if SGG_FEATURES_SELECT
  SGG_SHARED(Stage, stage, SGG_BLOCK_WARPS * sgg_room_words<SGG_TAKE_SPARSE>());
  Stage* room = stage + (threadIdx.x >> 5) * sgg_room_words<SGG_TAKE_SPARSE>();
#else
  Stage* room = nullptr;
#endif
  Tally tally;
  sgg_tally_begin(tally);
  int lane = sgg_lane();
  sgg_contexts_begin(lane);
  long long words = sgg_bitmap_words(sgg_end_row(f));
  for (long long first = (sgg_first_row(f) >> 5) + sgg_warp() * Policy::SCAN_WORDS; first < words; first += sgg_warps() * Policy::SCAN_WORDS) {
    bool some = lane < Policy::SCAN_WORDS && first + lane < words && sgg_candidate_in(f, first + lane);
    for (unsigned left = __ballot_sync(SGG_ALL_LANES, some); left != 0u; left &= left - 1u) {
      int word = (int)first + __ffs((int)left) - 1;
      if (__any_sync(SGG_ALL_LANES, sgg_candidate_row(f, (word << 5) + lane))) {
        sgg_gather_word<SGG_TAKE_SPARSE, SGG_BITS_OWN, true>(f, lane, word, sgg_row_edges(f, (word << 5) + lane), room, tally);
      }
    }
  }
  sgg_contexts_end(lane, tally.again);
  sgg_tally_store(f, tally);
}

#if SGG_STREAM && SGG_EVERY_VERTEX
// The two ways apart: what knows nothing of hubs needs fewer registers, so that more blocks fit (policy.cuh).
SGG_KERNEL_OF(gather_all, sgg_stream_blocks()) { sgg_gather_rows<SGG_TAKE_ALL, false>(f); }
SGG_KERNEL_OF(gather_uneven, sgg_gather_blocks()) { sgg_gather_rows<SGG_TAKE_ALL, true>(f); }
#else
SGG_KERNEL_OF(gather_all, sgg_gather_blocks()) { sgg_gather_rows<SGG_TAKE_ALL, true>(f); }
#endif

#if !SGG_EVERY_VERTEX
SGG_KERNEL_OF(gather_dense, sgg_gather_blocks()) { sgg_gather_rows<SGG_TAKE_DENSE, true>(f); }

SGG_KERNEL_OF(gather_sparse, sgg_gather_blocks()) { sgg_gather_candidates(f); }
#endif
