// Loads and atomic operations that say more than C++ can: what a cache is to keep, in what order others see it. The emulator has caches
// of no kind and one order.

#ifdef __CUDA_ARCH__
// Loads what is read once in a launch and never written by it, if `wanted`; else 0. Evicted first, so that caches keep the values;
// without a branch, so that a lane has many of these loads under way.
SGG_DEVICE int sgg_load_once(const int* address, bool wanted) {
  int value = 0;
  asm("{ .reg .pred wanted; setp.ne.s32 wanted, %2, 0; @wanted ld.global.cs.s32 %0, [%1]; }"
      : "+r"(value)
      : "l"(__cvta_generic_to_global(address)), "r"((int)wanted));
  return value;
}

// The same of a value, and of one that is stored. Of a vertex's own values, where gathers read copies of them (hot.cuh).
template <class T>
SGG_DEVICE T sgg_load_once(const T* address) {
  return __ldcs(address);
}
template <class T>
SGG_DEVICE void sgg_store_once(T* address, T value) {
  __stcs(address, value);
}

// Loads a value at the other end of an edge. Evicted last from L2: these are loaded over and over, in no order, all else once.
template <class T>
SGG_DEVICE T sgg_load_value(const T* address) {
  if constexpr (!Policy::TURING && sizeof(T) == 4) {
    T value;
    unsigned bits;
    asm("{ .reg .b64 last; createpolicy.fractional.L2::evict_last.b64 last, 1.0; ld.global.L2::cache_hint.b32 %0, [%1], last; }"
        : "=r"(bits)
        : "l"(__cvta_generic_to_global(address)));
    memcpy(&value, &bits, 4);
    return value;
  } else if constexpr (!Policy::TURING && sizeof(T) == 8) {
    T value;
    unsigned long long bits;
    asm("{ .reg .b64 last; createpolicy.fractional.L2::evict_last.b64 last, 1.0; ld.global.L2::cache_hint.b64 %0, [%1], last; }"
        : "=l"(bits)
        : "l"(__cvta_generic_to_global(address)));
    memcpy(&value, &bits, 8);
    return value;
  } else {
    return *address;
  }
}

// Copies 16 bytes to shared memory, both at multiples of that. All that a thread copies is under way together, until it waits for them.
SGG_DEVICE void sgg_copy_near(unsigned char* to, const unsigned char* from) {
  if constexpr (Policy::TURING) {
    *(int4*)to = *(const int4*)from;
  } else {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;"
                 :
                 : "r"((unsigned)__cvta_generic_to_shared(to)), "l"(__cvta_generic_to_global(from))
                 : "memory");
  }
}
SGG_DEVICE void sgg_copied_near() {
  if constexpr (!Policy::TURING) {
    asm volatile("cp.async.wait_all;" : : : "memory");
  }
}

// Brings the line of an address into L2.
SGG_DEVICE void sgg_prefetch(const int* address) {
  asm volatile("prefetch.global.L2 [%0];" : : "l"(__cvta_generic_to_global(address)));
}

// Counts a warp. What this thread wrote, and no other lane, is seen by who comes later and passes a fence; returns how many came before.
// A fence would also empty the cache that others of this multiprocessor gather from.
SGG_DEVICE int sgg_arrive(int* count) {
  int before;
  asm volatile("atom.release.gpu.global.add.s32 %0, [%1], 1;" : "=r"(before) : "l"(__cvta_generic_to_global(count)) : "memory");
  return before;
}

// Takes a free cell for a key, unless it has one: returns what was there. A cell that has a key keeps it, so who sees its own need not
// exchange.
template <class Key>
SGG_DEVICE Key sgg_claim(Key* cell, Key free, Key key) {
  Key found = *(volatile const Key*)cell;
  return found == free ? atomicCAS(cell, free, key) : found;
}
#else
SGG_DEVICE int sgg_load_once(const int* address, bool wanted) { return wanted ? *address : 0; }

template <class T>
SGG_DEVICE T sgg_load_once(const T* address) {
  return *address;
}
template <class T>
SGG_DEVICE void sgg_store_once(T* address, T value) {
  *address = value;
}

template <class T>
SGG_DEVICE T sgg_load_value(const T* address) {
  return *address;
}

SGG_DEVICE void sgg_copy_near(unsigned char* to, const unsigned char* from) {
  for (int i = 0; i < 2; i++) {
    ((unsigned long long*)to)[i] = ((const unsigned long long*)from)[i];
  }
}
SGG_DEVICE void sgg_copied_near() {}

SGG_DEVICE void sgg_prefetch(const int* address) { (void)address; }

SGG_DEVICE int sgg_arrive(int* count) { return atomicAdd(count, 1); }

template <class Key>
SGG_DEVICE Key sgg_claim(Key* cell, Key free, Key key) {
  return atomicCAS(cell, free, key);
}
#endif
