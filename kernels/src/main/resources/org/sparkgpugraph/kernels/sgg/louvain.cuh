// Moves the vertices of a level into communities of their neighbours, a class of vertices at a time (engine.louvain.LocalMoving, to the bit:
// weights are whole numbers, so that sums do not depend on any order, and scores are the same products and differences of doubles).
//
// Of a class those that are to decide are queued by the length of their rows. Short rows are compared all with all by shuffles, 8 or 32 lanes
// each; longer ones are summed up in an open-addressed table in shared memory, of the warp's own or, beyond SGG_LOUVAIN_WARP_ROW entries, of a
// block's. The longest are cut into chunks, a block each, whose sums are added up in a table of the hub's own in global memory. Nobody searches
// that one: sums only grow, so the best of what blocks saw there, each behind its own additions, is the best of all. All decide on what is there
// before (f.community, f.totals), and put into f.next where they go; then their neighbours are marked, then they move.

// Printed by Java: SGG_LOUVAIN_CLASSES; SGG_LOUVAIN_WARP_ROW and SGG_LOUVAIN_CHUNK entries; counts of a class, SGG_LOUVAIN_COUNTS for each;
// words of f.state; SGG_LOUVAIN_DEPTH, entries that a thread has under way.

static constexpr int SGG_LOUVAIN_FREE = -1;
static constexpr unsigned long long SGG_LOUVAIN_EMPTY = 0xffffffffffffffffull;

// Slots of tables in shared memory, and in global memory, where those who look for a free one wait longer.
SGG_DEVICE constexpr int sgg_louvain_capacity(int keys) { return 2 * keys; }

static constexpr int SGG_LOUVAIN_WARP_SLOTS = sgg_louvain_capacity(SGG_LOUVAIN_WARP_ROW);
static constexpr int SGG_LOUVAIN_CHUNK_SLOTS = sgg_louvain_capacity(SGG_LOUVAIN_CHUNK);

static constexpr int SGG_LOUVAIN_SHORT = 8;

// The class that a vertex is in: as LocalMoving.classOf says.
SGG_DEVICE int sgg_louvain_class(const Frame& f, int v) {
  unsigned h = (unsigned)(v + 1) * 0x9E3779B1u + (unsigned)f.salt;
  h = (h ^ h >> 15) * 0x85EBCA77u;
  return (int)(h >> 29);
}

// How often something has happened to the class that moves.
SGG_DEVICE unsigned long long* sgg_louvain_count(const Frame& f, int which) {
  return &f.counts[f.ofClass * SGG_LOUVAIN_COUNTS + which];
}

SGG_DEVICE int sgg_louvain_counted(const Frame& f, int which) { return (int)*sgg_louvain_count(f, which); }

SGG_DEVICE long long sgg_louvain_add_to(unsigned long long* cell, long long value) {
  return (long long)atomicAdd(cell, (unsigned long long)value);
}

// Weights of a level: all 1, or whole numbers.
struct LouvainOnes {
  typedef unsigned Sum;
  static constexpr bool ONES = true;
  SGG_DEVICE_STATIC Sum weight(const Frame&, long long) { return 1u; }
};

struct LouvainWeights {
  typedef unsigned long long Sum;
  static constexpr bool ONES = false;
  SGG_DEVICE_STATIC Sum weight(const Frame& f, long long e) { return (unsigned long long)f.weights[e]; }
};

// ---- who decides --------------------------------------------------------------------------------------------------------

// Slots of a hub's table: no more than there are communities.
SGG_DEVICE unsigned sgg_louvain_slots(const Frame& f, int degree) {
  unsigned keys = (unsigned)(degree < f.size ? degree : f.size);
  return keys < 1u << 30 ? 3u * keys : keys + keys / 4u;
}

// Who decides a row's vertex: 8 lanes, 32, a warp, blocks.
SGG_DEVICE int sgg_louvain_kind(int degree) {
  return degree <= SGG_LOUVAIN_SHORT ? 0 : degree <= SGG_WARP ? 1 : degree <= SGG_LOUVAIN_WARP_ROW ? 2 : 3;
}

// Slots of each class' hubs together, and behind them the number of rows of each kind.
SGG_KERNEL(louvain_room) {
  long long kinds[4] = {0ll, 0ll, 0ll, 0ll};
  for (long long v = sgg_thread(); v < f.size; v += sgg_threads()) {
    int degree = f.offsets[v + 1] - f.offsets[v];
    if (degree > SGG_LOUVAIN_CHUNK) {
      sgg_louvain_add_to(&f.room[sgg_louvain_class(f, (int)v)], sgg_louvain_slots(f, degree));
    }
    SGG_UNROLL
    for (int kind = 0; kind < 4; kind++) {
      kinds[kind] += sgg_louvain_kind(degree) == kind ? 1ll : 0ll;
    }
  }
  SGG_UNROLL
  for (int kind = 0; kind < 4; kind++) {
    long long sum = sgg_warp_sum(kinds[kind]);
    if (sgg_lane() == 0 && sum > 0ll) {
      sgg_louvain_add_to(&f.room[SGG_LOUVAIN_CLASSES + kind], sum);
    }
  }
}

