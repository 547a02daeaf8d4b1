// Strongly connected components: those without in- or out-edges are trimmed, and whoever has none left because of that; then the component of a vertex
// of many edges both ways is where what it reaches and what reaches it meet (Fleischer, Hendrickson, Pinar 2000, "On identifying strongly connected
// components in parallel"); then, in rounds, colours flow along the edges, and each vertex that keeps its own is of a component with all of its colour
// that reach it (Orzan 2004; Slota, Rajamanickam, Madduri 2014, "BFS and coloring-based parallel algorithms for strongly connected components and
// related problems"). What is found is taken away from the degrees of the others, of which those are trimmed then that have none. Behind frontier.cuh.
//
// component: -1 of who is left; then some member of the component, at last its smallest. colour: -1 of who has been taken away. Colours are numbers of
// vertices out of order, so that a graph in order is not found one component a round.

#define SGG_STRONG_ODD 0x9e3779b1u
#define SGG_BOTH_SIDES (SGG_SIDE_IN | SGG_SIDE_OUT)

SGG_DEVICE int sgg_colour(int v) { return (int)((unsigned)v * SGG_STRONG_ODD & 0x7fffffffu); }

SGG_KERNEL(strong_start) {
  for (long long v = sgg_thread(); v < f.size; v += sgg_threads()) {
    bool exists = sgg_exists(f, (int)v);
    f.component[v] = -1;
    f.colour[v] = 0;
    f.stamp[v] = 0;
    f.least[v] = (int)v;
    f.inLeft[v] = exists ? f.inOffsets[v + 1] - f.inOffsets[v] : 0;
    f.outLeft[v] = exists ? f.outOffsets[v + 1] - f.outOffsets[v] : 0;
  }
}

SGG_KERNEL(strong_in_loops) { sgg_frontier_loops(f, false, f.inLeft); }
SGG_KERNEL(strong_out_loops) { sgg_frontier_loops(f, true, f.outLeft); }

// A vertex becomes a component of its own, unless others have seen to it; whether it did.
SGG_DEVICE bool sgg_trim(const Frame& f, int v) {
  if (atomicCAS(&f.component[v], -1, v) != -1) {
    return false;
  }
  f.colour[v] = -1;
  return true;
}

// Takes the edges of who was found away, and trims.
struct TakeOut {
  static constexpr bool OWNERS = true;
  SGG_DEVICE_MEMBER int look(const Frame& f, int other) const { return f.component[other]; }
  SGG_DEVICE_MEMBER bool visit(const Frame& f, int owner, int other, int component) const {
    return component < 0 && atomicSub(owner < 0 ? &f.inLeft[other] : &f.outLeft[other], 1) == 1 && sgg_trim(f, other);
  }
};

// Marks who is reached.
struct Reach {
  static constexpr bool OWNERS = true;
  unsigned* marks;
  SGG_DEVICE_MEMBER int look(const Frame& f, int other) const { return f.component[other] < 0 && !sgg_bit(marks, other) ? 1 : 0; }
  SGG_DEVICE_MEMBER bool visit(const Frame&, int, int other, int may) const {
    unsigned bit = 1u << (other & 31);
    return may != 0 && (atomicOr(&marks[other >> 5], bit) & bit) == 0u;
  }
};

// Gives colours on, to who has a larger one; it goes on once a wave.
struct Colour {
  static constexpr bool OWNERS = true;
  int wave;
  SGG_DEVICE_MEMBER int look(const Frame& f, int other) const { return f.component[other] < 0 ? f.colour[other] : -1; }
  SGG_DEVICE_MEMBER bool visit(const Frame& f, int owner, int other, int before) const {
    int colour = *(volatile const int*)&f.colour[~owner];
    return colour < before && colour < atomicMin(&f.colour[other], colour) && atomicExch(&f.stamp[other], wave) != wave;
  }
};

// Finds who of a colour reaches the vertex that it is of.
struct Gather {
  static constexpr bool OWNERS = true;
  SGG_DEVICE_MEMBER int look(const Frame& f, int other) const { return f.component[other] < 0 ? f.colour[other] : -1; }
  SGG_DEVICE_MEMBER bool visit(const Frame& f, int owner, int other, int colour) const {
    return colour >= 0 && colour == f.colour[owner] && atomicCAS(&f.component[other], -1, f.component[owner]) == -1;
  }
};

