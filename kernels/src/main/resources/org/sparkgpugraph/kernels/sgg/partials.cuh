// Partial messages: what the vertices of one executor say to a hub that another one holds, merged where they are (PowerLyra's hybrid cut,
// Chen 2015, with edges where their sources are). The rows of these edges are rows of their own, in pieces for warps: piece i has the
// edges [partialOffsets[i], partialOffsets[i + 1]) of inSources and inEdge while these kernels run, partialTargets[i] is its hub, a held
// vertex or a ghost. What a piece comes to is in partialHas[i], partial0[i] ...; what row r comes to, whose pieces are
// [partialFirst[r], partialFirst[r + 1]), in mergedHas[r], merged0[r] ... Hubs take what they were told before their own edges' messages
// (apply.cuh): the slots of vertex v are [toldOffsets[v], toldOffsets[v + 1]), with toldHas[slot], told0[slot] ...

// A warp per piece. Every edge counts.
SGG_KERNEL_OF(gather_partials, sgg_gather_blocks()) {
  int lane = sgg_lane();
  int edges = 0;
  int rounds = 0;
  sgg_contexts_begin(lane);
  for (long long piece = sgg_warp(); piece < f.partialPieces; piece += sgg_warps()) {
    Inbox inbox;
    sgg_inbox_reset(inbox);
    sgg_gather_range<In, SGG_FILTER_NONE>(f, lane, f.partialTargets[piece], f.partialOffsets[piece], f.partialOffsets[piece + 1], true,
                                          inbox, edges, rounds);
    if (lane == 0) {
      f.partialHas[piece] = inbox.has ? 1 : 0;
      sgg_partial_store(f, (int)piece, inbox.message);
    }
  }
  sgg_contexts_end(lane, edges);
}

// A lane per row: its pieces in their order.
SGG_KERNEL(merge_partials) {
  for (long long row = (long long)blockIdx.x * blockDim.x + threadIdx.x; row < f.partialRows; row += (long long)gridDim.x * blockDim.x) {
    int first = f.partialFirst[row];
    int end = f.partialFirst[row + 1];
    Inbox inbox;
    sgg_inbox_reset(inbox);
    for (int piece = first; piece < end; piece++) {
      if (f.partialHas[piece] != 0) {
        Message message;
        sgg_message_reset(message);
        sgg_partial_load(f, piece, message);
        sgg_inbox_take(f, f.partialTargets[piece], inbox, message);
      }
    }
    f.mergedHas[row] = inbox.has ? 1 : 0;
    sgg_merged_store(f, (int)row, inbox.message);
  }
}
