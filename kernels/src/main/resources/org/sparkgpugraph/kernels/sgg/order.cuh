// Loads, stores and counts of words by which blocks that run at the same time tell each other things: what is released is seen, with all that
// was written before it, by who acquires it. The emulator keeps stores back until they are released, or some while longer, and in another
// order (emulator/stores.h).

#ifndef SGG_EMULATED
SGG_DEVICE unsigned long long sgg_load(const unsigned long long* word) {
  unsigned long long value;
  asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(value) : "l"(word) : "memory");
  return value;
}
SGG_DEVICE unsigned sgg_load(const unsigned* word) {
  unsigned value;
  asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(word) : "memory");
  return value;
}
SGG_DEVICE unsigned long long sgg_load_acquire(const unsigned long long* word) {
  unsigned long long value;
  asm volatile("ld.acquire.gpu.global.u64 %0, [%1];" : "=l"(value) : "l"(word) : "memory");
  return value;
}
SGG_DEVICE unsigned sgg_load_acquire(const unsigned* word) {
  unsigned value;
  asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(word) : "memory");
  return value;
}
SGG_DEVICE void sgg_store(unsigned long long* word, unsigned long long value) {
  asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(word), "l"(value) : "memory");
}
SGG_DEVICE void sgg_store(unsigned* word, unsigned value) {
  asm volatile("st.relaxed.gpu.global.u32 [%0], %1;" ::"l"(word), "r"(value) : "memory");
}
SGG_DEVICE void sgg_store_release(unsigned long long* word, unsigned long long value) {
  asm volatile("st.release.gpu.global.u64 [%0], %1;" ::"l"(word), "l"(value) : "memory");
}
SGG_DEVICE void sgg_add_release(unsigned long long* word, unsigned long long value) {
  asm volatile("red.release.gpu.global.add.u64 [%0], %1;" ::"l"(word), "l"(value) : "memory");
}
SGG_DEVICE void sgg_add_release(unsigned* word, unsigned value) {
  asm volatile("red.release.gpu.global.add.u32 [%0], %1;" ::"l"(word), "r"(value) : "memory");
}
SGG_DEVICE void sgg_or_release(unsigned* word, unsigned bits) {
  asm volatile("red.release.gpu.global.or.b32 [%0], %1;" ::"l"(word), "r"(bits) : "memory");
}
SGG_DEVICE void sgg_or_release(unsigned long long* word, unsigned long long bits) {
  asm volatile("red.release.gpu.global.or.b64 [%0], %1;" ::"l"(word), "l"(bits) : "memory");
}
// Returns what was there. Both sides: what was written before is seen by who comes later, and what those before wrote is seen here.
SGG_DEVICE unsigned sgg_add_both(unsigned* word, unsigned value) {
  unsigned before;
  asm volatile("atom.acq_rel.gpu.global.add.u32 %0, [%1], %2;" : "=r"(before) : "l"(word), "r"(value) : "memory");
  return before;
}

// Two words side by side, aligned to both.
SGG_DEVICE void sgg_store_pair(unsigned long long* words, unsigned long long first, unsigned long long second) {
  asm volatile("st.global.v2.u64 [%0], {%1, %2};" ::"l"(words), "l"(first), "l"(second) : "memory");
}
SGG_DEVICE void sgg_load_pair(const unsigned long long* words, unsigned long long& first, unsigned long long& second) {
  asm volatile("ld.global.v2.u64 {%0, %1}, [%2];" : "=l"(first), "=l"(second) : "l"(words) : "memory");
}

// The same between devices.
SGG_DEVICE unsigned long long sgg_load_acquire_system(const unsigned long long* word) {
  unsigned long long value;
  asm volatile("ld.acquire.sys.global.u64 %0, [%1];" : "=l"(value) : "l"(word) : "memory");
  return value;
}
SGG_DEVICE void sgg_store_release_system(unsigned long long* word, unsigned long long value) {
  asm volatile("st.release.sys.global.u64 [%0], %1;" ::"l"(word), "l"(value) : "memory");
}

// What was stored before is seen by who sees what is done behind this.
SGG_DEVICE void sgg_fence() { __threadfence(); }

// Lets others run that this one waits for.
SGG_DEVICE void sgg_relax() { __nanosleep(40); }

// Nothing on a GPU; in the emulator others run, too.
SGG_DEVICE void sgg_breathe() {}
#else
SGG_DEVICE unsigned long long sgg_load(const unsigned long long* word) { return sggLoad64(word); }
SGG_DEVICE unsigned sgg_load(const unsigned* word) { return sggLoad32(word); }
SGG_DEVICE unsigned long long sgg_load_acquire(const unsigned long long* word) { return sggLoad64(word); }
SGG_DEVICE unsigned sgg_load_acquire(const unsigned* word) { return sggLoad32(word); }
SGG_DEVICE void sgg_store(unsigned long long* word, unsigned long long value) { sggStore64(word, value); }
SGG_DEVICE void sgg_store(unsigned* word, unsigned value) { sggStore32(word, value); }
SGG_DEVICE void sgg_store_release(unsigned long long* word, unsigned long long value) {
  sggRelease();
  atomicExch(word, value);
}
SGG_DEVICE void sgg_add_release(unsigned long long* word, unsigned long long value) {
  sggRelease();
  atomicAdd(word, value);
}
SGG_DEVICE void sgg_add_release(unsigned* word, unsigned value) {
  sggRelease();
  atomicAdd(word, value);
}
SGG_DEVICE void sgg_or_release(unsigned* word, unsigned bits) {
  sggRelease();
  atomicOr(word, bits);
}
SGG_DEVICE void sgg_or_release(unsigned long long* word, unsigned long long bits) {
  sggRelease();
  atomicOr(word, bits);
}
SGG_DEVICE unsigned sgg_add_both(unsigned* word, unsigned value) {
  sggRelease();
  return atomicAdd(word, value);
}
SGG_DEVICE void sgg_store_pair(unsigned long long* words, unsigned long long first, unsigned long long second) {
  sggStore64(words, first);
  sggStore64(words + 1, second);
}
SGG_DEVICE void sgg_load_pair(const unsigned long long* words, unsigned long long& first, unsigned long long& second) {
  first = sggLoad64(words);
  second = sggLoad64(words + 1);
}
SGG_DEVICE unsigned long long sgg_load_acquire_system(const unsigned long long* word) { return sgg_load_acquire(word); }
SGG_DEVICE void sgg_store_release_system(unsigned long long* word, unsigned long long value) { sgg_store_release(word, value); }
SGG_DEVICE void sgg_fence() {
  sggRelease();
  __threadfence();
}
SGG_DEVICE void sgg_relax() { sggYield(); }
SGG_DEVICE void sgg_breathe() { sggYield(); }
#endif
