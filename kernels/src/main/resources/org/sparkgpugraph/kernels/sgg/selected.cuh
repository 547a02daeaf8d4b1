// Gathering arrays over selected edges, where groups of lanes share them. A warp first finds which edges of its rows are selected, a lane an
// edge, many loads a lane at a time, and lists them in shared memory. Its groups then take as many of the list each, one behind the other,
// whatever rows these are in, SGG_FEATURE_DEPTH of them under way together, and leave a row's message when they are at its end; what a
// group has of a row that another group began it leaves at the border, where the one that began it merges it. So no group waits because
// rows are short or few of their edges are selected, and there are no atomics; who merges what depends on nothing but which edges of the
// warp's rows are selected. Rows that run are then packed likewise, a group each. (Both phases of ONYX, an edge a lane and then features
// a lane, with the selected edges in a list in the place of a search for owners.)
//
// SGG_FEATURES_SELECT: the program has supersteps that select, or teams that run vertices, and a warp's room is large enough for what its
// groups leave at borders.

#if SGG_FEATURES_SELECT
// The place of the n-th bit that is set, from 0; any where there are not so many.
SGG_DEVICE int sgg_nth_bit(unsigned bits, int n) {
  int at = 0;
  SGG_UNROLL
  for (int d = SGG_WARP / 2; d > 0; d /= 2) {
    int below = __popc(bits & sgg_lanes(at, at + d));
    if (n >= below) {
      n -= below;
      at += d;
    }
  }
  return at;
}

// An edge of the list.
struct SelectedEdge {
  int edge;
  int end;  // the other end
};

// A warp's room.
struct SelectedRoom {
  SelectedEdge list[Policy::SELECTED_EDGES];
  SpreadRow full[SGG_WARP];                                      // the rows that have edges in the list, with the place behind these
  KeptPart borders[SGG_FEATURE_GROUPS > 1 ? SGG_WARP : 1];       // what a group has of a row that another one began
};

// The same with the rows' messages.
struct SelectedRows {
  SelectedRoom room;
  KeptPart rows[SGG_WARP * SGG_FEATURE_GROUP];  // a message per row, a part per lane of a group
};

// Whether rows' messages stay in shared memory; else they go through gathered0[v] …, where teams want them (team.cuh).
SGG_DEVICE constexpr bool sgg_selected_stay() { return SGG_TEAM == 0 && (int)sizeof(SelectedRows) <= Policy::SELECTED_BYTES; }

SGG_DEVICE constexpr int sgg_selected_words() {
  int bytes = (int)(sgg_selected_stay() ? sizeof(SelectedRows) : sizeof(SelectedRoom));
#if SGG_TEAM
  bytes = sgg_larger(bytes, SGG_WARP / SGG_TEAM * SGG_TEAM_BYTES);
#endif
  return (bytes + 15) / 16 * 2;
}

static_assert(sizeof(SelectedRoom) <= Policy::SELECTED_BYTES, "borders of so many arrays need more room than a warp has");

SGG_DEVICE SelectedRoom& sgg_selected_room(Stage* room) { return *reinterpret_cast<SelectedRoom*>(room); }

// This lane's part of a row's message: of row `row` of the warp's 32. Written by one lane and read by another behind __syncwarp.
SGG_DEVICE void sgg_selected_store(const Frame& f, int lane, int v, int row, Stage* room, const PartMessage& message) {
  if constexpr (sgg_selected_stay()) {
    reinterpret_cast<SelectedRows*>(room)->rows[row * SGG_FEATURE_GROUP + lane % SGG_FEATURE_GROUP].message = message;
  } else {
    sgg_part_store_gathered(f, (v & ~31) + row, lane % SGG_FEATURE_GROUP, message);
  }
}

SGG_DEVICE PartMessage sgg_selected_load(const Frame& f, int lane, int v, int row, Stage* room) {
  if constexpr (sgg_selected_stay()) {
    return reinterpret_cast<SelectedRows*>(room)->rows[row * SGG_FEATURE_GROUP + lane % SGG_FEATURE_GROUP].message;
  } else {
    PartMessage message;
    sgg_part_load_gathered(f, (v & ~31) + row, lane % SGG_FEATURE_GROUP, message);
    return message;
  }
}