// All vertices of a positive strength are to decide.
SGG_KERNEL(louvain_mark_all) {
  int lane = sgg_lane();
  for (long long word = sgg_warp(); word * SGG_WARP < f.size; word += sgg_warps()) {
    long long v = word * SGG_WARP + lane;
    unsigned marked = __ballot_sync(SGG_ALL_LANES, v < f.size && f.strengths[v] > 0);
    if (lane == 0) {
      f.active[word] = marked;
    }
  }
}

// Queues the vertices of the class that are to decide, and takes their marks.
SGG_KERNEL(louvain_queue) {
  SGG_SHARED(int, found, 4);
  SGG_SHARED(int, places, 4);
  int lane = sgg_lane();
  long long entries = 0;
  long long words = (f.size + SGG_WARP - 1) / SGG_WARP;
  for (long long first = (long long)blockIdx.x * SGG_BLOCK_WARPS; first < words; first += sgg_warps()) {
    long long word = first + (threadIdx.x >> 5);
    if (threadIdx.x < 4u) {
      found[threadIdx.x] = 0;
    }
    __syncthreads();
    unsigned bits = word < words ? f.active[word] : 0u;
    int v = (int)(word * SGG_WARP) + lane;
    bool mine = (bits >> lane & 1u) != 0u && sgg_louvain_class(f, v) == (int)f.ofClass;
    unsigned taken = __ballot_sync(SGG_ALL_LANES, mine);
    if (taken != 0u && lane == 0) {
      f.active[word] = bits & ~taken;
    }
    // Inside of bounds only who is alone moves.
    mine = mine && (f.outer == nullptr || (long long)f.totals[f.community[v]] == f.strengths[v]);
    int degree = mine ? f.offsets[v + 1] - f.offsets[v] : 0;
    entries += degree;
    int kind = sgg_louvain_kind(degree);
    int place = mine ? atomicAdd(&found[kind], 1) : 0;
    __syncthreads();
    if (threadIdx.x < 4u && found[threadIdx.x] > 0) {
      places[threadIdx.x] = (int)atomicAdd(sgg_louvain_count(f, (int)threadIdx.x), (unsigned long long)found[threadIdx.x]);
    }
    __syncthreads();
    if (mine) {
      int at = places[kind] + place;
      if (kind == 0) {
        f.queue[at] = v;
      } else if (kind == 1) {
        f.queue[f.size - 1 - at] = v;
      } else if (kind == 2) {
        f.warpRows[at] = v;
      } else {
        int chunks = (degree + SGG_LOUVAIN_CHUNK - 1) / SGG_LOUVAIN_CHUNK;
        int chunk = (int)atomicAdd(sgg_louvain_count(f, SGG_LOUVAIN_CHUNKS), (unsigned long long)chunks);
        f.hubs[at] = v;
        f.hubChunks[at] = chunk;
        f.hubOwn[at] = 0ull;
        f.hubKept[at] = 0ull;
        f.hubSlots[at] = chunks > 1 ? sgg_louvain_add_to(sgg_louvain_count(f, SGG_LOUVAIN_SLOTS), sgg_louvain_slots(f, degree)) : 0ll;
        for (int k = 0; k < chunks; k++) {
          f.chunkHubs[chunk + k] = at;
        }
      }
    }
    __syncthreads();
  }
  entries = sgg_warp_sum(entries);
  if (lane == 0 && entries > 0) {
    sgg_louvain_add_to(&f.state[SGG_LOUVAIN_ENTRIES], entries);
  }
}

// Empties the tables of hubs; where all weights are 1 a slot is a community above a sum.
SGG_KERNEL(louvain_clear) {
  long long slots = (long long)*sgg_louvain_count(f, SGG_LOUVAIN_SLOTS);
  unsigned long long empty = f.weights == nullptr ? SGG_LOUVAIN_EMPTY : 0ull;
  for (long long s = sgg_thread(); s < slots; s += sgg_threads()) {
    f.slotSums[s] = empty;
    if (f.weights != nullptr) {
      f.slotKeys[s] = SGG_LOUVAIN_FREE;
    }
  }
}

// ---- deciding -----------------------------------------------------------------------------------------------------------

// The best community of others, the smallest of equal ones; −1: none.
struct LouvainBest {
  double score;
  int community;
};

