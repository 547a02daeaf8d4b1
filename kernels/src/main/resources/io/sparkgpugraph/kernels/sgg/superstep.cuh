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

// Gathers and applies the 32 rows of a bitmap word; `room` is what the warp may stage edges in.
template <int Mode, int Bits>
SGG_DEVICE void sgg_gather_word(const Frame& f, int lane, int word, Stage* room, Tally& tally) {
  constexpr int inFilter = sgg_filter_of(Mode, SGG_IN_FILTER);
  constexpr int outFilter = sgg_filter_of(Mode, SGG_OUT_FILTER);
  int v = (word << 5) + lane;
  bool isRow = v < (int)f.stored && (Mode != SGG_SPARSE || sgg_candidate(f, v)) && sgg_present(f, v);
  if (Mode == SGG_SPARSE && !__any_sync(SGG_ALL_LANES, isRow)) {
    return;
  }
  // Lanes behind the last row have an empty one. Hubs are left to others.
  int here = sgg_smaller(v, (int)f.stored);
  int behind = sgg_smaller(v + 1, (int)f.stored);
#if SGG_IN_ROWS
  int inBegin = In::begin(f, here);
  int inEnd = In::begin(f, behind);
  isRow = isRow && inEnd - inBegin <= f.hubDegree;
#endif
#if SGG_OUT_ROWS
  int outBegin = Out::begin(f, here);
  int outEnd = Out::begin(f, behind);
  isRow = isRow && outEnd - outBegin <= f.hubDegree;
#endif
  bool rowActive = false;
  if (sgg_filter_reads_row(inFilter) || sgg_filter_reads_row(outFilter)) {
    rowActive = isRow && sgg_bit(f.active, v);
  }
  Inbox inbox;
  sgg_inbox_reset(inbox);
#if SGG_IN_ROWS
  sgg_take_side<Mode, In, inFilter>(f, lane, v, inBegin, inEnd, isRow, rowActive, room, inbox, tally.edges);
#endif
#if SGG_OUT_ROWS
  {
    // An edge counts once, although each of its ends evaluates it.
    int uncounted = 0;
    sgg_take_side<Mode, Out, outFilter>(f, lane, v, outBegin, outEnd, isRow, rowActive, room, inbox,
                                       SGG_IN_ROWS ? uncounted : tally.edges);
  }
#endif
  sgg_apply<Mode, Bits>(f, lane, v, isRow, inbox, tally);
}

// A warp per 32 rows. Where the hubs are gathered by the same launch (`fusedChunks` of them), their chunks come first: what is left
// at the end is short. Warps take pieces in turn, so that no two of them differ by more than one.
template <int Mode>
SGG_DEVICE void sgg_gather_rows(const Frame& f) {
#if SGG_STREAM
  SGG_SHARED(Stage, stage, SGG_BLOCK_WARPS * sgg_stage_words());
  Stage* room = stage + (threadIdx.x >> 5) * sgg_stage_words();
  constexpr int bits = SGG_BITS_WORD;
#else
  Stage* room = nullptr;
  constexpr int bits = SGG_BITS_OWN;
#endif
  Tally tally;
  sgg_tally_reset(tally);
  int lane = sgg_lane();
  int warps = (int)sgg_warps();
  int piece = (int)sgg_warp();
#if SGG_STREAM
  int chunks = (int)f.fusedChunks;
  for (; piece < chunks; piece += warps) {
    sgg_take_chunk<Mode>(f, lane, piece, room, tally);
  }
  piece -= chunks;
#endif
  int words = (int)((f.stored + 31) >> 5);
  for (; piece < words; piece += warps) {
    sgg_gather_word<Mode, bits>(f, lane, piece, room, tally);
  }
  sgg_tally_store(f, tally);
}

// A warp per SGG_SCAN_WORDS words of candidates: most are 0, so lanes look at one each before the warp works on those that are not.
SGG_DEVICE void sgg_gather_candidates(const Frame& f) {
  Tally tally;
  sgg_tally_reset(tally);
  int lane = sgg_lane();
  long long words = (f.stored + 31) >> 5;
  for (long long first = sgg_warp() * SGG_SCAN_WORDS; first < words; first += sgg_warps() * SGG_SCAN_WORDS) {
    bool some = lane < SGG_SCAN_WORDS && first + lane < words && sgg_candidate_in(f, first + lane);
    for (unsigned left = __ballot_sync(SGG_ALL_LANES, some); left != 0u; left &= left - 1u) {
      sgg_gather_word<SGG_SPARSE, SGG_BITS_OWN>(f, lane, (int)first + __ffs((int)left) - 1, nullptr, tally);
    }
  }
  sgg_tally_store(f, tally);
}

SGG_KERNEL(gather_all) { sgg_gather_rows<SGG_ALL>(f); }

#if !SGG_EVERY_VERTEX
SGG_KERNEL(gather_dense) { sgg_gather_rows<SGG_DENSE>(f); }

SGG_KERNEL(gather_sparse) { sgg_gather_candidates(f); }
#endif
