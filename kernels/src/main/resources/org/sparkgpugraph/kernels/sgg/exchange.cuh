// How a reader takes the updates of another partition (refine.cuh, collect.cuh): a thread for each.

// Takes an update: the value of a ghost, and whether it is active.
SGG_DEVICE void sgg_inbox_update(const Frame& f, const Outbox& box, int i, int flags) {
  int position = f.inboxFixedSlots != 0 ? i : box.positions[i];
  int v = f.ghostOf != nullptr ? f.ghostOf[position] : (int)f.firstGhost + position;
  if (v < 0) {
    return;
  }
  if (flags & SGG_UPDATE_VALUED) {
    sgg_outbox_load(f, box, i, v);
  }
  if (!SGG_EVERY_VERTEX && (flags & SGG_UPDATE_ACTIVE)) {
    atomicOr(&f.nextActive[v >> 5], 1u << (v & 31));
  }
}

// Applies the updates that another partition left for this one: values of its ghosts, and which of them are active. Position i of
// the list is ghost firstGhost + i or, where a list names more vertices than are ghosts here, ghostOf[i] (negative: none). The updates
// are compacted, or have a place for every position of the list (see sgg_refine_fixed). A thread waits for several flags together.
SGG_KERNEL(inbox) {
  constexpr int depth = Policy::INBOX_DEPTH;
  const Outbox& box = *f.inbox;
  int count = (int)f.inboxCount;
  int threads = (int)sgg_threads();
  for (int first = (int)sgg_thread(); first < count; first += depth * threads) {
    int flags[depth];
    SGG_UNROLL
    for (int j = 0; j < depth; j++) {
      flags[j] = first < count - j * threads ? (int)box.flags[first + j * threads] : 0;
    }
    SGG_UNROLL
    for (int j = 0; j < depth; j++) {
      if (flags[j] != 0) {
        sgg_inbox_update(f, box, first + j * threads, flags[j]);
      }
    }
  }
}
