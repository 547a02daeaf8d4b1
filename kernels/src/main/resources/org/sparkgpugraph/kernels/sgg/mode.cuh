// The most frequent message of a row, of several the smallest: for programs whose merge looks at all messages of a vertex at once. Stands
// in place of the gathers and hubs of programs that merge two by two.
//
// A row's places are what its edges may send, in-edges first: SGG_MODE_SENDS for each edge, one after the other. Rows of up to a warp's
// width of places are packed into rounds of whole rows; each lane finds by a vote how many lanes of its row sent what it sent, and a
// segmented reduction finds the best. Longer rows are counted in an open-addressed table in shared memory, of the warp's own, or,
// beyond hubDegree places, of a block's. The longest are cut into chunks of places, a block each, whose tables are added up in one of the
// hub's own in global memory (cleared by the host). Nobody searches that one: counts only grow, so the best of what the blocks saw
// there, each behind its own additions, is the best of all; a warp of hub_finish takes it. Tables of hubs that are worked on together
// stand side by side; the host cuts the hubs into as many batches as that room asks for.
//
// Counting is exact and the best of (count, label) does not depend on any order, so results do not either.

static constexpr int SGG_MODE_SLOTS = SGG_BLOCK_WARPS * SGG_MODE_WARP_SLOTS;

// What stands in a free slot. The message that has the same bits is counted apart.
static constexpr unsigned long long SGG_MODE_FREE = 0xffffffffffffffffull;

typedef unsigned long long ModeKey;

// The tables of a block, with as many counts more of labels that have the bits of a free slot. (Of outlined supersteps rows and hubs have
// the same ones: phases.cuh.)
#ifndef SGG_MODE_SHARED
#define SGG_MODE_SHARED(more)                \
  SGG_SHARED(ModeKey, keys, SGG_MODE_SLOTS); \
  SGG_SHARED(unsigned, counts, SGG_MODE_SLOTS + more)
#endif

// Labels and how many sent them; where the count is 0 there is no label.
struct ModeTable {
  ModeKey* keys;
  unsigned* counts;
  unsigned* freeCount;  // of the label that has the bits of a free slot
  unsigned capacity;
};

struct ModeBest {
  int count;  // 0: no label
  long long label;
};

SGG_DEVICE void sgg_mode_take(ModeBest& best, int count, long long label) {
  if (count > best.count || (count == best.count && label < best.label)) {
    best.count = count;
    best.label = label;
  }
}

// Adds `count` to a label's count and says what that is now. Labels are never taken out, so there is always a free slot or its own.
SGG_DEVICE unsigned sgg_mode_add(const ModeTable& table, ModeKey key, unsigned count) {
  if (key == SGG_MODE_FREE) {
    return atomicAdd(table.freeCount, count) + count;
  }
  unsigned at = __umulhi((unsigned)((key * 0x9E3779B97F4A7C15ull) >> 32), table.capacity);
  for (;;) {
    ModeKey found = sgg_claim(&table.keys[at], SGG_MODE_FREE, key);
    if (found == SGG_MODE_FREE || found == key) {
      return atomicAdd(&table.counts[at], count) + count;
    }
    at = at + 1u == table.capacity ? 0u : at + 1u;
  }
}

// Counts what the lanes of a warp sent: each label once. All lanes.
SGG_DEVICE void sgg_mode_add_lanes(const ModeTable& table, int lane, bool has, ModeKey key) {
  unsigned sent = __ballot_sync(SGG_ALL_LANES, has);
  unsigned same = __match_any_sync(SGG_ALL_LANES, key) & sent;
  if (has && (same & sgg_lanes(0, lane)) == 0u) {
    sgg_mode_add(table, key, (unsigned)__popc(same));
  }
}

// Empties the slots from, from + step, …
SGG_DEVICE void sgg_mode_clear(const ModeTable& table, unsigned from, unsigned step) {
  for (unsigned s = from; s < table.capacity; s += step) {
    table.keys[s] = SGG_MODE_FREE;
    table.counts[s] = 0u;
  }
  if (from == 0u) {
    *table.freeCount = 0u;
  }
}

// The best of the slots from, from + step, …
SGG_DEVICE ModeBest sgg_mode_search(const ModeTable& table, unsigned from, unsigned step) {
  ModeBest best{};
  for (unsigned s = from; s < table.capacity; s += step) {
    sgg_mode_take(best, (int)table.counts[s], (long long)table.keys[s]);
  }
  if (from == 0u) {
    sgg_mode_take(best, (int)*table.freeCount, (long long)SGG_MODE_FREE);
  }
  return best;
}

