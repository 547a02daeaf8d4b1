// Connected components by sampled union-find: trees over dense ids whose vertices never have a larger parent, so that a root is the
// smallest of its tree, whoever was faster. After Sutton, Ben-Nun and Barak 2018 ("Optimizing parallel graph connectivity computation via
// subgraph sampling"): two neighbours of every row are linked, a sample finds the tree that most vertices are in then, and of the edges that
// are left only those with an end outside of it cost more than a look at a bitmap. An edge is in the row of its destination alone; where
// the graph is its own reverse, so that each edge is at both ends, the rows of the largest tree are skipped, as in the paper.

// Others change parents meanwhile: a cache must not keep them.
SGG_DEVICE int sgg_parent(const int* parents, int v) { return *(const volatile int*)&parents[v]; }

// A parent that v has, or has had: who was above it once is of its tree. So a cache may keep it, which spares the one place in the L2 cache
// where the largest tree's root lies, of which nearly everybody asks.
SGG_DEVICE int sgg_ancestor(const int* parents, int v) { return parents[v]; }

// Joins the trees of two vertices. Every turn goes on from a smaller vertex, so it ends, whatever others do.
SGG_DEVICE void sgg_link(int* parents, int a, int b) {
  if (sgg_ancestor(parents, a) == sgg_ancestor(parents, b)) {
    return;
  }
  int p = sgg_parent(parents, a);
  int q = sgg_parent(parents, b);
  while (p != q) {
    int high = sgg_larger(p, q);
    int low = sgg_smaller(p, q);
    int above = sgg_parent(parents, high);
    if (above == high) {
      above = atomicCAS(&parents[high], high, low);
      if (above == high) {
        return;
      }
    }
    if (above == low) {
      return;
    }
    p = sgg_parent(parents, above);
    q = sgg_parent(parents, low);
  }
}

// Hangs a vertex under its root; nobody links meanwhile. Each step is written, so that those below jump over it: long chains take a
// logarithmic number of steps. Returns the root.
SGG_DEVICE int sgg_compress(int* parents, int v) {
  int parent = sgg_parent(parents, v);
  for (int above; (above = sgg_ancestor(parents, parent)) != parent; parent = above) {
    *(volatile int*)&parents[v] = above;
  }
  return parent;
}

SGG_DEVICE long long sgg_thread() { return (long long)blockIdx.x * blockDim.x + threadIdx.x; }
SGG_DEVICE long long sgg_threads() { return (long long)gridDim.x * blockDim.x; }

// Every vertex is a tree of its own.
SGG_KERNEL(components_start) {
  for (long long v = sgg_thread(); v < f.size; v += sgg_threads()) {
    f.parents[v] = (int)v;
  }
}

// The vertices of a partition hang under their smallest neighbour, where that is smaller: nobody else changes their parents.
SGG_KERNEL(components_hang) {
  for (long long row = sgg_thread(); row < f.stored; row += sgg_threads()) {
    int v = (int)(f.first + row);
    int parent = v;
    int e = f.inOffsets[row];
    if (e < f.inOffsets[row + 1] && sgg_exists(f, (int)row)) {
      int local = f.inSources[e];
      if (sgg_exists(f, local)) {
        parent = sgg_smaller(v, sgg_dense(f, local));
      }
    }
    f.parents[v] = parent;
  }
}

SGG_KERNEL(components_compress) {
  for (long long v = sgg_thread(); v < f.size; v += sgg_threads()) {
    sgg_compress(f.parents, (int)v);
  }
}

// Links each row with its first neighbour, where that is larger, and with its second one.
SGG_KERNEL(components_sample) {
  for (long long row = sgg_thread(); row < f.stored; row += sgg_threads()) {
    int begin = f.inOffsets[row];
    int end = sgg_smaller(begin + 2, f.inOffsets[row + 1]);
    if (sgg_exists(f, (int)row)) {
      for (int e = begin; e < end; e++) {
        int local = f.inSources[e];
        if (sgg_exists(f, local)) {
          sgg_link(f.parents, (int)(f.first + row), sgg_dense(f, local));
        }
      }
    }
  }
}

