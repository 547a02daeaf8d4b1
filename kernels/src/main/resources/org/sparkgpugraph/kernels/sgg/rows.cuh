// Compressed sparse rows from edges in any order. An edge is a key of 64 bits, its row above its neighbour; keys are sorted by digits
// (radix.cuh), so that a row's neighbours ascend and equal ones keep the order of the edges, whatever runs when. Where edges carry values,
// their numbers travel with the keys, and each value is fetched once, in the end.

// More keys of a thread make longer runs, and with the numbers of edges beside them there is room for fewer, SGG_ROWS_NUMBERED_KEYS.

// Keys of edges as they were loaded, from edge `first` on: their ends are dense ids, or entries of a dictionary of these.
SGG_KERNEL(rows_pack) {
  for (long long i = sgg_thread(); i < f.count; i += sgg_threads()) {
    int source = f.sources[i];
    int destination = f.destinations[i];
    if (f.map != nullptr) {
      source = f.map[source];
      destination = f.map[destination];
    }
    if (source < 0 || source >= f.vertices || destination < 0 || destination >= f.vertices) {
      atomicAdd(f.strangers, 1ull);
      source = 0;
      destination = 0;
    }
    f.keys[f.first + i] = (RowKey)destination << f.neighbourBits | (RowKey)source;
    if (f.numbers != nullptr) {
      f.numbers[f.first + i] = (int)(f.first + i);
    }
  }
}

// Keys of the edges of rows, turned round. A warp takes some edges at a time, whatever rows they are in.
SGG_KERNEL(rows_turn) {
  int lane = sgg_lane();
  for (long long number = sgg_warp(); number * Policy::EDGE_PART < f.count; number += sgg_warps()) {
    EdgePart part = sgg_edge_part(f.offsets, lane, number, f.count, f.vertices);
    for (int e = part.begin + lane; e < part.end; e += SGG_WARP) {
      int row = sgg_row_of(f.offsets, e, part.firstRow, part.lastRow);
      f.keys[e] = (RowKey)f.neighbours[e] << f.neighbourBits | (RowKey)row;
      if (f.numbers != nullptr) {
        f.numbers[e] = e;
      }
    }
  }
}

// Where each vertex's keys begin once they are sorted by the part of theirs from `shift` on: offsets of vertices and the end.
SGG_KERNEL(rows_offsets) {
  RowKey mask = ((RowKey)1 << f.neighbourBits) - 1;
  for (long long v = sgg_thread(); v <= f.vertices; v += sgg_threads()) {
    long long low = 0;
    long long high = f.count;
    while (low < high) {
      long long middle = (low + high) >> 1;
      if ((long long)(f.keys[middle] >> f.shift & mask) < v) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    f.offsets[v] = (int)low;
  }
}

SGG_KERNEL(rows_neighbours) {
  RowKey mask = ((RowKey)1 << f.neighbourBits) - 1;
  for (long long e = sgg_thread(); e < f.count; e += sgg_threads()) {
    f.neighbours[e] = (int)(f.keys[e] & mask);
  }
}

template <class T>
SGG_DEVICE void sgg_rows_values(const Frame& f) {
  const T* from = (const T*)f.values;
  T* to = (T*)f.sortedValues;
  if (f.valueWidth == 1) {
    for (long long e = sgg_thread(); e < f.count; e += sgg_threads()) {
      to[e] = from[f.numbers[e]];
    }
    return;
  }
  // An edge's array is so many numbers, which neighbouring threads take.
  for (long long i = sgg_thread(); i < f.count * f.valueWidth; i += sgg_threads()) {
    long long e = i / f.valueWidth;
    to[i] = from[f.numbers[e] * f.valueWidth + (i - e * f.valueWidth)];
  }
}

SGG_KERNEL(rows_values1) { sgg_rows_values<unsigned char>(f); }
SGG_KERNEL(rows_values4) { sgg_rows_values<unsigned>(f); }
SGG_KERNEL(rows_values8) { sgg_rows_values<unsigned long long>(f); }