// The best that the lanes of a warp have, in lane 0. All lanes.
SGG_DEVICE ModeBest sgg_mode_reduce(ModeBest best) {
  for (int d = SGG_WARP / 2; d > 0; d >>= 1) {
    int count = sgg_shfl_down(best.count, d);
    long long label = sgg_shfl_down(best.label, d);
    sgg_mode_take(best, count, label);
  }
  return best;
}

SGG_DEVICE void sgg_mode_deliver(const ModeBest& best, Inbox& inbox) {
  if (best.count > 0) {
    inbox.has = true;
    inbox.message.c0 = best.label;
  }
}

// ---- rows ---------------------------------------------------------------------------------------------------------------

// A row's edges, and which sides of it take part in the superstep.
struct ModeRow {
  int inBegin;
  int inCount;
  int outBegin;
  int outCount;
  bool in;
  bool out;
  bool active;
};

SGG_DEVICE ModeRow sgg_mode_row(const Frame& f, int v) {
  ModeRow row{};
  row.inBegin = In::begin(f, v);
  row.inCount = In::begin(f, v + 1) - row.inBegin;
  row.outBegin = Out::begin(f, v);
  row.outCount = Out::begin(f, v + 1) - row.outBegin;
  return row;
}

SGG_DEVICE long long sgg_mode_places(const ModeRow& row) {
  return (long long)SGG_MODE_SENDS * ((long long)row.inCount + row.outCount);
}

// Whether a filter can select an edge of a row at all, as far as the row's own activity says.
template <int Filter>
SGG_DEVICE bool sgg_mode_open(bool rowActive) {
  return (Filter != SGG_FILTER_ROW && Filter != SGG_FILTER_ROW_AND_NEIGHBOUR) || rowActive;
}

// Filters of single edges: a side that takes part under gather ALL does so with all of them.
SGG_DEVICE constexpr int sgg_mode_filter(int mode, int filter) {
  return SGG_GATHER_ALL ? SGG_FILTER_NONE : sgg_filter_of(mode, filter);
}

// Evaluates an edge for its message number `which`.
template <class Side, int Filter>
SGG_DEVICE bool sgg_mode_edge(const Frame& f, int v, bool rowActive, int e, int which, bool counts, int& edges, ModeKey& key) {
  int neighbour = Side::neighbour(f, e);
  if (!sgg_selects<Filter>(f, rowActive, neighbour)) {
    return false;
  }
  if (counts && which == 0) {
    edges++;
  }
  // The message says which one is wanted until there is one.
  Message message;
  message.c0 = which;
  bool has = false;
  Side::send(f, v, Side::row(f, v, true), Side::edge(f, e, neighbour), message, has);
  key = (ModeKey)(long long)message.c0;
  return has;
}

// What stands at a place of a row: false when nothing was sent.
template <int Mode>
SGG_DEVICE bool sgg_mode_send(const Frame& f, int v, const ModeRow& row, long long place, int& edges, ModeKey& key) {
  long long edge = place / SGG_MODE_SENDS;
  int which = (int)(place - edge * SGG_MODE_SENDS);
  if constexpr (SGG_IN_ROWS) {
    if (edge < row.inCount) {
      return row.in && sgg_mode_edge<In, sgg_mode_filter(Mode, SGG_IN_FILTER)>(f, v, row.active, row.inBegin + (int)edge, which, true,
                                                                                edges, key);
    }
  }
  if constexpr (SGG_OUT_ROWS) {
    // An edge counts once, although each of its ends evaluates it.
    return row.out && sgg_mode_edge<Out, sgg_mode_filter(Mode, SGG_OUT_FILTER)>(
                          f, v, row.active, row.outBegin + (int)(edge - row.inCount), which, !SGG_IN_ROWS, edges, key);
  }
  return false;
}

// ---- short rows ---------------------------------------------------------------------------------------------------------

