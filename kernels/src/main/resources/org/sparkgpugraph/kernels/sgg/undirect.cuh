// Rows of an undirected graph from the in-edges of a directed one: what a row has first are the sources of a vertex, in their order; behind them,
// unless the graph is its own reverse, the destinations of its edges, in any order. A loop is there once.

// A number of an edge and its weight; that of its reverse is another one. (Mixed by the multipliers of SplitMix64,
// Steele, Lea and Flood 2014, and of MurmurHash3.)
SGG_DEVICE unsigned long long sgg_undirect_arc(const Frame& f, int from, int to, long long e) {
  unsigned long long x = ((unsigned long long)(unsigned)from << 32 | (unsigned)to) ^ (unsigned long long)f.seed;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
  if (f.values != nullptr) {
    x = (x ^ x >> 27) + (unsigned long long)__double_as_longlong(f.values[e]);
    x = (x ^ x >> 29) * 0xff51afd7ed558ccdull;
  }
  x = (x ^ x >> 27) * 0x94d049bb133111ebull;
  return x ^ x >> 31;
}

// The weight of an edge, in units.
SGG_DEVICE long long sgg_undirect_weight(const Frame& f, long long e) {
  return (long long)(f.values[e] * __longlong_as_double(f.scale) + 0.5);
}

struct UndirectMirror {
  unsigned long long sum;

  SGG_DEVICE_MEMBER void edge(const Frame& f, int v, int u, int, int e) {
    sum += sgg_undirect_arc(f, u, v, e) - sgg_undirect_arc(f, v, u, e);
  }
};

struct UndirectCount {
  SGG_DEVICE_MEMBER void edge(const Frame& f, int v, int u, int, int) {
    if (u != v) {
      atomicAdd(&f.flags[u], 1);
    }
  }
};

struct UndirectFill {
  SGG_DEVICE_MEMBER void put(const Frame& f, int at, int neighbour, int e) {
    f.nextNeighbours[at] = neighbour;
    if (f.values != nullptr) {
      f.nextWeights[at] = (unsigned long long)sgg_undirect_weight(f, e);
    }
  }

  SGG_DEVICE_MEMBER void edge(const Frame& f, int v, int u, int row, int e) {
    put(f, f.nextOffsets[v] + (e - f.inOffsets[row]), u, e);
    if (f.mirrored == 0 && u != v) {
      put(f, atomicAdd(&f.flags[u], 1), v, e);
    }
  }
};

// Looks at all edges of a partition, dealt out evenly whatever rows they are in.
template <class Visitor>
SGG_DEVICE void sgg_undirect_edges(const Frame& f, Visitor& visitor) {
  int lane = sgg_lane();
  for (long long number = sgg_warp(); number * Policy::EDGE_PART < f.edges; number += sgg_warps()) {
    EdgePart part = sgg_edge_part(f.inOffsets, lane, number, f.edges, f.stored);
    int row = part.firstRow;
    for (int e = part.begin + lane; e < part.end; e += SGG_WARP) {
      row = sgg_row_of(f.inOffsets, e, row, part.lastRow);
      visitor.edge(f, (int)f.first + row, sgg_dense(f, f.inSources[e]), row, e);
    }
  }
}

// Adds up a random number for each edge, less that of its reverse. Only where every edge is there as often in both directions, with the same
// weight, do they cancel out for certain; elsewhere once in 2^64 times.
SGG_KERNEL(undirect_mirror) {
  UndirectMirror mirror{0ull};
  sgg_undirect_edges(f, mirror);
  long long sum = sgg_warp_sum((long long)mirror.sum);
  if (sgg_lane() == 0 && sum != 0ll) {
    sgg_louvain_add_to(&f.state[SGG_LOUVAIN_INSIDE], sum);
  }
}

// The lengths of rows: sources first.
SGG_KERNEL(undirect_sources) {
  for (long long row = sgg_thread(); row < f.stored; row += sgg_threads()) {
    f.flags[f.first + row] = f.inOffsets[row + 1] - f.inOffsets[row];
  }
}

SGG_KERNEL(undirect_count) {
  UndirectCount count;
  sgg_undirect_edges(f, count);
}

// Where destinations go.
SGG_KERNEL(undirect_open) {
  for (long long row = sgg_thread(); row < f.stored; row += sgg_threads()) {
    f.flags[f.first + row] = f.nextOffsets[f.first + row] + f.inOffsets[row + 1] - f.inOffsets[row];
  }
}

SGG_KERNEL(undirect_fill) {
  UndirectFill fill;
  sgg_undirect_edges(f, fill);
}
