// A hub is a row of more than hubDegree edges. Its edges are cut into chunks, in-edges first, which different warps gather (chunks.cuh) or
// blocks (mode.cuh): chunkHub[c], chunkSide[c], chunkBegin[c], chunkEnd[c]: edges of chunk c; hubRows[h]; the chunks of hub h are
// [hubFirstChunk[h], hubFirstChunk[h + 1]). Whoever is done last applies it.

// Whether a hub takes part in the superstep at all.
template <int Mode>
SGG_DEVICE bool sgg_hub_takes_part(const Frame& f, int v) {
  if (SGG_PERMISSIVE && (v < (int)sgg_first_row(f) || v >= (int)sgg_end_row(f))) {
    return false;
  }
  return sgg_present(f, v) && (Mode != SGG_TAKE_SPARSE || sgg_candidate(f, v));
}

// A hub's aggregates have a slot of their own behind those of the gather blocks.
SGG_DEVICE void sgg_hub_aggregates(const Frame& f, int h, const double* values) {
  for (int i = 0; i < SGG_AGGREGATES; i++) {
    f.aggregatePartials[(long long)i * f.partialSlots + f.partialSlots - f.hubCount + h] = values[i];
  }
}

// Applies a hub with one warp; the message is in lane 0's inbox.
template <int Mode>
SGG_DEVICE void sgg_hub_apply(const Frame& f, int lane, int h, int v, bool takesPart, Inbox& inbox, Tally& tally) {
  Tally own;
  sgg_tally_reset(own);
  if (takesPart) {
#if SGG_HOT
    sgg_apply<Mode, SGG_BITS_SINGLE>(f, lane, v, lane == 0, inbox, own, nullptr, sgg_rank(f, v));
#else
    sgg_apply<Mode, SGG_BITS_SINGLE>(f, lane, v, lane == 0, inbox, own);
#endif
  }
  tally.ran += own.ran;
  tally.activated += own.activated;
  tally.activeEdges += own.activeEdges;
  if (lane == 0) {
    sgg_hub_aggregates(f, h, own.aggregates);
  }
}