// The rows of a warp that have at most 32 places, `count` of this lane's.
template <int Mode>
SGG_DEVICE void sgg_mode_short_rows(const Frame& f, int lane, int v, const ModeRow& row, int count, Inbox& inbox, int& edges) {
  PackedRows rows = sgg_pack(0, count, false, lane);
  int behind = rows.start + count;
  for (int first = 0; first < rows.total;) {
    // As many whole rows as fit; rows before them end before them.
    unsigned fit = __ballot_sync(SGG_ALL_LANES, behind <= first + SGG_WARP);
    int end = sgg_shfl(behind, 31 - __clz((int)fit));
    int place = first + lane;
    int owner = sgg_owner(rows, place);
    int from = sgg_shfl(rows.start, owner);
    int to = sgg_shfl(behind, owner);
    ModeRow owners;
    owners.inBegin = sgg_shfl(row.inBegin, owner);
    owners.inCount = sgg_shfl(row.inCount, owner);
    owners.outBegin = sgg_shfl(row.outBegin, owner);
    owners.outCount = sgg_shfl(row.outCount, owner);
    int flags = sgg_shfl((row.in ? 1 : 0) | (row.out ? 2 : 0) | (row.active ? 4 : 0), owner);
    owners.in = (flags & 1) != 0;
    owners.out = (flags & 2) != 0;
    owners.active = (flags & 4) != 0;
    ModeKey key = 0;
    bool has = place < end && sgg_mode_send<Mode>(f, (v & ~31) + owner, owners, place - from, edges, key);
    unsigned sent = __ballot_sync(SGG_ALL_LANES, has);
    unsigned same = __match_any_sync(SGG_ALL_LANES, key) & sent & sgg_lanes(sgg_larger(from - first, 0), sgg_smaller(to - first, SGG_WARP));
    ModeBest best;
    best.count = has ? __popc(same) : 0;
    best.label = (long long)key;
    for (int d = 1; d < SGG_WARP; d <<= 1) {
      int otherCount = sgg_shfl_down(best.count, d);
      long long otherLabel = sgg_shfl_down(best.label, d);
      if (place + d < to && otherCount > 0) {
        sgg_mode_take(best, otherCount, otherLabel);
      }
    }
    int head = (rows.start - first) & 31;
    ModeBest found;
    found.count = sgg_shfl(best.count, head);
    found.label = sgg_shfl(best.label, head);
    if (count > 0 && rows.start >= first && behind <= end) {
      sgg_mode_deliver(found, inbox);
    }
    first = end;
  }
}

// ---- rows of a warp -----------------------------------------------------------------------------------------------------

// A row of more places, with the whole warp; the result is in lane 0.
template <int Mode>
SGG_DEVICE ModeBest sgg_mode_long_row(const Frame& f, int lane, int v, const ModeRow& row, int places, ModeTable table, int& edges) {
  table.capacity = (unsigned)(places + places / 3);
  sgg_mode_clear(table, (unsigned)lane, SGG_WARP);
  __syncwarp();
  for (int base = 0; base < places; base += SGG_WARP) {
    ModeKey key = 0;
    bool has = base + lane < places && sgg_mode_send<Mode>(f, v, row, base + lane, edges, key);
    sgg_mode_add_lanes(table, lane, has, key);
  }
  __syncwarp();
  ModeBest best = sgg_mode_reduce(sgg_mode_search(table, (unsigned)lane, SGG_WARP));
  __syncwarp();
  return best;
}

// Gather ALL: whether a side of this lane's row has an edge that the filter selects.
template <class Side, int Filter>
SGG_DEVICE bool sgg_mode_selected(const Frame& f, int lane, int begin, int count, bool rowActive) {
  PackedRows rows = sgg_pack(begin, count, false, lane);
  return Filter == SGG_FILTER_NONE || sgg_any_selected<Side, Filter>(f, lane, rows, rowActive);
}