// Finds the root that most of some vertices have; one block.
SGG_KERNEL(components_largest) {
  SGG_SHARED(int, roots, Policy::LINK_SAMPLE);
  int asked = (int)(f.size < Policy::LINK_SAMPLE ? f.size : Policy::LINK_SAMPLE);
  for (int i = (int)threadIdx.x; i < asked; i += (int)blockDim.x) {
    int v = (int)((long long)i * f.size / asked);
    int root = v;
    for (int above; (above = sgg_parent(f.parents, root)) != root;) {
      root = above;
    }
    roots[i] = root;
  }
  __syncthreads();
  for (int i = (int)threadIdx.x; i < asked; i += (int)blockDim.x) {
    unsigned count = 0;
    for (int k = 0; k < asked; k++) {
      count += roots[k] == roots[i] ? 1u : 0u;
    }
    atomicMax(&f.state[SGG_COMPONENTS_LARGEST], (unsigned long long)count << 32 | (unsigned)roots[i]);
  }
}

SGG_DEVICE int sgg_largest(const Frame& f) { return (int)(f.state[SGG_COMPONENTS_LARGEST] & 0xffffffffull); }

// Compresses, and marks the members of the largest tree: a word of the bitmap for each warp at a time.
SGG_KERNEL(components_mark) {
  int largest = sgg_largest(f);
  int lane = sgg_lane();
  for (long long word = sgg_warp(); word * SGG_WARP < f.size; word += sgg_warps()) {
    long long v = word * SGG_WARP + lane;
    bool member = false;
    if (v < f.size) {
      member = sgg_compress(f.parents, (int)v) == largest;
    }
    unsigned members = __ballot_sync(SGG_ALL_LANES, member);
    if (lane == 0) {
      f.members[word] = members;
    }
  }
}

// A number of an edge; that of its reverse is another one.
SGG_DEVICE unsigned long long sgg_arc(unsigned long long seed, int from, int to) {
  unsigned long long x = ((unsigned long long)(unsigned)from << 32 | (unsigned)to) ^ seed;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ x >> 27) * 0x94d049bb133111ebull;
  return x ^ x >> 31;
}

