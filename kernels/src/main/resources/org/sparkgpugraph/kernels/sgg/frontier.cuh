// Waves of one launch of blocks that wait for each other, by operators: the vertices of a wave stand in a list as parts of their rows, whose edges
// the lanes of a warp share evenly, and whoever is reached and goes on stands in the list of the next wave. Of a thousand waves most have little to
// do. What a phase tells is counted in one of three slots (SGG_FRONTIER_SLOT_COUNT), of which the next phase's is emptied meanwhile and the last
// one's is still read by who is late. Behind offsets.cuh, locals.cuh and grid.cuh.
//
// SGG_FRONTIER_OUT: whether out-rows are walked, too.

// A part of a row, of SGG_FRONTIER_PART edges but for the last one: its number above the vertex; the highest bit is set of an out-row.
typedef unsigned long long RowPart;

#define SGG_SIDE_IN 1u
#define SGG_SIDE_OUT 2u

SGG_DEVICE const int* sgg_frontier_offsets(const Frame& f, bool out) {
#if SGG_FRONTIER_OUT
  return out ? f.outOffsets : f.inOffsets;
#else
  return f.inOffsets;
#endif
}

SGG_DEVICE const int* sgg_frontier_neighbours(const Frame& f, bool out) {
#if SGG_FRONTIER_OUT
  return out ? f.outTargets : f.inSources;
#else
  return f.inSources;
#endif
}

// Takes those edges of all rows of a side off the lengths of these that lead nowhere: loops, and edges of which an end is not a vertex.
SGG_DEVICE void sgg_frontier_loops(const Frame& f, bool out, int* lengths) {
  const int* offsets = sgg_frontier_offsets(f, out);
  const int* neighbours = sgg_frontier_neighbours(f, out);
  int lane = sgg_lane();
  for (long long number = sgg_warp(); number * Policy::EDGE_PART < f.edges; number += sgg_warps()) {
    EdgePart part = sgg_edge_part(offsets, lane, number, f.edges, f.stored);
    for (int e = part.begin + lane; e < part.end; e += SGG_WARP) {
      int other = neighbours[e];
      bool counts = sgg_exists(f, other);
      // Most neighbours are elsewhere.
      if (!counts || (other >= part.firstRow && other <= part.lastRow)) {
        int row = sgg_row_of(offsets, e, part.firstRow, part.lastRow);
        if ((!counts || row == other) && sgg_exists(f, row)) {
          atomicSub(&lengths[row], 1);
        }
      }
    }
  }
}

// Parts of a row.
SGG_DEVICE int sgg_frontier_parts(const Frame& f, bool out, int v) {
  const int* offsets = sgg_frontier_offsets(f, out);
  return (int)(((long long)offsets[v + 1] - offsets[v] + SGG_FRONTIER_PART - 1) / SGG_FRONTIER_PART);
}

// Lists vertices of a warp's lanes, of each COUNT at most, behind those of this phase: the parts of their rows of some sides. All lanes.
template <int COUNT>
SGG_DEVICE void sgg_frontier_go(const Frame& f, int lane, const bool (&goes)[COUNT], const int (&vertices)[COUNT], unsigned sides, RowPart* list,
                                long long first, unsigned long long* slot) {
  int going = 0;
  SGG_UNROLL
  for (int i = 0; i < COUNT; i++) {
    going += goes[i] ? 1 : 0;
  }
  if (!__any_sync(SGG_ALL_LANES, going > 0)) {
    return;
  }
  int ins[COUNT];
  int all[COUNT];
  int parts = 0;
  SGG_UNROLL
  for (int i = 0; i < COUNT; i++) {
    bool has = goes[i] && sgg_exists(f, vertices[i]);
    ins[i] = has && (sides & SGG_SIDE_IN) ? sgg_frontier_parts(f, false, vertices[i]) : 0;
    all[i] = ins[i] + (has && (sides & SGG_SIDE_OUT) ? sgg_frontier_parts(f, true, vertices[i]) : 0);
    parts += all[i];
  }
  int sums = sgg_warp_sums(parts, lane);
  int total = sgg_shfl(sums, SGG_WARP - 1);
  unsigned gone = sgg_warp_add((unsigned)going);
  long long before = 0;
  if (lane == 0) {
    before = (long long)atomicAdd(&slot[SGG_FRONTIER_LISTED], (unsigned long long)gone << 32 | (unsigned)total);
  }
  before = sgg_shfl(before, 0);
  long long place = first + (long long)(unsigned)before + sums - parts;
  SGG_UNROLL
  for (int i = 0; i < COUNT; i++) {
    SGG_KEEP_LOOP
    for (int p = 0; p < all[i]; p++) {
      RowPart part = p < ins[i] ? (RowPart)p << 32 : (RowPart)(p - ins[i]) << 32 | 1ull << 63;
      list[place++] = part | (unsigned)vertices[i];
    }
  }
}

