// Gathering: messages of a warp's rows, pulled over their edges and merged. First of the headers that stand on the functions and
// adapters which were generated for one program.
//
// A warp owns 32 consecutive rows. Its lanes walk the edges of those rows 32 at a time; every lane finds the row
// that owns its edge, evaluates the send function, and a segmented reduction over the lanes merges what belongs to one row
// (warp segmentation, Khorasani 2016, section 2.2). In sparse supersteps only candidate rows take part: their edges are packed
// into a virtual list first (KiTES, dynamic thread assignment, section 3.2). The vertex program, the activity and change bitmaps
// and the refined outboxes follow in the same kernel. Rows of more than hubDegree edges are left to the hub kernels.
//
// The reduction merges neighbours first (strides 1, 2, 4, 8, 16), so messages are merged in the order of the edges: a merge
// function has to be associative, as GraphX demands, but need not be commutative to give the same result as on the processor.

// Rows of so many edges and more, up to hubDegree, are gathered by a whole warp one after the other.
#define SGG_LONG_ROW 64

// Where no row of a warp has more edges than this, a power of two, the segmented reduction takes fewer steps.
#define SGG_SHORT_ROW 4

// Bitmap words that a warp looks at together where most are 0.
#define SGG_SCAN_WORDS 8

// How the rows of a superstep are chosen.
#define SGG_ALL 0     // every row, every edge
#define SGG_DENSE 1   // every row, the edges that the filter selects
#define SGG_SPARSE 2  // candidate rows, the edges that the filter selects

// Edge filters (KernelShape.Filter).
#define SGG_FILTER_NONE 0
#define SGG_FILTER_ROW 1
#define SGG_FILTER_NEIGHBOUR 2
#define SGG_FILTER_ROW_OR_NEIGHBOUR 3
#define SGG_FILTER_ROW_AND_NEIGHBOUR 4

SGG_DEVICE constexpr bool sgg_filter_reads_row(int filter) {
  return filter == SGG_FILTER_ROW || filter == SGG_FILTER_ROW_OR_NEIGHBOUR || filter == SGG_FILTER_ROW_AND_NEIGHBOUR;
}

SGG_DEVICE constexpr bool sgg_filter_reads_neighbour(int filter) {
  return filter >= SGG_FILTER_NEIGHBOUR;
}

// Filters of a mode. A monotone program in place evaluates all edges of a dense superstep.
SGG_DEVICE constexpr int sgg_filter_of(int mode, int filter) {
  return mode == SGG_ALL || (mode == SGG_DENSE && SGG_IN_PLACE) ? SGG_FILTER_NONE : filter;
}

// The rows that the superstep computes: all held ones, or, where neighbouring devices hold some both and decide superstep by superstep
// whose they are (permissive partitioning, Khorasani 2016, chapter 3), those between the borders. The first is the first of a word.
SGG_DEVICE long long sgg_first_row(const Frame& f) {
#if SGG_PERMISSIVE
  return f.firstRow;
#else
  (void)f;
  return 0;
#endif
}

SGG_DEVICE long long sgg_end_row(const Frame& f) {
#if SGG_PERMISSIVE
  return f.endRow;
#else
  return f.stored;
#endif
}

SGG_DEVICE bool sgg_present(const Frame& f, int v) {
#if SGG_MISSING
  return f.present == nullptr || sgg_bit(f.present, v);
#else
  (void)f;
  (void)v;
  return true;
#endif
}

// ---- merging ------------------------------------------------------------------------------------------------------------

// A row's message so far.
struct Inbox {
  Message message;
  bool has;
};

SGG_DEVICE void sgg_inbox_reset(Inbox& inbox) {
  sgg_message_reset(inbox.message);
  inbox.has = false;
}

#if !SGG_MODE
SGG_DEVICE void sgg_inbox_take(const Frame& f, int row, Inbox& inbox, const Message& message) {
  if (inbox.has) {
    sgg_merge(f, row, inbox.message, message);
  } else {
    inbox.message = message;
    inbox.has = true;
  }
}

// Merges the messages of each segment of lanes into its first lane, in lane order. A segment is what lies between its first lane
// and `end` (the same for all of its lanes); `sent` has a bit for every lane whose message counts; `span`, at most Span, is a power of
// two that no segment exceeds. All lanes of the warp take part.
template <int Span>
SGG_DEVICE void sgg_reduce_segments(const Frame& f, int row, Message& message, unsigned sent, int lane, int end, int span = Span) {
  if (sent == SGG_ALL_LANES) {
    // The common case: nobody has to ask who sent.
    for (int d = 1; d < Span && d < span; d <<= 1) {
      Message other = sgg_message_shfl_down(message, d);
      if (lane + d < end) {
        sgg_merge(f, row, message, other);
      }
    }
    return;
  }
  for (int d = 1; d < Span && d < span; d <<= 1) {
    Message other = sgg_message_shfl_down(message, d);
    unsigned theirs = sent & sgg_lanes(lane + d, sgg_smaller(lane + 2 * d, end));
    if (theirs != 0u) {
      if ((sent & sgg_lanes(lane, sgg_smaller(lane + d, end))) != 0u) {
        sgg_merge(f, row, message, other);
      } else {
        message = other;
      }
    }
  }
}