// Gathers and applies the 32 rows of a bitmap word.
template <int Mode>
SGG_DEVICE void sgg_mode_word(const Frame& f, int lane, int word, const ModeTable& table, Tally& tally) {
  constexpr int inFilter = sgg_filter_of(Mode, SGG_IN_FILTER);
  constexpr int outFilter = sgg_filter_of(Mode, SGG_OUT_FILTER);
  int v = (word << 5) + lane;
  bool isRow = v < (int)f.stored && sgg_present(f, v) && (Mode != SGG_TAKE_SPARSE || sgg_candidate(f, v));
  ModeRow row{};
  if (isRow) {
    row = sgg_mode_row(f, v);
    isRow = sgg_mode_places(row) <= f.hubDegree;
  }
  if (!isRow) {
    row = ModeRow{};
  }
  if (sgg_filter_reads_row(inFilter) || sgg_filter_reads_row(outFilter)) {
    row.active = isRow && sgg_bit(f.active, v);
  }
  row.in = sgg_mode_open<inFilter>(row.active);
  row.out = sgg_mode_open<outFilter>(row.active);
  if constexpr (SGG_GATHER_ALL && SGG_IN_ROWS) {
    row.in = sgg_mode_selected<In, inFilter>(f, lane, row.inBegin, row.inCount, row.active);
  }
  if constexpr (SGG_GATHER_ALL && SGG_OUT_ROWS) {
    row.out = sgg_mode_selected<Out, outFilter>(f, lane, row.outBegin, row.outCount, row.active);
  }
  int places = row.in || row.out ? (int)sgg_mode_places(row) : 0;
  Inbox inbox;
  sgg_inbox_reset(inbox);
  sgg_mode_short_rows<Mode>(f, lane, v, row, places <= SGG_WARP ? places : 0, inbox, tally.edges);
  for (unsigned left = __ballot_sync(SGG_ALL_LANES, places > SGG_WARP); left != 0u; left &= left - 1u) {
    int owner = __ffs((int)left) - 1;
    int flags = sgg_shfl((row.in ? 1 : 0) | (row.out ? 2 : 0) | (row.active ? 4 : 0), owner);
    ModeRow owners = sgg_mode_row(f, (word << 5) + owner);
    owners.in = (flags & 1) != 0;
    owners.out = (flags & 2) != 0;
    owners.active = (flags & 4) != 0;
    ModeBest best =
        sgg_mode_long_row<Mode>(f, lane, (word << 5) + owner, owners, sgg_shfl(places, owner), table, tally.edges);
    best.count = sgg_shfl(best.count, 0);
    best.label = sgg_shfl(best.label, 0);
    if (lane == owner) {
      sgg_mode_deliver(best, inbox);
    }
  }
  sgg_apply<Mode, SGG_BITS_OWN>(f, lane, v, isRow, inbox, tally);
}

// A warp per 32 rows; of a sparse superstep, per Policy::SCAN_WORDS words of candidates, most of which are 0.
template <int Mode>
SGG_DEVICE void sgg_mode_rows(const Frame& f) {
  SGG_MODE_SHARED(SGG_BLOCK_WARPS);
  int warp = (int)(threadIdx.x >> 5);
  ModeTable table;
  table.keys = keys + warp * SGG_MODE_WARP_SLOTS;
  table.counts = counts + warp * SGG_MODE_WARP_SLOTS;
  table.freeCount = counts + SGG_MODE_SLOTS + warp;
  table.capacity = 0u;
  Tally tally;
  sgg_tally_begin(tally);
  int lane = sgg_lane();
  long long words = sgg_bitmap_words(f.stored);
  if (Mode != SGG_TAKE_SPARSE) {
    for (long long word = sgg_warp(); word < words; word += sgg_warps()) {
      sgg_mode_word<Mode>(f, lane, (int)word, table, tally);
    }
  } else {
    for (long long first = sgg_warp() * Policy::SCAN_WORDS; first < words; first += sgg_warps() * Policy::SCAN_WORDS) {
      bool some = lane < Policy::SCAN_WORDS && first + lane < words && sgg_candidate_in(f, first + lane);
      for (unsigned left = __ballot_sync(SGG_ALL_LANES, some); left != 0u; left &= left - 1u) {
        sgg_mode_word<Mode>(f, lane, (int)first + __ffs((int)left) - 1, table, tally);
      }
    }
  }
  sgg_tally_store(f, tally);
}

// ---- hubs ---------------------------------------------------------------------------------------------------------------

// The best that the threads of a block have, in warp 0. All threads.
SGG_DEVICE ModeBest sgg_mode_block_reduce(ModeBest best) {
  SGG_SHARED(int, bestCounts, SGG_BLOCK_WARPS);
  SGG_SHARED(long long, bestLabels, SGG_BLOCK_WARPS);
  best = sgg_mode_reduce(best);
  if (sgg_lane() == 0) {
    bestCounts[threadIdx.x >> 5] = best.count;
    bestLabels[threadIdx.x >> 5] = best.label;
  }
  __syncthreads();
  if (threadIdx.x < SGG_WARP) {
    for (int w = 0; w < SGG_BLOCK_WARPS; w++) {
      sgg_mode_take(best, bestCounts[w], bestLabels[w]);
    }
  }
  __syncthreads();
  return best;
}

