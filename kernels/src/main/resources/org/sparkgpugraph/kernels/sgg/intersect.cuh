// Intersects sorted rows of an oriented graph: every edge is in the row of one end, rows ascend, and a row names vertices of lower rank
// than its own alone. An entry is rank << 1 | reciprocal. For each triangle of ranks u > v > w its three corners get 1 in the upper half
// of a total and in the lower half the edges of the opposite side, 1 or 2. Totals are sums of integers: any order gives the same.
//
// A triangle is found at v: w is in its row, u has v in its row, and w before it there. So what is looked at of u's row is what is before
// v, not the rows of the vertices in it, which are three to four times as long (R-MAT). Ranks below f.listedRanks (those of large degree)
// have a list of the rows that name them; blocks take parts of lists, keep the row of v in shared memory, a bit a rank, and look
// the rows of the list up there. What w gets is added up in shared memory, a cell for each entry of v's row. Other ranks are searched for
// in the rows of those that name them, by a warp for each u. (The work is that of Chiba and Nishizeki 1985.)
//
// Triangles are counted from the rows of f.sources, or of all ranks where there are none.

// Printed by Java: SGG_ONE, a 1 in the upper half of a total; SGG_MAP_WORDS of 32 ranks each and SGG_MAP_CELLS, a block's room for a row,
// which is taken in slices that fit; SGG_MAP_BLOCKS that a multiprocessor should hold; SGG_MAP_DEPTH, entries that a lane has under way
// together; SGG_MAP_LIST, most rows of a list that a block takes at a time, so that 15 bits count them.

SGG_DEVICE unsigned long long sgg_side(int entry) { return SGG_ONE + 1ull + (unsigned long long)(entry & 1); }

SGG_DEVICE void sgg_add_total(const Frame& f, int vertex, unsigned long long sum) {
  if (sum != 0ull) {
    atomicAdd(&f.totals[vertex], sum);
  }
}

// The first position in [from, to) of a row whose entry is of a rank or behind it.
SGG_DEVICE int sgg_find_rank(const int* entries, int from, int to, int rank) {
  while (from < to) {
    int middle = from + ((to - from) >> 1);
    if (entries[middle] >> 1 < rank) {
      from = middle + 1;
    } else {
      to = middle;
    }
  }
  return from;
}

// Rank of the s-th source.
SGG_DEVICE int sgg_source(const Frame& f, long long s) { return f.sources == nullptr ? (int)s : f.sources[s]; }

// ---- lists ------------------------------------------------------------------------------------------

// How many rows name each rank.
SGG_KERNEL(intersect_above) {
  for (long long s = sgg_warp(); s < f.sourceCount; s += sgg_warps()) {
    int u = sgg_source(f, s);
    int end = f.end[u];
    for (int e = f.begin[u] + sgg_lane(); e < end; e += SGG_WARP) {
      atomicAdd(&f.above[f.entries[e] >> 1], 1);
    }
  }
}

// Whether a rank has a list.
SGG_DEVICE bool sgg_listed(const Frame& f, int rank) { return rank < (int)f.listedRanks && f.end[rank] > f.begin[rank]; }

// The lengths of lists, or into how many parts they are cut.
SGG_KERNEL(intersect_lengths) {
  for (long long v = sgg_thread(); v < f.listedRanks; v += sgg_threads()) {
    f.lengths[v] = sgg_listed(f, (int)v) ? f.above[v] : 0;
  }
}

SGG_KERNEL(intersect_cuts) {
  for (long long v = sgg_thread(); v < f.listedRanks; v += sgg_threads()) {
    f.lengths[v] = (f.listBegin[v + 1] - f.listBegin[v] + SGG_MAP_LIST - 1) / SGG_MAP_LIST;
    f.listNext[v] = f.listBegin[v];
  }
}

// Puts rows into the lists of those that they name: rank << 1 | reciprocal above the position in the row.
SGG_KERNEL(intersect_lists) {
  for (long long s = sgg_warp(); s < f.sourceCount; s += sgg_warps()) {
    int u = sgg_source(f, s);
    int begin = f.begin[u];
    int end = f.end[u];
    for (int e = begin + sgg_lane(); e < end; e += SGG_WARP) {
      int entry = f.entries[e];
      int v = entry >> 1;
      if (sgg_listed(f, v)) {
        f.lists[atomicAdd(&f.listNext[v], 1)] = (unsigned long long)((unsigned)u << 1 | (unsigned)(entry & 1)) << 32 | (unsigned)(e - begin);
      }
    }
  }
}

