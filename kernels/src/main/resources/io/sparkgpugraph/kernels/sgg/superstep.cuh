// The kernels that gather and apply: all rows (dense) or candidate rows (sparse), 32 rows a warp.

// Gathers and applies the 32 rows of a bitmap word.
template <int Mode>
SGG_DEVICE void sgg_gather_word(const Frame& f, int lane, long long word, Tally& tally) {
  constexpr int inFilter = sgg_filter_of(Mode, SGG_IN_FILTER);
  constexpr int outFilter = sgg_filter_of(Mode, SGG_OUT_FILTER);
  int v = (int)(word << 5) + lane;
  bool isRow = v < (int)f.stored && (Mode != SGG_SPARSE || sgg_candidate(f, v)) && sgg_present(f, v) && !sgg_is_hub(f, v);
  if (Mode == SGG_SPARSE && !__any_sync(SGG_ALL_LANES, isRow)) {
    return;
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

// A warp per 32 rows.
template <int Mode>
SGG_DEVICE void sgg_gather_rows(const Frame& f) {
  Tally tally;
  sgg_tally_reset(tally);
  long long words = (f.stored + 31) >> 5;
  for (long long w = sgg_warp(); w < words; w += sgg_warps()) {
    sgg_gather_word<Mode>(f, sgg_lane(), w, tally);
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
      sgg_gather_word<SGG_SPARSE>(f, lane, first + __ffs((int)left) - 1, tally);
    }
  }
  sgg_tally_store(f, tally);
}

SGG_KERNEL(gather_all) { sgg_gather_rows<SGG_ALL>(f); }

#if !SGG_EVERY_VERTEX
SGG_KERNEL(gather_dense) { sgg_gather_rows<SGG_DENSE>(f); }

SGG_KERNEL(gather_sparse) { sgg_gather_candidates(f); }
#endif
