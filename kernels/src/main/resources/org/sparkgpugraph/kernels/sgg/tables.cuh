// Edges in columns that are on the device: ends are ids of 64 bits, any, and become dense ids here.
//
// Ids that lie close together are marked in a bitmap, and an id's dense id is how many marks are before it: bitRanks has the marks before
// every SGG_TABLE_MARKS words, 64 bytes, so that little of it goes to the device. Others are sorted, and the distinct ones found by threads that walk a stretch each; a dense id is a place among these.
// Dense ids ascend with the ids either way, as they do on the host.

// Of a shard the ids from heldLeast to heldLargest are held, and every edge has an end there. Where programs follow edges forwards alone
// (`forward`), edges whose destination another shard holds only tell that their source exists: they become no row.

// Whether another shard holds a vertex.
SGG_DEVICE bool sgg_table_elsewhere(const Frame& f, long long id) { return id < f.heldLeast || id > f.heldLargest; }

// Which id an end stands for: a destination of an edge that becomes no row for its source, in `otherIds` then.
SGG_DEVICE long long sgg_table_id(const Frame& f, long long i) {
  long long id = f.ids[i];
  return f.otherIds != nullptr && sgg_table_elsewhere(f, id) ? f.otherIds[i] : id;
}

// The least and the largest id of a column, in bounds[0] and bounds[1].
SGG_KERNEL(table_bounds) {
  long long low = 0x7fffffffffffffffll;
  long long high = -low - 1;
  for (long long i = sgg_thread(); i < f.count; i += sgg_threads()) {
    long long id = sgg_table_id(f, i);
    low = id < low ? id : low;
    high = id > high ? id : high;
  }
  for (int d = SGG_WARP / 2; d > 0; d >>= 1) {
    long long otherLow = sgg_shfl(low, sgg_lane() ^ d);
    long long otherHigh = sgg_shfl(high, sgg_lane() ^ d);
    low = otherLow < low ? otherLow : low;
    high = otherHigh > high ? otherHigh : high;
  }
  if (sgg_lane() == 0 && low <= high) {
    atomicMin(&f.bounds[0], low);
    atomicMax(&f.bounds[1], high);
  }
}

// Marks the ids of a column, none of which is negative.
SGG_KERNEL(table_mark) {
  for (long long i = sgg_thread(); i < f.count; i += sgg_threads()) {
    long long id = sgg_table_id(f, i);
    unsigned mark = 1u << (id & 31);
    if ((f.bits[id >> 5] & mark) == 0) {
      atomicOr(&f.bits[id >> 5], mark);
    }
  }
}

// Keys of the ids of a column, from key `first` on, as distances to the least id.
SGG_KERNEL(table_keys) {
  for (long long i = sgg_thread(); i < f.count; i += sgg_threads()) {
    f.keys[f.first + i] = (RowKey)sgg_table_id(f, i) - (RowKey)f.least;
  }
}

// Where a thread's stretch of sorted keys begins.
SGG_DEVICE long long sgg_table_stretch(const Frame& f, long long thread) {
  long long each = (f.count + f.stretches - 1) / f.stretches;
  return thread * each < f.count ? thread * each : f.count;
}

// Writes the distinct ids of every stretch behind those before it, or counts them where there is nothing to write to.
SGG_KERNEL(table_distinct) {
  for (long long s = sgg_thread(); s < f.stretches; s += sgg_threads()) {
    long long end = sgg_table_stretch(f, s + 1);
    int found = 0;
    int at = f.distinctIds == nullptr ? 0 : f.distinctCounts[s];
    for (long long e = sgg_table_stretch(f, s); e < end; e++) {
      RowKey key = f.keys[e];
      if (e == 0 || f.keys[e - 1] != key) {
        if (f.distinctIds != nullptr) {
          f.distinctIds[at + found] = (long long)(key + (RowKey)f.least);
        }
        found++;
      }
    }
    if (f.distinctIds == nullptr) {
      f.distinctCounts[s] = found;
    }
  }
}

SGG_DEVICE int sgg_table_dense(const Frame& f, long long id) {
  if (f.bitRanks != nullptr) {
    // The host's words have 64 bits, the lower half first: two of these.
    long long last = id >> 5;
    long long word = last / SGG_TABLE_MARKS * SGG_TABLE_MARKS;
    int rank = f.bitRanks[last / SGG_TABLE_MARKS];
    for (; word < last; word++) {
      rank += __popc(f.bits[word]);
    }
    return rank + __popc(f.bits[last] & ((1u << (id & 31)) - 1));
  }
  if (f.distinctIds != nullptr) {
    long long low = 0;
    long long high = f.vertices - 1;
    while (low < high) {
      long long middle = (low + high) >> 1;
      if (f.distinctIds[middle] < id) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return (int)low;
  }
  return (int)id;
}

// Keys of the edges of a table, from edge `first` on, as rows_pack makes them.
SGG_KERNEL(table_pack) {
  for (long long i = sgg_thread(); i < f.count; i += sgg_threads()) {
    RowKey source = (RowKey)sgg_table_dense(f, f.ids[i]);
    RowKey destination = (RowKey)sgg_table_dense(f, f.otherIds[i]);
    f.keys[f.first + i] = destination << f.neighbourBits | source;
    if (f.numbers != nullptr) {
      f.numbers[f.first + i] = (int)(f.first + i);
    }
  }
}

// The same of a shard's edges. The destination of one that becomes no row is behind all vertices.
SGG_KERNEL(table_pack_shard) {
  for (long long i = sgg_thread(); i < f.count; i += sgg_threads()) {
    bool elsewhere = sgg_table_elsewhere(f, f.otherIds[i]);
    if (elsewhere && sgg_table_elsewhere(f, f.ids[i])) {
      atomicAdd(f.strangers, 1ull);
    }
    RowKey source = (RowKey)sgg_table_dense(f, f.ids[i]);
    RowKey destination = elsewhere && f.forward != 0 ? (RowKey)f.vertices : (RowKey)sgg_table_dense(f, f.otherIds[i]);
    f.keys[f.first + i] = destination << f.neighbourBits | source;
    if (f.numbers != nullptr) {
      f.numbers[f.first + i] = (int)(f.first + i);
    }
  }
}

// Neighbours of a shard's rows, from key `first` on, as its local indexes: what is held, then the ghosts, both in the order of the dense ids.
SGG_KERNEL(table_neighbours) {
  RowKey mask = ((RowKey)1 << f.neighbourBits) - 1;
  for (long long e = sgg_thread(); e < f.count; e += sgg_threads()) {
    long long dense = (long long)(f.keys[f.first + e] >> f.shift & mask);
    long long held = dense - f.firstHeld;
    f.neighbours[e] = (int)(held < 0 ? f.endHeld - f.firstHeld + dense : dense < f.endHeld ? held : dense);
  }
}

// Counts how many edges of a shard's rows leave each dense id, in `leaving`.
SGG_KERNEL(table_leaving) {
  RowKey mask = ((RowKey)1 << f.neighbourBits) - 1;
  for (long long e = sgg_thread(); e < f.count; e += sgg_threads()) {
    atomicAdd(&f.leaving[f.keys[f.first + e] & mask], 1);
  }
}

// Copies a column of 8 bytes a row, from row `first` on.
SGG_KERNEL(table_copy) {
  for (long long i = sgg_thread(); i < f.count; i += sgg_threads()) {
    f.bounds[f.first + i] = f.ids[i];
  }
}
