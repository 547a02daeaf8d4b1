// How a reader takes the updates of another partition (refine.cuh, collect.cuh): a thread for each.

// Applies the updates that another partition left for this one: values of its ghosts, and which of them are active. Position i of
// the list is ghost firstGhost + i or, where a list names more vertices than are ghosts here, ghostOf[i] (negative: none). The updates
// are compacted, or have a place for every position of the list (see sgg_refine_fixed).
SGG_KERNEL(inbox) {
  const Outbox& box = *f.inbox;
  int count = (int)f.inboxCount;
  int threads = (int)(gridDim.x * blockDim.x);
  for (int i = (int)(blockIdx.x * blockDim.x + threadIdx.x); i < count; i += threads) {
    int flags = box.flags[i];
    if (flags == 0) {
      continue;
    }
    int position = f.inboxFixedSlots != 0 ? i : box.positions[i];
    int v = f.ghostOf != nullptr ? f.ghostOf[position] : (int)f.firstGhost + position;
    if (v < 0) {
      continue;
    }
    if (flags & SGG_UPDATE_VALUED) {
      sgg_outbox_load(f, box, i, v);
    }
    if (!SGG_EVERY_VERTEX && (flags & SGG_UPDATE_ACTIVE)) {
      atomicOr(&f.nextActive[v >> 5], 1u << (v & 31));
    }
  }
}
