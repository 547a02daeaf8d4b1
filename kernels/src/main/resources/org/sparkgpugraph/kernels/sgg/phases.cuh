// Before the headers of a unit that outlines supersteps: what they declare as kernels are functions of the same body, which the entries of
// outline.cuh call one after the other, with a barrier of the grid where one launch would follow another (Pai and Pingali 2016, section 4.1).
// Those of a unit that relaxes without supersteps call none of them.
#undef SGG_KERNEL_OF
#undef SGG_KERNEL
#define SGG_KERNEL_OF(name, blocks) SGG_DEVICE void sgg_phase_##name(const Frame& f)
#define SGG_KERNEL(name) SGG_KERNEL_OF(name, 0)

// Tables of labels take half of a block's shared memory: one kernel after the other has them (mode.cuh).
SGG_DEVICE unsigned long long* sgg_phase_keys() {
  SGG_SHARED(unsigned long long, keys, SGG_BLOCK_WARPS * SGG_MODE_WARP_SLOTS);
  return keys;
}
SGG_DEVICE unsigned* sgg_phase_counts() {
  SGG_SHARED(unsigned, counts, SGG_BLOCK_WARPS * SGG_MODE_WARP_SLOTS + SGG_BLOCK_WARPS);
  return counts;
}
#define SGG_MODE_SHARED(more)                  \
  unsigned long long* keys = sgg_phase_keys(); \
  unsigned* counts = sgg_phase_counts()