// The message of this lane's row.
SGG_DEVICE void sgg_selected_message(const Frame& f, int lane, int v, Stage* room, Message& message) {
  if constexpr (sgg_selected_stay()) {
    for (int part = 0; part < SGG_FEATURE_GROUP; part++) {
      sgg_part_put(message, reinterpret_cast<SelectedRows*>(room)->rows[lane * SGG_FEATURE_GROUP + part].message, part);
    }
  } else {
    sgg_load_gathered(f, v, message);
  }
}

// ---- an edge a lane -----------------------------------------------------------------------------------------------------

// Lists selected edges of packed rows from place `base` on, which goes on behind them, as long as there is room: at least those of
// SGG_WARP * Policy::SELECTED_DEPTH places. Returns how many there are; `own` of them are this lane's row's. All lanes.
template <class Side, int Filter>
SGG_DEVICE int sgg_select_edges(const Frame& f, int lane, const PackedRows& rows, bool whole, unsigned activeRows, int& base,
                                SelectedEdge* list, int& own) {
  constexpr int depth = Policy::SELECTED_DEPTH;
  constexpr bool asksRow = Filter == SGG_FILTER_ROW_OR_NEIGHBOUR || Filter == SGG_FILTER_ROW_AND_NEIGHBOUR;
  const int* neighbours = PartsOf<Side>::Type::neighbours(f);
  int firstEdge = sgg_shfl(rows.begin, 0);
  int count = 0;
  own = 0;
  while (base < rows.total && count <= Policy::SELECTED_EDGES - SGG_WARP * depth) {
    int edges[depth];
    int ends[depth];
    bool active[depth];
    SGG_UNROLL
    for (int i = 0; i < depth; i++) {
      int place = base + SGG_WARP * i + lane;
      int owner = whole && !asksRow ? 0 : sgg_owner(rows, place);
      edges[i] = whole ? firstEdge + place : sgg_shfl(rows.begin - rows.start, owner) + place;
      active[i] = asksRow && ((activeRows >> owner) & 1u);
      ends[i] = sgg_load_once(neighbours + edges[i], place < rows.total);
    }
    bool selected[depth];
    SGG_UNROLL
    for (int i = 0; i < depth; i++) {
      // The rows of the list are active where it is these that are asked alone.
      selected[i] = base + SGG_WARP * i + lane < rows.total &&
                    (Filter == SGG_FILTER_ROW || sgg_selects<Filter>(f, active[i], ends[i]));
    }
    SGG_UNROLL
    for (int i = 0; i < depth; i++) {
      unsigned some = __ballot_sync(SGG_ALL_LANES, selected[i]);
      if (selected[i]) {
        list[count + __popc(some & sgg_lanes(0, lane))] = SelectedEdge{edges[i], ends[i]};
      }
      int start = rows.start - base - SGG_WARP * i;
      own += __popc(some & sgg_lanes(sgg_larger(start, 0), sgg_smaller(start + rows.count, SGG_WARP)));
      count += __popc(some);
    }
    base += SGG_WARP * depth;
  }
  return count;
}

// ---- some elements a lane -----------------------------------------------------------------------------------------------

// A group on its way through its edges of the list.
template <class Parts>
struct SelectedWalk {
  int at;          // of room.full
  SpreadRow here;  // the row there
  bool begun;      // another group began the row: what there is of it belongs at the border
  bool border;     // there is a message at the border
  unsigned sent;   // the rows that have a message now
  PartInbox inbox;
  typename Parts::Row own;

  SGG_DEVICE_MEMBER void enter(const Frame& f, int lane, int v, const SelectedRoom& room) {
    here = room.full[at];
    own = Parts::row(f, (v & ~31) + here.row, lane % SGG_FEATURE_GROUP);
    sgg_part_inbox_reset(inbox);
  }

  // Leaves what there is of the row, all of it or the end of it.
  SGG_DEVICE_MEMBER void leave(const Frame& f, int lane, int v, unsigned before, Stage* room) {
    if (inbox.has && begun) {
      sgg_selected_room(room).borders[lane].message = inbox.message;
      border = true;
    } else if (inbox.has) {
      if ((before >> here.row) & 1u) {
        PartMessage merged = sgg_selected_load(f, lane, v, here.row, room);
        sgg_part_merge(f, (v & ~31) + here.row, lane % SGG_FEATURE_GROUP, merged, inbox.message);
        inbox.message = merged;
      }
      sgg_selected_store(f, lane, v, here.row, room, inbox.message);
      sent |= 1u << here.row;
    }
    begun = false;
  }
};

