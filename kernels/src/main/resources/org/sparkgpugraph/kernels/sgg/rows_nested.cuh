// Gathering by schedules (nested parallelism, IrGL: Pai and Pingali 2016, section 4.3), as nested.cuh has them for edges that are pushed:
// of a warp's 32 rows, one a lane, each schedule takes those that are long enough for it, and the last one all that are left:
//
//   SGG_ROWS_BY_BLOCK  all warps of the block take a row together, of SGG_BLOCK edges and more, each a piece; messages of the pieces are
//                      merged in their order
//   SGG_ROWS_BY_WARP   all lanes of the warp do, of 32 edges and more (gather.cuh)
//   SGG_ROWS_FINE      the edges of the other rows stand in one list (warp segmentation)
//   none of them       each lane walks its own row

#if SGG_ROWS_BY_BLOCK
// What the warps of a block have to know of a row that they gather together, and what each of them found.
struct SharedRow {
  int taker;  // its thread, plus 1; 0: there is none
  int row;
  int begin;
  int count;
  int active;
  Inbox found[SGG_BLOCK_WARPS];
};
#endif

// Takes the rows of at least Least edges out of `count`. All threads of the block.
template <class Side, int Filter, int Least>
SGG_DEVICE void sgg_rows_by_block(const Frame& f, int lane, int v, int begin, int& count, bool rowActive, Inbox& inbox, int& edges,
                                  int& rounds) {
#if SGG_ROWS_BY_BLOCK
  SGG_SHARED(SharedRow, shared, 1);
  int warp = (int)threadIdx.x >> 5;
  while (true) {
    if (threadIdx.x == 0u) {
      shared->taker = 0;
    }
    __syncthreads();
    if (count >= Least) {
      atomicMax(&shared->taker, (int)threadIdx.x + 1);
    }
    __syncthreads();
    int taker = shared->taker;
    if (taker == 0) {
      // Before somebody empties it again all have read it.
      __syncthreads();
      return;
    }
    bool takes = taker == (int)threadIdx.x + 1;
    if (takes) {
      shared->row = v;
      shared->begin = begin;
      shared->count = count;
      shared->active = rowActive ? 1 : 0;
      count = 0;
    }
    __syncthreads();
    int piece = (shared->count + SGG_BLOCK_WARPS - 1) / SGG_BLOCK_WARPS;
    int from = sgg_smaller(warp * piece, shared->count);
    int to = sgg_smaller(from + piece, shared->count);
    Inbox part;
    sgg_inbox_reset(part);
    sgg_gather_range<Side, Filter>(f, lane, shared->row, shared->begin + from, shared->begin + to, shared->active != 0, part, edges,
                                   rounds);
    if (lane == 0) {
      shared->found[warp] = part;
    }
    __syncthreads();
    if (takes) {
      for (int w = 0; w < SGG_BLOCK_WARPS; w++) {
        if (shared->found[w].has) {
          sgg_inbox_take(f, v, inbox, shared->found[w].message);
        }
      }
    }
  }
#endif
}

// Each lane walks its own row. All lanes.
template <class Side, int Filter>
SGG_DEVICE void sgg_rows_serially(const Frame& f, int lane, int v, int begin, int count, bool rowActive, Inbox& inbox, int& edges,
                                  int& rounds) {
  typename Side::Row own = Side::row(f, v, count > 0);
  for (int i = 0; __any_sync(SGG_ALL_LANES, i < count); i++) {
    rounds++;
    int neighbour = i < count ? Side::neighbour(f, begin + i) : 0;
    bool selected = i < count && sgg_selects<Filter>(f, rowActive, neighbour);
    typename Side::Edge loaded{};
    if (selected) {
      edges++;
      loaded = Side::edge(f, begin + i, neighbour);
    }
    Message message;
    sgg_message_reset(message);
    bool sends = false;
    sgg_send<Side>(f, lane, selected, v, own, loaded, message, sends);
    if (sends) {
      sgg_inbox_take(f, v, inbox, message);
    }
  }
}

// Gathers `count` edges from `begin` of this lane's row. All lanes; where blocks take rows, all threads of the block.
template <class Side, int Filter>
SGG_DEVICE void sgg_rows_by_schedule(const Frame& f, int lane, int v, int begin, int count, bool rowActive, Inbox& inbox, int& edges,
                                     int& rounds) {
  if constexpr (SGG_ROWS_BY_BLOCK) {
    constexpr int least = SGG_ROWS_BY_WARP || SGG_ROWS_FINE ? SGG_BLOCK : 1;
    sgg_rows_by_block<Side, Filter, least>(f, lane, v, begin, count, rowActive, inbox, edges, rounds);
  }
  if constexpr (SGG_ROWS_BY_WARP) {
    constexpr int least = SGG_ROWS_FINE ? SGG_WARP : 1;
    sgg_gather_long_rows<Side, Filter, least>(f, lane, v, begin, count, rowActive, inbox, edges, rounds);
  }
  if constexpr (SGG_ROWS_FINE) {
    sgg_gather<Side, Filter>(f, lane, v, sgg_pack(begin, count, false, lane), false, rowActive, inbox, edges, rounds);
  } else if constexpr (!SGG_ROWS_BY_BLOCK && !SGG_ROWS_BY_WARP) {
    sgg_rows_serially<Side, Filter>(f, lane, v, begin, count, rowActive, inbox, edges, rounds);
  }
}

// Rows by who gathers them.
struct ScheduledWalk {
  template <class Side, int Filter>
  SGG_DEVICE_STATIC void gather(const Frame& f, int lane, int v, int begin, int, int count, bool rowActive, Inbox& inbox, int& edges,
                                int& rounds) {
    sgg_rows_by_schedule<Side, Filter>(f, lane, v, begin, count, rowActive, inbox, edges, rounds);
  }
};
