// Connected components by sampled union-find, in trees over dense ids (trees.cuh). After Sutton, Ben-Nun and Barak 2018 ("Optimizing
// parallel graph connectivity computation via subgraph sampling"): two neighbours of every row are linked, a sample finds the tree that
// most vertices are in then, and of the edges that are left only those with an end outside of it cost more than a look at a bitmap. An edge
// is in the row of its destination alone; where the graph is its own reverse, so that each edge is at both ends, the rows of the largest
// tree are skipped, as in the paper.
//
// Where a hub has many neighbours nothing is sampled: the largest tree grows from it, as a bitmap, without links. First its neighbours are
// members, then whoever has a member among a few neighbours. A row that has none stays open. Parents of members are not kept up to date
// until all is linked: who links one links the tree's smallest member in its place.

// Joins a vertex's tree to the largest one, whose smallest known member nearly everybody links to: so most are hung there without a look at it.
SGG_DEVICE void sgg_link_largest(int* parents, int largest, int v) {
  int parent = sgg_ancestor(parents, v);
  if (parent == largest || (parent == v && largest < v && atomicCAS(&parents[v], v, largest) == v)) {
    return;
  }
  sgg_link<true>(parents, largest, v);
}

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
    sgg_compress<true>(f.parents, (int)v);
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
          sgg_link<true>(f.parents, (int)(f.first + row), sgg_dense(f, local));
        }
      }
    }
  }
}

// What stands for the largest tree, which its smallest member is known by: of two the one that more have, then the smaller one.
SGG_DEVICE unsigned long long sgg_vote(unsigned count, int member) { return (unsigned long long)count << 32 | ~(unsigned)member; }

SGG_DEVICE int sgg_largest(const Frame& f) { return (int)~(unsigned)(f.state[SGG_COMPONENTS_LARGEST] & 0xffffffffull); }

// Finds the root that most of some vertices have; one block.
SGG_KERNEL(components_largest) {
  SGG_SHARED(int, roots, Policy::LINK_SAMPLE);
  int asked = (int)(f.size < Policy::LINK_SAMPLE ? f.size : Policy::LINK_SAMPLE);
  for (int i = (int)threadIdx.x; i < asked; i += (int)blockDim.x) {
    roots[i] = sgg_root(f.parents, (int)((long long)i * f.size / asked));
  }
  __syncthreads();
  for (int i = (int)threadIdx.x; i < asked; i += (int)blockDim.x) {
    unsigned count = 0;
    for (int k = 0; k < asked; k++) {
      count += roots[k] == roots[i] ? 1u : 0u;
    }
    atomicMax(&f.state[SGG_COMPONENTS_LARGEST], sgg_vote(count, roots[i]));
  }
}

// Compresses, and marks the members of the largest tree: a word of the bitmap for each warp at a time.
SGG_KERNEL(components_mark) {
  int largest = sgg_largest(f);
  int lane = sgg_lane();
  for (long long word = sgg_warp(); word * SGG_WARP < f.size; word += sgg_warps()) {
    long long v = word * SGG_WARP + lane;
    bool member = false;
    if (v < f.size) {
      member = sgg_compress<true>(f.parents, (int)v) == largest;
    }
    unsigned members = __ballot_sync(SGG_ALL_LANES, member);
    if (lane == 0) {
      f.members[word] = members;
    }
  }
}

// A hub's neighbours are members, and itself.
SGG_DEVICE void sgg_spread_hub(const Frame& f) {
  int hub = (int)f.hub;
  for (long long e = f.inOffsets[hub] + sgg_thread(); e < f.inOffsets[hub + 1]; e += sgg_threads()) {
    int other = f.inSources[e];
    if (sgg_exists(f, other)) {
      sgg_set_bit(f.members, other);
    }
  }
  if (sgg_thread() == 0) {
    sgg_set_bit(f.members, hub);
  }
}

// Whether one of the next few neighbours of a row is a member. All are loaded together.
template <int COUNT>
SGG_DEVICE bool sgg_meets(const Frame& f, int e, int end) {
  int other[COUNT];
  SGG_UNROLL
  for (int i = 0; i < COUNT; i++) {
    other[i] = e + i < end ? f.inSources[e + i] : -1;
  }
  bool meets = false;
  SGG_UNROLL
  for (int i = 0; i < COUNT; i++) {
    meets |= other[i] >= 0 && sgg_bit(f.members, other[i]);
  }
  return meets;
}

// A number of an edge; that of its reverse is another one. (The mixing function of SplitMix64: Steele, Lea and Flood 2014.)
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
  for (long long number = sgg_warp(); number * Policy::EDGE_PART < f.edges; number += sgg_warps()) {
    EdgePart part = sgg_edge_part(f.inOffsets, lane, number, f.edges, f.stored);
    for (int e = part.begin + lane; e < part.end; e += SGG_WARP) {
      int row = sgg_row_of(f.inOffsets, e, part.firstRow, part.lastRow);
      int other = f.inSources[e];
      sum += sgg_arc(seed, other, row) - sgg_arc(seed, row, other);
    }
  }
  sum = sgg_warp_sum(sum);
  if (lane == 0 && sum != 0) {
    atomicAdd(&f.state[SGG_COMPONENTS_MIRROR], sum);
  }
}

