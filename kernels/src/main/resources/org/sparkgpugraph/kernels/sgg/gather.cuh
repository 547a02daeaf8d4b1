// Gathering: messages of a warp's rows, pulled over their edges and merged.
//
// A warp owns 32 consecutive rows. Its lanes walk the edges of those rows 32 at a time; every lane finds the row
// that owns its edge, evaluates the send function, and a segmented reduction over the lanes merges what belongs to one row
// (warp segmentation, Khorasani 2016, section 2.2). In sparse supersteps only candidate rows take part: their edges are packed
// into a virtual list first (KiTES; packing.cuh). Vertex program, bitmaps and outboxes follow in the same kernel (apply.cuh). Rows of
// more than hubDegree edges are left to the chunks (chunks.cuh).

// ---- rows of a warp -----------------------------------------------------------------------------------------------------

// A place of the list, with what has to be known of it before its edge can be evaluated.
struct Place {
  bool valid;
  int owner;      // lane of the row that owns it
  int end;        // first place of the list behind that row
  int edge;
  int neighbour;  // the edge's other end
};

// Finds the owner of a place and loads its edge's other end. All lanes.
template <class Side>
SGG_DEVICE Place sgg_place(const Frame& f, const PackedRows& rows, bool whole, int place) {
  Place found;
  found.valid = place < rows.total;
  found.edge = sgg_shfl(rows.begin, 0) + place;
  found.neighbour = 0;
  if (whole && found.valid) {
    found.neighbour = Side::neighbour(f, found.edge);
  }
  found.owner = sgg_owner(rows, place);
  found.end = sgg_shfl(rows.start + rows.count, found.owner);
  if (!whole) {
    found.edge = sgg_shfl(rows.begin - rows.start, found.owner) + place;
    if (found.valid) {
      found.neighbour = Side::neighbour(f, found.edge);
    }
  }
  return found;
}

// Evaluates the selected edges of a warp's rows and merges the messages of each row into its lane's inbox, behind what is in there.
// Side is In or Out; `rowActive` is this lane's row's activity; `edges` counts the evaluated edges, `rounds` how often each lane might have
// evaluated one. The scattered loads of a round are issued first; the search for the owners of the next round, and the load of its edges'
// other ends, hide their latency.
template <class Side, int Filter>
SGG_DEVICE void sgg_gather(const Frame& f, int lane, int v, const PackedRows& rows, bool whole, bool rowActive, Inbox& inbox,
                           int& edges, int& rounds) {
  if (rows.total == 0) {
    return;
  }
  typename Side::Row own = Side::row(f, v, rows.count > 0);
  unsigned activeRows = sgg_filter_reads_row(Filter) ? __ballot_sync(SGG_ALL_LANES, rowActive) : 0u;
  bool shortRows = !__any_sync(SGG_ALL_LANES, rows.count > Policy::SHORT_ROW);
  Place next = sgg_place<Side>(f, rows, whole, lane);
  Waiting waiting{};
  for (int base = 0; base < rows.total; base += SGG_WARP) {
    rounds++;
    Place here = next;
    bool selected = here.valid && sgg_selects<Filter>(f, (activeRows >> here.owner) & 1u, here.neighbour);
    typename Side::Edge loaded{};
    if (selected) {
      loaded = Side::edge(f, here.edge, here.neighbour);
    }
    if (base + SGG_WARP < rows.total) {
      next = sgg_place<Side>(f, rows, whole, base + SGG_WARP + lane);
    }
    typename Side::Row ownersRow = Side::shfl(own, here.owner);
    int row = (v & ~31) + here.owner;
    Message message;
    sgg_message_reset(message);
    bool sends = false;
    edges += selected ? 1 : 0;
    sgg_send_or_keep<Side, false>(f, lane, v, own, selected, here.owner, row, ownersRow, loaded, message, sends,
                                  base + SGG_WARP >= rows.total, waiting, inbox, rounds);
    unsigned sent = __ballot_sync(SGG_ALL_LANES, sends);
    if (sent == 0u) {
      continue;
    }
    int end = sgg_smaller(SGG_WARP, here.end - base);
    if (shortRows) {
      sgg_reduce_segments<Policy::SHORT_ROW>(f, row, message, sent, lane, end);
    } else {
      sgg_reduce_segments<SGG_WARP>(f, row, message, sent, lane, end);
    }
    // The first lane of this lane's row in this round, and whether anything was sent to it.
    int head = sgg_larger(rows.start - base, 0);
    int tail = sgg_smaller(rows.start + rows.count - base, SGG_WARP);
    Message merged = sgg_message_shfl(message, head & 31);
    if ((sent & sgg_lanes(head, tail)) != 0u) {
      sgg_inbox_take(f, v, inbox, merged);
    }
  }
}