// The table of a hub that has several chunks.
SGG_DEVICE ModeTable sgg_mode_hub_table(const Frame& f, int h) {
  ModeTable table;
  long long first = f.modeFirst[h];
  table.capacity = (unsigned)f.modeCapacity[h];
  table.keys = f.modeKeys + first;
  table.counts = f.modeCounts + first;
  table.freeCount = f.modeCounts + first + table.capacity;
  return table;
}

// Which sides of a hub take part.
template <int Mode>
SGG_DEVICE void sgg_mode_hub_sides(const Frame& f, int h, int v, ModeRow& row) {
  constexpr int inFilter = sgg_filter_of(Mode, SGG_IN_FILTER);
  constexpr int outFilter = sgg_filter_of(Mode, SGG_OUT_FILTER);
  if (sgg_filter_reads_row(inFilter) || sgg_filter_reads_row(outFilter)) {
    row.active = sgg_bit(f.active, v);
  }
  if constexpr (SGG_GATHER_ALL) {
    row.in = inFilter == SGG_FILTER_NONE || f.hubSelected[2 * h + SGG_CHUNK_IN] != 0;
    row.out = outFilter == SGG_FILTER_NONE || f.hubSelected[2 * h + SGG_CHUNK_OUT] != 0;
  } else {
    row.in = sgg_mode_open<inFilter>(row.active);
    row.out = sgg_mode_open<outFilter>(row.active);
  }
}

// A block per chunk of the batch.
template <int Mode>
SGG_DEVICE void sgg_mode_hubs(const Frame& f) {
  SGG_MODE_SHARED(1);
  ModeTable table;
  table.keys = keys;
  table.counts = counts;
  table.freeCount = counts + SGG_MODE_SLOTS;
  Tally tally;
  sgg_tally_begin(tally);
  int lane = sgg_lane();
  for (int c = (int)f.modeFirstChunk + (int)blockIdx.x; c < (int)f.modeEndChunk; c += (int)gridDim.x) {
    int h = f.chunkHub[c];
    int v = f.hubRows[h];
    bool takesPart = sgg_hub_takes_part<Mode>(f, v);
    ModeRow row = sgg_mode_row(f, v);
    sgg_mode_hub_sides<Mode>(f, h, v, row);
    long long from = f.chunkBegin[c];
    int places = f.chunkEnd[c] - f.chunkBegin[c];
    table.capacity = (unsigned)(places + places / 3);
    sgg_mode_clear(table, threadIdx.x, SGG_BLOCK_WARPS * SGG_WARP);
    __syncthreads();
    for (int base = 0; takesPart && base < places; base += SGG_BLOCK_WARPS * SGG_WARP) {
      int place = base + (int)threadIdx.x;
      ModeKey key = 0;
      bool has = place < places && sgg_mode_send<Mode>(f, v, row, from + place, tally.edges, key);
      sgg_mode_add_lanes(table, lane, has, key);
    }
    __syncthreads();
    if (f.modeCapacity[h] == 0) {
      ModeBest best = sgg_mode_block_reduce(sgg_mode_search(table, threadIdx.x, SGG_BLOCK_WARPS * SGG_WARP));
      if (threadIdx.x < SGG_WARP) {
        Inbox inbox;
        sgg_inbox_reset(inbox);
        sgg_mode_deliver(best, inbox);
        sgg_hub_apply<Mode>(f, lane, h, v, takesPart, inbox, tally);
      }
    } else {
      ModeTable hub = sgg_mode_hub_table(f, h);
      ModeBest best{};
      for (unsigned s = threadIdx.x; s < table.capacity; s += SGG_BLOCK_WARPS * SGG_WARP) {
        if (counts[s] != 0u) {
          sgg_mode_take(best, (int)sgg_mode_add(hub, keys[s], counts[s]), (long long)keys[s]);
        }
      }
      if (threadIdx.x == 0u && *table.freeCount != 0u) {
        sgg_mode_take(best, (int)sgg_mode_add(hub, SGG_MODE_FREE, *table.freeCount), (long long)SGG_MODE_FREE);
      }
      best = sgg_mode_block_reduce(best);
      if (threadIdx.x == 0u) {
        f.modeChunkCounts[c] = best.count;
        f.modeChunkLabels[c] = best.label;
      }
    }
    __syncthreads();
  }
  sgg_tally_counts(f, tally);
}