// A search at one place of it, the same in all threads.
struct Search {
  unsigned target;
  unsigned phase;
  int wave;
  long long left;   // vertices of which nobody knows the component
  long long count;  // parts of the list
  bool other;       // which of the two lists it is
};

SGG_DEVICE RowPart* sgg_strong_list(const Frame& f, const Search& s, bool next) { return s.other != next ? f.nextParts : f.parts; }

// Ends a phase that has listed vertices; returns how many.
SGG_DEVICE long long sgg_strong_end(const Frame& f, Search& s, unsigned long long* slot) {
  sgg_grid_sync(&f.state[SGG_FRONTIER_ARRIVALS], s.target);
  unsigned long long told = sgg_fresh(&slot[SGG_FRONTIER_LISTED]);
  s.count = (long long)(unsigned)told;
  s.other = !s.other;
  return (long long)(told >> 32);
}

// Lists those for which that holds; returns how many. What is told of `most` is the largest of what `select` gives.
template <class Select>
SGG_DEVICE long long sgg_strong_look(const Frame& f, int lane, Search& s, unsigned sides, const Select& select, unsigned long long& most) {
  unsigned long long* slot = sgg_frontier_begin(f, s.phase++);
  unsigned long long told = 0;
  for (long long at = sgg_warp() * SGG_WARP; at < f.size; at += sgg_warps() * SGG_WARP) {
    int v = (int)(at + lane);
    bool goes = at + lane < f.size && select.goes(f, v, told);
    sgg_frontier_go_one(f, lane, goes, v, sides, sgg_strong_list(f, s, true), 0, slot);
  }
  sgg_frontier_most(lane, told, &slot[SGG_STRONG_MOST]);
  long long listed = sgg_strong_end(f, s, slot);
  most = sgg_fresh(&slot[SGG_STRONG_MOST]);
  return listed;
}

// Walks wave after wave; returns how many vertices were reached.
template <class Visitor>
SGG_DEVICE long long sgg_strong_walk(const Frame& f, int lane, Search& s, unsigned sides, Visitor visitor) {
  long long reached = 0;
  while (s.count > 0) {
    unsigned long long* slot = sgg_frontier_begin(f, s.phase++);
    sgg_frontier_walk(f, lane, sgg_strong_list(f, s, false), 0, s.count, visitor, sides, sgg_strong_list(f, s, true), 0, slot);
    reached += sgg_strong_end(f, s, slot);
  }
  return reached;
}

// The same of colours, whose waves are numbered.
SGG_DEVICE void sgg_strong_colour(const Frame& f, int lane, Search& s) {
  while (s.count > 0) {
    unsigned long long* slot = sgg_frontier_begin(f, s.phase++);
    s.wave++;
    sgg_frontier_walk(f, lane, sgg_strong_list(f, s, false), 0, s.count, Colour{s.wave}, SGG_SIDE_OUT, sgg_strong_list(f, s, true), 0, slot);
    sgg_strong_end(f, s, slot);
  }
}

// Who has no in- or no out-edges.
struct Single {
  SGG_DEVICE_MEMBER bool goes(const Frame& f, int v, unsigned long long&) const {
    return (f.inLeft[v] == 0 || f.outLeft[v] == 0) && sgg_trim(f, v);
  }
};

// The vertex of most edges both ways, of them the first: its complement below.
struct Pivot {
  SGG_DEVICE_MEMBER bool goes(const Frame& f, int v, unsigned long long& told) const {
    if (f.component[v] < 0) {
      unsigned long long key = (unsigned long long)sgg_smaller(f.inLeft[v], f.outLeft[v]) << 32 | ~(unsigned)v;
      told = key > told ? key : told;
    }
    return false;
  }
};

// One vertex, marked as reached.
struct Begin {
  int from;
  unsigned* marks;
  SGG_DEVICE_MEMBER bool goes(const Frame&, int v, unsigned long long&) const {
    if (v == from) {
      atomicOr(&marks[v >> 5], 1u << (v & 31));
    }
    return v == from;
  }
};

