// Cores of a graph that has each edge in both directions, by peeling (Seidman 1983; Batagelj and Zaversnik 2003, "An O(m) algorithm for cores
// decomposition of networks"; in parallel Kabir and Madduri 2017, "Parallel k-core decomposition on multicore platforms"). A level is a look at
// those that are left, of whom those go that have k edges to them, and waves: an edge to who has gone is taken away at its other end, and whoever
// has no more than k then goes in the next wave. Degrees never fall below k: what is taken away too much is given back, by who sees it. So the
// degree at which a vertex went stays, whoever was faster, and is its coreness.
//
// One launch of blocks that wait for each other: of a thousand waves most have little to do. What a phase tells is counted in one of three slots,
// of which the next phase's is emptied meanwhile and the last one's is still read by who is late. Behind offsets.cuh, locals.cuh and grid.cuh.

// A part of a row whose vertex has gone, of SGG_CORES_PART edges but for the last one: its number above the vertex.
typedef unsigned long long CorePart;

SGG_DEVICE long long sgg_thread() { return (long long)blockIdx.x * blockDim.x + threadIdx.x; }
SGG_DEVICE long long sgg_threads() { return (long long)gridDim.x * blockDim.x; }

SGG_KERNEL(cores_degrees) {
  for (long long v = sgg_thread(); v < f.size; v += sgg_threads()) {
    f.degrees[v] = sgg_exists(f, (int)v) ? f.inOffsets[v + 1] - f.inOffsets[v] : 0;
  }
}

// Loops do not count, nor edges of which an end is not a vertex.
SGG_KERNEL(cores_loops) {
  int lane = sgg_lane();
  for (long long part = sgg_warp(); part * Policy::EDGE_PART < f.edges; part += sgg_warps()) {
    int begin = (int)(part * Policy::EDGE_PART);
    int end = (int)(f.edges - begin < Policy::EDGE_PART ? f.edges : begin + Policy::EDGE_PART);
    int firstRow = sgg_row_of_warp(f.inOffsets, lane, begin, 0, (int)f.stored - 1);
    int lastRow = sgg_row_of_warp(f.inOffsets, lane, end - 1, firstRow, (int)f.stored - 1);
    for (int e = begin + lane; e < end; e += SGG_WARP) {
      int other = f.inSources[e];
      bool counts = sgg_exists(f, other);
      // Most neighbours are elsewhere.
      if (!counts || (other >= firstRow && other <= lastRow)) {
        int row = sgg_row_of(f.inOffsets, e, firstRow, lastRow);
        if ((!counts || row == other) && sgg_exists(f, row)) {
          atomicSub(&f.degrees[row], 1);
        }
      }
    }
  }
}

// Has vertices of a warp's lanes go: the parts of their rows stand behind those of this phase. All lanes.
SGG_DEVICE void sgg_cores_go(const Frame& f, int lane, bool goes, int v, long long first, unsigned long long* slot) {
  unsigned all = __ballot_sync(SGG_ALL_LANES, goes);
  if (all == 0u) {
    return;
  }
  int parts = 0;
  if (goes && sgg_exists(f, v)) {
    parts = (int)(((long long)f.inOffsets[v + 1] - f.inOffsets[v] + SGG_CORES_PART - 1) / SGG_CORES_PART);
  }
  int sums = sgg_warp_sums(parts, lane);
  int total = sgg_shfl(sums, SGG_WARP - 1);
  long long before = 0;
  if (lane == 0) {
    before = (long long)atomicAdd(&slot[SGG_CORES_GONE], (unsigned long long)__popc(all) << 32 | (unsigned)total);
  }
  before = sgg_shfl(before, 0);
  long long place = first + (long long)(unsigned)before + sums - parts;
  for (int i = 0; i < parts; i++) {
    f.parts[place + i] = (CorePart)i << 32 | (unsigned)v;
  }
}

// A look at some vertices, or at all, where there is no list: those of degree k go, or of k at most.
SGG_DEVICE void sgg_cores_look(const Frame& f, int lane, const int* list, long long count, int k, bool orLess, int* left, long long first,
                               unsigned long long* slot) {
  unsigned least = 0xffffffffu;
  for (long long at = sgg_warp() * SGG_WARP; at < count; at += sgg_warps() * SGG_WARP) {
    bool has = at + lane < count;
    int v = !has ? 0 : list == nullptr ? (int)(at + lane) : list[at + lane];
    int degree = has ? f.degrees[v] : 0;
    bool stays = has && degree > k;
    sgg_cores_go(f, lane, has && (degree == k || (orLess && degree < k)), v, first, slot);
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
    least = stays && (unsigned)degree < least ? (unsigned)degree : least;
  }
  for (int d = SGG_WARP / 2; d > 0; d /= 2) {
    unsigned other = (unsigned)__shfl_xor_sync(SGG_ALL_LANES, (int)least, d);
    least = other < least ? other : least;
  }
  // As its complement: 0 is none.
  if (lane == 0 && sgg_fresh(&slot[SGG_CORES_LEAST]) < (unsigned long long)~least) {
    atomicMax(&slot[SGG_CORES_LEAST], (unsigned long long)~least);
  }
}

