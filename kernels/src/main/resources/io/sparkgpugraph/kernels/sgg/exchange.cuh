// Refined updates of other partitions.

#if SGG_TRACKS_CHANGES
// Applies the updates that another partition left for this one: values of its ghosts, and which of them are active.
SGG_KERNEL(inbox) {
  const Outbox& box = *f.inbox;
  int count = box.counts[0];
  int threads = (int)(gridDim.x * blockDim.x);
  for (int i = (int)(blockIdx.x * blockDim.x + threadIdx.x); i < count; i += threads) {
    int v = (int)f.firstGhost + box.positions[i];
    int flags = box.flags[i];
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
