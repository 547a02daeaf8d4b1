// Union-find: disjoint sets as trees, parents[v] of vertex v; a root is its own parent. No vertex ever has a larger parent, so that a root is the
// smallest of its tree, whoever was faster. Many threads link at the same time, without locks: a root is hung under a smaller vertex by a
// compare-and-swap, and who comes too late goes on from where the root hangs by now. Compression is a phase of its own, in which nobody links. (As
// ECL-CC does: Jaiganesh and Burtscher 2018, "A high-performance connected components implementation for GPUs".)
//
// GIANT: whether most vertices are expected to be of one tree, whose root nearly everybody asks for then. Caches are asked first.

// Others change parents meanwhile: a cache must not keep them.
SGG_DEVICE int sgg_parent(const int* parents, int v) { return *(const volatile int*)&parents[v]; }

// A parent that v has, or has had: who was above it once is of its tree. So a cache may keep it, which spares the one place in the L2 cache
// where a giant tree's root lies.
SGG_DEVICE int sgg_ancestor(const int* parents, int v) { return parents[v]; }

// The root of a vertex's tree; nobody links meanwhile.
SGG_DEVICE int sgg_root(const int* parents, int v) {
  int root = v;
  for (int above; (above = sgg_ancestor(parents, root)) != root;) {
    root = above;
  }
  return root;
}

// Joins the trees of two vertices. Every turn goes on from a smaller vertex, so it ends, whatever others do.
template <bool GIANT>
SGG_DEVICE void sgg_link(int* parents, int a, int b) {
  if (GIANT && sgg_ancestor(parents, a) == sgg_ancestor(parents, b)) {
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
    if (GIANT && above == low) {
      return;
    }
    p = sgg_parent(parents, above);
    q = sgg_parent(parents, low);
  }
}

// Hangs a vertex under its root; nobody links meanwhile. Each step is written, so that those below jump over it: long chains take a
// logarithmic number of steps. Returns the root.
template <bool GIANT>
SGG_DEVICE int sgg_compress(int* parents, int v) {
  int parent = sgg_parent(parents, v);
  for (int above; (above = GIANT ? sgg_ancestor(parents, parent) : sgg_parent(parents, parent)) != parent; parent = above) {
    *(volatile int*)&parents[v] = above;
  }
  return parent;
}
