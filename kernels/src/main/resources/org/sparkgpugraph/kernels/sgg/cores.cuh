// Cores of a graph that has each edge in both directions, by peeling (Seidman 1983; Batagelj and Zaversnik 2003, "An O(m) algorithm for cores
// decomposition of networks"; in parallel Kabir and Madduri 2017, "Parallel k-core decomposition on multicore platforms"). A level is a look at
// those that are left, of whom those go that have k edges to them, and waves: an edge to who has gone is taken away at its other end, and whoever
// has no more than k then goes in the next wave. Degrees never fall below k: what is taken away too much is given back, by who sees it. So the
// degree at which a vertex went stays, whoever was faster, and is its coreness.
// Behind frontier.cuh.

SGG_KERNEL(cores_degrees) {
  for (long long v = sgg_thread(); v < f.size; v += sgg_threads()) {
    f.degrees[v] = sgg_exists(f, (int)v) ? f.inOffsets[v + 1] - f.inOffsets[v] : 0;
  }
}

// Loops do not count, nor edges of which an end is not a vertex.
SGG_KERNEL(cores_loops) { sgg_frontier_loops(f, false, f.degrees); }

// A look at some vertices, or at all, where there is no list: those of degree k go, or of k at most.
SGG_DEVICE void sgg_cores_look(const Frame& f, int lane, const int* list, long long count, int k, bool orLess, int* left, long long first,
                               unsigned long long* slot) {
  // The least degree of who stays as its complement: 0 is none.
  unsigned least = 0u;
  for (long long at = sgg_warp() * SGG_WARP; at < count; at += sgg_warps() * SGG_WARP) {
    bool has = at + lane < count;
    int v = !has ? 0 : list == nullptr ? (int)(at + lane) : list[at + lane];
    int degree = has ? f.degrees[v] : 0;
    bool stays = has && degree > k;
    sgg_frontier_go_one(f, lane, has && (degree == k || (orLess && degree < k)), v, SGG_SIDE_IN, f.parts, first, slot);
    if (left != nullptr) {
      unsigned some = __ballot_sync(SGG_ALL_LANES, stays);
      long long before = 0;
      if (lane == 0 && some != 0u) {
        before = (long long)atomicAdd(&slot[SGG_CORES_LEFT], (unsigned long long)__popc(some));
      }
      before = sgg_shfl(before, 0);
      if (stays) {
        left[before + __popc(some & sgg_lanes(0, lane))] = v;
      }
    }
    least = stays && ~(unsigned)degree > least ? ~(unsigned)degree : least;
  }
  sgg_frontier_most(lane, least, &slot[SGG_CORES_LEAST]);
}

// Takes edges away from who is left. A cache may keep degrees: one that was larger costs an atomic operation, one that was k or less is of somebody
// who has gone.
struct TakeAway {
  static constexpr bool OWNERS = false;
  int k;
  SGG_DEVICE_MEMBER int look(const Frame& f, int other) const { return f.degrees[other]; }
  SGG_DEVICE_MEMBER bool visit(const Frame& f, int, int other, int degree) const {
    if (degree <= k) {
      return false;
    }
    int before = atomicSub(&f.degrees[other], 1);
    if (before <= k) {
      atomicAdd(&f.degrees[other], 1);
    }
    return before == k + 1;
  }
};

// Peels from level f.level on, that one alone or all. Of one level degrees of who goes are left as they are, k at most.
SGG_KERNEL_OF(cores_peel, Policy::FRONTIER_BLOCKS) {
  int lane = sgg_lane();
  unsigned target = 0;
  unsigned phase = 0;
  const int* list = nullptr;
  int* room = f.left;
  int* nextRoom = f.nextLeft;
  long long count = f.size;
  long long gone = 0;
  long long head = 0;
  int k = (int)f.level;
  for (bool first = true; gone < f.size; first = false) {
    // Those who are left are listed anew when they are half as many.
    bool lists = 2 * (f.size - gone) <= count;
    unsigned long long* slot = sgg_frontier_begin(f, phase++);
    sgg_cores_look(f, lane, list, count, k, first, lists ? room : nullptr, head, slot);
    sgg_grid_sync(&f.state[SGG_FRONTIER_ARRIVALS], target);
    unsigned long long told = sgg_fresh(&slot[SGG_FRONTIER_LISTED]);
    unsigned least = ~(unsigned)sgg_fresh(&slot[SGG_CORES_LEAST]);
    if (lists) {
      list = room;
      room = nextRoom;
      nextRoom = (int*)list;
      count = (long long)sgg_fresh(&slot[SGG_CORES_LEFT]);
    }
    bool some = told != 0;
    long long tail = head + (long long)(unsigned)told;
    gone += (long long)(told >> 32);
    // Where all have gone nobody is left to be told.
    while (head < tail && gone < f.size) {
      slot = sgg_frontier_begin(f, phase++);
      sgg_frontier_walk(f, lane, f.parts, head, tail, TakeAway{k}, SGG_SIDE_IN, f.parts, tail, slot);
      sgg_grid_sync(&f.state[SGG_FRONTIER_ARRIVALS], target);
      told = sgg_fresh(&slot[SGG_FRONTIER_LISTED]);
      head = tail;
      tail += (long long)(unsigned)told;
      gone += (long long)(told >> 32);
    }
    if (f.all == 0) {
      break;
    }
    head = tail;
    k = some ? k + 1 : (int)least;
  }
}
