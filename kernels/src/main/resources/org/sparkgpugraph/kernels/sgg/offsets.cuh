// The row that an edge is in, of compressed sparse rows.

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
