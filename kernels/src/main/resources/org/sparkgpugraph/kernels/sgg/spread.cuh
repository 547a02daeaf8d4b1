// Dealing out the edges of a warp's rows: its groups of lanes take as many edges each, one behind the other, whatever rows these are in,
// and put a row's message into shared memory when they are at its end. What a group has of a row that another group began it leaves at
// the border, where the one that began it merges it. So no group waits because rows are short or differ, and there are no atomics; who
// merges what depends on nothing but the offsets of the warp's rows. For arrays of so few elements that several groups fit into a warp;
// longer ones keep a warp busy with one row (features.cuh).

#define SGG_FEATURE_GROUPS (SGG_WARP / SGG_FEATURE_GROUP)

// The kinds of rows and edges that lanes share; of a side without rows there are none.
template <class Side>
struct PartsOf {};
#if SGG_IN_ROWS
template <>
struct PartsOf<In> {
  typedef InParts Type;
};
#endif
#if SGG_OUT_ROWS
template <>
struct PartsOf<Out> {
  typedef OutParts Type;
};
#endif

// What a warp's groups have of a row's message; of none they have what changes no other (sgg_part_reset), so that merging asks nothing.
struct PartInbox {
  PartMessage message;
  bool has;
};

SGG_DEVICE void sgg_part_inbox_reset(PartInbox& inbox) {
  sgg_part_reset(inbox.message);
  inbox.has = false;
}

// A lane's part of a message in shared memory, written and read at once where it is whole words of 16 bytes.
#ifdef __CUDA_ARCH__
struct alignas(sizeof(PartMessage) % 16 == 0 ? 16 : alignof(PartMessage)) KeptPart {
#else
struct KeptPart {
#endif
  PartMessage message;
};

// A row that has edges.
struct SpreadRow {
  int end;  // of its edges
  int row;  // of the warp's 32
};

// A warp's room.
struct SpreadRoom {
  KeptPart rows[SGG_WARP * SGG_FEATURE_GROUP];  // a message per row, a part per lane of a group
  KeptPart borders[SGG_WARP];                   // what a group has of a row that another one began
  SpreadRow full[SGG_WARP];                     // the rows that have edges
};

// Whether the edges of a warp's rows are dealt out.
SGG_DEVICE constexpr bool sgg_spreads() {
  return SGG_STREAM && SGG_FEATURE_GROUPS >= Policy::SPREAD_GROUPS && (int)sizeof(SpreadRoom) <= Policy::SPREAD_BYTES;
}

SGG_DEVICE constexpr int sgg_spread_words() { return sgg_spreads() ? ((int)sizeof(SpreadRoom) + 15) / 16 * 2 : 2; }

// A group on its way through its edges. Adds: there may be messages already in room.rows, of the rows `before`.
template <class Parts, bool Adds>
struct SpreadWalk {
  int at;          // of room.full
  SpreadRow here;  // the row there
  bool begun;      // another group began the row: what there is of it belongs at the border
  bool border;     // there is a message at the border
  unsigned sent;   // the rows that have a message now
  PartInbox inbox;
  typename Parts::Row own;

  SGG_DEVICE_MEMBER void enter(const Frame& f, int lane, int v, const SpreadRoom& room) {
    here = room.full[at];
    own = Parts::row(f, (v & ~31) + here.row, lane % SGG_FEATURE_GROUP);
    sgg_part_inbox_reset(inbox);
  }