// Whether the graph is its own reverse.
SGG_DEVICE bool sgg_mirrored(const Frame& f) {
  return f.mirrored == SGG_MIRRORED_ASKED ? f.state[SGG_COMPONENTS_ONE_WAY] == 0 && f.state[SGG_COMPONENTS_MIRROR] == 0
                                          : f.mirrored == SGG_MIRRORED_YES;
}

// Whom to link in place of a vertex: who is of the largest tree is known to be.
SGG_DEVICE int sgg_linked(const Frame& f, int largest, int v) { return sgg_bit(f.members, v) ? largest : v; }

// Every vertex is a tree of its own, but those are members that have one among their first neighbours; marks the other rows that have edges.
// Who is found in this launch may be met by some and not by others: the rest makes up for it.
SGG_DEVICE void sgg_grow(const Frame& f, int lane) {
  int smallest = -1;
  for (long long word = sgg_warp(); word * SGG_WARP < f.size; word += sgg_warps()) {
    long long v = word * SGG_WARP + lane;
    bool member = false;
    bool open = false;
    if (v < f.size) {
      f.parents[v] = (int)v;
      member = sgg_bit(f.members, (int)v);
      if (!member && sgg_exists(f, (int)v)) {
        int e = f.inOffsets[v];
        int end = f.inOffsets[v + 1];
        // Most have one at once.
        member = sgg_meets<1>(f, e, end) || sgg_meets<Policy::GROW_DEPTH - 1>(f, e + 1, end);
        open = e < end && !member;
      }
    }
    unsigned members = __ballot_sync(SGG_ALL_LANES, member);
    unsigned opened = __ballot_sync(SGG_ALL_LANES, open);
    if (lane == 0) {
      f.members[word] = members;
      f.opened[word] = opened;
    }
    if (smallest < 0 && members != 0) {
      smallest = (int)(word * SGG_WARP) + __ffs((int)members) - 1;
    }
  }
  if (lane == 0 && smallest >= 0) {
    unsigned long long vote = sgg_vote(1, smallest);
    if (f.state[SGG_COMPONENTS_LARGEST] < vote) {
      atomicMax(&f.state[SGG_COMPONENTS_LARGEST], vote);
    }
  }
}

// Links open rows, where each edge is in both rows: one that meets a member is left then, since its other neighbours have the edge, too, and
// meet a member or link it. A lane takes the vertices of a word of the bitmap; long rows are the warp's, and very long ones are left.
SGG_DEVICE void sgg_link_open(const Frame& f, int lane) {
  int largest = sgg_largest(f);
  long long words = (f.size + SGG_WARP - 1) / SGG_WARP;
  for (long long first = sgg_warp() * SGG_WARP; first < words; first += sgg_warps() * SGG_WARP) {
    long long word = first + lane;
    unsigned left = word < words ? f.opened[word] : 0u;
    while (__any_sync(SGG_ALL_LANES, left != 0u)) {
      int v = -1;
      int begin = 0;
      int end = 0;
      if (left != 0u) {
        v = (int)(word * SGG_WARP) + __ffs((int)left) - 1;
        left &= left - 1;
        begin = f.inOffsets[v];
        end = f.inOffsets[v + 1];
      }
      bool isLong = end - begin > Policy::OPEN_ROW;
      if (!isLong && v >= 0) {
        bool meets = false;
        for (int e = begin; e < end && !meets; e += Policy::GROW_DEPTH) {
          meets = sgg_meets<Policy::GROW_DEPTH>(f, e, end);
        }
        if (meets) {
          sgg_link_largest(f.parents, largest, v);
        } else {
          for (int e = begin; e < end; e++) {
            if (sgg_exists(f, f.inSources[e])) {
              sgg_link<true>(f.parents, v, f.inSources[e]);
            }
          }
        }
      }
      for (unsigned some = __ballot_sync(SGG_ALL_LANES, isLong); some != 0u; some &= some - 1) {
        int owner = __ffs((int)some) - 1;
        int row = sgg_shfl(v, owner);
        int from = sgg_shfl(begin, owner);
        int to = sgg_shfl(end, owner);
        int most = to - from > Policy::OPEN_LONG_ROW ? from + Policy::OPEN_LONG_ROW : to;
        bool meets = false;
        for (int e = from; e < most && !meets; e += SGG_WARP) {
          meets = __any_sync(SGG_ALL_LANES, sgg_meets<1>(f, e + lane, most));
        }
        if (meets) {
          if (lane == 0) {
            sgg_link_largest(f.parents, largest, row);
          }
        } else if (most < to) {
          if (lane == 0) {
            f.state[SGG_COMPONENTS_LEFT] = 1;
          }
        } else {
          for (int e = from + lane; e < to; e += SGG_WARP) {
            if (sgg_exists(f, f.inSources[e])) {
              sgg_link<true>(f.parents, row, f.inSources[e]);
            }
          }
        }
      }
    }
  }
}

