// Sorts keys of 64 bits by digits, the lowest first, each pass stable, whatever runs when.
//
// A pass: every block counts the digits of its own stretch of tiles, the counts are scanned digit by digit, and the blocks go through their
// stretches once more: warps rank the keys of a tile by votes, the tile is put in order in shared memory, and leaves it in runs of equal
// digits. No atomics decide a place. (The usual radix sort of GPUs: Merrill and Grimshaw 2010.) The frame has keys[count] and
// otherKeys[count], between which a pass moves; shift and digitBits, which digit it is; blocks, with how many the passes are launched;
// digitCounts[digits * blocks] and digitTotals[digits].

// A thread takes SGG_ROWS_KEYS keys of a tile. Digits have up to SGG_ROWS_DIGITS values, one for each thread of a block.

typedef unsigned long long RowKey;

SGG_DEVICE int sgg_rows_digit(const Frame& f, RowKey key) {
  return (int)(key >> f.shift) & ((1 << f.digitBits) - 1);
}

// Tiles [firstTile, endTile) of a block; as many for each.
SGG_DEVICE long long sgg_rows_tile(const Frame& f, int keys, long long block) {
  long long tiles = (f.count + keys * (long long)SGG_BLOCK - 1) / (keys * (long long)SGG_BLOCK);
  return tiles * block / gridDim.x;
}

// How many keys with each digit every block will meet: counts[digit * blocks + block].
SGG_DEVICE void sgg_rows_count(const Frame& f, int* counted, int keys) {
  int warp = (int)threadIdx.x >> 5;
  for (int d = (int)threadIdx.x; d < SGG_BLOCK_WARPS * SGG_ROWS_DIGITS; d += SGG_BLOCK) {
    counted[d] = 0;
  }
  __syncthreads();
  long long end = sgg_rows_tile(f, keys, blockIdx.x + 1ll) * keys * SGG_BLOCK;
  end = end < f.count ? end : f.count;
  for (long long e = sgg_rows_tile(f, keys, blockIdx.x) * keys * SGG_BLOCK + threadIdx.x; e < end; e += SGG_BLOCK) {
    atomicAdd(&counted[warp * SGG_ROWS_DIGITS + sgg_rows_digit(f, f.keys[e])], 1);
  }
  __syncthreads();
  int digit = (int)threadIdx.x;
  if (digit < 1 << f.digitBits) {
    int sum = 0;
    for (int w = 0; w < SGG_BLOCK_WARPS; w++) {
      sum += counted[w * SGG_ROWS_DIGITS + digit];
    }
    f.digitCounts[(long long)digit * gridDim.x + blockIdx.x] = sum;
  }
}

SGG_KERNEL(rows_count) {
  SGG_SHARED(int, counted, SGG_BLOCK_WARPS * SGG_ROWS_DIGITS);
  sgg_rows_count(f, counted, SGG_ROWS_KEYS);
}

// What is before this thread's value among those of its block, and their sum. Whoever calls it again synchronises the block between.
SGG_DEVICE int sgg_rows_before(int value, int* warpSums, int& all) {
  int lane = sgg_lane();
  int warp = (int)threadIdx.x >> 5;
  int sum = value;
  for (int d = 1; d < SGG_WARP; d <<= 1) {
    int below = sgg_shfl(sum, lane >= d ? lane - d : lane);
    sum += lane >= d ? below : 0;
  }
  if (lane == SGG_WARP - 1) {
    warpSums[warp] = sum;
  }
  __syncthreads();
  int before = 0;
  all = 0;
  for (int w = 0; w < SGG_BLOCK_WARPS; w++) {
    before += w < warp ? warpSums[w] : 0;
    all += warpSums[w];
  }
  return before + sum - value;
}

// Turns the counts of a digit, one block each, into what blocks before have, and finds the digit's total.
SGG_KERNEL(rows_scan) {
  SGG_SHARED(int, warpSums, SGG_BLOCK_WARPS);
  int* counts = f.digitCounts + (long long)blockIdx.x * f.blocks;
  int before = 0;
  for (long long first = 0; first < f.blocks; first += SGG_BLOCK) {
    long long b = first + threadIdx.x;
    int all;
    int place = before + sgg_rows_before(b < f.blocks ? counts[b] : 0, warpSums, all);
    if (b < f.blocks) {
      counts[b] = place;
    }
    before += all;
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    f.digitTotals[blockIdx.x] = before;
  }
}