// Looks for the reverse of some edges, where rows are in order: most graphs that are not their own reverse are found out by that. One block.
SGG_KERNEL(components_probe) {
  int asked = (int)(f.edges < Policy::LINK_SAMPLE ? f.edges : Policy::LINK_SAMPLE);
  for (int i = (int)threadIdx.x; i < asked; i += (int)blockDim.x) {
    int e = (int)((long long)i * f.edges / asked);
    int row = sgg_row_of(f.inOffsets, e, 0, (int)f.stored - 1);
    int other = f.inSources[e];
    int low = f.inOffsets[other];
    int end = f.inOffsets[other + 1];
    for (int high = end; low < high;) {
      int middle = low + (high - low) / 2;
      if (f.inSources[middle] < row) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    if (low == end || f.inSources[low] != row) {
      atomicAdd(&f.state[SGG_COMPONENTS_ONE_WAY], 1ull);
    }
  }
}

// Adds up a random number for each edge, less that of its reverse. Only where every edge is there as often in both directions do they cancel
// out for certain; elsewhere they do as often as random numbers would, once in 2^64 times, and for no graph always: seeds are new each time.
SGG_KERNEL(components_mirror) {
  if (f.state[SGG_COMPONENTS_ONE_WAY] != 0) {
    return;
  }
  int lane = sgg_lane();
  unsigned long long seed = (unsigned long long)f.seed;
  unsigned long long sum = 0;
  for (long long part = sgg_warp(); part * Policy::EDGE_PART < f.edges; part += sgg_warps()) {
    int begin = (int)(part * Policy::EDGE_PART);
    int end = (int)(f.edges - begin < Policy::EDGE_PART ? f.edges : begin + Policy::EDGE_PART);
    int firstRow = sgg_row_of_warp(f.inOffsets, lane, begin, 0, (int)f.stored - 1);
    int lastRow = sgg_row_of_warp(f.inOffsets, lane, end - 1, firstRow, (int)f.stored - 1);
    for (int e = begin + lane; e < end; e += SGG_WARP) {
      int row = sgg_row_of(f.inOffsets, e, firstRow, lastRow);
      int other = f.inSources[e];
      sum += sgg_arc(seed, other, row) - sgg_arc(seed, row, other);
    }
  }
  for (int d = SGG_WARP / 2; d > 0; d /= 2) {
    sum += (unsigned long long)sgg_shfl_down((long long)sum, d);
  }
  if (lane == 0 && sum != 0) {
    atomicAdd(&f.state[SGG_COMPONENTS_MIRROR], sum);
  }
}

// Whether the graph is its own reverse.
SGG_DEVICE bool sgg_mirrored(const Frame& f) {
  return f.mirrored == SGG_MIRRORED_ASKED ? f.state[SGG_COMPONENTS_ONE_WAY] == 0 && f.state[SGG_COMPONENTS_MIRROR] == 0
                                          : f.mirrored == SGG_MIRRORED_YES;
}

// Links what is left. Edges are dealt out evenly, whatever rows they are in. Where all rows of a warp's edges are members of the largest
// tree, it asks of each other end whether it is one as well, or nothing, where the row of that end has the edge, too.
SGG_KERNEL(components_rest) {
  int largest = sgg_largest(f);
  bool mirrored = sgg_mirrored(f);
  int lane = sgg_lane();
  long long edges = f.edges;
  for (long long part = sgg_warp(); part * Policy::EDGE_PART < edges; part += sgg_warps()) {
    int begin = (int)(part * Policy::EDGE_PART);
    int end = (int)(edges - begin < Policy::EDGE_PART ? edges : begin + Policy::EDGE_PART);
    int firstRow = sgg_row_of_warp(f.inOffsets, lane, begin, 0, (int)f.stored - 1);
    int lastRow = sgg_row_of_warp(f.inOffsets, lane, end - 1, firstRow, (int)f.stored - 1);
    bool outside = false;
    for (int row = firstRow + lane; row <= lastRow; row += SGG_WARP) {
      bool member = sgg_bit(f.members, (int)f.first + row);
      bool exists = sgg_exists(f, row);
      outside |= f.inOffsets[row] < f.inOffsets[row + 1] && (mirrored ? exists && !member : !(exists && member));
    }
    bool inside = !__any_sync(SGG_ALL_LANES, outside);
    if (inside && mirrored) {
      continue;
    }
    if (inside) {
      for (int e = begin + lane; e < end; e += Policy::LINK_DEPTH * SGG_WARP) {
        int other[Policy::LINK_DEPTH];
        bool member[Policy::LINK_DEPTH];
        SGG_UNROLL
        for (int i = 0; i < Policy::LINK_DEPTH; i++) {
          other[i] = sgg_load_once(&f.inSources[e + i * SGG_WARP], e + i * SGG_WARP < end);
        }
        SGG_UNROLL
        for (int i = 0; i < Policy::LINK_DEPTH; i++) {
          member[i] = e + i * SGG_WARP >= end || sgg_bit(f.members, sgg_dense(f, other[i]));
        }
        SGG_UNROLL
        for (int i = 0; i < Policy::LINK_DEPTH; i++) {
          if (!member[i] && sgg_exists(f, other[i])) {
            sgg_link(f.parents, largest, sgg_dense(f, other[i]));
          }
        }
      }
    } else {
      for (int e = begin + lane; e < end; e += SGG_WARP) {
        int row = sgg_row_of(f.inOffsets, e, firstRow, lastRow);
        if (sgg_exists(f, row) && !(mirrored && sgg_bit(f.members, (int)f.first + row))) {
          int local = f.inSources[e];
          if (sgg_exists(f, local)) {
            sgg_link(f.parents, (int)f.first + row, sgg_dense(f, local));
          }
        }
      }
    }
  }
}

// Joins what another device has found.
SGG_KERNEL(components_join) {
  for (long long v = sgg_thread(); v < f.size; v += sgg_threads()) {
    if (f.other[v] != (int)v) {
      sgg_link(f.parents, (int)v, f.other[v]);
    }
  }
}