SGG_DEVICE void sgg_louvain_take(LouvainBest& best, double score, int community) {
  if (best.community < 0 || score > best.score || (score == best.score && community < best.community)) {
    best.score = score;
    best.community = community;
  }
}

// Sums of the weights of a row: to the own community; where there are bounds, of all that is inside of them.
struct LouvainSums {
  long long own;
  long long kept;
};

// What the strength of a vertex costs it per unit of a community's total.
SGG_DEVICE double sgg_louvain_share(const Frame& f, int v) {
  return __longlong_as_double(f.gamma) * (double)f.strengths[v] / (double)f.whole;
}

SGG_DEVICE double sgg_louvain_score(const Frame& f, long long sum, double share, int community) {
  return (double)sum - share * (double)(long long)f.totals[community];
}

// Whether two vertices that are alone might change places: of these the larger one moves.
SGG_DEVICE bool sgg_louvain_swaps(const Frame& f, int v, int own, int to) {
  return to > v && f.community[to] == to && (long long)f.totals[to] == f.strengths[to] && (long long)f.totals[own] == f.strengths[v] &&
         sgg_louvain_class(f, to) == (int)f.ofClass;
}

// Puts down where a vertex goes. One thread.
SGG_DEVICE void sgg_louvain_decide(const Frame& f, int v, int own, double share, const LouvainSums& sums, const LouvainBest& best) {
  if (f.outer != nullptr) {
    // It must have as much to do with the rest of its community as chance would have it.
    long long others = (long long)f.outerTotals[f.outer[v]] - f.strengths[v];
    if (!((double)sums.kept >= share * (double)others)) {
      return;
    }
  }
  double stay = (double)sums.own - share * (double)((long long)f.totals[own] - f.strengths[v]);
  double most = stay;
  int to = own;
  if (best.community >= 0 && best.score > stay) {
    most = best.score;
    to = best.community;
  }
  if (most < 0.0 && own != v && f.totals[v] == 0ull) {
    to = v;  // Nobody is where it started: alone it is better off.
  }
  if (to != own && !sgg_louvain_swaps(f, v, own, to)) {
    f.next[v] = to;
  }
}

// Whether a neighbour is inside of what a vertex must stay in.
SGG_DEVICE bool sgg_louvain_inside(const Frame& f, int v, int u) { return f.outer == nullptr || f.outer[v] == f.outer[u]; }

// Rows of up to LANES entries.
template <class Weights, int LANES>
SGG_DEVICE void sgg_louvain_short_rows(const Frame& f, bool back, int count) {
  int lane = sgg_lane();
  int sub = lane & (LANES - 1);
  int base = lane - sub;
  constexpr int ROWS = SGG_WARP / LANES;
  for (long long begin = sgg_warp() * ROWS; begin < count; begin += sgg_warps() * ROWS) {
    long long at = begin + lane / LANES;
    bool isRow = at < count;
    int v = isRow ? (back ? f.queue[f.size - 1 - at] : f.queue[at]) : 0;
    long long e = (long long)f.offsets[v] + sub;
    bool has = isRow && e < f.offsets[v + 1];
    int u = has ? f.neighbours[e] : v;
    has = has && u != v && sgg_louvain_inside(f, v, u);
    int own = f.community[v];
    double share = sgg_louvain_share(f, v);
    int community = has ? f.community[u] : SGG_LOUVAIN_FREE;
    long long weight = has ? (long long)Weights::weight(f, e) : 0ll;
    long long sum = 0ll;
    bool first = has;
    SGG_UNROLL
    for (int k = 0; k < LANES; k++) {
      bool same = sgg_shfl(community, base + k) == community;
      long long other = Weights::ONES ? 1ll : sgg_shfl(weight, base + k);
      sum += same ? other : 0ll;
      first = first && !(same && k < sub);
    }
    LouvainSums sums{has && community == own ? sum : 0ll, weight};
    LouvainBest best{0.0, -1};
    if (first && community != own) {
      sgg_louvain_take(best, sgg_louvain_score(f, sum, share, community), community);
    }
    for (int d = LANES / 2; d > 0; d >>= 1) {
      long long otherOwn = __shfl_xor_sync(SGG_ALL_LANES, sums.own, d);
      if (f.outer != nullptr) {
        sums.kept += __shfl_xor_sync(SGG_ALL_LANES, sums.kept, d);
      }
      double score = __shfl_xor_sync(SGG_ALL_LANES, best.score, d);
      int other = __shfl_xor_sync(SGG_ALL_LANES, best.community, d);
      sums.own = otherOwn > sums.own ? otherOwn : sums.own;
      if (other >= 0) {
        sgg_louvain_take(best, score, other);
      }
    }
    if (isRow && sub == 0) {
      sgg_louvain_decide(f, v, own, share, sums, best);
    }
  }
}