// Moves the keys of a block's tiles to where their digits stand, in order; if NUMBERED a number with each.
template <int KEYS, bool NUMBERED>
SGG_DEVICE void sgg_rows_move(const Frame& f, int* ranks, int* starts, int* shifts, int* warpSums, RowKey* staged, const int* numbers, int* otherNumbers,
                              int* stagedNumbers) {
  int lane = sgg_lane();
  int warp = (int)threadIdx.x >> 5;
  int digit = (int)threadIdx.x;
  bool used = digit < 1 << f.digitBits;
  int all;
  // Where this block's next key with the thread's digit goes.
  int cursor = sgg_rows_before(used ? f.digitTotals[digit] : 0, warpSums, all);
  cursor += used ? f.digitCounts[(long long)digit * gridDim.x + blockIdx.x] : 0;
  int* mine = ranks + warp * SGG_ROWS_DIGITS;
  long long endTile = sgg_rows_tile(f, KEYS, blockIdx.x + 1ll);
  for (long long tile = sgg_rows_tile(f, KEYS, blockIdx.x); tile < endTile; tile++) {
    long long first = tile * KEYS * SGG_BLOCK;
    int size = (int)(f.count - first < KEYS * SGG_BLOCK ? f.count - first : KEYS * SGG_BLOCK);
    for (int d = lane; d < SGG_ROWS_DIGITS; d += SGG_WARP) {
      mine[d] = 0;
    }
    __syncwarp();
    // A warp has keys that follow each other: what it ranks is in their order.
    RowKey keys[KEYS];
    int places[KEYS];
    SGG_UNROLL
    for (int i = 0; i < KEYS; i++) {
      int at = (warp * KEYS + i) * SGG_WARP + lane;
      keys[i] = at < size ? f.keys[first + at] : 0;
    }
    SGG_UNROLL
    for (int i = 0; i < KEYS; i++) {
      int at = (warp * KEYS + i) * SGG_WARP + lane;
      // What is behind the end is like nothing.
      int d = at < size ? sgg_rows_digit(f, keys[i]) : -1;
      unsigned same = __match_any_sync(SGG_ALL_LANES, d);
      int leader = __ffs((int)same) - 1;
      int before = 0;
      if (lane == leader && d >= 0) {
        before = mine[d];
        mine[d] = before + __popc(same);
      }
      places[i] = sgg_shfl(before, leader) + __popc(same & sgg_lanes(0, lane));
      __syncwarp();
    }
    __syncthreads();
    int count = 0;
    for (int w = 0; w < SGG_BLOCK_WARPS; w++) {
      int of = ranks[w * SGG_ROWS_DIGITS + digit];
      ranks[w * SGG_ROWS_DIGITS + digit] = count;
      count += of;
    }
    int start = sgg_rows_before(count, warpSums, all);
    starts[digit] = start;
    shifts[digit] = cursor - start;
    cursor += count;
    __syncthreads();
    SGG_UNROLL
    for (int i = 0; i < KEYS; i++) {
      int at = (warp * KEYS + i) * SGG_WARP + lane;
      if (at < size) {
        int d = sgg_rows_digit(f, keys[i]);
        int place = starts[d] + mine[d] + places[i];
        staged[place] = keys[i];
        if (NUMBERED) {
          stagedNumbers[place] = numbers[first + at];
        }
      }
    }
    __syncthreads();
    for (int i = (int)threadIdx.x; i < size; i += SGG_BLOCK) {
      RowKey key = staged[i];
      int to = shifts[sgg_rows_digit(f, key)] + i;
      f.otherKeys[to] = key;
      if (NUMBERED) {
        otherNumbers[to] = stagedNumbers[i];
      }
    }
    __syncthreads();
  }
}

SGG_KERNEL_OF(rows_move, Policy::ROW_MOVE_BLOCKS) {
  SGG_SHARED(int, ranks, SGG_BLOCK_WARPS * SGG_ROWS_DIGITS);
  SGG_SHARED(int, starts, SGG_ROWS_DIGITS);
  SGG_SHARED(int, shifts, SGG_ROWS_DIGITS);
  SGG_SHARED(int, warpSums, SGG_BLOCK_WARPS);
  SGG_SHARED(RowKey, staged, SGG_ROWS_KEYS * SGG_BLOCK);
  sgg_rows_move<SGG_ROWS_KEYS, false>(f, ranks, starts, shifts, warpSums, staged, nullptr, nullptr, nullptr);
}
