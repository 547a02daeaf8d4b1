// Dynamic thread assignment (Khorasani 2016, section 3.2): the edges of those of a warp's 32 rows that take part stand in one list without
// gaps, and the lanes walk it 32 places at a time, each finding the row that owns its place by a search over the lanes.

// The edges of a warp's rows as one list: this lane's row owns places [start, start + count) of it.
struct PackedRows {
  int begin;  // first edge of this lane's row
  int count;  // its edges; 0 when the row takes no part
  int start;
  int total;  // length of the list
};

// Packs the rows; `whole` says that every row takes part, so that the list is one range of edges as it is.
SGG_DEVICE PackedRows sgg_pack(int begin, int count, bool whole, int lane) {
  PackedRows rows;
  rows.begin = begin;
  rows.count = count;
  if (whole) {
    rows.start = begin - sgg_shfl(begin, 0);
  } else {
    rows.start = sgg_warp_sums(count, lane) - count;
  }
  rows.total = sgg_shfl(rows.start + count, SGG_WARP - 1);
  return rows;
}

// The lane whose row owns a place of the list: the largest with start <= place, by binary search in five steps. Rows without
// edges share their start with the next one, which is larger, and so own nothing.
SGG_DEVICE int sgg_owner(const PackedRows& rows, int place) {
  int owner = 0;
  for (int d = SGG_WARP / 2; d > 0; d >>= 1) {
    if (sgg_shfl(rows.start, owner + d) <= place) {
      owner += d;
    }
  }
  return owner;
}

// Whether the filter selects at least one edge of this lane's row (gather ALL).
template <class Side, int Filter>
SGG_DEVICE bool sgg_any_selected(const Frame& f, int lane, const PackedRows& rows, bool rowActive) {
  if (Filter == SGG_FILTER_NONE) {
    return rows.count > 0;
  }
  if (Filter == SGG_FILTER_ROW) {
    return rowActive && rows.count > 0;
  }
  unsigned activeRows = sgg_filter_reads_row(Filter) ? __ballot_sync(SGG_ALL_LANES, rowActive) : 0u;
  bool any = false;
  for (int base = 0; base < rows.total; base += SGG_WARP) {
    int place = base + lane;
    int owner = sgg_owner(rows, place);
    int edge = sgg_shfl(rows.begin, owner) + (place - sgg_shfl(rows.start, owner));
    bool selected = place < rows.total && sgg_selects<Filter>(f, (activeRows >> owner) & 1u, Side::neighbour(f, edge));
    unsigned found = __ballot_sync(SGG_ALL_LANES, selected);
    any |= (found & sgg_lanes(sgg_larger(rows.start - base, 0), sgg_smaller(rows.start + rows.count - base, SGG_WARP))) != 0u;
  }
  return any;
}