#endif

// ---- rows of a warp -----------------------------------------------------------------------------------------------------

// Whether the filter selects an edge, given its row's activity and its other end.
template <int Filter>
SGG_DEVICE bool sgg_selects(const Frame& f, bool rowActive, int neighbour) {
  switch (Filter) {
    case SGG_FILTER_NEIGHBOUR:
      return sgg_bit(f.active, neighbour);
    case SGG_FILTER_ROW:
      return rowActive;
    case SGG_FILTER_ROW_OR_NEIGHBOUR:
      return rowActive || sgg_bit(f.active, neighbour);
    case SGG_FILTER_ROW_AND_NEIGHBOUR:
      return rowActive && sgg_bit(f.active, neighbour);
    default:
      return true;
  }
}

// The edges of a warp's rows as one list: this lane's row owns places [start, start + count) of it.
struct PackedRows {
  int begin;  // first edge of this lane's row
  int count;  // its edges; 0 when the row takes no part
  int start;
  int total;  // length of the list
};

// Packs the rows; `whole` says that every row takes part, so that the list is one range of edges as it is.
SGG_DEVICE PackedRows sgg_pack(int begin, int count, bool whole, int lane) {
  PackedRows rows;
  rows.begin = begin;
  rows.count = count;
  if (whole) {
    rows.start = begin - sgg_shfl(begin, 0);
  } else {
    int sum = count;
    for (int d = 1; d < SGG_WARP; d <<= 1) {
      int before = __shfl_up_sync(SGG_ALL_LANES, sum, d);
      if (lane >= d) {
        sum += before;
      }
    }
    rows.start = sum - count;
  }
  rows.total = sgg_shfl(rows.start + count, SGG_WARP - 1);
  return rows;
}

// The lane whose row owns a place of the list: the largest with start <= place, by binary search in five steps. Rows without
// edges share their start with the next one, which is larger, and so own nothing.
SGG_DEVICE int sgg_owner(const PackedRows& rows, int place) {
  int owner = 0;
  for (int d = SGG_WARP / 2; d > 0; d >>= 1) {
    if (sgg_shfl(rows.start, owner + d) <= place) {
      owner += d;
    }
  }
  return owner;
}

