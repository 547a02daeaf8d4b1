// What blocks of a cooperative launch need, which are all resident: a barrier of the grid, words that others write meanwhile, a clock.

// The emulator has its own barrier and clock.
#ifndef SGG_EMULATED
SGG_DEVICE unsigned long long sgg_nanos() {
  unsigned long long nanos;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(nanos));
  return nanos;
}

// Waits for all blocks of a cooperative launch; what they wrote before is there afterwards. `arrivals` starts at 0, `target` too.
SGG_DEVICE void sgg_grid_sync(unsigned long long* arrivals, unsigned& target) {
  __syncthreads();
  target += gridDim.x;
  if (gridDim.x > 1u && threadIdx.x == 0u) {
    // Release and acquire instead of two fences, which cost as much as the rest of the barrier.
    unsigned came;
    asm volatile("red.release.gpu.global.add.u32 [%0], 1;" ::"l"(arrivals) : "memory");
    do {
      asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(came) : "l"(arrivals) : "memory");
    } while (came < target);
  }
  __syncthreads();
}
#endif

SGG_DEVICE unsigned long long sgg_fresh(const unsigned long long* word) { return *(const volatile unsigned long long*)word; }

// The sum over a warp; it has to fit in 32 bits.
SGG_DEVICE unsigned sgg_warp_add(unsigned value) {
#if SGG_ARCHITECTURE > 0 && SGG_ARCHITECTURE < 800
  for (int d = SGG_WARP / 2; d > 0; d >>= 1) {
    value += __shfl_xor_sync(SGG_ALL_LANES, value, d);
  }
  return value;
#else
  return __reduce_add_sync(SGG_ALL_LANES, value);
#endif
}
