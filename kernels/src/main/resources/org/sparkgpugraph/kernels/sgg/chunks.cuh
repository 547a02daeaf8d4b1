// Gathering hubs: a warp has a chunk, in the launch that gathers the other rows or in one of its own. A hub of one chunk is applied by
// that warp; the chunks of a larger one leave partial messages (partialHas[c], partial0[c] …), which the warp that is done last merges in
// order. hubArrived[h] chunks are done: 0 between launches.

// A warp's room in a superstep of a mode.
template <int Mode>
SGG_DEVICE constexpr int sgg_room_words() {
#if SGG_FEATURES_SELECT
  if (sgg_selects_parts<Mode>() && sgg_selected_words() > sgg_stage_words()) {
    return sgg_selected_words();
  }
#endif
  return sgg_stage_words();
}

#if SGG_STOPS
// What is done instead where rows stop early (stopping.cuh).
SGG_DEVICE bool sgg_stop_open(const Frame& f, int v);
template <class Side>
SGG_DEVICE void sgg_stop_range(const Frame& f, int lane, int v, int begin, int end, Inbox& inbox, int& edges, int& rounds);
#endif

template <class Side, int Filter>
SGG_DEVICE void sgg_hub_chunk(const Frame& f, int lane, int h, int v, int begin, int end, int side, bool rowActive, Inbox& inbox,
                              int& edges, int& rounds) {
  if ((Filter == SGG_FILTER_ROW || Filter == SGG_FILTER_ROW_AND_NEIGHBOUR) && !rowActive) {
    return;
  }
  if constexpr (SGG_GATHER_ALL && Filter != SGG_FILTER_NONE) {
    if (f.hubSelected[2 * h + side] != 0) {
      sgg_gather_range<Side, SGG_FILTER_NONE>(f, lane, v, begin, end, rowActive, inbox, edges, rounds);
    }
  } else {
    sgg_gather_range<Side, Filter>(f, lane, v, begin, end, rowActive, inbox, edges, rounds);
  }
}

// Gathers a side's part [begin, end) of a hub with one warp: streamed where every edge counts.
template <int Mode, class Side, int Filter>
SGG_DEVICE void sgg_hub_part(const Frame& f, int lane, int c, int h, int v, int begin, int end, int side, bool rowActive,
                             Stage* room, Inbox& inbox, int& edges, int& rounds) {
#if SGG_STOPS
  if constexpr (Mode == SGG_TAKE_STOPPING) {
    sgg_stop_range<Side>(f, lane, v, begin, end, inbox, edges, rounds);
  } else
#endif
  if constexpr (sgg_selects_parts<Mode>()) {
    sgg_selected_chunk<Side, Filter>(f, lane, c, h, v, begin, end, side, rowActive, room, inbox, edges);
  } else if constexpr (SGG_FEATURES > 0 && Filter == SGG_FILTER_NONE) {
    sgg_feature_chunk<Side>(f, lane, c, v, begin, end, inbox, edges);
  } else if constexpr (Filter == SGG_FILTER_NONE && sgg_streams<Side>()) {
    sgg_stream_range<Side>(f, lane, v, begin, end, room, inbox, edges, rounds);
  } else {
    sgg_hub_chunk<Side, Filter>(f, lane, h, v, begin, end, side, rowActive, inbox, edges, rounds);
  }
}

// Merges what the chunks [first, last) of a hub have left into lane 0's inbox, once all are done. All lanes.
SGG_DEVICE void sgg_merge_chunks(const Frame& f, int lane, int h, int v, int first, int last, Inbox& inbox) {
  // Lane 0 alone has seen the others arrive. Its fence makes that an acquire; that this lane's loads come after it only a barrier of
  // the warp says, as a shuffle orders no memory.
  __threadfence();
  __syncwarp();
  if (lane == 0) {
    f.hubArrived[h] = 0;
  }
  sgg_inbox_reset(inbox);
  for (int base = first; base < last; base += SGG_WARP) {
    int c = base + lane;
    bool has = c < last && f.partialHas[c] != 0;
    Message message;
    sgg_message_reset(message);
    if (has) {
      sgg_partial_load(f, c, message);
    }
    unsigned sent = __ballot_sync(SGG_ALL_LANES, has);
    if (sent != 0u) {
      sgg_reduce_segments<SGG_WARP>(f, v, message, sent, lane, SGG_WARP);
      if (lane == 0) {
        sgg_inbox_take(f, v, inbox, message);
      }
    }
  }
}