#if !SGG_MODE
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
// Side is In or Out; `rowActive` is this lane's row's activity; `edges` counts the evaluated edges. The scattered loads of a round
// are issued first; the search for the owners of the next round, and the load of its edges' other ends, hide their latency.
template <class Side, int Filter>
SGG_DEVICE void sgg_gather(const Frame& f, int lane, int v, const PackedRows& rows, bool whole, bool rowActive, Inbox& inbox,
                           int& edges) {
  if (rows.total == 0) {
    return;
  }
  typename Side::Row own = Side::row(f, v, rows.count > 0);
  unsigned activeRows = sgg_filter_reads_row(Filter) ? __ballot_sync(SGG_ALL_LANES, rowActive) : 0u;
  bool shortRows = !__any_sync(SGG_ALL_LANES, rows.count > SGG_SHORT_ROW);
  Place next = sgg_place<Side>(f, rows, whole, lane);
  for (int base = 0; base < rows.total; base += SGG_WARP) {
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
    if (selected) {
      edges++;
      Side::send(f, row, ownersRow, loaded, message, sends);
    }
    unsigned sent = __ballot_sync(SGG_ALL_LANES, sends);
    if (sent == 0u) {
      continue;
    }
    int end = sgg_smaller(SGG_WARP, here.end - base);
    if (shortRows) {
      sgg_reduce_segments<SGG_SHORT_ROW>(f, row, message, sent, lane, end);
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

#endif

// Whether the filter selects at least one edge of this lane's row (gather ALL).
template <class Side, int Filter>
SGG_DEVICE bool sgg_any_selected(const Frame& f, int lane, const PackedRows& rows, bool rowActive) {
  if (Filter == SGG_FILTER_NONE) {
    return rows.count > 0;
  }
  if (Filter == SGG_FILTER_ROW) {
    return rowActive && rows.count > 0;
  }
  unsigned activeRows = sgg_filter_reads_row(Filter) ? __ballot_sync(SGG_ALL_LANES, rowActive) : 0u;
  bool any = false;
  for (int base = 0; base < rows.total; base += SGG_WARP) {
    int place = base + lane;
    int owner = sgg_owner(rows, place);
    int edge = sgg_shfl(rows.begin, owner) + (place - sgg_shfl(rows.start, owner));
    bool selected = place < rows.total && sgg_selects<Filter>(f, (activeRows >> owner) & 1u, Side::neighbour(f, edge));
    unsigned found = __ballot_sync(SGG_ALL_LANES, selected);
    any |= (found & sgg_lanes(sgg_larger(rows.start - base, 0), sgg_smaller(rows.start + rows.count - base, SGG_WARP))) != 0u;
  }
  return any;
}

#if !SGG_MODE
// Gathers edges [begin, end) of one row with one warp; what came is in lane 0's inbox. The other ends of the next round's edges are
// loaded while this round's values are on their way.
template <class Side, int Filter>
SGG_DEVICE void sgg_gather_range(const Frame& f, int lane, int v, int begin, int end, bool rowActive, Inbox& inbox, int& edges) {
  typename Side::Row own = Side::row(f, v, true);
  int next = begin + lane < end ? Side::neighbour(f, begin + lane) : 0;
  for (int base = begin; base < end; base += SGG_WARP) {
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
    if (selected) {
      edges++;
      Side::send(f, v, own, loaded, message, sends);
    }
    unsigned sent = __ballot_sync(SGG_ALL_LANES, sends);
#if SGG_COMMUTATIVE
    // Every lane merges its own edges: the order does not matter to this merge function.
    if ((sent >> lane) & 1u) {
      sgg_inbox_take(f, v, inbox, message);
    }
#else
    if (sent != 0u) {
      sgg_reduce_segments<SGG_WARP>(f, v, message, sent, lane, SGG_WARP);
      if (lane == 0) {
        sgg_inbox_take(f, v, inbox, message);
      }
    }
#endif
  }
#if SGG_COMMUTATIVE
  unsigned sent = __ballot_sync(SGG_ALL_LANES, inbox.has);
  sgg_reduce_segments<SGG_WARP>(f, v, inbox.message, sent, lane, SGG_WARP);
  inbox.has = sent != 0u;
#endif
}

// Gathers the long rows of a warp one after the other with all lanes, and takes them out of `count`: a row that fills whole rounds
// needs no search for owners and, where the merge function is commutative, no reduction before its end.
template <class Side, int Filter>
SGG_DEVICE void sgg_gather_long_rows(const Frame& f, int lane, int v, int begin, int& count, bool rowActive, Inbox& inbox,
                                     int& edges) {
  unsigned longRows = __ballot_sync(SGG_ALL_LANES, count >= SGG_LONG_ROW);
  while (longRows != 0u) {
    int owner = __ffs((int)longRows) - 1;
    longRows &= longRows - 1u;
    int first = sgg_shfl(begin, owner);
    int last = first + sgg_shfl(count, owner);
    bool active = sgg_filter_reads_row(Filter) && sgg_shfl(rowActive ? 1 : 0, owner) != 0;
    Inbox gathered;
    sgg_inbox_reset(gathered);
    sgg_gather_range<Side, Filter>(f, lane, (v & ~31) + owner, first, last, active, gathered, edges);
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
                                  int& edges) {
  sgg_gather_long_rows<Side, Filter>(f, lane, v, begin, count, rowActive, inbox, edges);
  bool whole = __all_sync(SGG_ALL_LANES, count == end - begin);
  sgg_gather<Side, Filter>(f, lane, v, sgg_pack(begin, count, whole, lane), whole, rowActive, inbox, edges);
}

// Gathers one side of a warp's rows, [begin, end) of this lane's: those that take part and are not hubs.
template <class Side, int Filter>
SGG_DEVICE void sgg_gather_side(const Frame& f, int lane, int v, int begin, int end, bool takesPart, bool rowActive, Inbox& inbox,
                                int& edges) {
  constexpr bool byRow = Filter == SGG_FILTER_ROW || Filter == SGG_FILTER_ROW_AND_NEIGHBOUR;
  int count = takesPart && (!byRow || rowActive) ? end - begin : 0;
#if SGG_GATHER_ALL
  if (Filter != SGG_FILTER_NONE) {
    PackedRows rows = sgg_pack(begin, count, __all_sync(SGG_ALL_LANES, count == end - begin), lane);
    if (!sgg_any_selected<Side, Filter>(f, lane, rows, rowActive)) {
      count = 0;
    }
    sgg_gather_packed<Side, SGG_FILTER_NONE>(f, lane, v, begin, end, count, rowActive, inbox, edges);
    return;
  }
#endif
  sgg_gather_packed<Side, Filter>(f, lane, v, begin, end, count, rowActive, inbox, edges);
}
#endif