// The parts of lists, those of large degrees first: a rank above the begin of the part.
SGG_KERNEL(intersect_parts) {
  for (long long v = sgg_thread(); v < f.listedRanks; v += sgg_threads()) {
    int end = f.listBegin[v + 1];
    long long part = f.partBegin[v];
    for (long long at = f.listBegin[v]; at < end; at += SGG_MAP_LIST) {
      f.listParts[part++] = (unsigned long long)v << 32 | (unsigned)at;
    }
  }
}

// ---- counting ---------------------------------------------------------------------------------------

// What a lane has found with v: triangles, and the edges of the sides opposite to v.
struct Found {
  unsigned long long triangles;
  unsigned long long links;
};

// Whether the e-th entry is the first of its word, in the slice of a row that begins at `slice` and with rank `base`.
SGG_DEVICE bool sgg_opens_word(const Frame& f, int slice, int base, int e) {
  return e == slice || ((f.entries[e - 1] >> 1) - base) >> 5 != ((f.entries[e] >> 1) - base) >> 5;
}

// Looks up in the slice what is in [from, size) of the row at `begin`, which is that of rank `named` >> 1 and names v; bit 0: reciprocally.
SGG_DEVICE void sgg_look_up(const Frame& f, int lane, int base, int named, int begin, int from, int size, const unsigned* bits,
                            const unsigned short* firsts, unsigned* cells, Found& found) {
  unsigned seen = 0u;
  for (int k = from + lane; k < size; k += SGG_WARP * SGG_MAP_DEPTH) {
    int entries[SGG_MAP_DEPTH];
    SGG_UNROLL
    for (int d = 0; d < SGG_MAP_DEPTH; d++) {
      entries[d] = k + SGG_WARP * d < size ? f.entries[begin + k + SGG_WARP * d] : -1;
    }
    SGG_UNROLL
    for (int d = 0; d < SGG_MAP_DEPTH; d++) {
      // What is before the slice, behind it, or nothing, is far away without a sign.
      unsigned at = (unsigned)((entries[d] >> 1) - base);
      unsigned word = at < 32u * SGG_MAP_WORDS ? bits[at >> 5] : 0u;
      if ((word >> (at & 31u) & 1u) != 0u) {
        unsigned before = word & ((1u << (at & 31u)) - 1u);
        unsigned cell = atomicAdd(&cells[firsts[at >> 5] + __popc(before)], (1u << 16) + ((unsigned)named & 1u) * 2u);
        seen += (1u << 16) + 1u + (cell & 1u);
        found.links += 1u + (unsigned)(entries[d] & 1);
      }
    }
  }
  seen = sgg_warp_add(seen);
  found.triangles += seen >> 16;
  if (lane == 0) {
    sgg_add_total(f, named >> 1, (unsigned long long)(seen >> 16) * SGG_ONE + (seen & 0xffffu));
  }
}

