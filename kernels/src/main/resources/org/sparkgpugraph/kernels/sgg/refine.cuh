// Online vertex refinement (Khorasani 2016, section 2.4): the kernel that computes a boundary vertex leaves an update for its readers, if
// it changed or is active. A boundary list has a bit for each of its vertices (members) and the number of those before each word (ranks),
// so that a vertex finds its position. Updates are compacted, with their positions, or have a place each; their flags say what they are.

SGG_DEVICE int sgg_update_flags(bool valued, bool active) {
  return (valued ? SGG_UPDATE_VALUED : 0) | (active ? SGG_UPDATE_ACTIVE : 0);
}

// Refinement where most vertices of the lists change: each list is an array with a place for every vertex of it, so nobody asks for a
// place, nothing says whose it is, and warps write whole sectors. Who says nothing says so. `writes`: this lane has a vertex of its own.
SGG_DEVICE void sgg_refine_fixed(const Frame& f, int lane, int v, bool writes, bool says, bool changed, bool active,
                                     const State& after) {
  for (int i = 0; i < (int)f.outboxCount; i++) {
    const Outbox& box = f.outboxes[i];
    unsigned members = writes ? box.members[v >> 5] : 0u;
    bool member = (members >> (v & 31)) & 1u;
    if (member) {
      int slot = box.ranks[v >> 5] + __popc(members & sgg_lanes(0, v & 31));
      box.flags[slot] = (unsigned char)(says ? sgg_update_flags(changed, active) : 0);
      if (changed) {
        sgg_outbox_store(box, slot, after);
      }
    }
    unsigned update = __ballot_sync(SGG_ALL_LANES, member && says);
    unsigned valued = __ballot_sync(SGG_ALL_LANES, member && changed);
    if (lane == 0 && update != 0u) {
      atomicAdd((unsigned long long*)box.counts, ((unsigned long long)__popc(valued) << 32) | (unsigned long long)__popc(update));
    }
  }
}

// Each boundary list that has one of the warp's vertices gets the updates of those that
// changed or are active, compacted: vote, ballot, popc, one atomic per list and warp. `v` may differ from lane to lane by any
// amount, but no other lane of the launch has the same one. All lanes.
SGG_DEVICE void sgg_refine_compact(const Outbox* boxes, int count, int lane, int v, bool says, bool changed, bool active, const State& after) {
  for (int i = 0; i < count; i++) {
    const Outbox& box = boxes[i];
    unsigned members = says ? box.members[v >> 5] : 0u;
    bool wants = says && ((members >> (v & 31)) & 1u);
    unsigned update = __ballot_sync(SGG_ALL_LANES, wants);
    if (update == 0u) {
      continue;
    }
    unsigned valued = __ballot_sync(SGG_ALL_LANES, wants && changed);
    unsigned long long counts = 0;
    if (lane == 0) {
      // Both counts, of updates (low) and of those with a value (high), by one atomic.
      counts = ((unsigned long long)__popc(valued) << 32) | (unsigned long long)__popc(update);
      counts = atomicAdd((unsigned long long*)box.counts, counts);
    }
    int slot = sgg_shfl((int)(unsigned)counts, 0) + __popc(update & sgg_lanes(0, lane));
    if (wants) {
      box.positions[slot] = box.ranks[v >> 5] + __popc(members & sgg_lanes(0, v & 31));
      box.flags[slot] = (unsigned char)(sgg_update_flags(changed, active));
      if (changed) {
        sgg_outbox_store(box, slot, after);
      }
    }
  }
}

// What the superstep computed of a vertex, for its readers. `writes` says that this lane has a vertex of its own. All lanes.
SGG_DEVICE void sgg_refine(const Frame& f, int lane, int v, bool writes, bool changed, bool active, const State& after) {
  bool says = changed || (active && f.shipActivity != 0);
  if (f.fixedSlots != 0) {
    sgg_refine_fixed(f, lane, v, writes, says, changed, active, after);
  } else if (__any_sync(SGG_ALL_LANES, says)) {
    sgg_refine_compact(f.outboxes, (int)f.outboxCount, lane, v, says, changed, active, after);
  }
}
