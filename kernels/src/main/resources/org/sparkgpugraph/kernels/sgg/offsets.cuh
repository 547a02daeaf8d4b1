// Compressed sparse rows: the row that an edge is in, and edges dealt out to warps evenly, whatever rows they are in.

// The row in [low, high] that an edge is in: the last one that begins at or before it.
SGG_DEVICE int sgg_row_of(const int* offsets, int edge, int low, int high) {
  while (low < high) {
    int middle = low + (high - low + 1) / 2;
    if (offsets[middle] <= edge) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low;
}

// The same, by all lanes of a warp together: of 32 places each time, so that few loads wait for each other.
SGG_DEVICE int sgg_row_of_warp(const int* offsets, int lane, int edge, int low, int high) {
  while (low < high) {
    int step = (high - low + SGG_WARP - 1) / SGG_WARP;
    // high − low may be near 2^31.
    long long place = low + (lane + 1ll) * step;
    bool before = offsets[place < high ? place : high] <= edge;
    int count = __popc(__ballot_sync(SGG_ALL_LANES, before));
    long long next = low + (count + 1ll) * step;
    long long last = low + (long long)count * step;
    if (count < SGG_WARP) {
      high = (int)(next < high ? next : high) - 1;
    }
    low = (int)(last < high ? last : high);
  }
  return low;
}

// What a warp takes of all edges at a time, Policy::EDGE_PART but for the last part: edges [begin, end) of rows [firstRow, lastRow].
struct EdgePart {
  int begin;
  int end;
  int firstRow;
  int lastRow;
};

// Part `number` of the edges of some rows; the number times Policy::EDGE_PART is less than `edges`. All lanes.
SGG_DEVICE EdgePart sgg_edge_part(const int* offsets, int lane, long long number, long long edges, long long rows) {
  EdgePart part;
  part.begin = (int)(number * Policy::EDGE_PART);
  part.end = (int)(edges - part.begin < Policy::EDGE_PART ? edges : part.begin + Policy::EDGE_PART);
  part.firstRow = sgg_row_of_warp(offsets, lane, part.begin, 0, (int)rows - 1);
  part.lastRow = sgg_row_of_warp(offsets, lane, part.end - 1, part.firstRow, (int)rows - 1);
  return part;
}