// Sums of weights by community.
template <class Sum>
struct LouvainTable {
  int* keys;
  Sum* sums;
  unsigned capacity;
};

// Adds to the sum of a community and returns what it is now. Communities are never taken out, so there is always a free slot or its own.
template <class Sum>
SGG_DEVICE Sum sgg_louvain_add(const LouvainTable<Sum>& table, int community, Sum weight) {
  unsigned at = __umulhi((unsigned)community * 0x9E3779B9u, table.capacity);
  for (;;) {
    int found = sgg_claim(&table.keys[at], SGG_LOUVAIN_FREE, community);
    if (found == SGG_LOUVAIN_FREE || found == community) {
      return atomicAdd(&table.sums[at], weight) + weight;
    }
    at = at + 1u == table.capacity ? 0u : at + 1u;
  }
}

// The same for a table of which a slot is a community above its sum.
SGG_DEVICE unsigned sgg_louvain_add_packed(unsigned long long* slots, unsigned capacity, int community, unsigned weight) {
  unsigned at = __umulhi((unsigned)community * 0x9E3779B9u, capacity);
  unsigned long long mine = (unsigned long long)(unsigned)community << 32 | weight;
  for (;;) {
    unsigned long long found = sgg_claim(&slots[at], SGG_LOUVAIN_EMPTY, mine);
    if (found == SGG_LOUVAIN_EMPTY) {
      return weight;
    }
    if ((int)(found >> 32) == community) {
      return (unsigned)atomicAdd(&slots[at], (unsigned long long)weight) + weight;
    }
    at = at + 1u == capacity ? 0u : at + 1u;
  }
}

// Adds what lanes of a warp have found; those without anything have SGG_LOUVAIN_FREE. All lanes.
template <class Weights>
SGG_DEVICE void sgg_louvain_add_lanes(const Frame& f, const LouvainTable<typename Weights::Sum>& table, int lane, int community, long long e) {
  if constexpr (Weights::ONES) {
    unsigned same = __match_any_sync(SGG_ALL_LANES, community);
    if (community != SGG_LOUVAIN_FREE && (same & sgg_lanes(0, lane)) == 0u) {
      sgg_louvain_add(table, community, (unsigned)__popc(same));
    }
  } else if (community != SGG_LOUVAIN_FREE) {
    sgg_louvain_add(table, community, Weights::weight(f, e));
  }
}

// Adds the communities of entries [begin, begin + size) of a row, a thread of STEP; all lanes of its warp. A thread has several under way.
template <class Weights, int STEP>
SGG_DEVICE void sgg_louvain_add_row(const Frame& f, const LouvainTable<typename Weights::Sum>& table, int thread, int v, long long begin, int size) {
  int lane = thread & (SGG_WARP - 1);
  for (int from = 0; from < size; from += STEP * SGG_LOUVAIN_DEPTH) {
    int communities[SGG_LOUVAIN_DEPTH];
    SGG_UNROLL
    for (int d = 0; d < SGG_LOUVAIN_DEPTH; d++) {
      int i = from + d * STEP + thread;
      communities[d] = i < size ? f.neighbours[begin + i] : v;
    }
    SGG_UNROLL
    for (int d = 0; d < SGG_LOUVAIN_DEPTH; d++) {
      int u = communities[d];
      communities[d] = u == v || !sgg_louvain_inside(f, v, u) ? SGG_LOUVAIN_FREE : f.community[u];
    }
    SGG_UNROLL
    for (int d = 0; d < SGG_LOUVAIN_DEPTH; d++) {
      if (from + d * STEP < size) {
        sgg_louvain_add_lanes<Weights>(f, table, lane, communities[d], begin + from + d * STEP + thread);
      }
    }
  }
}

// Empties the slots from, from + step, …
template <class Sum>
SGG_DEVICE void sgg_louvain_empty(const LouvainTable<Sum>& table, unsigned from, unsigned step) {
  for (unsigned s = from; s < table.capacity; s += step) {
    table.keys[s] = SGG_LOUVAIN_FREE;
    table.sums[s] = 0;
  }
}

// The best of the slots from, from + step, …, and their sums.
template <class Sum>
SGG_DEVICE LouvainBest sgg_louvain_search(const Frame& f, const LouvainTable<Sum>& table, int own, double share, unsigned from, unsigned step,
                                          LouvainSums& sums) {
  LouvainBest best{0.0, -1};
  SGG_UNROLL_BY(SGG_LOUVAIN_DEPTH)
  for (unsigned s = from; s < table.capacity; s += step) {
    int community = table.keys[s];
    long long sum = (long long)table.sums[s];
    // No branch before it is loaded: several are under way.
    double score = sgg_louvain_score(f, sum, share, community == SGG_LOUVAIN_FREE ? own : community);
    if (community != SGG_LOUVAIN_FREE) {
      sums.kept += sum;
      if (community == own) {
        sums.own = sum;
      } else {
        sgg_louvain_take(best, score, community);
      }
    }
  }
  return best;
}

