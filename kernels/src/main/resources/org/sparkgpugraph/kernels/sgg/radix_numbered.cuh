// The sort of radix.cuh with a number beside each key, numbers[count] and otherNumbers[count]. With these beside them there is room for fewer keys of
// a thread, SGG_ROWS_NUMBERED_KEYS.

SGG_KERNEL(rows_count_numbered) {
  SGG_SHARED(int, counted, SGG_BLOCK_WARPS * SGG_ROWS_DIGITS);
  sgg_rows_count(f, counted, SGG_ROWS_NUMBERED_KEYS);
}

SGG_KERNEL_OF(rows_move_numbered, Policy::ROW_MOVE_BLOCKS) {
  SGG_SHARED(int, ranks, SGG_BLOCK_WARPS * SGG_ROWS_DIGITS);
  SGG_SHARED(int, starts, SGG_ROWS_DIGITS);
  SGG_SHARED(int, shifts, SGG_ROWS_DIGITS);
  SGG_SHARED(int, warpSums, SGG_BLOCK_WARPS);
  SGG_SHARED(RowKey, staged, SGG_ROWS_NUMBERED_KEYS * SGG_BLOCK);
  SGG_SHARED(int, stagedNumbers, SGG_ROWS_NUMBERED_KEYS * SGG_BLOCK);
  sgg_rows_move<SGG_ROWS_NUMBERED_KEYS, true>(f, ranks, starts, shifts, warpSums, staged, f.numbers, f.otherNumbers, stagedNumbers);
}
