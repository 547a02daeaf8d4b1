// Values of the other ends of edges in the order of how many edges end there: hot.cuh. The adapters of such a unit read them by what stands
// here. Of each column the first f.hotNear values are in shared memory, a column behind the other; those of 8 bytes come first.

// Shared memory that the launch gives a block.
#ifndef SGG_EMULATED
SGG_DEVICE unsigned char* sgg_hot_room(const Frame&) {
  extern __shared__ __align__(16) unsigned char sgg_hot_bytes[];
  return sgg_hot_bytes;
}
#else
SGG_DEVICE unsigned char* sgg_hot_room(const Frame& f) {
  static const char site = 0;
  return (unsigned char*)sggShared(&site, "values of hot vertices", (unsigned long)(f.hotNear * SGG_HOT_BYTES + 16), 16);
}
#endif

// The near values of a column in front of which a vertex has Before bytes of others.
template <class T, int Before>
SGG_DEVICE T* sgg_hot_near(const Frame& f) {
  return (T*)(sgg_hot_room(f) + f.hotNear * Before);
}

#ifdef __CUDA_ARCH__
// A value, wherever it is: one of two loads is done, without a branch. Not earlier than the other end is known, which is loaded behind the
// barrier that follows the copy of near values.
template <class T, int Before>
SGG_DEVICE T sgg_hot_value(const Frame& f, const T* values, int u) {
  unsigned near = (unsigned)__cvta_generic_to_shared(sgg_hot_near<T, Before>(f)) + (unsigned)u * (unsigned)sizeof(T);
  T value;
  if constexpr (sizeof(T) == 4) {
    unsigned bits;
    asm("{ .reg .pred hot; setp.lt.s32 hot, %3, %4; @hot ld.shared.b32 %0, [%2]; @!hot ld.global.b32 %0, [%1]; }"
        : "=r"(bits)
        : "l"(__cvta_generic_to_global(values + u)), "r"(near), "r"(u), "r"((int)f.hotNear));
    memcpy(&value, &bits, 4);
  } else {
    unsigned long long bits;
    asm("{ .reg .pred hot; setp.lt.s32 hot, %3, %4; @hot ld.shared.b64 %0, [%2]; @!hot ld.global.b64 %0, [%1]; }"
        : "=l"(bits)
        : "l"(__cvta_generic_to_global(values + u)), "r"(near), "r"(u), "r"((int)f.hotNear));
    memcpy(&value, &bits, 8);
  }
  return value;
}
#else
template <class T, int Before>
SGG_DEVICE T sgg_hot_value(const Frame& f, const T* values, int u) {
  return u < (int)f.hotNear ? sgg_hot_near<T, Before>(f)[u] : values[u];
}
#endif

// The rank of a vertex whose new values are put where the next superstep reads them; -1: no edge ends there.
SGG_DEVICE int sgg_rank(const Frame& f, int v) { return f.hotRanks[v]; }

// Copies the near values of a column, 16 bytes a thread at a time. All threads. What is behind `count` is nobody's, but has memory: f.hotNear
// is a multiple of 16.
template <class T, int Before>
SGG_DEVICE void sgg_hot_copy(const Frame& f, const T* values, int count) {
  T* near = sgg_hot_near<T, Before>(f);
  int bytes = (count * (int)sizeof(T) + 15) / 16 * 16;
  for (int i = (int)threadIdx.x * 16; i < bytes; i += SGG_BLOCK * 16) {
    sgg_copy_near((unsigned char*)near + i, (const unsigned char*)values + i);
  }
}
