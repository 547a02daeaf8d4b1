// Partial messages: what the vertices of one executor say to a hub that another one holds, merged where they are (PowerLyra's hybrid cut,
// Chen 2015, with edges where their sources are). The rows of these edges are rows of their own, in pieces for warps: piece i has the
// edges [partialOffsets[i], partialOffsets[i + 1]) of inSources and inEdge while these kernels run, partialTargets[i] is its hub, a held
// vertex or a ghost. What a piece comes to is in partialHas[i], partial0[i] ...; what row r comes to, whose pieces are
// [partialFirst[r], partialFirst[r + 1]), in mergedHas[r], merged0[r] ... Hubs take what they were told before their own edges' messages
// (apply.cuh): the slots of vertex v are [toldOffsets[v], toldOffsets[v + 1]), with toldHas[slot], told0[slot] ... Where not every vertex runs,
// toldCame[slot] says whether its vertex, toldRows[slot], has to be looked at because of it.

// A warp per piece, the edges that a filter selects. Returns how many a lane has evaluated.
template <int Filter>
SGG_DEVICE int sgg_gather_pieces(const Frame& f, int lane, int& rounds) {
  int edges = 0;
  sgg_contexts_begin(lane);
  for (long long piece = sgg_warp(); piece < f.partialPieces; piece += sgg_warps()) {
    Inbox inbox;
    sgg_inbox_reset(inbox);
    sgg_gather_range<In, Filter>(f, lane, f.partialTargets[piece], f.partialOffsets[piece], f.partialOffsets[piece + 1], true, inbox, edges,
                                 rounds);
    if (lane == 0) {
      f.partialHas[piece] = inbox.has ? 1 : 0;
      sgg_partial_store(f, (int)piece, inbox.message);
    }
  }
  sgg_contexts_end(lane, edges);
  return edges;
}

// Every edge counts.
SGG_KERNEL_OF(gather_partials, sgg_gather_blocks()) {
  int rounds = 0;
  sgg_gather_pieces<SGG_FILTER_NONE>(f, sgg_lane(), rounds);
}

#if !SGG_KEEPS_TOLD
// Only sources that are active speak. What is evaluated counts with the superstep that comes next.
SGG_KERNEL_OF(gather_partials_active, sgg_gather_blocks()) {
  int lane = sgg_lane();
  int rounds = 0;
  long long edges = sgg_warp_sum(sgg_gather_pieces<SGG_FILTER_NEIGHBOUR>(f, lane, rounds));
  if (lane == 0 && rounds > 0) {
    atomicAdd(&f.status[SGG_STATUS_EDGES], (unsigned long long)edges);
    atomicAdd(&f.status[SGG_STATUS_EDGE_LANES], (unsigned long long)SGG_WARP * rounds);
  }
}
#endif

#if !SGG_EVERY_VERTEX
// A lane per slot: hubs that were told something are candidates of a sparse superstep, beside those that are for other reasons (sparse.cuh).
SGG_KERNEL(activate_told) {
  for (long long slot = (long long)blockIdx.x * blockDim.x + threadIdx.x; slot < f.partialRows; slot += (long long)gridDim.x * blockDim.x) {
    if (f.toldCame[slot] != 0) {
      sgg_set_bit(f.candidates, f.toldRows[slot] >> (int)f.groupShift);
    }
  }
}
#endif

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
