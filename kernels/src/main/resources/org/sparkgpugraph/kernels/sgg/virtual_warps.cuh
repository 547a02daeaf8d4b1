// Baselines for comparison: virtual warps of a fixed width (VWC, section 2.1), a thread per vertex with width 1.

// One side of a row per group of `width` lanes; the lanes take the row's edges `width` at a time (VWC; width 1: a thread per vertex).
template <class Side, int Filter>
SGG_DEVICE void sgg_lanes_side(const Frame& f, int lane, int v, bool isRow, bool rowActive, int width, Inbox& inbox, int& edges,
                               int& rounds) {
  int begin = isRow ? Side::begin(f, v) : 0;
  int count = isRow ? Side::begin(f, v + 1) - begin : 0;
  int group = lane & ~(width - 1);
  typename Side::Row own = Side::row(f, v, isRow);
  bool take = true;
  constexpr int filter = SGG_GATHER_ALL ? SGG_FILTER_NONE : Filter;
  if constexpr (Filter != filter) {
    bool any = false;
    for (int i = lane - group; __any_sync(SGG_ALL_LANES, i < count); i += width) {
      any |= i < count && sgg_selects<Filter>(f, rowActive, Side::neighbour(f, begin + i));
    }
    take = (__ballot_sync(SGG_ALL_LANES, any) & sgg_lanes(group, group + width)) != 0u;
  }
  // Counted from the row's begin: a short row waits for the longest one of its warp, and begin + i could overflow meanwhile.
  for (int i = lane - group; __any_sync(SGG_ALL_LANES, i < count); i += width) {
    rounds++;
    Message message;
    sgg_message_reset(message);
    bool sends = false;
    bool selected = false;
    typename Side::Edge loaded{};
    if (take && i < count) {
      int e = begin + i;
      int neighbour = Side::neighbour(f, e);
      selected = sgg_selects<filter>(f, rowActive, neighbour);
      if (selected) {
        edges++;
        loaded = Side::edge(f, e, neighbour);
      }
    }
    sgg_send<Side>(f, lane, selected, v, own, loaded, message, sends);
    unsigned sent = __ballot_sync(SGG_ALL_LANES, sends);
    if (sent == 0u) {
      continue;
    }
    sgg_reduce_segments<SGG_WARP>(f, v, message, sent, lane, group + width, width);
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
  sgg_tally_begin(tally);
  int lane = sgg_lane();
  int width = (int)f.width;
  long long rowsPerWarp = SGG_WARP / width;
  long long firstRow = sgg_first_row(f);
  long long endRow = sgg_end_row(f);
  for (long long w = sgg_warp(); firstRow + w * rowsPerWarp < endRow; w += sgg_warps()) {
    long long index = firstRow + w * rowsPerWarp + lane / width;
    int v = (int)(index < endRow ? index : endRow - 1);
    bool isRow = index < endRow && sgg_present(f, v);
    bool rowActive = false;
    if (sgg_filter_reads_row(inFilter) || sgg_filter_reads_row(outFilter)) {
      rowActive = isRow && sgg_bit(f.active, v);
    }
    bool applies = isRow && (lane & (width - 1)) == 0;
    // All lanes of a group look at the same row: one of them has it.
    sgg_tally_wave(tally, applies);
    Inbox inbox;
    sgg_inbox_reset(inbox);
    if constexpr (SGG_IN_ROWS) {
      sgg_lanes_side<In, inFilter>(f, lane, v, isRow, rowActive, width, inbox, tally.edges, tally.rounds);
    }
    if constexpr (SGG_OUT_ROWS) {
      sgg_lanes_side<Out, outFilter>(f, lane, v, isRow, rowActive, width, inbox, SGG_IN_ROWS ? tally.again : tally.edges, tally.rounds);
    }
    sgg_apply<Mode, SGG_BITS_SINGLE>(f, lane, v, applies, inbox, tally);
  }
  sgg_tally_store(f, tally);
}

SGG_KERNEL(lanes_all) { sgg_gather_lanes<SGG_TAKE_ALL>(f); }

#if !SGG_EVERY_VERTEX
SGG_KERNEL(lanes_dense) { sgg_gather_lanes<SGG_TAKE_DENSE>(f); }
#endif