// Gathers edges [begin, end) of one row with one warp; what came is in lane 0's inbox. The other ends of the next round's edges are
// loaded while this round's values are on their way.
template <class Side, int Filter>
SGG_DEVICE void sgg_gather_range(const Frame& f, int lane, int v, int begin, int end, bool rowActive, Inbox& inbox, int& edges,
                                 int& rounds) {
  typename Side::Row own = Side::row(f, v, true);
  int next = begin + lane < end ? Side::neighbour(f, begin + lane) : 0;
  Waiting waiting{};
  for (int base = begin; base < end; base += SGG_WARP) {
    rounds++;
    int e = base + lane;
    int neighbour = next;
    bool selected = e < end && sgg_selects<Filter>(f, rowActive, neighbour);
    typename Side::Edge loaded{};
    if (selected) {
      loaded = Side::edge(f, e, neighbour);
    }
    if (e + SGG_WARP < end) {
      next = Side::neighbour(f, e + SGG_WARP);
    }
    Message message;
    sgg_message_reset(message);
    bool sends = false;
    edges += selected ? 1 : 0;
    sgg_send_or_keep<Side, true>(f, lane, v, own, selected, 0, v, own, loaded, message, sends, base + SGG_WARP >= end, waiting, inbox,
                                 rounds);
    sgg_take_row(f, lane, v, message, __ballot_sync(SGG_ALL_LANES, sends), inbox);
  }
  if constexpr (SGG_COMMUTATIVE) {
    unsigned sent = __ballot_sync(SGG_ALL_LANES, inbox.has);
    sgg_reduce_segments<SGG_WARP>(f, v, inbox.message, sent, lane, SGG_WARP);
    inbox.has = sent != 0u;
  }
}

// Gathers the rows of a warp that have at least LongRow edges one after the other with all lanes, and takes them out of `count`: a row
// that fills whole rounds needs no search for owners and, where the merge function is commutative, no reduction before its end.
template <class Side, int Filter, int LongRow>
SGG_DEVICE void sgg_gather_long_rows(const Frame& f, int lane, int v, int begin, int& count, bool rowActive, Inbox& inbox,
                                     int& edges, int& rounds) {
  unsigned longRows = __ballot_sync(SGG_ALL_LANES, count >= LongRow);
  while (longRows != 0u) {
    int owner = __ffs((int)longRows) - 1;
    longRows &= longRows - 1u;
    int first = sgg_shfl(begin, owner);
    int last = first + sgg_shfl(count, owner);
    bool active = sgg_filter_reads_row(Filter) && sgg_shfl(rowActive ? 1 : 0, owner) != 0;
    Inbox gathered;
    sgg_inbox_reset(gathered);
    sgg_gather_range<Side, Filter>(f, lane, (v & ~31) + owner, first, last, active, gathered, edges, rounds);
    bool came = sgg_shfl(gathered.has ? 1 : 0, 0) != 0;
    Message message = sgg_message_shfl(gathered.message, 0);
    if (lane == owner) {
      if (came) {
        sgg_inbox_take(f, v, inbox, message);
      }
      count = 0;
    }
  }
}

// Gathers the rows of a warp: `count` edges from `begin` of this lane's row, which has [begin, end).
template <class Side, int Filter>
SGG_DEVICE void sgg_gather_packed(const Frame& f, int lane, int v, int begin, int end, int count, bool rowActive, Inbox& inbox,
                                  int& edges, int& rounds) {
  sgg_gather_long_rows<Side, Filter, Policy::LONG_ROW>(f, lane, v, begin, count, rowActive, inbox, edges, rounds);
  bool whole = __all_sync(SGG_ALL_LANES, count == end - begin);
  sgg_gather<Side, Filter>(f, lane, v, sgg_pack(begin, count, whole, lane), whole, rowActive, inbox, edges, rounds);
}