// Gathers the `count` edges of the list, at least one, of which `own` are this lane's row's, behind the messages of the rows `before`.
// Returns the rows that have a message then. All lanes.
template <class Side>
SGG_DEVICE unsigned sgg_selected_deal(const Frame& f, int lane, int v, int count, int own, unsigned before, Stage* stage, int& edges) {
  typedef typename PartsOf<Side>::Type Parts;
  SelectedRoom& room = sgg_selected_room(stage);
  int part = lane % SGG_FEATURE_GROUP;
  unsigned full = __ballot_sync(SGG_ALL_LANES, own > 0);
  PackedRows packed = sgg_pack(0, own, false, lane);
  if (own > 0) {
    room.full[__popc(full & sgg_lanes(0, lane))] = SpreadRow{packed.start + own, lane};
  }
  __syncwarp();
  int size = (count + SGG_FEATURE_GROUPS - 1) / SGG_FEATURE_GROUPS;
  int place = sgg_smaller(lane / SGG_FEATURE_GROUP * size, count);
  int stop = sgg_smaller(place + size, count);
  bool some = place < stop;
  SelectedWalk<Parts> walk;
  walk.at = sgg_spread_find(room, some, 0, __popc(full) - 1, place);
  walk.begun = some && (walk.at > 0 ? room.full[walk.at - 1].end : 0) < place;
  walk.border = false;
  walk.sent = before;
  walk.enter(f, lane, v, room);
  if (part == 0) {
    edges += stop - place;
  }
  for (int round = place; round < stop; round += SGG_FEATURE_DEPTH) {
    typename Parts::Edge loaded[SGG_FEATURE_DEPTH];
    SGG_UNROLL
    for (int i = 0; i < SGG_FEATURE_DEPTH; i++) {
      // Of none it is another one: loads without branches are under way together.
      SelectedEdge next = room.list[sgg_smaller(round + i, stop - 1)];
      loaded[i] = Parts::edge(f, next.edge, next.end, part);
    }
    if (round + SGG_FEATURE_DEPTH <= sgg_smaller(stop, walk.here.end)) {
      SGG_UNROLL
      for (int i = 0; i < SGG_FEATURE_DEPTH; i++) {
        Parts::send(f, (v & ~31) + walk.here.row, part, walk.own, loaded[i], walk.inbox.message, walk.inbox.has);
      }
    } else {
      SGG_UNROLL
      for (int i = 0; i < SGG_FEATURE_DEPTH; i++) {
        if (round + i < stop) {
          if (round + i == walk.here.end) {
            walk.leave(f, lane, v, before, stage);
            walk.at++;
            walk.enter(f, lane, v, room);
          }
          Parts::send(f, (v & ~31) + walk.here.row, part, walk.own, loaded[i], walk.inbox.message, walk.inbox.has);
        }
      }
    }
  }
  sgg_spread_merge_borders(f, lane, v, some, stop, size, before, room, stage, walk);
  return sgg_rows_of_groups(walk.sent);
}

// Gathers the selected edges of one side of a warp's rows, [begin, end) of this lane's, those that take part, behind the messages of the
// rows `sent`. Returns the rows that have a message then. All lanes.
template <class Side, int Filter>
SGG_DEVICE unsigned sgg_selected_rows(const Frame& f, int lane, int v, int begin, int end, bool takesPart, bool rowActive, unsigned sent,
                                      Stage* room, int& edges) {
  constexpr bool byRow = Filter == SGG_FILTER_ROW || Filter == SGG_FILTER_ROW_AND_NEIGHBOUR;
  constexpr bool all = SGG_GATHER_ALL && Filter != SGG_FILTER_NONE;
  int count = takesPart && (!byRow || rowActive) ? end - begin : 0;
  bool whole = __all_sync(SGG_ALL_LANES, count == end - begin);
  PackedRows rows = sgg_pack(begin, count, whole, lane);
  if constexpr (all) {
    if (!sgg_any_selected<Side, Filter>(f, lane, rows, rowActive)) {
      count = 0;
    }
    whole = __all_sync(SGG_ALL_LANES, count == end - begin);
    rows = sgg_pack(begin, count, whole, lane);
  }
  unsigned activeRows = sgg_filter_reads_row(Filter) ? __ballot_sync(SGG_ALL_LANES, rowActive) : 0u;
  for (int base = 0; base < rows.total;) {
    int own;
    int selected =
        sgg_select_edges<Side, all ? SGG_FILTER_NONE : Filter>(f, lane, rows, whole, activeRows, base, sgg_selected_room(room).list, own);
    if (selected > 0) {
      sent = sgg_selected_deal<Side>(f, lane, v, selected, own, sent, room, edges);
    }
    // What is in the room has been read.
    __syncwarp();
  }
  return sent;
}