// The sums of a warp, in lane 0. All lanes.
SGG_DEVICE LouvainSums sgg_louvain_warp_sums(const Frame& f, LouvainSums sums) {
  sums.own = sgg_warp_sum(sums.own);
  if (f.outer != nullptr) {
    sums.kept = sgg_warp_sum(sums.kept);
  }
  return sums;
}

// The best that the lanes of a warp have, in lane 0. All lanes.
SGG_DEVICE LouvainBest sgg_louvain_reduce(LouvainBest best) {
  for (int d = SGG_WARP / 2; d > 0; d >>= 1) {
    double score = sgg_shfl_down(best.score, d);
    int community = sgg_shfl_down(best.community, d);
    if (community >= 0) {
      sgg_louvain_take(best, score, community);
    }
  }
  return best;
}

template <class Weights>
SGG_DEVICE void sgg_louvain_warp_rows(const Frame& f, int* keys, typename Weights::Sum* sums) {
  int lane = sgg_lane();
  int warp = (int)threadIdx.x >> 5;
  LouvainTable<typename Weights::Sum> table{keys + warp * SGG_LOUVAIN_WARP_SLOTS, sums + warp * SGG_LOUVAIN_WARP_SLOTS, 0u};
  int count = sgg_louvain_counted(f, 2);
  for (long long at = sgg_warp(); at < count; at += sgg_warps()) {
    int v = f.warpRows[at];
    int begin = f.offsets[v];
    int degree = f.offsets[v + 1] - begin;
    table.capacity = (unsigned)sgg_louvain_capacity(degree);
    sgg_louvain_empty(table, (unsigned)lane, SGG_WARP);
    __syncwarp();
    sgg_louvain_add_row<Weights, SGG_WARP>(f, table, lane, v, begin, degree);
    __syncwarp();
    int own = f.community[v];
    double share = sgg_louvain_share(f, v);
    LouvainSums found{0ll, 0ll};
    LouvainBest best = sgg_louvain_reduce(sgg_louvain_search(f, table, own, share, (unsigned)lane, SGG_WARP, found));
    found = sgg_louvain_warp_sums(f, found);
    if (lane == 0) {
      sgg_louvain_decide(f, v, own, share, found, best);
    }
    __syncwarp();
  }
}

// ---- hubs ---------------------------------------------------------------------------------------------------------------

// Entries [begin, end) of a chunk of a hub.
struct LouvainChunk {
  int hub;
  int v;
  bool only;
  long long begin;
  long long end;
};

SGG_DEVICE LouvainChunk sgg_louvain_chunk(const Frame& f, int c) {
  LouvainChunk chunk;
  chunk.hub = f.chunkHubs[c];
  chunk.v = f.hubs[chunk.hub];
  long long begin = f.offsets[chunk.v];
  long long end = f.offsets[chunk.v + 1];
  chunk.only = end - begin <= SGG_LOUVAIN_CHUNK;
  chunk.begin = begin + (long long)(c - f.hubChunks[chunk.hub]) * SGG_LOUVAIN_CHUNK;
  chunk.end = end - chunk.begin < SGG_LOUVAIN_CHUNK ? end : chunk.begin + SGG_LOUVAIN_CHUNK;
  return chunk;
}

// The best that the threads of a block have, and their sums, in thread 0. All threads.
SGG_DEVICE LouvainBest sgg_louvain_block_reduce(const Frame& f, LouvainBest best, LouvainSums& sums) {
  SGG_SHARED(double, scores, SGG_BLOCK_WARPS);
  SGG_SHARED(int, communities, SGG_BLOCK_WARPS);
  SGG_SHARED(LouvainSums, partial, SGG_BLOCK_WARPS);
  best = sgg_louvain_reduce(best);
  sums = sgg_louvain_warp_sums(f, sums);
  if (sgg_lane() == 0) {
    scores[threadIdx.x >> 5] = best.score;
    communities[threadIdx.x >> 5] = best.community;
    partial[threadIdx.x >> 5] = sums;
  }
  __syncthreads();
  if (threadIdx.x == 0u) {
    for (int w = 1; w < SGG_BLOCK_WARPS; w++) {
      sums.own += partial[w].own;
      sums.kept += partial[w].kept;
      if (communities[w] >= 0) {
        sgg_louvain_take(best, scores[w], communities[w]);
      }
    }
  }
  __syncthreads();
  return best;
}

