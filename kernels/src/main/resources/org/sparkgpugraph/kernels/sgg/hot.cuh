// Hot vertices first: a gather of all rows in which the values of the other ends stand in the order of how many edges end there. In a graph
// with hubs most edges end at few vertices (three of five of R-MAT 22's at 49 152 of four million): their values are in shared memory, and
// those behind them side by side, so that caches hold what is read most. Rows, the order of their edges and what merges them are stream.cuh's,
// so sums have the bits that they have without.
//
// The order (ranks.cuh) is made once for a graph: hotVertices[i] is the vertex of rank i, and behind all f.locals of these stands how many
// are an other end at all; hotNeighbours are the other ends of the rows' edges by rank. hotValue… are copies of state…, in that order. A gather
// leaves the next ones of the rows' vertices in hotNext… (hotRanks); those of ghosts, which others tell, are copied before the next one.

SGG_ENTRY_OF(hot_values, Policy::HOT_BLOCKS) {
  int count = f.hotVertices[f.locals];
  long long threads = (long long)gridDim.x * SGG_BLOCK;
  for (long long i = (long long)blockIdx.x * SGG_BLOCK + threadIdx.x; i < count; i += threads) {
    sgg_hot_take(f, (int)i, f.hotVertices[i]);
  }
}

SGG_ENTRY_OF(hot_ghosts, Policy::HOT_BLOCKS) {
  long long threads = (long long)gridDim.x * SGG_BLOCK;
  for (long long v = f.stored + (long long)blockIdx.x * SGG_BLOCK + threadIdx.x; v < f.locals; v += threads) {
    int rank = f.hotRanks[v];
    if (rank >= 0) {
      sgg_hot_take_ghost(f, rank, (int)v);
    }
  }
}

SGG_ENTRY_OF(hot_gather, Policy::HOT_BLOCKS) {
  sgg_hot_keep(f, sgg_smaller((int)f.hotNear, f.hotVertices[f.locals]));
  sgg_copied_near();
  __syncthreads();
  sgg_gather_rows<SGG_TAKE_ALL, true>(f);
}