// Rows in one list, the long ones one after the other.
struct PackedWalk {
  template <class Side, int Filter>
  SGG_DEVICE_STATIC void gather(const Frame& f, int lane, int v, int begin, int end, int count, bool rowActive, Inbox& inbox, int& edges,
                                int& rounds) {
    sgg_gather_packed<Side, Filter>(f, lane, v, begin, end, count, rowActive, inbox, edges, rounds);
  }
};

// Gathers one side of a warp's rows, [begin, end) of this lane's: those that take part and are not hubs, by a walk.
template <class Side, int Filter, class Walk>
SGG_DEVICE void sgg_gather_side(const Frame& f, int lane, int v, int begin, int end, bool takesPart, bool rowActive, Inbox& inbox,
                                int& edges, int& rounds) {
  constexpr bool byRow = Filter == SGG_FILTER_ROW || Filter == SGG_FILTER_ROW_AND_NEIGHBOUR;
  int count = takesPart && (!byRow || rowActive) ? end - begin : 0;
  if constexpr (SGG_GATHER_ALL && Filter != SGG_FILTER_NONE) {
    PackedRows rows = sgg_pack(begin, count, __all_sync(SGG_ALL_LANES, count == end - begin), lane);
    if (!sgg_any_selected<Side, Filter>(f, lane, rows, rowActive)) {
      count = 0;
    }
    Walk::template gather<Side, SGG_FILTER_NONE>(f, lane, v, begin, end, count, rowActive, inbox, edges, rounds);
  } else {
    Walk::template gather<Side, Filter>(f, lane, v, begin, end, count, rowActive, inbox, edges, rounds);
  }
}

// The edges of this lane's row: none behind the last row.
struct RowEdges {
  int inBegin;
  int inEnd;
  int outBegin;
  int outEnd;
#if SGG_HOT
  int rank;  // of the row's vertex (near.cuh)
#endif
};

SGG_DEVICE RowEdges sgg_row_edges(const Frame& f, int v) {
  int here = sgg_smaller(v, (int)sgg_end_row(f));
  int behind = sgg_smaller(v + 1, (int)sgg_end_row(f));
  RowEdges row{};
  row.inBegin = In::begin(f, here);
  row.inEnd = In::begin(f, behind);
  row.outBegin = Out::begin(f, here);
  row.outEnd = Out::begin(f, behind);
#if SGG_HOT
  row.rank = v < (int)sgg_end_row(f) ? sgg_rank(f, v) : -1;
#endif
  return row;
}

// A warp's room for what it has loaded; 8 bytes are the largest alignment of a column.
typedef unsigned long long Stage;

// What is done instead where lanes share the arrays of messages, and of values (features.cuh).
template <class Side>
SGG_DEVICE void sgg_feature_rows(const Frame& f, int lane, int v, int begin, int end, bool takesPart, Stage* room, Inbox& inbox,
                                 int& edges);
template <class Side>
SGG_DEVICE void sgg_feature_chunk(const Frame& f, int lane, int c, int v, int begin, int end, Inbox& inbox, int& edges);
template <int Mode, int Bits>
SGG_DEVICE void sgg_feature_word(const Frame& f, int lane, int v, bool isRow, const RowEdges& row, Stage* room, Tally& tally);
template <int Mode>
SGG_DEVICE void sgg_feature_take_chunk(const Frame& f, int lane, int c, Stage* room, Tally& tally);

// The same where teams of lanes run vertices (team.cuh).
template <int Mode, int Bits>
SGG_DEVICE void sgg_team_word(const Frame& f, int lane, int v, bool isRow, bool rowActive, const RowEdges& row, Stage* room, Tally& tally);
template <int Mode>
SGG_DEVICE void sgg_team_hub(const Frame& f, int lane, int h, int v, bool takesPart, bool has, Stage* room, Tally& tally);

// The same where edges are selected (selected.cuh).
template <class Side, int Filter>
SGG_DEVICE void sgg_selected_side(const Frame& f, int lane, int v, int begin, int end, bool takesPart, bool rowActive, Stage* room,
                                  Inbox& inbox, int& edges);
template <class Side, int Filter>
SGG_DEVICE void sgg_selected_chunk(const Frame& f, int lane, int c, int h, int v, int begin, int end, int side, bool rowActive,
                                   Stage* room, Inbox& inbox, int& edges);
template <int Mode, int Bits>
SGG_DEVICE void sgg_selected_word(const Frame& f, int lane, int v, bool isRow, bool rowActive, const RowEdges& row, Stage* room,
                                  Tally& tally);
