// Which rows and edges a superstep takes: its mode, the filter of edges, the borders, who exists and who is a candidate.

// How the rows of a superstep are chosen; each is a kernel of its own.
enum {
  SGG_TAKE_ALL,     // every row, every edge
  SGG_TAKE_DENSE,   // every row, the edges that the filter selects
  SGG_TAKE_SPARSE,  // candidate rows, the edges that the filter selects
  SGG_TAKE_STOPPING // rows that may improve, edges up to one that says as much as any (stopping.cuh)
};

SGG_DEVICE constexpr bool sgg_filter_reads_row(int filter) {
  return filter == SGG_FILTER_ROW || filter == SGG_FILTER_ROW_OR_NEIGHBOUR || filter == SGG_FILTER_ROW_AND_NEIGHBOUR;
}

// Filters of a mode. A monotone program in place evaluates all edges of a dense superstep.
SGG_DEVICE constexpr int sgg_filter_of(int mode, int filter) {
  return mode == SGG_TAKE_ALL || (mode == SGG_TAKE_DENSE && SGG_IN_PLACE) ? SGG_FILTER_NONE : filter;
}

// Whether all edges of all rows count in a mode.
template <int Mode>
SGG_DEVICE constexpr bool sgg_takes_all() {
  return Mode != SGG_TAKE_SPARSE && sgg_filter_of(Mode, SGG_IN_FILTER) == SGG_FILTER_NONE &&
         sgg_filter_of(Mode, SGG_OUT_FILTER) == SGG_FILTER_NONE;
}

// Whether lanes share the arrays of the edges that a mode selects (selected.cuh); where teams run vertices (team.cuh), of all.
template <int Mode>
SGG_DEVICE constexpr bool sgg_selects_parts() {
  return SGG_FEATURES_SELECT != 0 && (SGG_TEAM != 0 || !sgg_takes_all<Mode>());
}

// The rows that the superstep computes: all held ones, or, where neighbouring devices hold some both and decide superstep by superstep
// whose they are (permissive partitioning, Khorasani 2016, chapter 3), those between the borders. The first is the first of a word.
#if SGG_PERMISSIVE
SGG_DEVICE long long sgg_first_row(const Frame& f) { return f.firstRow; }
SGG_DEVICE long long sgg_end_row(const Frame& f) { return f.endRow; }
#else
SGG_DEVICE long long sgg_first_row(const Frame&) { return 0; }
SGG_DEVICE long long sgg_end_row(const Frame& f) { return f.stored; }
#endif

SGG_DEVICE bool sgg_present(const Frame& f, int v) { return !SGG_MISSING || f.present == nullptr || sgg_bit(f.present, v); }

// Whether a row is a candidate of a sparse superstep: one bit per 2^groupShift vertices.
SGG_DEVICE bool sgg_candidate(const Frame& f, int v) { return sgg_bit(f.candidates, v >> (int)f.groupShift); }

// Whether the 32 rows of a bitmap word may have a candidate.
SGG_DEVICE bool sgg_candidate_in(const Frame& f, long long word) {
  int shift = (int)f.groupShift;
  if (shift >= 5) {
    return sgg_bit(f.candidates, (int)((word << 5) >> shift));
  }
  int groups = SGG_WARP >> shift;
  int firstGroup = (int)((word << 5) >> shift);
  return (f.candidates[firstGroup >> 5] & sgg_lanes(firstGroup & 31, (firstGroup & 31) + groups)) != 0u;
}

// Whether the filter selects an edge, given its row's activity and its other end.
template <int Filter>
SGG_DEVICE bool sgg_selects(const Frame& f, bool rowActive, int neighbour) {
  switch (Filter) {
    case SGG_FILTER_NEIGHBOUR:
      return sgg_bit(f.active, neighbour);
    case SGG_FILTER_ROW:
      return rowActive;
    case SGG_FILTER_ROW_OR_NEIGHBOUR:
      return rowActive || sgg_bit(f.active, neighbour);
    case SGG_FILTER_ROW_AND_NEIGHBOUR:
      return rowActive && sgg_bit(f.active, neighbour);
    default:
      return true;
  }
}