SGG_KERNEL_OF(intersect_map, sgg_smaller(SGG_MAP_BLOCKS, Policy::MOST_BLOCKS)) {
  // Of the slice of v's row: which ranks from `base` on are in it; by word the number of entries before; by entry, from bit 0 on, whether
  // it is reciprocal, how many reciprocal entries of v have found it (15 bits), and how many entries have (16 bits).
  SGG_SHARED(unsigned, bits, SGG_MAP_WORDS);
  SGG_SHARED(unsigned short, firsts, SGG_MAP_WORDS);
  SGG_SHARED(unsigned, cells, SGG_MAP_CELLS);
  SGG_SHARED(int, taken, 1);
  int thread = (int)threadIdx.x;
  int lane = sgg_lane();
  for (int word = thread; word < SGG_MAP_WORDS; word += SGG_BLOCK) {
    bits[word] = 0u;
  }
  for (;;) {
    __syncthreads();
    if (thread == 0) {
      taken[0] = atomicAdd(f.next, 1);
    }
    __syncthreads();
    if (taken[0] >= f.partCount) {
      return;
    }
    unsigned long long part = f.listParts[taken[0]];
    int v = (int)(part >> 32);
    int listFrom = (int)(part & 0xffffffffull);
    int listEnd = sgg_smaller(f.listBegin[v + 1] - listFrom, SGG_MAP_LIST) + listFrom;
    int rowEnd = f.end[v];
    bool whole = true;
    Found found = {0ull, 0ull};
    for (int slice = f.begin[v]; slice < rowEnd; whole = false) {
      int base = f.entries[slice] >> 6 << 5;
      int sliceEnd = sgg_smaller(rowEnd - slice, SGG_MAP_CELLS) + slice;
      sliceEnd = sgg_find_rank(f.entries, slice, sliceEnd, base + 32 * SGG_MAP_WORDS);
      for (int e = slice + thread; e < sliceEnd; e += SGG_BLOCK) {
        int entry = f.entries[e];
        int at = (entry >> 1) - base;
        atomicOr(&bits[at >> 5], 1u << (at & 31));
        cells[e - slice] = (unsigned)(entry & 1);
        if (sgg_opens_word(f, slice, base, e)) {
          firsts[at >> 5] = (unsigned short)(e - slice);
        }
      }
      __syncthreads();
      // Neighbouring places of the list go to different warps, which all have something to do so.
      for (int first = listFrom + (thread >> 5); first < listEnd; first += SGG_BLOCK) {
        int mine = first + SGG_BLOCK_WARPS * lane;
        unsigned long long place = mine < listEnd ? f.lists[mine] : 0ull;
        int row = (int)(place >> 32);
        int size = (int)(place & 0xffffffffull);
        int begin = f.begin[(unsigned)row >> 1];
        int from = whole ? 0 : sgg_find_rank(f.entries, begin, begin + size, base) - begin;
        int rows = sgg_smaller((listEnd - first + SGG_BLOCK_WARPS - 1) / SGG_BLOCK_WARPS, SGG_WARP);
        for (int i = 0; i < rows; i++) {
          int rowFrom = sgg_shfl(from, i);
          int rowSize = sgg_shfl(size, i);
          int named = sgg_shfl(row, i);
          int rowBegin = sgg_shfl(begin, i);
          if (rowFrom < rowSize) {
            sgg_look_up(f, lane, base, named, rowBegin, rowFrom, rowSize, bits, firsts, cells, found);
          }
        }
      }
      __syncthreads();
      for (int e = slice + thread; e < sliceEnd; e += SGG_BLOCK) {
        int w = f.entries[e] >> 1;
        unsigned cell = cells[e - slice];
        sgg_add_total(f, w, (unsigned long long)(cell >> 16) * (SGG_ONE + 1ull) + (cell >> 1 & 0x7fffu));
        if (sgg_opens_word(f, slice, base, e)) {
          bits[(w - base) >> 5] = 0u;
        }
      }
      __syncthreads();
      slice = sliceEnd;
    }
    found.links = sgg_warp_sum(found.links);
    if (lane == 0) {
      sgg_add_total(f, v, found.triangles * SGG_ONE + found.links);
    }
  }
}

// Entries without a list. A lane looks for an entry before one of them in the row of that.
SGG_KERNEL(intersect_search) {
  int lane = sgg_lane();
  for (long long s = sgg_warp(); s < f.sourceCount; s += sgg_warps()) {
    int u = sgg_source(f, s);
    int first = f.begin[u];
    int size = f.end[u] - first;
    if (u <= f.listedRanks || size < 2) {
      continue;
    }
    unsigned long long own = 0ull;
    int from = sgg_find_rank(f.entries, first + 1, first + size, (int)f.listedRanks);
    for (int e = from; e < first + size; e++) {
      int entry = f.entries[e];
      int v = entry >> 1;
      int begin = f.begin[v];
      int end = f.end[v];
      unsigned long long ofEntry = 0ull;
      for (int k = first + lane; k < e && begin < end; k += SGG_WARP) {
        int wanted = f.entries[k];
        int at = sgg_find_rank(f.entries, begin, end, wanted >> 1);
        int met = at < end ? f.entries[at] : -1;
        if (met >= 0 && met >> 1 == wanted >> 1) {
          own += sgg_side(met);
          ofEntry += sgg_side(wanted);
          sgg_add_total(f, wanted >> 1, sgg_side(entry));
        }
      }
      ofEntry = sgg_warp_sum(ofEntry);
      if (lane == 0) {
        sgg_add_total(f, v, ofEntry);
      }
    }
    own = sgg_warp_sum(own);
    if (lane == 0) {
      sgg_add_total(f, u, own);
    }
  }
}
