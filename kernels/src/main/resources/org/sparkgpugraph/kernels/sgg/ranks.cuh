// Ranks of vertices by how many edges of rows end there, the most first: by the number's power of two, and within one in the order of ids, so
// that a warp which leaves the values of its rows by rank writes to few places (hot.cuh). Behind radix.cuh, whose passes sort the keys: leading
// zeros of how many edges end there, above the vertex.

SGG_KERNEL(ranks_count) {
  for (long long e = sgg_thread(); e < f.count; e += sgg_threads()) {
    atomicAdd(&f.occurrences[f.neighbours[e]], 1);
  }
}

SGG_KERNEL(ranks_pack) {
  for (long long v = sgg_thread(); v < f.vertices; v += sgg_threads()) {
    f.keys[v] = (RowKey)__clz(f.occurrences[v]) << f.neighbourBits | (RowKey)v;
  }
}

// Which vertex has a rank, and the rank of each at which an edge ends, else -1. Behind the vertices: how many have an edge.
SGG_KERNEL(ranks_finish) {
  RowKey mask = ((RowKey)1 << f.neighbourBits) - 1;
  for (long long i = sgg_thread(); i < f.vertices; i += sgg_threads()) {
    int v = (int)(f.keys[i] & mask);
    f.ranked[i] = v;
    bool ends = f.occurrences[v] > 0;
    f.ranks[v] = ends ? (int)i : -1;
    if (ends && (i + 1 == f.vertices || f.occurrences[(int)(f.keys[i + 1] & mask)] == 0)) {
      f.ranked[f.vertices] = (int)(i + 1);
    }
  }
}

SGG_KERNEL(ranks_neighbours) {
  for (long long e = sgg_thread(); e < f.count; e += sgg_threads()) {
    f.rankedNeighbours[e] = f.ranks[f.neighbours[e]];
  }
}