// Those who are reached both ways, to begin with the first of them: as its complement.
struct Met {
  int label;
  SGG_DEVICE_MEMBER bool goes(const Frame& f, int v, unsigned long long& told) const {
    if (f.component[v] >= 0 || !sgg_bit(f.forward, v) || !sgg_bit(f.backward, v)) {
      return false;
    }
    if (label < 0) {
      told = ~(unsigned)v > told ? (unsigned long long)~(unsigned)v : told;
      return false;
    }
    f.component[v] = label;
    f.colour[v] = -1;
    return true;
  }
};

// All who are left, each with a colour of its own.
struct Coloured {
  SGG_DEVICE_MEMBER bool goes(const Frame& f, int v, unsigned long long&) const {
    if (f.component[v] >= 0) {
      return false;
    }
    f.colour[v] = sgg_colour(v);
    return true;
  }
};

// Those who kept theirs.
struct Root {
  SGG_DEVICE_MEMBER bool goes(const Frame& f, int v, unsigned long long&) const {
    if (f.component[v] >= 0 || f.colour[v] != sgg_colour(v)) {
      return false;
    }
    f.component[v] = v;
    return true;
  }
};

// Those who were found since, whose edges nobody has taken away.
struct Found {
  SGG_DEVICE_MEMBER bool goes(const Frame& f, int v, unsigned long long&) const {
    if (f.component[v] < 0 || f.colour[v] < 0) {
      return false;
    }
    f.colour[v] = -1;
    if (v < f.component[v]) {
      atomicMin(&f.least[f.component[v]], v);
    }
    return true;
  }
};

// Finds the component of a vertex of many edges both ways; returns its size.
SGG_DEVICE long long sgg_strong_meet(const Frame& f, int lane, Search& s) {
  unsigned long long most;
  sgg_strong_look(f, lane, s, 0u, Pivot{}, most);
  int pivot = (int)~(unsigned)most;
  SGG_KEEP_LOOP
  for (unsigned side = SGG_SIDE_IN; side <= SGG_SIDE_OUT; side++) {
    unsigned* marks = side == SGG_SIDE_OUT ? f.forward : f.backward;
    sgg_strong_look(f, lane, s, side, Begin{pivot, marks}, most);
    sgg_strong_walk(f, lane, s, side, Reach{marks});
  }
  sgg_strong_look(f, lane, s, 0u, Met{-1}, most);
  return sgg_strong_look(f, lane, s, SGG_BOTH_SIDES, Met{(int)~(unsigned)most}, most);
}

// Finds a component for each colour that is left in the end; returns how many vertices they have.
SGG_DEVICE long long sgg_strong_round(const Frame& f, int lane, Search& s) {
  unsigned long long most;
  sgg_strong_look(f, lane, s, SGG_SIDE_OUT, Coloured{}, most);
  sgg_strong_colour(f, lane, s);
  sgg_strong_look(f, lane, s, SGG_SIDE_IN, Root{}, most);
  sgg_strong_walk(f, lane, s, SGG_SIDE_IN, Gather{});
  return sgg_strong_look(f, lane, s, SGG_BOTH_SIDES, Found{}, most);
}

SGG_KERNEL_OF(strong_search, Policy::FRONTIER_BLOCKS) {
  int lane = sgg_lane();
  Search s = {0u, 0u, 0, f.size, 0, false};
  unsigned long long most;
  for (int round = 0; s.left > 0; round++) {
    if (round == 0) {
      s.left -= sgg_strong_look(f, lane, s, SGG_BOTH_SIDES, Single{}, most);
    } else if (round == 1) {
      s.left -= sgg_strong_meet(f, lane, s);
    } else {
      s.left -= sgg_strong_round(f, lane, s);
    }
    // Where all are found nobody is left to be told.
    if (s.left > 0) {
      s.left -= sgg_strong_walk(f, lane, s, SGG_BOTH_SIDES, TakeOut{});
    }
  }
}

// Puts the smallest member in the place of each.
SGG_KERNEL(strong_smallest) {
  for (long long v = sgg_thread(); v < f.size; v += sgg_threads()) {
    f.component[v] = f.least[f.component[v]];
  }
}