// All that is done from a hub without a look at all edges, by blocks that wait for each other: launches would take as long as the work.
SGG_KERNEL_OF(components_grow, Policy::MOST_BLOCKS) {
  int lane = sgg_lane();
  unsigned target = 0;
  unsigned long long* arrivals = &f.state[SGG_COMPONENTS_ARRIVALS];
  for (long long word = sgg_thread(); word * SGG_WARP < f.size; word += sgg_threads()) {
    f.members[word] = 0u;
  }
  sgg_grid_sync(arrivals, target);
  sgg_spread_hub(f);
  sgg_grid_sync(arrivals, target);
  sgg_grow(f, lane);
  if (f.mirrored == SGG_MIRRORED_YES) {
    sgg_grid_sync(arrivals, target);
    sgg_link_open(f, lane);
  }
}

// The rows that are open, where kernels have found out that the graph is its own reverse.
SGG_KERNEL(components_open) {
  if (sgg_mirrored(f)) {
    sgg_link_open(f, sgg_lane());
  }
}

// Links what is left. Edges are dealt out evenly, whatever rows they are in. Where all rows of a warp's edges are members of the largest
// tree, it asks of each other end whether it is one as well, or nothing, where the row of that end has the edge, too.
SGG_KERNEL(components_rest) {
  bool mirrored = sgg_mirrored(f);
  if (f.hub >= 0 && mirrored && f.state[SGG_COMPONENTS_LEFT] == 0) {
    return;
  }
  int largest = sgg_largest(f);
  int lane = sgg_lane();
  long long edges = f.edges;
  for (long long number = sgg_warp(); number * Policy::EDGE_PART < edges; number += sgg_warps()) {
    EdgePart part = sgg_edge_part(f.inOffsets, lane, number, edges, f.stored);
    bool outside = false;
    for (int row = part.firstRow + lane; row <= part.lastRow; row += SGG_WARP) {
      bool member = sgg_bit(f.members, (int)f.first + row);
      bool exists = sgg_exists(f, row);
      outside |= f.inOffsets[row] < f.inOffsets[row + 1] && (mirrored ? exists && !member : !(exists && member));
    }
    bool inside = !__any_sync(SGG_ALL_LANES, outside);
    if (inside && mirrored) {
      continue;
    }
    if (inside) {
      for (int e = part.begin + lane; e < part.end; e += Policy::LINK_DEPTH * SGG_WARP) {
        int other[Policy::LINK_DEPTH];
        bool member[Policy::LINK_DEPTH];
        SGG_UNROLL
        for (int i = 0; i < Policy::LINK_DEPTH; i++) {
          other[i] = sgg_load_once(&f.inSources[e + i * SGG_WARP], e + i * SGG_WARP < part.end);
        }
        SGG_UNROLL
        for (int i = 0; i < Policy::LINK_DEPTH; i++) {
          member[i] = e + i * SGG_WARP >= part.end || sgg_bit(f.members, sgg_dense(f, other[i]));
        }
        SGG_UNROLL
        for (int i = 0; i < Policy::LINK_DEPTH; i++) {
          if (!member[i] && sgg_exists(f, other[i])) {
            sgg_link_largest(f.parents, largest, sgg_dense(f, other[i]));
          }
        }
      }
    } else {
      for (int e = part.begin + lane; e < part.end; e += SGG_WARP) {
        int row = sgg_row_of(f.inOffsets, e, part.firstRow, part.lastRow);
        int v = sgg_linked(f, largest, (int)f.first + row);
        if (sgg_exists(f, row) && !(mirrored && v == largest)) {
          int local = f.inSources[e];
          if (sgg_exists(f, local)) {
            sgg_link<true>(f.parents, v, sgg_linked(f, largest, sgg_dense(f, local)));
          }
        }
      }
    }
  }
}

// Hangs all under their roots, of the largest tree's members without a look at their parents.
SGG_KERNEL(components_settle) {
  int root = sgg_root(f.parents, sgg_largest(f));
  for (long long v = sgg_thread(); v < f.size; v += sgg_threads()) {
    if (sgg_bit(f.members, (int)v)) {
      f.parents[v] = root;
    } else {
      sgg_compress<true>(f.parents, (int)v);
    }
  }
}

// Joins what another device has found.
SGG_KERNEL(components_join) {
  for (long long v = sgg_thread(); v < f.size; v += sgg_threads()) {
    if (f.other[v] != (int)v) {
      sgg_link<true>(f.parents, (int)v, f.other[v]);
    }
  }
}
