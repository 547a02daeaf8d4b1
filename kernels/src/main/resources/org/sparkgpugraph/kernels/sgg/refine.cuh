// Online vertex refinement (Khorasani 2016, section 2.4): the kernel that computes a boundary vertex leaves an update for its readers, if
// it changed or is active. A boundary list has a bit for each of its vertices (members) and the number of those before each word (ranks),
// so that a vertex finds its position. Updates are compacted, with their positions, or have a place each; their flags say what they are.

SGG_DEVICE int sgg_update_flags(bool valued, bool active) {
  return (valued ? SGG_UPDATE_VALUED : 0) | (active ? SGG_UPDATE_ACTIVE : 0);
}

// A boundary list as the rows of one bitmap word see it.
struct ListWord {
  Outbox box;
  unsigned members;  // which of the rows are in the list
  int before;        // how many vertices of the list are in the words before
};

SGG_DEVICE ListWord sgg_list_word(const Outbox& box, int v) {
  ListWord list;
  list.box = box;
  list.members = box.members[v >> 5];
  list.before = box.ranks[v >> 5];
  return list;
}

// What another lane has of its list, as far as flags and values are written. All lanes.
SGG_DEVICE ListWord sgg_list_word_of(const ListWord& own, int lane) {
  ListWord list;
  list.box.flags = (unsigned char*)sgg_shfl((long long)own.box.flags, lane);
  sgg_outbox_values(own.box, lane, list.box);
  list.members = (unsigned)sgg_shfl((int)own.members, lane);
  list.before = sgg_shfl(own.before, lane);
  return list;
}

// Updates of the rows in `members`, and those of them with a value, as a list counts both.
SGG_DEVICE unsigned long long sgg_told(unsigned members, unsigned saying, unsigned valued) {
  return ((unsigned long long)__popc(members & valued) << 32) | (unsigned long long)__popc(members & saying);
}

// Refinement where most vertices of the lists change: each list is an array with a place for every vertex of it, so nobody asks for a
// place, nothing says whose it is, and warps write whole sectors. Who says nothing says so. `writes`: this lane has a vertex of its own.
SGG_DEVICE void sgg_refine_fixed(const Outbox& box, const ListWord& list, int v, bool says, bool changed, bool active, const State& after) {
  int slot = list.before + __popc(list.members & sgg_lanes(0, v & 31));
  box.flags[slot] = (unsigned char)(says ? sgg_update_flags(changed, active) : 0);
  if (changed) {
    sgg_outbox_store(box, slot, after);
  }
}

// … of lanes that have the 32 rows of a word. Lane i asks what is to be known of list i, so that the warp waits for all lists together, and
// counts for it: for the first lists until the launch ends (sgg_tally_counts). All lanes.
SGG_DEVICE void sgg_refine_fixed_word(const Frame& f, int lane, int v, bool writes, bool says, bool changed, bool active, const State& after) {
  unsigned writing = __ballot_sync(SGG_ALL_LANES, writes);
  unsigned saying = __ballot_sync(SGG_ALL_LANES, writes && says);
  unsigned valued = __ballot_sync(SGG_ALL_LANES, writes && changed);
  int lists = writing == 0u ? 0 : (int)f.outboxCount;
  SGG_KEEP_LOOP
  for (int first = 0; first < lists; first += SGG_WARP) {
    int count = sgg_smaller(lists - first, SGG_WARP);
    ListWord own = sgg_list_word(f.outboxes[first + sgg_smaller(lane, count - 1)], v);
    unsigned long long told = lane < count ? sgg_told(own.members, saying, valued) : 0ull;
    if (first == 0 && lane < SGG_STATUS_COUNTED) {
      sgg_warp_numbers()[lane] += told;
    } else if (told != 0ull) {
      atomicAdd((unsigned long long*)own.box.counts, told);
    }
    SGG_KEEP_LOOP
    for (int i = 0; i < count; i++) {
      ListWord list = sgg_list_word_of(own, i);
      if (writes && ((list.members >> (v & 31)) & 1u)) {
        sgg_refine_fixed(list.box, list, v, says, changed, active, after);
      }
    }
  }
}

// … of lanes that have rows of any words. All lanes.
SGG_DEVICE void sgg_refine_fixed_rows(const Frame& f, int lane, int v, bool writes, bool says, bool changed, bool active, const State& after) {
  for (int i = 0; i < (int)f.outboxCount; i++) {
    const Outbox& box = f.outboxes[i];
    ListWord list{};
    if (writes) {
      list = sgg_list_word(box, v);
    }
    bool member = (list.members >> (v & 31)) & 1u;
    if (member) {
      sgg_refine_fixed(box, list, v, says, changed, active, after);
    }
    unsigned update = __ballot_sync(SGG_ALL_LANES, member && says);
    unsigned valued = __ballot_sync(SGG_ALL_LANES, member && changed);
    if (lane == 0 && update != 0u) {
      atomicAdd((unsigned long long*)box.counts, sgg_told(SGG_ALL_LANES, update, valued));
    }
  }
}