// The same of one for each lane.
SGG_DEVICE void sgg_frontier_go_one(const Frame& f, int lane, bool goes, int v, unsigned sides, RowPart* list, long long first,
                                    unsigned long long* slot) {
  const bool some[1] = {goes};
  const int vertices[1] = {v};
  sgg_frontier_go<1>(f, lane, some, vertices, sides, list, first, slot);
}

// Walks the parts [head, tail) of a list. A visitor is asked for each edge, first what it loads of the other end (look; of some edges together, so
// that many are under way), then whether the other end goes on (visit). Visitor::OWNERS: whether it asks whose row it is.
template <class Visitor>
SGG_DEVICE void sgg_frontier_walk(const Frame& f, int lane, const RowPart* list, long long head, long long tail, const Visitor& visitor,
                                  unsigned sides, RowPart* next, long long first, unsigned long long* slot) {
  long long each = (tail - head + sgg_warps() - 1) / sgg_warps();
  int group = (int)(each < SGG_WARP ? each : SGG_WARP);
  for (long long at = head + sgg_warp() * group; at < tail; at += sgg_warps() * group) {
    int begin = 0;
    int edges = 0;
    int own = 0;
    if (lane < group && at + lane < tail) {
      RowPart part = list[at + lane];
      bool out = part >> 63 != 0;
      int v = (int)(unsigned)part;
      const int* offsets = sgg_frontier_offsets(f, out);
      begin = offsets[v] + (int)(part >> 32 & 0x7fffffffull) * SGG_FRONTIER_PART;
      edges = sgg_smaller(SGG_FRONTIER_PART, offsets[v + 1] - begin);
      own = out ? ~v : v;
    }
    int sums = sgg_warp_sums(edges, lane);
    int total = sgg_shfl(sums, SGG_WARP - 1);
    // Where the edges would begin that the warp's edge 0 belonged to, if it were the lane's.
    int origin = begin - (sums - edges);
    for (int round = 0; round < total; round += Policy::FRONTIER_DEPTH * SGG_WARP) {
      int other[Policy::FRONTIER_DEPTH];
      int owner[Policy::FRONTIER_DEPTH];
      int looked[Policy::FRONTIER_DEPTH];
      SGG_UNROLL
      for (int i = 0; i < Policy::FRONTIER_DEPTH; i++) {
        int place = round + i * SGG_WARP + lane;
        int of = 0;
        SGG_UNROLL
        for (int step = SGG_WARP / 2; step > 0; step /= 2) {
          of += sgg_shfl(sums, of + step - 1) <= place ? step : 0;
        }
        int from = sgg_shfl(origin, of);
        owner[i] = Visitor::OWNERS ? sgg_shfl(own, of) : 0;
        other[i] = place < total ? sgg_frontier_neighbours(f, owner[i] < 0)[from + place] : -1;
      }
      SGG_UNROLL
      for (int i = 0; i < Policy::FRONTIER_DEPTH; i++) {
        looked[i] = other[i] >= 0 ? visitor.look(f, other[i]) : 0;
      }
      bool goes[Policy::FRONTIER_DEPTH];
      SGG_UNROLL
      for (int i = 0; i < Policy::FRONTIER_DEPTH; i++) {
        goes[i] = other[i] >= 0 && visitor.visit(f, owner[i], other[i], looked[i]);
      }
      sgg_frontier_go<Policy::FRONTIER_DEPTH>(f, lane, goes, other, sides, next, first, slot);
    }
  }
}

SGG_DEVICE unsigned long long* sgg_frontier_slot(const Frame& f, unsigned phase) {
  return f.state + SGG_FRONTIER_SLOTS + phase % SGG_FRONTIER_SLOT_COUNT * SGG_FRONTIER_SLOT_WORDS;
}

// Begins a phase: its slot is empty, the next one's is emptied.
SGG_DEVICE unsigned long long* sgg_frontier_begin(const Frame& f, unsigned phase) {
  if (sgg_thread() == 0) {
    unsigned long long* next = sgg_frontier_slot(f, phase + 1u);
    for (int i = 0; i < SGG_FRONTIER_SLOT_WORDS; i++) {
      next[i] = 0;
    }
  }
  return sgg_frontier_slot(f, phase);
}

// The largest of the warps' values, 0 at least. All lanes.
SGG_DEVICE void sgg_frontier_most(int lane, unsigned long long value, unsigned long long* word) {
  for (int d = SGG_WARP / 2; d > 0; d /= 2) {
    unsigned long long other = (unsigned long long)sgg_shfl_down((long long)value, d);
    value = other > value ? other : value;
  }
  if (lane == 0 && sgg_fresh(word) < value) {
    atomicMax(word, value);
  }
}