// Takes the edges of some parts away from who is left. The lanes of a warp share the edges of its parts evenly.
SGG_DEVICE void sgg_cores_wave(const Frame& f, int lane, long long head, long long tail, int k, unsigned long long* slot) {
  long long each = (tail - head + sgg_warps() - 1) / sgg_warps();
  int group = (int)(each < SGG_WARP ? each : SGG_WARP);
  for (long long at = head + sgg_warp() * group; at < tail; at += sgg_warps() * group) {
    int begin = 0;
    int edges = 0;
    if (lane < group && at + lane < tail) {
      CorePart part = f.parts[at + lane];
      int v = (int)(unsigned)part;
      begin = f.inOffsets[v] + (int)(part >> 32) * SGG_CORES_PART;
      edges = sgg_smaller(SGG_CORES_PART, f.inOffsets[v + 1] - begin);
    }
    int sums = sgg_warp_sums(edges, lane);
    int total = sgg_shfl(sums, SGG_WARP - 1);
    // Where the edges would begin that the warp's edge 0 belonged to, if it were the lane's.
    int origin = begin - (sums - edges);
    for (int round = 0; round < total; round += Policy::CORE_DEPTH * SGG_WARP) {
      int other[Policy::CORE_DEPTH];
      int degree[Policy::CORE_DEPTH];
      SGG_UNROLL
      for (int i = 0; i < Policy::CORE_DEPTH; i++) {
        int place = round + i * SGG_WARP + lane;
        int owner = 0;
        SGG_UNROLL
        for (int step = SGG_WARP / 2; step > 0; step /= 2) {
          owner += sgg_shfl(sums, owner + step - 1) <= place ? step : 0;
        }
        int from = sgg_shfl(origin, owner);
        other[i] = place < total ? f.inSources[from + place] : -1;
      }
      // A cache may keep degrees: one that was larger costs an atomic operation, one that was k or less is of somebody who has gone.
      SGG_UNROLL
      for (int i = 0; i < Policy::CORE_DEPTH; i++) {
        degree[i] = other[i] >= 0 ? f.degrees[other[i]] : k;
      }
      SGG_UNROLL
      for (int i = 0; i < Policy::CORE_DEPTH; i++) {
        bool goes = false;
        if (degree[i] > k) {
          int before = atomicSub(&f.degrees[other[i]], 1);
          goes = before == k + 1;
          if (before <= k) {
            atomicAdd(&f.degrees[other[i]], 1);
          }
        }
        sgg_cores_go(f, lane, goes, other[i], tail, slot);
      }
    }
  }
}

SGG_DEVICE unsigned long long* sgg_cores_slot(const Frame& f, unsigned phase) {
  return f.state + SGG_CORES_SLOTS + phase % 3u * SGG_CORES_SLOT_WORDS;
}

// Begins a phase: its slot is empty, the next one's is emptied.
SGG_DEVICE unsigned long long* sgg_cores_begin(const Frame& f, unsigned phase) {
  if (sgg_thread() == 0) {
    unsigned long long* next = sgg_cores_slot(f, phase + 1u);
    for (int i = 0; i < SGG_CORES_SLOT_WORDS; i++) {
      next[i] = 0;
    }
  }
  return sgg_cores_slot(f, phase);
}

// Peels from level f.level on, that one alone or all. Of one level degrees of who goes are left as they are, k at most.
SGG_KERNEL_OF(cores_peel, Policy::CORE_BLOCKS) {
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
    unsigned long long* slot = sgg_cores_begin(f, phase++);
    sgg_cores_look(f, lane, list, count, k, first, lists ? room : nullptr, head, slot);
    sgg_grid_sync(&f.state[SGG_CORES_ARRIVALS], target);
    unsigned long long told = sgg_fresh(&slot[SGG_CORES_GONE]);
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
      slot = sgg_cores_begin(f, phase++);
      sgg_cores_wave(f, lane, head, tail, k, slot);
      sgg_grid_sync(&f.state[SGG_CORES_ARRIVALS], target);
      told = sgg_fresh(&slot[SGG_CORES_GONE]);
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