// Gathers both sides of the 32 rows of a bitmap word. Returns the rows that have a message. All lanes.
template <int Mode>
SGG_DEVICE unsigned sgg_selected_word_rows(const Frame& f, int lane, int v, bool isRow, bool rowActive, const RowEdges& edgesOf,
                                           Stage* room, Tally& tally) {
  unsigned sent = 0u;
  // An edge counts once, although each of its ends evaluates it.
  int uncounted = 0;
  if constexpr (SGG_IN_ROWS) {
    sent = sgg_selected_rows<In, sgg_filter_of(Mode, SGG_IN_FILTER)>(f, lane, v, edgesOf.inBegin, edgesOf.inEnd, isRow, rowActive, sent,
                                                                    room, tally.edges);
  }
  if constexpr (SGG_OUT_ROWS) {
    sent = sgg_selected_rows<Out, sgg_filter_of(Mode, SGG_OUT_FILTER)>(f, lane, v, edgesOf.outBegin, edgesOf.outEnd, isRow, rowActive,
                                                                      sent, room, SGG_IN_ROWS ? uncounted : tally.edges);
  }
  return sent;
}

// One side where a thread runs a vertex: each lane has its row's message in the end. All lanes.
template <class Side, int Filter>
SGG_DEVICE void sgg_selected_side(const Frame& f, int lane, int v, int begin, int end, bool takesPart, bool rowActive, Stage* room,
                                  Inbox& inbox, int& edges) {
  unsigned sent = sgg_selected_rows<Side, Filter>(f, lane, v, begin, end, takesPart, rowActive, 0u, room, edges);
  if ((sent >> lane) & 1u) {
    Message message;
    sgg_selected_message(f, lane, v, room, message);
    sgg_inbox_take(f, v, inbox, message);
  }
  __syncwarp();
}

// Gathers the selected edges of a part [begin, end) of one row; all groups have what came. All lanes.
template <class Side, int Filter>
SGG_DEVICE void sgg_selected_range(const Frame& f, int lane, int v, int begin, int end, bool rowActive, Stage* stage, PartInbox& inbox,
                                   int& edges) {
  typedef typename PartsOf<Side>::Type Parts;
  SelectedEdge* list = sgg_selected_room(stage).list;
  int part = lane % SGG_FEATURE_GROUP;
  int group = lane / SGG_FEATURE_GROUP;
  if ((Filter == SGG_FILTER_ROW || Filter == SGG_FILTER_ROW_AND_NEIGHBOUR) && !rowActive) {
    return;
  }
  PackedRows rows;
  rows.begin = begin;
  rows.count = lane == 0 ? end - begin : 0;
  rows.start = lane == 0 ? 0 : end - begin;
  rows.total = end - begin;
  typename Parts::Row own = Parts::row(f, v, part);
  for (int base = 0; base < rows.total;) {
    int count;
    int selected = sgg_select_edges<Side, Filter>(f, lane, rows, true, rowActive ? 1u : 0u, base, list, count);
    __syncwarp();
    for (int first = 0; first < selected; first += SGG_FEATURE_GROUPS * SGG_FEATURE_DEPTH) {
      typename Parts::Edge loaded[SGG_FEATURE_DEPTH];
      SGG_UNROLL
      for (int i = 0; i < SGG_FEATURE_DEPTH; i++) {
        int place = first + i * SGG_FEATURE_GROUPS + group;
        SelectedEdge next = list[sgg_smaller(place, selected - 1)];
        loaded[i] = Parts::edge(f, next.edge, next.end, part);
      }
      SGG_UNROLL
      for (int i = 0; i < SGG_FEATURE_DEPTH; i++) {
        if (first + i * SGG_FEATURE_GROUPS + group < selected) {
          edges += part == 0 ? 1 : 0;
          Parts::send(f, v, part, own, loaded[i], inbox.message, inbox.has);
        }
      }
    }
    __syncwarp();
  }
  sgg_part_reduce(f, lane, v, inbox);
}

