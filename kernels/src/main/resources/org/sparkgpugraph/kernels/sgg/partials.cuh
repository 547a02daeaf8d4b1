// Partial messages: what the vertices of one executor say to a hub that another one holds, merged where they are (PowerLyra's hybrid cut,
// Chen 2015, with edges where their sources are). The rows of these edges are rows of their own: partialOffsets, inSources and inEdge hold
// them while this kernel runs, partialTargets[r] is the hub of row r, a held vertex or a ghost. What a row comes to is in partialHas[r],
// partial0[r] ... Hubs take what they were told before their own edges' messages (apply.cuh): the slots of row v are
// [toldOffsets[v], toldOffsets[v + 1]), with toldHas[slot], told0[slot] ...

// A warp per row. Every edge counts.
SGG_KERNEL_OF(gather_partials, sgg_gather_blocks()) {
  int lane = sgg_lane();
  int edges = 0;
  int rounds = 0;
  sgg_contexts_begin(lane);
  for (long long row = sgg_warp(); row < f.partialRows; row += sgg_warps()) {
    Inbox inbox;
    sgg_inbox_reset(inbox);
    sgg_gather_range<In, SGG_FILTER_NONE>(f, lane, f.partialTargets[row], f.partialOffsets[row], f.partialOffsets[row + 1], true, inbox,
                                          edges, rounds);
    if (lane == 0) {
      f.partialHas[row] = inbox.has ? 1 : 0;
      sgg_partial_store(f, (int)row, inbox.message);
    }
  }
  sgg_contexts_end(lane, edges);
}
