// Who walks the edges of the items of a warp (nested parallelism, IrGL: Pai and Pingali 2016, section 4.3), by how many edges an item has.
// Each of these takes what is long enough for it and leaves the rest to the next one; where that is not compiled in, it takes all:
//
//   SGG_PUSH_BY_BLOCK  all threads of the block take one item after the other, of SGG_BLOCK edges and more
//   SGG_PUSH_BY_WARP   all lanes of the warp do, of 32 edges and more
//   SGG_PUSH_FINE      edges of the warp's items stand in one list, which its lanes walk side by side (packing.cuh)
//   none of them       each lane walks its own item
//
// The default is SGG_PUSH_FINE alone: an item has no more than SGG_PUSH_PART edges (queue.cuh), so that no warp waits long.

// An item of this lane, as far as nobody has walked it.
struct WalkedItem {
  int vertex;
  int begin;  // first edge
  int count;
};

// Takes the items of at least Least edges from all threads of a block, one after the other, and calls `edge` with an edge for each thread
// that has one. All threads of the block.
template <int Least, class Edge>
SGG_DEVICE void sgg_walk_by_block(WalkedItem& own, Edge edge) {
  // Whose item it is, plus 1; 0: there is none. Not beside the item: who loads both at once would load what is emptied meanwhile.
  SGG_SHARED(int, takers, 1);
  SGG_SHARED(WalkedItem, items, 1);
  while (true) {
    if (threadIdx.x == 0u) {
      *takers = 0;
    }
    __syncthreads();
    if (own.count >= Least) {
      atomicMax(takers, (int)threadIdx.x + 1);
    }
    __syncthreads();
    int taker = *takers;
    if (taker == 0) {
      // Before somebody empties it again all have read it.
      __syncthreads();
      return;
    }
    if (taker == (int)threadIdx.x + 1) {
      *items = own;
      own.count = 0;
    }
    __syncthreads();
    WalkedItem item = *items;
    for (int first = 0; first < item.count; first += SGG_BLOCK) {
      int i = first + (int)threadIdx.x;
      edge(i < item.count, item.begin + i, item.vertex);
    }
  }
}

// The same of a warp. All lanes.
template <int Least, class Edge>
SGG_DEVICE void sgg_walk_by_warp(int lane, WalkedItem& own, Edge edge) {
  for (unsigned left = __ballot_sync(SGG_ALL_LANES, own.count >= Least); left != 0u; left &= left - 1u) {
    int owner = __ffs((int)left) - 1;
    int vertex = sgg_shfl(own.vertex, owner);
    int begin = sgg_shfl(own.begin, owner);
    int count = sgg_shfl(own.count, owner);
    for (int first = 0; first < count; first += SGG_WARP) {
      edge(first + lane < count, begin + first + lane, vertex);
    }
  }
  if (own.count >= Least) {
    own.count = 0;
  }
}

// Walks the edges of all items in one list. All lanes.
template <class Edge>
SGG_DEVICE void sgg_walk_fine(int lane, const WalkedItem& own, Edge edge) {
  PackedRows rows = sgg_pack(own.begin, own.count, false, lane);
  for (int base = 0; base < rows.total; base += SGG_WARP) {
    int place = base + lane;
    int owner = sgg_owner(rows, place);
    int e = sgg_shfl(rows.begin - rows.start, owner) + place;
    edge(place < rows.total, e, sgg_shfl(own.vertex, owner));
  }
}

// Each lane walks its own. All lanes.
template <class Edge>
SGG_DEVICE void sgg_walk_serially(const WalkedItem& own, Edge edge) {
  for (int i = 0; __any_sync(SGG_ALL_LANES, i < own.count); i++) {
    edge(i < own.count, own.begin + i, own.vertex);
  }
}

// Walks the items of a warp, one a lane, by those that are compiled in; where these are blocks, all threads of the block come.
template <class Edge>
SGG_DEVICE void sgg_walk_items(int lane, WalkedItem own, Edge edge) {
  if constexpr (SGG_PUSH_BY_BLOCK) {
    sgg_walk_by_block<SGG_PUSH_BY_WARP || SGG_PUSH_FINE ? SGG_BLOCK : 1>(own, edge);
  }
  if constexpr (SGG_PUSH_BY_WARP) {
    sgg_walk_by_warp<SGG_PUSH_FINE ? SGG_WARP : 1>(lane, own, edge);
  }
  if constexpr (SGG_PUSH_FINE) {
    sgg_walk_fine(lane, own, edge);
  } else if constexpr (!SGG_PUSH_BY_BLOCK && !SGG_PUSH_BY_WARP) {
    sgg_walk_serially(own, edge);
  }
}