// A warp per hub that has several chunks.
template <int Mode>
SGG_DEVICE void sgg_mode_finish(const Frame& f) {
  Tally tally;
  sgg_tally_begin(tally);
  int lane = sgg_lane();
  for (int h = (int)sgg_warp(); h < (int)f.hubCount; h += (int)sgg_warps()) {
    if (f.modeCapacity[h] == 0) {
      continue;
    }
    int v = f.hubRows[h];
    ModeBest best{};
    for (int c = f.hubFirstChunk[h] + lane; c < f.hubFirstChunk[h + 1]; c += SGG_WARP) {
      sgg_mode_take(best, f.modeChunkCounts[c], f.modeChunkLabels[c]);
    }
    Inbox inbox;
    sgg_inbox_reset(inbox);
    sgg_mode_deliver(sgg_mode_reduce(best), inbox);
    sgg_hub_apply<Mode>(f, lane, h, v, sgg_hub_takes_part<Mode>(f, v), inbox, tally);
  }
  sgg_tally_counts(f, tally);
}

SGG_KERNEL_OF(gather_all, Policy::MODE_BLOCKS) { sgg_mode_rows<SGG_TAKE_ALL>(f); }
SGG_KERNEL_OF(hubs_all, Policy::MODE_BLOCKS) { sgg_mode_hubs<SGG_TAKE_ALL>(f); }
SGG_KERNEL(hub_finish_all) { sgg_mode_finish<SGG_TAKE_ALL>(f); }

#if !SGG_EVERY_VERTEX
SGG_KERNEL_OF(gather_dense, Policy::MODE_BLOCKS) { sgg_mode_rows<SGG_TAKE_DENSE>(f); }
SGG_KERNEL_OF(hubs_dense, Policy::MODE_BLOCKS) { sgg_mode_hubs<SGG_TAKE_DENSE>(f); }
SGG_KERNEL(hub_finish_dense) { sgg_mode_finish<SGG_TAKE_DENSE>(f); }
SGG_KERNEL_OF(gather_sparse, Policy::MODE_BLOCKS) { sgg_mode_rows<SGG_TAKE_SPARSE>(f); }
SGG_KERNEL_OF(hubs_sparse, Policy::MODE_BLOCKS) { sgg_mode_hubs<SGG_TAKE_SPARSE>(f); }
SGG_KERNEL(hub_finish_sparse) { sgg_mode_finish<SGG_TAKE_SPARSE>(f); }
#endif

#if SGG_GATHER_ALL
// Gather ALL: which sides of a hub have an edge that the filter selects. A block per chunk; the flags start at 0.
template <int Mode>
SGG_DEVICE void sgg_mode_select_hubs(const Frame& f) {
  for (int c = (int)blockIdx.x; c < (int)f.chunkCount; c += (int)gridDim.x) {
    int h = f.chunkHub[c];
    int v = f.hubRows[h];
    if (!sgg_hub_takes_part<Mode>(f, v)) {
      continue;
    }
    ModeRow row = sgg_mode_row(f, v);
    bool rowActive = sgg_bit(f.active, v);
    for (int place = f.chunkBegin[c] + (int)threadIdx.x; place < f.chunkEnd[c]; place += (int)blockDim.x) {
      int edge = place / SGG_MODE_SENDS;
      if (SGG_IN_ROWS && edge < row.inCount &&
          sgg_selects<sgg_filter_of(Mode, SGG_IN_FILTER)>(f, rowActive, In::neighbour(f, row.inBegin + edge))) {
        atomicOr(&f.hubSelected[2 * h + SGG_CHUNK_IN], 1);
      }
      if (SGG_OUT_ROWS && edge >= row.inCount &&
          sgg_selects<sgg_filter_of(Mode, SGG_OUT_FILTER)>(f, rowActive, Out::neighbour(f, row.outBegin + edge - row.inCount))) {
        atomicOr(&f.hubSelected[2 * h + SGG_CHUNK_OUT], 1);
      }
    }
  }
}

SGG_KERNEL(hub_select_dense) { sgg_mode_select_hubs<SGG_TAKE_DENSE>(f); }
SGG_KERNEL(hub_select_sparse) { sgg_mode_select_hubs<SGG_TAKE_SPARSE>(f); }
#endif