template <class Weights>
SGG_DEVICE void sgg_louvain_hub_rows(const Frame& f, int* keys, typename Weights::Sum* sums) {
  LouvainTable<typename Weights::Sum> table{keys, sums, 0u};
  int chunks = sgg_louvain_counted(f, SGG_LOUVAIN_CHUNKS);
  for (int c = (int)blockIdx.x; c < chunks; c += (int)gridDim.x) {
    LouvainChunk chunk = sgg_louvain_chunk(f, c);
    int v = chunk.v;
    int size = (int)(chunk.end - chunk.begin);
    table.capacity = (unsigned)sgg_louvain_capacity(size);
    sgg_louvain_empty(table, threadIdx.x, SGG_BLOCK);
    __syncthreads();
    sgg_louvain_add_row<Weights, SGG_BLOCK>(f, table, (int)threadIdx.x, v, chunk.begin, size);
    __syncthreads();
    int own = f.community[v];
    double share = sgg_louvain_share(f, v);
    LouvainSums found{0ll, 0ll};
    LouvainBest best{0.0, -1};
    if (chunk.only) {
      best = sgg_louvain_search(f, table, own, share, threadIdx.x, SGG_BLOCK, found);
    } else {
      long long first = f.hubSlots[chunk.hub];
      unsigned slots = sgg_louvain_slots(f, f.offsets[v + 1] - f.offsets[v]);
      SGG_UNROLL_BY(SGG_LOUVAIN_DEPTH)
      for (unsigned s = threadIdx.x; s < table.capacity; s += SGG_BLOCK) {
        int community = table.keys[s];
        if (community == SGG_LOUVAIN_FREE) {
          continue;
        }
        found.kept += (long long)table.sums[s];
        if (community == own) {
          found.own = (long long)table.sums[s];
          continue;
        }
        long long sum;
        if constexpr (Weights::ONES) {
          sum = sgg_louvain_add_packed(f.slotSums + first, slots, community, table.sums[s]);
        } else {
          sum = (long long)sgg_louvain_add(LouvainTable<unsigned long long>{f.slotKeys + first, f.slotSums + first, slots}, community,
                                           table.sums[s]);
        }
        sgg_louvain_take(best, sgg_louvain_score(f, sum, share, community), community);
      }
    }
    best = sgg_louvain_block_reduce(f, best, found);
    if (threadIdx.x == 0u) {
      if (chunk.only) {
        sgg_louvain_decide(f, v, own, share, found, best);
      } else {
        sgg_louvain_add_to(&f.hubOwn[chunk.hub], found.own);
        sgg_louvain_add_to(&f.hubKept[chunk.hub], found.kept);
        f.chunkScores[c] = best.score;
        f.chunkBests[c] = best.community;
      }
    }
  }
}

// A warp for each hub that has several chunks.
SGG_KERNEL(louvain_finish_hubs) {
  int lane = sgg_lane();
  int count = sgg_louvain_counted(f, 3);
  for (long long h = sgg_warp(); h < count; h += sgg_warps()) {
    int v = f.hubs[h];
    int chunks = (f.offsets[v + 1] - f.offsets[v] + SGG_LOUVAIN_CHUNK - 1) / SGG_LOUVAIN_CHUNK;
    if (chunks < 2) {
      continue;
    }
    LouvainBest best{0.0, -1};
    int first = f.hubChunks[h];
    for (int c = first + lane; c < first + chunks; c += SGG_WARP) {
      if (f.chunkBests[c] >= 0) {
        sgg_louvain_take(best, f.chunkScores[c], f.chunkBests[c]);
      }
    }
    best = sgg_louvain_reduce(best);
    if (lane == 0) {
      LouvainSums sums{(long long)f.hubOwn[h], (long long)f.hubKept[h]};
      sgg_louvain_decide(f, v, f.community[v], sgg_louvain_share(f, v), sums, best);
    }
  }
}

SGG_KERNEL(louvain_short_ones) { sgg_louvain_short_rows<LouvainOnes, SGG_LOUVAIN_SHORT>(f, false, sgg_louvain_counted(f, 0)); }
SGG_KERNEL(louvain_lanes_ones) { sgg_louvain_short_rows<LouvainOnes, SGG_WARP>(f, true, sgg_louvain_counted(f, 1)); }
SGG_KERNEL(louvain_warps_ones) {
  SGG_SHARED(int, keys, SGG_BLOCK_WARPS * SGG_LOUVAIN_WARP_SLOTS);
  SGG_SHARED(unsigned, sums, SGG_BLOCK_WARPS * SGG_LOUVAIN_WARP_SLOTS);
  sgg_louvain_warp_rows<LouvainOnes>(f, keys, sums);
}
SGG_KERNEL(louvain_hubs_ones) {
  SGG_SHARED(int, keys, SGG_LOUVAIN_CHUNK_SLOTS);
  SGG_SHARED(unsigned, sums, SGG_LOUVAIN_CHUNK_SLOTS);
  sgg_louvain_hub_rows<LouvainOnes>(f, keys, sums);
}