  // Leaves what there is of the row, all of it or the end of it.
  SGG_DEVICE_MEMBER void leave(const Frame& f, int lane, int v, unsigned before, SpreadRoom& room) {
    KeptPart& kept = begun ? room.borders[lane] : room.rows[here.row * SGG_FEATURE_GROUP + lane % SGG_FEATURE_GROUP];
    if (Adds && !begun && ((before >> here.row) & 1u)) {
      PartMessage merged = kept.message;
      sgg_part_merge(f, (v & ~31) + here.row, lane % SGG_FEATURE_GROUP, merged, inbox.message);
      inbox.message = merged;
    }
    if (inbox.has) {
      kept.message = inbox.message;
    }
    border = border || (begun && inbox.has);
    sent |= (!begun && inbox.has ? 1u : 0u) << here.row;
    begun = false;
  }
};

// The entry of [low, high] that a place is in: the first one whose row ends behind it; `low` unless there is such a place (`some`).
template <class Room>
SGG_DEVICE int sgg_spread_find(const Room& room, bool some, int low, int high, int place) {
  while (some && low < high) {
    int middle = (high + low) / 2;
    if (room.full[middle].end > place) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

// Behind a group's edges, which end at `stop` (`some`: it had any): leaves its last row. Whoever began one that goes on waits for those who have
// the others, `size` edges each, and merges what they have left of it at the borders. All lanes.
template <class Borders, class Room, class Walk>
SGG_DEVICE void sgg_spread_merge_borders(const Frame& f, int lane, int v, bool some, int stop, int size, unsigned before, const Borders& kept,
                                         Room& room, Walk& walk) {
  bool goesOn = some && !walk.begun && walk.here.end > stop;
  if (some && !goesOn) {
    walk.leave(f, lane, v, before, room);
  }
  unsigned borders = __ballot_sync(SGG_ALL_LANES, walk.border);
  __syncwarp();
  if (goesOn) {
    for (int other = lane + SGG_FEATURE_GROUP; stop < walk.here.end; other += SGG_FEATURE_GROUP) {
      if ((borders >> other) & 1u) {
        sgg_part_merge(f, (v & ~31) + walk.here.row, lane % SGG_FEATURE_GROUP, walk.inbox.message, kept.borders[other].message);
        walk.inbox.has = true;
      }
      stop += size;
    }
    walk.leave(f, lane, v, before, room);
  }
}

// The rows that any group has, of which all lanes of a group know the same. All lanes.
SGG_DEVICE unsigned sgg_rows_of_groups(unsigned rows) {
  SGG_UNROLL
  for (int d = SGG_FEATURE_GROUP; d < SGG_WARP; d *= 2) {
    rows |= (unsigned)sgg_shfl_xor((int)rows, d);
  }
  return rows;
}

// The other ends of edges [place, place + SGG_FEATURE_DEPTH), those before `stop`; `place` is a multiple of that, where memory has whole
// words of them. Of none it is that of another one: loads without branches are under way together.
SGG_DEVICE void sgg_spread_ends(const int* neighbours, int place, int stop, int (&ends)[SGG_FEATURE_DEPTH]) {
#ifdef __CUDA_ARCH__
  if (place + SGG_FEATURE_DEPTH <= stop) {
    // One load: groups' edges are apart, so that nothing else would put them together.
    struct alignas(sizeof(int) * SGG_FEATURE_DEPTH > 16 ? 16 : sizeof(int) * SGG_FEATURE_DEPTH) Ends {
      int at[SGG_FEATURE_DEPTH];
    };
    Ends all = *reinterpret_cast<const Ends*>(neighbours + place);
    SGG_UNROLL
    for (int i = 0; i < SGG_FEATURE_DEPTH; i++) {
      ends[i] = all.at[i];
    }
    return;
  }
#endif
  SGG_UNROLL
  for (int i = 0; i < SGG_FEATURE_DEPTH; i++) {
    ends[i] = neighbours[sgg_smaller(place + i, stop - 1)];
  }
}

// Gathers edges [first, last) of the rows [low, high) of room.full, which are one range and at least one edge. All lanes.
template <class Side, bool Adds>
SGG_DEVICE void sgg_spread_range(const Frame& f, int lane, int v, int low, int high, int first, int last, unsigned before, SpreadRoom& room,
                                 unsigned& sent, int& edges) {
  typedef typename PartsOf<Side>::Type Parts;
  int part = lane % SGG_FEATURE_GROUP;
  // Borders are at multiples of the depth; what lies before the first edge and behind the last one is left out.
  int begin = first & ~(SGG_FEATURE_DEPTH - 1);
  int size = (last - begin + SGG_FEATURE_GROUPS * SGG_FEATURE_DEPTH - 1) / (SGG_FEATURE_GROUPS * SGG_FEATURE_DEPTH) * SGG_FEATURE_DEPTH;
  int round = begin + lane / SGG_FEATURE_GROUP * size;
  int place = sgg_larger(round, first);
  int stop = sgg_smaller(round + size, last);
  bool some = place < stop;
  SpreadWalk<Parts, Adds> walk;
  walk.at = sgg_spread_find(room, some, low, high - 1, place);
  walk.begun = some && (walk.at > low ? room.full[walk.at - 1].end : first) < place;
  walk.border = false;
  walk.sent = sent;
  walk.enter(f, lane, v, room);
  if (part == 0 && some) {
    edges += stop - place;
  }
  for (; round < stop; round += SGG_FEATURE_DEPTH) {
    int ends[SGG_FEATURE_DEPTH];
    sgg_spread_ends(Parts::neighbours(f), round, stop, ends);
    typename Parts::Edge loaded[SGG_FEATURE_DEPTH];
    SGG_UNROLL
    for (int i = 0; i < SGG_FEATURE_DEPTH; i++) {
      loaded[i] = Parts::edge(f, sgg_smaller(round + i, stop - 1), ends[i], part);
    }
    if (round >= place && round + SGG_FEATURE_DEPTH <= sgg_smaller(stop, walk.here.end)) {
      SGG_UNROLL
      for (int i = 0; i < SGG_FEATURE_DEPTH; i++) {
        Parts::send(f, (v & ~31) + walk.here.row, part, walk.own, loaded[i], walk.inbox.message, walk.inbox.has);
      }
    } else {
      SGG_UNROLL
      for (int i = 0; i < SGG_FEATURE_DEPTH; i++) {
        if (round + i >= place && round + i < stop) {
          if (round + i == walk.here.end) {
            walk.leave(f, lane, v, before, room);
            walk.at++;
            walk.enter(f, lane, v, room);
          }
          Parts::send(f, (v & ~31) + walk.here.row, part, walk.own, loaded[i], walk.inbox.message, walk.inbox.has);
        }
      }
    }
  }
  sgg_spread_merge_borders(f, lane, v, some, stop, size, before, room, room, walk);
  sent = walk.sent;
}

// Gathers one side of a warp's rows, [begin, end) of this lane's, those that take part; Adds: behind what room.rows has of the rows
// `before`. Returns the rows that have a message then. All lanes.
template <class Side, bool Adds>
SGG_DEVICE unsigned sgg_spread_rows(const Frame& f, int lane, int v, int begin, int end, bool takesPart, unsigned before, SpreadRoom& room,
                                    int& edges) {
  unsigned sent = before;
  unsigned full = __ballot_sync(SGG_ALL_LANES, begin < end);
  unsigned cuts = __ballot_sync(SGG_ALL_LANES, !takesPart && begin < end);
  if (begin < end) {
    room.full[__popc((int)(full & sgg_lanes(0, lane)))] = SpreadRow{end, lane};
  }
  __syncwarp();
  for (int from = 0; from < SGG_WARP;) {
    // Rows [from, to) are one range: others that have edges, but do not take part, are not between them.
    unsigned behind = cuts & sgg_lanes(from, SGG_WARP);
    int to = behind == 0u ? SGG_WARP : __ffs((int)behind) - 1;
    if ((full & sgg_lanes(from, to)) != 0u) {
      sgg_spread_range<Side, Adds>(f, lane, v, __popc((int)(full & sgg_lanes(0, from))), __popc((int)(full & sgg_lanes(0, to))),
                                   sgg_shfl(begin, from), sgg_shfl(end, to - 1), before, room, sent, edges);
      // What is at the borders has been read.
      __syncwarp();
    }
    from = to + 1;
  }
  return sgg_rows_of_groups(sent);
}
