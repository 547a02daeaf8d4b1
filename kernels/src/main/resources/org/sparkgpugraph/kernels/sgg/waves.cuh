// Gathering in waves (as the software part of Yilmazer-Metin, "Graph-Waving architecture", JPDC 2020, does it): what concerns a row is done
// for 32 rows at once, a lane each, what concerns an edge by groups of `f.width` lanes, 4 to 32, that take the rows of their lanes one
// after the other. So offsets and a row's own values are loaded once per row, side by side, and broadcast when they are used; messages end
// in the inbox of the row's lane, and the vertex program follows for 32 rows at once as well (apply.cuh). That makes waves of it, before
// the edges and behind them, where virtual warps (virtual_warps.cuh) do the same in every lane of a group.
//
// Groups of a warp take their rows in step: the longest row of each step decides. The host chooses the width by the rows' degrees
// (GroupWidth). Rows of at least Policy::WAVE_LONG_ROW edges are taken by all lanes of the warp, those of more than hubDegree by several.
//
// The paper's scalar-wave unit, clustered issue and reuse of decoded instructions are hardware, and not here.

// The first edge of a row that a group takes, as far as it is there: this lane's.
struct WaveStep {
  int first;
  int left;       // edges of the row
  int neighbour;  // other end of this lane's first edge
};

template <class Side>
SGG_DEVICE WaveStep sgg_wave_step(const Frame& f, int lane, int group, int begin, int count, int owner) {
  WaveStep step;
  step.first = sgg_shfl(begin, owner);
  step.left = sgg_shfl(count, owner);
  step.neighbour = lane - group < step.left ? Side::neighbour(f, step.first + lane - group) : 0;
  return step;
}

// Gathers one side of a warp's rows, [begin, end) of this lane's. All lanes.
template <class Side, int Filter>
SGG_DEVICE void sgg_wave_rows(const Frame& f, int lane, int v, int begin, int count, bool rowActive, Inbox& inbox, int& edges,
                              int& rounds) {
  sgg_gather_long_rows<Side, Filter, Policy::WAVE_LONG_ROW>(f, lane, v, begin, count, rowActive, inbox, edges, rounds);
  int width = (int)f.width;
  int group = lane & ~(width - 1);
  unsigned members = sgg_lanes(group, group + width);
  typename Side::Row own = Side::row(f, v, count > 0);
  unsigned activeRows = sgg_filter_reads_row(Filter) ? __ballot_sync(SGG_ALL_LANES, rowActive) : 0u;
  // Steps in which no group has a row with edges are left out.
  unsigned rows = __ballot_sync(SGG_ALL_LANES, count > 0);
  unsigned steps = 0u;
  for (int g = 0; g < SGG_WARP; g += width) {
    steps |= (rows >> g) & sgg_lanes(0, width);
  }
  if (steps == 0u) {
    return;
  }
  WaveStep next = sgg_wave_step<Side>(f, lane, group, begin, count, group + __ffs((int)steps) - 1);
  while (steps != 0u) {
    int owner = group + __ffs((int)steps) - 1;
    steps &= steps - 1u;
    WaveStep here = next;
    if (steps != 0u) {
      // The load is under way while this step's edges are evaluated.
      next = sgg_wave_step<Side>(f, lane, group, begin, count, group + __ffs((int)steps) - 1);
    }
    typename Side::Row ownersRow = Side::shfl(own, owner);
    int row = (v & ~31) + owner;
    bool active = (activeRows >> owner) & 1u;
    Inbox part;
    sgg_inbox_reset(part);
    // Counted from the row's begin: a short row waits for the longest one of its step, and first + i could overflow meanwhile.
    for (int i = lane - group; __any_sync(SGG_ALL_LANES, i < here.left); i += width) {
      rounds++;
      Message message;
      sgg_message_reset(message);
      bool sends = false;
      bool selected = i < here.left && sgg_selects<Filter>(f, active, here.neighbour);
      typename Side::Edge loaded{};
      if (selected) {
        edges++;
        loaded = Side::edge(f, here.first + i, here.neighbour);
      }
      sgg_send<Side>(f, lane, selected, row, ownersRow, loaded, message, sends);
      if (i < here.left - width) {
        here.neighbour = Side::neighbour(f, here.first + i + width);
      }
      if constexpr (SGG_COMMUTATIVE) {
        // Every lane merges its own edges: the order does not matter to this merge function.
        if (sends) {
          sgg_inbox_take(f, row, part, message);
        }
      } else {
        unsigned sent = __ballot_sync(SGG_ALL_LANES, sends);
        if (sent != 0u) {
          sgg_reduce_segments<SGG_WARP>(f, row, message, sent, lane, group + width, width);
          if (lane == group && (sent & members) != 0u) {
            sgg_inbox_take(f, row, part, message);
          }
        }
      }
    }
    unsigned sent = __ballot_sync(SGG_ALL_LANES, part.has);
    if (sent == 0u) {
      continue;
    }
    if constexpr (SGG_COMMUTATIVE) {
      sgg_reduce_segments<SGG_WARP>(f, row, part.message, sent, lane, group + width, width);
    }
    Message merged = sgg_message_shfl(part.message, group);
    if (lane == owner && (sent & members) != 0u) {
      sgg_inbox_take(f, v, inbox, merged);
    }
  }
}

// Rows by groups of lanes.
struct WaveWalk {
  template <class Side, int Filter>
  SGG_DEVICE_STATIC void gather(const Frame& f, int lane, int v, int begin, int, int count, bool rowActive, Inbox& inbox, int& edges,
                                int& rounds) {
    sgg_wave_rows<Side, Filter>(f, lane, v, begin, count, rowActive, inbox, edges, rounds);
  }
};