SGG_KERNEL(louvain_short_weights) { sgg_louvain_short_rows<LouvainWeights, SGG_LOUVAIN_SHORT>(f, false, sgg_louvain_counted(f, 0)); }
SGG_KERNEL(louvain_lanes_weights) { sgg_louvain_short_rows<LouvainWeights, SGG_WARP>(f, true, sgg_louvain_counted(f, 1)); }
SGG_KERNEL(louvain_warps_weights) {
  SGG_SHARED(int, keys, SGG_BLOCK_WARPS * SGG_LOUVAIN_WARP_SLOTS);
  SGG_SHARED(unsigned long long, sums, SGG_BLOCK_WARPS * SGG_LOUVAIN_WARP_SLOTS);
  sgg_louvain_warp_rows<LouvainWeights>(f, keys, sums);
}
SGG_KERNEL(louvain_hubs_weights) {
  SGG_SHARED(int, keys, SGG_LOUVAIN_CHUNK_SLOTS);
  SGG_SHARED(unsigned long long, sums, SGG_LOUVAIN_CHUNK_SLOTS);
  sgg_louvain_hub_rows<LouvainWeights>(f, keys, sums);
}

// ---- moving -------------------------------------------------------------------------------------------------------------

// What the move of a vertex changes along an entry of its row, of twice the weight inside of communities; marks the neighbour to decide again
// unless it is where the vertex goes.
SGG_DEVICE long long sgg_louvain_moved(const Frame& f, int v, int from, int to, long long e) {
  int u = f.neighbours[e];
  if (u == v) {
    return 0ll;
  }
  int then = f.community[u];
  int now = sgg_louvain_class(f, u) == (int)f.ofClass ? f.next[u] : then;
  // Who has not moved does not count itself what changed between them.
  long long weight = (f.weights == nullptr ? 1ll : f.weights[e]) * (then == now ? 2ll : 1ll);
  if (then != to) {
    sgg_set_bit(f.active, u);
  }
  return (now == to ? weight : 0ll) - (then == from ? weight : 0ll);
}

SGG_DEVICE void sgg_louvain_changed(const Frame& f, long long change) {
  change = sgg_warp_sum(change);
  if (sgg_lane() == 0 && change != 0ll) {
    sgg_louvain_add_to(&f.state[SGG_LOUVAIN_INSIDE], change);
  }
}

// Rows of one kind, LANES for each.
template <int LANES>
SGG_DEVICE long long sgg_louvain_mark_rows(const Frame& f, const int* rows, long long step, int count) {
  long long change = 0ll;
  int lane = sgg_lane();
  constexpr int ROWS = SGG_WARP / LANES;
  for (long long begin = sgg_warp() * ROWS; begin < count; begin += sgg_warps() * ROWS) {
    long long at = begin + lane / LANES;
    if (at < count) {
      int v = rows[at * step];
      int from = f.community[v];
      int to = f.next[v];
      if (from != to) {
        for (long long e = f.offsets[v] + (lane & (LANES - 1)); e < f.offsets[v + 1]; e += LANES) {
          change += sgg_louvain_moved(f, v, from, to, e);
        }
      }
    }
  }
  return change;
}

// Marks the neighbours of those that will move.
SGG_KERNEL(louvain_mark) {
  long long change = sgg_louvain_mark_rows<SGG_LOUVAIN_SHORT>(f, f.queue, 1, sgg_louvain_counted(f, 0));
  change += sgg_louvain_mark_rows<SGG_WARP>(f, f.queue + f.size - 1, -1, sgg_louvain_counted(f, 1));
  change += sgg_louvain_mark_rows<SGG_WARP>(f, f.warpRows, 1, sgg_louvain_counted(f, 2));
  sgg_louvain_changed(f, change);
}

SGG_KERNEL(louvain_mark_hubs) {
  long long change = 0ll;
  int chunks = sgg_louvain_counted(f, SGG_LOUVAIN_CHUNKS);
  for (int c = (int)blockIdx.x; c < chunks; c += (int)gridDim.x) {
    LouvainChunk chunk = sgg_louvain_chunk(f, c);
    int from = f.community[chunk.v];
    int to = f.next[chunk.v];
    if (from != to) {
      for (long long e = chunk.begin + threadIdx.x; e < chunk.end; e += SGG_BLOCK) {
        change += sgg_louvain_moved(f, chunk.v, from, to, e);
      }
    }
  }
  sgg_louvain_changed(f, change);
}

