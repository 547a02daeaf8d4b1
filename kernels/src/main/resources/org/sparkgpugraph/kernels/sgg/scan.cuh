// Where each of some parts begins, if they stand one behind the other: places[i] is the sum of amounts[0 … i − 1], places[parts] of all,
// which has to fit in 31 bits. Three launches: sums of tiles, the places of tiles, those of the parts. Stands on radix.cuh.

// Parts of a tile.
SGG_DEVICE long long sgg_scan_tiles(const Frame& f) { return (f.parts + SGG_SCAN_TILE - 1) / SGG_SCAN_TILE; }

SGG_DEVICE int sgg_amount(const Frame& f, long long part) { return part < f.parts ? f.amounts[part] : 0; }

SGG_KERNEL(scan_tiles) {
  SGG_SHARED(int, warpSums, SGG_BLOCK_WARPS);
  for (long long tile = blockIdx.x; tile < sgg_scan_tiles(f); tile += gridDim.x) {
    int sum = 0;
    for (int i = (int)threadIdx.x; i < SGG_SCAN_TILE; i += SGG_BLOCK) {
      sum += sgg_amount(f, tile * SGG_SCAN_TILE + i);
    }
    int all;
    sgg_rows_before(sum, warpSums, all);
    if (threadIdx.x == 0) {
      f.tiles[tile] = all;
    }
    __syncthreads();
  }
}

// One block.
SGG_KERNEL(scan_tops) {
  SGG_SHARED(int, warpSums, SGG_BLOCK_WARPS);
  int before = 0;
  long long tiles = sgg_scan_tiles(f);
  for (long long first = 0; first < tiles; first += SGG_BLOCK) {
    long long tile = first + threadIdx.x;
    int all;
    int place = before + sgg_rows_before(tile < tiles ? f.tiles[tile] : 0, warpSums, all);
    if (tile < tiles) {
      f.tiles[tile] = place;
    }
    before += all;
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    f.places[f.parts] = before;
  }
}

SGG_KERNEL(scan_places) {
  SGG_SHARED(int, warpSums, SGG_BLOCK_WARPS);
  for (long long tile = blockIdx.x; tile < sgg_scan_tiles(f); tile += gridDim.x) {
    int before = f.tiles[tile];
    for (int i = (int)threadIdx.x; i < SGG_SCAN_TILE; i += SGG_BLOCK) {
      long long part = tile * SGG_SCAN_TILE + i;
      int all;
      int place = before + sgg_rows_before(sgg_amount(f, part), warpSums, all);
      if (part < f.parts) {
        f.places[part] = place;
      }
      before += all;
      __syncthreads();
    }
  }
}