// Gathers a chunk with one warp, and applies its hub if all others are done.
template <int Mode>
SGG_DEVICE void sgg_take_chunk(const Frame& f, int lane, int c, Stage* room, Tally& tally) {
  if constexpr ((SGG_FEATURES_APPLY != 0 || SGG_TEAM != 0) && (sgg_takes_all<Mode>() || sgg_selects_parts<Mode>())) {
    sgg_feature_take_chunk<Mode>(f, lane, c, room, tally);
    return;
  }
  int h = f.chunkHub[c];
  int v = f.hubRows[h];
  bool takesPart = sgg_hub_takes_part<Mode>(f, v);
#if SGG_STOPS
  if constexpr (Mode == SGG_TAKE_STOPPING) {
    takesPart = takesPart && sgg_stop_open(f, v);
  }
#endif
  Inbox inbox;
  sgg_inbox_reset(inbox);
  if (takesPart) {
    bool rowActive = !SGG_EVERY_VERTEX && Mode != SGG_TAKE_ALL && sgg_bit(f.active, v);
    if (f.chunkSide[c] == SGG_CHUNK_IN) {
      if constexpr (SGG_IN_ROWS) {
        sgg_hub_part<Mode, In, sgg_filter_of(Mode, SGG_IN_FILTER)>(f, lane, c, h, v, f.chunkBegin[c], f.chunkEnd[c], SGG_CHUNK_IN,
                                                                   rowActive, room, inbox, tally.edges, tally.rounds);
      }
    } else if constexpr (SGG_OUT_ROWS) {
      sgg_hub_part<Mode, Out, sgg_filter_of(Mode, SGG_OUT_FILTER)>(f, lane, c, h, v, f.chunkBegin[c], f.chunkEnd[c], SGG_CHUNK_OUT,
                                                                   rowActive, room, inbox, SGG_IN_ROWS ? tally.again : tally.edges,
                                                                   tally.rounds);
    }
  }
  int first = f.hubFirstChunk[h];
  int last = f.hubFirstChunk[h + 1];
  if (last - first > 1) {
    int others = 0;
    if (lane == 0) {
      f.partialHas[c] = inbox.has ? 1 : 0;
      sgg_partial_store(f, c, inbox.message);
      others = sgg_arrive(&f.hubArrived[h]);
    }
    if (sgg_shfl(others, 0) != last - first - 1) {
      return;
    }
    sgg_merge_chunks(f, lane, h, v, first, last, inbox);
  }
  sgg_hub_apply<Mode>(f, lane, h, v, takesPart, inbox, tally);
}

// A warp per chunk.
template <int Mode>
SGG_DEVICE void sgg_gather_hubs(const Frame& f) {
  SGG_SHARED(Stage, stage, SGG_BLOCK_WARPS * sgg_room_words<Mode>());
  Stage* room = stage + (threadIdx.x >> 5) * sgg_room_words<Mode>();
  Tally tally;
  sgg_tally_begin(tally);
  sgg_contexts_begin(sgg_lane());
  for (long long c = sgg_warp(); c < f.chunkCount; c += sgg_warps()) {
    sgg_take_chunk<Mode>(f, sgg_lane(), (int)c, room, tally);
  }
  sgg_contexts_end(sgg_lane(), tally.again);
  sgg_tally_counts(f, tally);
}

SGG_KERNEL_OF(hubs_all, sgg_gather_blocks()) { sgg_gather_hubs<SGG_TAKE_ALL>(f); }

#if !SGG_EVERY_VERTEX
SGG_KERNEL_OF(hubs_dense, sgg_gather_blocks()) { sgg_gather_hubs<SGG_TAKE_DENSE>(f); }
SGG_KERNEL_OF(hubs_sparse, sgg_gather_blocks()) { sgg_gather_hubs<SGG_TAKE_SPARSE>(f); }
#endif

#if SGG_GATHER_ALL
// Gather ALL: which sides of a hub have an edge that the filter selects. A block per chunk; the flags start at 0.
template <int Mode>
SGG_DEVICE void sgg_select_hubs(const Frame& f) {
  for (int c = (int)blockIdx.x; c < (int)f.chunkCount; c += (int)gridDim.x) {
    int h = f.chunkHub[c];
    int v = f.hubRows[h];
    int side = f.chunkSide[c];
    if (!sgg_hub_takes_part<Mode>(f, v)) {
      continue;
    }
    bool rowActive = sgg_bit(f.active, v);
    bool any = false;
    for (int e = f.chunkBegin[c] + (int)threadIdx.x; e < f.chunkEnd[c] && !any; e += (int)blockDim.x) {
      any = side == SGG_CHUNK_IN ? sgg_selects<sgg_filter_of(Mode, SGG_IN_FILTER)>(f, rowActive, In::neighbour(f, e))
                                 : sgg_selects<sgg_filter_of(Mode, SGG_OUT_FILTER)>(f, rowActive, Out::neighbour(f, e));
    }
    if (any) {
      atomicOr(&f.hubSelected[2 * h + side], 1);
    }
  }
}

SGG_KERNEL(hub_select_dense) { sgg_select_hubs<SGG_TAKE_DENSE>(f); }
SGG_KERNEL(hub_select_sparse) { sgg_select_hubs<SGG_TAKE_SPARSE>(f); }
#endif
