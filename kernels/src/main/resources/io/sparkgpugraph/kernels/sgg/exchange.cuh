// Updates between partitions: what kernels beside the gather make of them (it fills outboxes itself, see sgg_refine) and how a
// reader takes them.

#if SGG_TRACKS_CHANGES
// Fills an outbox from bitmaps of its home's held vertices: a warp per word, one atomic per word that has an update; the updates of a
// warp are in order, the warps are not. The outbox gets the list's vertices that changed since the bitmap `changed` was cleared, or
// that are active; all of them when `tellsAll` is set. The counts start at 0.
SGG_KERNEL(collect) {
  const Outbox& box = *f.collected;
  int lane = sgg_lane();
  long long words = (f.stored + 31) >> 5;
  for (long long w = sgg_warp(); w < words; w += sgg_warps()) {
    unsigned members = box.members[w];
    unsigned changed = f.changed != nullptr ? f.changed[w] : 0u;
    unsigned active = 0u;
#if !SGG_EVERY_VERTEX
    if (f.shipActivity != 0) {
      active = f.nextActive[w];
#if SGG_IN_PLACE
      // Active is what changed; the reader has not yet followed the changes of the supersteps before the last one.
      active |= changed;
#endif
    }
#endif
    unsigned valued = members & (f.tellsAll != 0 ? SGG_ALL_LANES : changed);
    unsigned update = valued | (members & active);
    if (update == 0u) {
      continue;
    }
    unsigned long long counts = 0;
    if (lane == 0) {
      counts = ((unsigned long long)__popc(valued) << 32) | (unsigned long long)__popc(update);
      counts = atomicAdd((unsigned long long*)box.counts, counts);
    }
    int slot = sgg_shfl((int)(unsigned)counts, 0) + __popc(update & sgg_lanes(0, lane));
    unsigned bit = 1u << lane;
    if (update & bit) {
      box.positions[slot] = box.ranks[w] + __popc(members & (bit - 1u));
      box.flags[slot] = (unsigned char)((valued & bit ? 1 : 0) | (active & bit ? 2 : 0));
      if (valued & bit) {
        State value;
        sgg_load_state(f, (int)(w << 5) + lane, value);
        sgg_outbox_store(box, slot, value);
      }
    }
  }
}

// Applies the updates that another partition left for this one: values of its ghosts, and which of them are active. Position i of
// the list is ghost firstGhost + i or, where a list names more vertices than are ghosts here, ghostOf[i] (negative: none). The updates
// are compacted, or have a place for every position of the list (see sgg_refine_in_places).
SGG_KERNEL(inbox) {
  const Outbox& box = *f.inbox;
  int count = (int)f.inboxCount;
  int threads = (int)(gridDim.x * blockDim.x);
  for (int i = (int)(blockIdx.x * blockDim.x + threadIdx.x); i < count; i += threads) {
    int flags = box.flags[i];
    if (flags == 0) {
      continue;
    }
    int position = f.inboxInPlaces != 0 ? i : box.positions[i];
    int v = f.ghostOf != nullptr ? f.ghostOf[position] : (int)f.firstGhost + position;
    if (v < 0) {
      continue;
    }
    if (flags & 1) {
      sgg_outbox_load(f, box, i, v);
    }
#if !SGG_EVERY_VERTEX
    if (flags & 2) {
      atomicOr(&f.nextActive[v >> 5], 1u << (v & 31));
    }
#endif
  }
}
#endif