// An update with its place among those of a list.
SGG_DEVICE void sgg_refine_at(const Outbox& box, const ListWord& list, int slot, int v, bool changed, bool active, const State& after) {
  box.positions[slot] = list.before + __popc(list.members & sgg_lanes(0, v & 31));
  box.flags[slot] = (unsigned char)(sgg_update_flags(changed, active));
  if (changed) {
    sgg_outbox_store(box, slot, after);
  }
}

// Each boundary list that has one of the warp's vertices gets the updates of those that
// changed or are active, compacted: vote, ballot, popc, one atomic per list and warp. `v` may differ from lane to lane by any
// amount, but no other lane of the launch has the same one. All lanes.
SGG_DEVICE void sgg_refine_compact(const Outbox* boxes, int count, int lane, int v, bool says, bool changed, bool active, const State& after) {
  for (int i = 0; i < count; i++) {
    const Outbox& box = boxes[i];
    ListWord list{};
    if (says) {
      list.members = box.members[v >> 5];
    }
    bool wants = says && ((list.members >> (v & 31)) & 1u);
    unsigned update = __ballot_sync(SGG_ALL_LANES, wants);
    if (update == 0u) {
      continue;
    }
    unsigned valued = __ballot_sync(SGG_ALL_LANES, wants && changed);
    unsigned long long counts = 0;
    if (lane == 0) {
      // Both counts, of updates (low) and of those with a value (high), by one atomic.
      counts = atomicAdd((unsigned long long*)box.counts, sgg_told(SGG_ALL_LANES, update, valued));
    }
    int slot = sgg_shfl((int)(unsigned)counts, 0) + __popc(update & sgg_lanes(0, lane));
    if (wants) {
      list.before = box.ranks[v >> 5];
      sgg_refine_at(box, list, slot, v, changed, active, after);
    }
  }
}

// … of lanes that have the 32 rows of a word: lane i asks for places in list i, all of them at once. All lanes.
SGG_DEVICE void sgg_refine_compact_word(const Frame& f, int lane, int v, bool says, bool changed, bool active, const State& after) {
  unsigned saying = __ballot_sync(SGG_ALL_LANES, says);
  unsigned valued = __ballot_sync(SGG_ALL_LANES, says && changed);
  int lists = saying == 0u ? 0 : (int)f.outboxCount;
  SGG_KEEP_LOOP
  for (int first = 0; first < lists; first += SGG_WARP) {
    int count = sgg_smaller(lists - first, SGG_WARP);
    ListWord own = sgg_list_word(f.outboxes[first + sgg_smaller(lane, count - 1)], v);
    unsigned long long told = lane < count ? sgg_told(own.members, saying, valued) : 0ull;
    int place = 0;
    if (told != 0ull) {
      place = (int)(unsigned)atomicAdd((unsigned long long*)own.box.counts, told);
    }
    SGG_KEEP_LOOP
    for (unsigned left = __ballot_sync(SGG_ALL_LANES, told != 0ull); left != 0u; left &= left - 1u) {
      int i = __ffs((int)left) - 1;
      ListWord list;
      list.members = (unsigned)sgg_shfl((int)own.members, i);
      list.before = sgg_shfl(own.before, i);
      int slot = sgg_shfl(place, i) + __popc(list.members & saying & sgg_lanes(0, v & 31));
      if (says && ((list.members >> (v & 31)) & 1u)) {
        sgg_refine_at(f.outboxes[first + i], list, slot, v, changed, active, after);
      }
    }
  }
}

// What the superstep computed of a vertex, for its readers. `writes` says that this lane has a vertex of its own. OneWord: the lanes have the
// 32 rows of a bitmap word, in order. All lanes.
template <bool OneWord>
SGG_DEVICE void sgg_refine(const Frame& f, int lane, int v, bool writes, bool changed, bool active, const State& after) {
  bool says = changed || (active && f.shipActivity != 0);
  if (f.fixedSlots != 0) {
    if constexpr (OneWord) {
      sgg_refine_fixed_word(f, lane, v, writes, says, changed, active, after);
    } else {
      sgg_refine_fixed_rows(f, lane, v, writes, says, changed, active, after);
    }
  } else if constexpr (OneWord) {
    sgg_refine_compact_word(f, lane, v, says, changed, active, after);
  } else if (__any_sync(SGG_ALL_LANES, says)) {
    sgg_refine_compact(f.outboxes, (int)f.outboxCount, lane, v, says, changed, active, after);
  }
}