// Moves them.
SGG_KERNEL(louvain_move) {
  long long moved = 0ll;
  for (int kind = 0; kind < 4; kind++) {
    int count = sgg_louvain_counted(f, kind);
    const int* rows = kind == 0 ? f.queue : kind == 1 ? f.queue + f.size - 1 : kind == 2 ? f.warpRows : f.hubs;
    long long step = kind == 1 ? -1 : 1;
    for (long long at = sgg_thread(); at < count; at += sgg_threads()) {
      int v = rows[at * step];
      int from = f.community[v];
      int to = f.next[v];
      if (from != to) {
        sgg_louvain_add_to(&f.totals[from], -f.strengths[v]);
        sgg_louvain_add_to(&f.totals[to], f.strengths[v]);
        f.community[v] = to;
        moved++;
      }
    }
  }
  moved = sgg_warp_sum(moved);
  if (sgg_lane() == 0 && moved > 0ll) {
    sgg_louvain_add_to(&f.state[SGG_LOUVAIN_MOVED], moved);
  }
}

// ---- a level ------------------------------------------------------------------------------------------------------------

// Every vertex is alone, or in a community of f.together.
SGG_KERNEL(louvain_begin) {
  for (long long v = sgg_thread(); v < f.size; v += sgg_threads()) {
    int community = f.together == nullptr ? (int)v : f.together[v];
    f.community[v] = community;
    f.next[v] = community;
    f.totals[v] = f.together == nullptr ? (unsigned long long)f.strengths[v] : 0ull;
  }
}

// Totals of the communities of f.together, to zeros.
SGG_KERNEL(louvain_totals) {
  for (long long v = sgg_thread(); v < f.size; v += sgg_threads()) {
    sgg_louvain_add_to(&f.totals[f.together[v]], f.strengths[v]);
  }
}

// Strengths of vertices whose weights are all 1, but for loops.
SGG_KERNEL(louvain_degrees) {
  for (long long v = sgg_thread(); v < f.size; v += sgg_threads()) {
    f.strengths[v] = (long long)f.offsets[v + 1] - f.offsets[v];
  }
}

// … and for these: a loop, which the row has once, counts f.loops times.
SGG_KERNEL(louvain_loops) {
  int lane = sgg_lane();
  long long loops = 0ll;
  for (long long number = sgg_warp(); number * Policy::EDGE_PART < f.entries; number += sgg_warps()) {
    EdgePart part = sgg_edge_part(f.offsets, lane, number, f.entries, f.size);
    int row = part.firstRow;
    for (int e = part.begin + lane; e < part.end; e += SGG_WARP) {
      row = sgg_row_of(f.offsets, e, row, part.lastRow);
      if (f.neighbours[e] == row) {
        loops += f.loops;
        if (f.loops > 1) {
          sgg_louvain_add_to((unsigned long long*)&f.strengths[row], f.loops - 1);
        }
      }
    }
  }
  sgg_louvain_changed(f, loops);
}

// Strengths of vertices by weights, loops likewise; a warp a row.
SGG_KERNEL(louvain_strengths) {
  int lane = sgg_lane();
  long long inside = 0ll;
  for (long long v = sgg_warp(); v < f.size; v += sgg_warps()) {
    long long sum = 0ll;
    for (long long e = f.offsets[v] + lane; e < f.offsets[v + 1]; e += SGG_WARP) {
      long long weight = f.weights[e];
      if (f.neighbours[e] == (int)v) {
        weight *= f.loops;
        inside += weight;
      }
      sum += weight;
    }
    sum = sgg_warp_sum(sum);
    if (lane == 0) {
      f.strengths[v] = sum;
      if (sum != 0ll) {
        sgg_louvain_add_to(&f.state[SGG_LOUVAIN_MOVED], sum);
      }
    }
  }
  sgg_louvain_changed(f, inside);
}

// The sum of the squares of totals, in four sums of 32 bits of them each.
SGG_KERNEL(louvain_squares) {
  unsigned long long sums[4] = {0ull, 0ull, 0ull, 0ull};
  for (long long c = sgg_thread(); c < f.size; c += sgg_threads()) {
    unsigned long long total = f.totals[c];
    unsigned long long low = total * total;
    unsigned long long high = __umul64hi(total, total);
    sums[0] += low & 0xffffffffull;
    sums[1] += low >> 32;
    sums[2] += high & 0xffffffffull;
    sums[3] += high >> 32;
  }
  for (int i = 0; i < 4; i++) {
    long long sum = sgg_warp_sum((long long)sums[i]);
    if (sgg_lane() == 0 && sum != 0ll) {
      sgg_louvain_add_to(&f.state[SGG_LOUVAIN_SQUARES + i], sum);
    }
  }
}