// Gathers a chunk of a hub likewise: all of its edges, where one that is selected selects all.
template <class Side, int Filter>
SGG_DEVICE void sgg_selected_parts(const Frame& f, int lane, int h, int v, int begin, int end, int side, bool rowActive, Stage* room,
                                   PartInbox& inbox, int& edges) {
  if constexpr (SGG_GATHER_ALL && Filter != SGG_FILTER_NONE) {
    if (f.hubSelected[2 * h + side] != 0) {
      sgg_selected_range<Side, SGG_FILTER_NONE>(f, lane, v, begin, end, rowActive, room, inbox, edges);
    }
  } else {
    sgg_selected_range<Side, Filter>(f, lane, v, begin, end, rowActive, room, inbox, edges);
  }
}

// The same where a thread runs a vertex: lane 0 has the message, by way of the chunk's partial one. All lanes.
template <class Side, int Filter>
SGG_DEVICE void sgg_selected_chunk(const Frame& f, int lane, int c, int h, int v, int begin, int end, int side, bool rowActive,
                                   Stage* room, Inbox& inbox, int& edges) {
  PartInbox row;
  sgg_part_inbox_reset(row);
  sgg_selected_parts<Side, Filter>(f, lane, h, v, begin, end, side, rowActive, room, row, edges);
  if (row.has && lane < SGG_FEATURE_GROUP) {
    sgg_part_store_partial(f, c, lane, row.message);
  }
  __syncwarp();
  if (row.has && lane == 0) {
    Message message;
    sgg_partial_load(f, c, message);
    sgg_inbox_take(f, v, inbox, message);
  }
}

#if SGG_FEATURES_APPLY
// ---- vertex programs whose lanes share arrays, too ----------------------------------------------------------------------

// Gathers and applies the 32 rows of a bitmap word, as sgg_gather_word does. All lanes.
template <int Mode, int Bits>
SGG_DEVICE void sgg_selected_word(const Frame& f, int lane, int v, bool isRow, bool rowActive, const RowEdges& edgesOf, Stage* room,
                                  Tally& tally) {
  int group = lane / SGG_FEATURE_GROUP;
  unsigned sent = sgg_selected_word_rows<Mode>(f, lane, v, isRow, rowActive, edgesOf, room, tally);
  // Where others keep what they have, only rows that something was sent to have anything to do.
  unsigned rows = __ballot_sync(SGG_ALL_LANES, isRow) & (Mode == SGG_TAKE_SPARSE ? sent : SGG_ALL_LANES);
  int total = __popc(rows);
  bool works = (rows >> lane) & 1u;
  int rank = __popc(rows & sgg_lanes(0, lane));
  bool ran = false;
  bool active = false;
  bool changed = false;
  for (int base = 0; base < total; base += SGG_FEATURE_GROUPS) {
    bool exists = base + group < total;
    int row = sgg_nth_bit(rows, base + group);
    PartInbox mine;
    mine.has = exists && ((sent >> row) & 1u);
    if (mine.has) {
      mine.message = sgg_selected_load(f, lane, v, row, room);
    }
    PartOutcome outcome = sgg_part_apply<Mode>(f, lane, (v & ~31) + row, exists, mine, tally);
    unsigned ranParts = __ballot_sync(SGG_ALL_LANES, outcome.ran);
    unsigned activeParts = __ballot_sync(SGG_ALL_LANES, outcome.active);
    unsigned changedParts = __ballot_sync(SGG_ALL_LANES, outcome.changed);
    if (works && rank >= base && rank < base + SGG_FEATURE_GROUPS) {
      int first = (rank - base) * SGG_FEATURE_GROUP;
      unsigned parts = sgg_lanes(first, first + SGG_FEATURE_GROUP);
      ran = (ranParts & parts) != 0u;
      active = (activeParts & parts) != 0u;
      changed = (changedParts & parts) != 0u;
    }
  }
  State after{};
  if (SGG_TRACKS_CHANGES) {
    // What other lanes have written is read.
    __syncwarp();
    if (changed) {
      sgg_load_shipped(f, v, after);
    }
  }
  sgg_applied<Mode, Bits>(f, lane, v, isRow, ran, active, changed, after, tally);
  // What is in the room has been read.
  __syncwarp();
}

// Makes the values of the 32 rows of a word of `ran` current, a group of lanes a row.
SGG_DEVICE void sgg_part_commit_word(const Frame& f, int lane, long long word, unsigned ran) {
  int total = __popc(ran);
  for (int base = lane / SGG_FEATURE_GROUP; base < total; base += SGG_FEATURE_GROUPS) {
    sgg_part_commit_state(f, (int)(word << 5) + sgg_nth_bit(ran, base), lane % SGG_FEATURE_GROUP);
  }
}
#endif
#endif
