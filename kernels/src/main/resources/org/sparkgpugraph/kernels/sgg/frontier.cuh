// Supersteps that push: active vertices stand in a queue, their edges are walked from the sending end, and a message is merged by an
// atomic operation. Several supersteps run in one launch (iteration outlining, Pai 2016, section 4.1): its blocks are all resident and
// meet at a barrier, so that a superstep of a few thousand edges costs microseconds.
//
// A program in place whose vertex program is its merge function, on one column that the GPU has an atomic for, merges messages into the
// values themselves (SGG_PUSHES 1). What an edge says to the vertex that is active is left out: it was said when the edge's other end was
// last active, or is said by it now. Other programs merge into slots, one for each vertex (SGG_PUSHES 2); behind a barrier those that got
// something run, so that a superstep is exactly one of Pregel's. A merge function must be one whose result does not depend on the order,
// to the bit.

#if SGG_PUSHES

#define SGG_INFINITY __longlong_as_double(0x7ff0000000000000LL)

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
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
  for (int d = SGG_WARP / 2; d > 0; d >>= 1) {
    value += __shfl_xor_sync(SGG_ALL_LANES, value, d);
  }
  return value;
#else
  return __reduce_add_sync(SGG_ALL_LANES, value);
#endif
}

// ---- the queue ----------------------------------------------------------------------------------------------------------

// The out-edges of active vertices, and their in-edges.
struct WalkOut {
  SGG_DEVICE_STATIC int begin(const Frame& f, int v) { return f.pushInOffsets[v]; }
  SGG_DEVICE_STATIC int other(const Frame& f, int e) { return f.pushInTargets[e]; }
  SGG_DEVICE_STATIC void prefetch(const Frame& f, int v) { sgg_prefetch(&f.pushInOffsets[v]); }
};
struct WalkIn {
  SGG_DEVICE_STATIC int begin(const Frame& f, int v) { return f.pushOutOffsets[v]; }
  SGG_DEVICE_STATIC int other(const Frame& f, int e) { return f.pushOutTargets[e]; }
  SGG_DEVICE_STATIC void prefetch(const Frame& f, int v) { sgg_prefetch(&f.pushOutOffsets[v]); }
};

// Edges that a vertex pushes over: over the side with more of them, and over both.
SGG_DEVICE void sgg_push_degrees(const Frame& f, int v, int& larger, long long& sum) {
  larger = 0;
  sum = 0;
#if SGG_WALKS_OUT
  int out = WalkOut::begin(f, v + 1) - WalkOut::begin(f, v);
  larger = sgg_larger(larger, out);
  sum += out;
#endif
#if SGG_WALKS_IN
  int in = WalkIn::begin(f, v + 1) - WalkIn::begin(f, v);
  larger = sgg_larger(larger, in);
  sum += in;
#endif
}

// Puts the vertices of the lanes that have one into a queue, with one atomic for all. An item is a vertex (low 32 bits) and which part of
// its edges. Returns the edges of this lane's vertex. All lanes.
SGG_DEVICE long long sgg_push_append(const Frame& f, int lane, bool adds, int v, long long* queue, unsigned long long* items) {
  unsigned adding = __ballot_sync(SGG_ALL_LANES, adds);
  if (adding == 0u) {
    return 0;
  }
  int larger = 0;
  long long edges = 0;
  if (adds) {
    sgg_push_degrees(f, v, larger, edges);
  }
  int parts = adds ? sgg_larger(1, (larger - 1) / SGG_PUSH_PART + 1) : 0;
  int before = __popc(adding & sgg_lanes(0, lane));
  int total = __popc(adding);
  if (__any_sync(SGG_ALL_LANES, parts > 1)) {
    int sum = parts;
    for (int d = 1; d < SGG_WARP; d <<= 1) {
      int lower = __shfl_up_sync(SGG_ALL_LANES, sum, d);
      if (lane >= d) {
        sum += lower;
      }
    }
    before = sum - parts;
    total = sgg_shfl(sum, SGG_WARP - 1);
  }
  long long at = 0;
  if (lane == 0) {
    at = (long long)atomicAdd(items, (unsigned long long)total);
  }
  at = sgg_shfl(at, 0) + before;
  for (int part = 0; part < parts; part++) {
    queue[at + part] = (long long)(((unsigned long long)(unsigned)part << 32) | (unsigned long long)(unsigned)v);
  }
  return edges;
}

// Makes the queue from the bitmap of the active vertices: a warp per SGG_SCAN_WORDS words of it. The queue is empty before.
SGG_KERNEL(frontier) {
  int lane = sgg_lane();
  long long words = (f.stored + 31) >> 5;
  for (long long first = sgg_warp() * SGG_SCAN_WORDS; first < words; first += sgg_warps() * SGG_SCAN_WORDS) {
    unsigned own = lane < SGG_SCAN_WORDS && first + lane < words ? f.active[first + lane] : 0u;
    for (unsigned left = __ballot_sync(SGG_ALL_LANES, own != 0u); left != 0u; left &= left - 1u) {
      int which = __ffs((int)left) - 1;
      unsigned active = (unsigned)sgg_shfl((int)own, which);
      int v = (int)((first + which) << 5) + lane;
      sgg_push_append(f, lane, ((active >> lane) & 1u) && v < (int)f.stored, v, f.queue, &f.pushed[SGG_PUSHED_ITEMS]);
    }
  }
}

#if SGG_QUIET
// Whom the first superstep has to hear, of all vertices: a message is sent only if it improves its receiver, so who has nothing to say to
// the worst value of all has nothing to say to anybody.

SGG_KERNEL(push_worst_start) {
  if (blockIdx.x == 0u && threadIdx.x == 0u) {
    sgg_best_value(*(ColumnValue*)&f.pushed[SGG_PUSHED_WORST]);
  }
}

// The worst value, NaN (which is never improved) aside: a thread per held vertex.
SGG_KERNEL(push_worst) {
  ColumnValue worst;
  sgg_best_value(worst);
  long long threads = (long long)gridDim.x * blockDim.x;
  for (long long v = (long long)blockIdx.x * blockDim.x + threadIdx.x; v < f.stored; v += threads) {
    if (sgg_present(f, (int)v)) {
      State value;
      sgg_load_state(f, (int)v, value);
      worst = sgg_is_worse(value.c0, worst) ? value.c0 : worst;
    }
  }
  for (int d = SGG_WARP / 2; d > 0; d >>= 1) {
    ColumnValue other = sgg_shfl_down(worst, d);
    worst = sgg_is_worse(other, worst) ? other : worst;
  }
  if (sgg_lane() == 0) {
    sgg_worst_into((ColumnValue*)&f.pushed[SGG_PUSHED_WORST], worst);
  }
}

// Makes the queue of those who speak, and the bitmap of the active vertices: of two who speak to each other one walks their edge. A warp
// per 32 vertices. The queue is empty before.
SGG_KERNEL(push_speakers) {
  int lane = sgg_lane();
  State worst{};
  worst.c0 = *(const ColumnValue*)&f.pushed[SGG_PUSHED_WORST];
  long long work = 0;
  long long words = (f.stored + 31) >> 5;
  for (long long w = sgg_warp(); w < words; w += sgg_warps()) {
    int v = (int)(w << 5) + lane;
    bool speaks = false;
    if (v < (int)f.stored && sgg_present(f, v)) {
      State value;
      sgg_load_state(f, v, value);
#if SGG_IN_ROWS
      speaks |= In::speaks(f, v, value, worst);
#endif
#if SGG_OUT_ROWS
      speaks |= Out::speaks(f, v, value, worst);
#endif
    }
    unsigned speakers = __ballot_sync(SGG_ALL_LANES, speaks);
    if (lane == 0) {
      const_cast<unsigned*>(f.active)[w] = speakers;
    }
    work += (speaks ? 1 : 0) + sgg_push_append(f, lane, speaks, v, f.queue, &f.pushed[SGG_PUSHED_ITEMS]);
  }
  work = sgg_warp_sum(work);
  if (lane == 0 && work != 0) {
    atomicAdd(&f.pushed[SGG_PUSHED_WORK], (unsigned long long)work);
  }
}
#endif

// ---- a superstep --------------------------------------------------------------------------------------------------------

// One superstep of a launch: what it reads, what it writes. Bitmaps and queues change places behind it.
struct Round {
  const long long* queue;
  long long items;
  long long item;  // this lane's first one, if there are as many
  unsigned* active;
  unsigned* nextActive;
  long long* nextQueue;
  unsigned long long* ring;
#if SGG_BUCKETS
  double threshold;
  int list;  // of those put off
#endif
};

// What this thread counted in a superstep.
struct RoundTally {
  int edges;
  int ran;
  int activated;
  long long activeEdges;
};

// Whether this is the first to set a vertex's bit.
SGG_DEVICE bool sgg_first(unsigned* words, int v) {
  unsigned bit = 1u << (v & 31);
  return (atomicOr(&words[v >> 5], bit) & bit) == 0u;
}

SGG_DEVICE void sgg_clear_bit(unsigned* words, int v) { atomicAnd(&words[v >> 5], ~(1u << (v & 31))); }

// Puts vertices that are active in the next superstep into its queue. All lanes.
SGG_DEVICE void sgg_push_activate(const Frame& f, int lane, const Round& round, bool active, int v, RoundTally& tally) {
  tally.activated += active ? 1 : 0;
  tally.activeEdges += sgg_push_append(f, lane, active, v, round.nextQueue, &round.ring[SGG_RING_ITEMS]);
}

#if SGG_BUCKETS
// ---- near and far -------------------------------------------------------------------------------------------------------
//
// Vertices whose value is not below a threshold are put off until no other is active (near-far, Davidson 2014): most of what they would
// say now would be improved later. The values at the end do not depend on it, since the program is monotone.

template <class Value>
SGG_DEVICE bool sgg_is_far(Value value, double threshold) {
  return (double)value >= threshold && threshold < SGG_INFINITY;
}

// Puts vertices into a list of those put off. All lanes.
SGG_DEVICE void sgg_put_off(const Frame& f, int lane, bool far, int v, int list) {
  unsigned putOff = __ballot_sync(SGG_ALL_LANES, far);
  if (putOff == 0u) {
    return;
  }
  long long at = 0;
  if (lane == 0) {
    at = (long long)atomicAdd(&f.pushed[SGG_PUSHED_FAR + list], (unsigned long long)__popc(putOff));
  }
  at = sgg_shfl(at, 0) + __popc(putOff & sgg_lanes(0, lane));
  if (far) {
    (list == 0 ? f.far0 : f.far1)[at] = v;
  }
}

// Bits that are ordered as the numbers are, the least as the largest; never 0.
SGG_DEVICE unsigned long long sgg_least_first(double value) {
  unsigned long long bits = (unsigned long long)__double_as_longlong(value);
  return ~((bits >> 63) != 0ull ? ~bits : bits | 0x8000000000000000ull);
}
SGG_DEVICE double sgg_of_least_first(unsigned long long ordered) {
  unsigned long long bits = ~ordered;
  return __longlong_as_double((long long)((bits >> 63) != 0ull ? bits & 0x7fffffffffffffffull : ~bits));
}

// No vertex is near: raises the threshold above the least value of those put off, and makes those near that are below it now. Who was
// below the old one has been active since it was put off. All threads of all blocks.
SGG_DEVICE void sgg_push_bucket(const Frame& f, int lane, Round& round, long long count, unsigned long long* arrivals, unsigned& target,
                                RoundTally& tally) {
  const int* list = round.list == 0 ? f.far0 : f.far1;
  unsigned long long least = 0ull;
  for (long long first = sgg_warp() * SGG_WARP; first < count; first += sgg_warps() * SGG_WARP) {
    if (first + lane < count) {
      State value;
      sgg_load_state(f, list[first + lane], value);
      if (sgg_is_far(value.c0, round.threshold)) {
        unsigned long long ordered = sgg_least_first((double)value.c0);
        least = ordered > least ? ordered : least;
      }
    }
  }
  for (int d = SGG_WARP / 2; d > 0; d >>= 1) {
    unsigned long long other = (unsigned long long)sgg_shfl_down((long long)least, d);
    least = other > least ? other : least;
  }
  if (lane == 0 && least > sgg_fresh(&round.ring[SGG_RING_LEAST])) {
    atomicMax(&round.ring[SGG_RING_LEAST], least);
  }
  sgg_grid_sync(arrivals, target);
  least = sgg_fresh(&round.ring[SGG_RING_LEAST]);
  double threshold = SGG_INFINITY;
  if (least != 0ull) {
    double from = sgg_of_least_first(least);
    // Where the step is lost in the value's digits all are near.
    threshold = from + f.bucket > from ? from + f.bucket : SGG_INFINITY;
  }
  for (long long first = sgg_warp() * SGG_WARP; first < count; first += sgg_warps() * SGG_WARP) {
    bool exists = first + lane < count;
    int v = exists ? list[first + lane] : 0;
    bool near = false;
    bool far = false;
    if (exists) {
      State value;
      sgg_load_state(f, v, value);
      far = sgg_is_far(value.c0, threshold);
      near = !far && sgg_is_far(value.c0, round.threshold);
      if (!far) {
        sgg_clear_bit(f.farBits, v);
      }
      if (near) {
        atomicOr(&round.nextActive[v >> 5], 1u << (v & 31));
      }
    }
    sgg_put_off(f, lane, far, v, 1 - round.list);
    sgg_push_activate(f, lane, round, near, v, tally);
  }
  round.threshold = threshold;
  round.list = 1 - round.list;
}
#endif

// ---- an edge, a vertex, a superstep -------------------------------------------------------------------------------------

// Lets one edge per lane that is selected say something to its end `row`, and merges it. `e` is the edge's index where the walk found it:
// Far says that this is the row of the other end. All lanes.
template <class Side, bool Far>
SGG_DEVICE void sgg_push_tell(const Frame& f, int lane, const Round& round, bool selected, int e, int row, int neighbour, bool counts,
                              RoundTally& tally) {
  bool first = false;
#if SGG_BUCKETS
  bool far = false;
#endif
  if (selected && sgg_present(f, row)) {
    typename Side::Edge loaded = Far ? Side::pushed(f, e, neighbour) : Side::edge(f, e, neighbour);
    Message message;
    sgg_message_reset(message);
    bool sends = false;
    Side::send(f, row, Side::row(f, row, true), loaded, message, sends);
    tally.edges += counts ? 1 : 0;
    if (sends) {
#if SGG_PUSHES == 1
      first = sgg_push_merge(f, row, message);
#if SGG_BUCKETS
      far = first && sgg_is_far(message.c0, round.threshold);
      first = first && !far;
      far = far && sgg_first(f.farBits, row);
#endif
      first = first && sgg_first(round.nextActive, row);
#else
      sgg_slot_merge(f, row, message);
      first = !sgg_bit(f.touched, row) && sgg_first(f.touched, row);
#endif
    }
  }
#if SGG_PUSHES == 1
#if SGG_BUCKETS
  sgg_put_off(f, lane, far, row, round.list);
  tally.ran += far ? 1 : 0;
#endif
  tally.ran += first ? 1 : 0;
  sgg_push_activate(f, lane, round, first, row, tally);
#else
  unsigned touched = __ballot_sync(SGG_ALL_LANES, first);
  if (touched != 0u) {
    int at = 0;
    if (lane == 0) {
      at = (int)atomicAdd(&round.ring[SGG_RING_TOUCHED], (unsigned long long)__popc(touched));
    }
    at = sgg_shfl(at, 0) + __popc(touched & sgg_lanes(0, lane));
    if (first) {
      f.touchedRows[at] = row;
    }
  }
#endif
}

// Walks the out-edges of the vertices of a warp's items, or their in-edges.
template <class Walk, bool FromSource>
SGG_DEVICE void sgg_push_walk(const Frame& f, int lane, const Round& round, bool takes, int v, int part, RoundTally& tally) {
  int begin = 0;
  int count = 0;
  if (takes) {
    int end = Walk::begin(f, v + 1);
    begin = Walk::begin(f, v);
    // Of the two sides of a vertex one may have fewer parts.
    if (part <= (end - begin) / SGG_PUSH_PART) {
      begin += part * SGG_PUSH_PART;
      count = sgg_smaller(end - begin, SGG_PUSH_PART);
    }
  }
  PackedRows rows = sgg_pack(begin, count, false, lane);
  for (int base = 0; base < rows.total; base += SGG_WARP) {
    int place = base + lane;
    int owner = sgg_owner(rows, place);
    int e = sgg_shfl(rows.begin - rows.start, owner) + place;
    int sender = sgg_shfl(v, owner);
    bool selected = place < rows.total;
    int other = selected ? Walk::other(f, e) : 0;
    if (selected && f.eager != 0) {
      // It may become active: its row is read then. With much work that is waste, with little it saves a wait.
      Walk::prefetch(f, other);
    }
#if SGG_PUSHES == 1
    if constexpr (FromSource) {
#if SGG_IN_ROWS
      sgg_push_tell<In, true>(f, lane, round, selected, e, other, sender, true, tally);
#endif
    } else {
#if SGG_OUT_ROWS
      sgg_push_tell<Out, true>(f, lane, round, selected, e, other, sender, true, tally);
#endif
    }
#else
    if constexpr (FromSource) {
#if SGG_PUSH_BOTH
      selected = selected && sgg_bit(round.active, other);
#endif
#if SGG_IN_ROWS
      sgg_push_tell<In, true>(f, lane, round, selected, e, other, sender, true, tally);
#endif
#if SGG_OUT_ROWS
      sgg_push_tell<Out, false>(f, lane, round, selected, e, sender, other, !SGG_IN_ROWS, tally);
#endif
    } else {
#if SGG_WALKS_OUT
      // Both ends active: the edge is walked from its source.
      selected = selected && !sgg_bit(round.active, other);
#endif
#if SGG_IN_ROWS
      sgg_push_tell<In, false>(f, lane, round, selected, e, sender, other, true, tally);
#endif
#if SGG_OUT_ROWS
      sgg_push_tell<Out, true>(f, lane, round, selected, e, other, sender, !SGG_IN_ROWS, tally);
#endif
    }
#endif
  }
}

// Which of the first items of a queue a lane takes: items go to the warps of all blocks in turn, so that few of them spread over as many
// multiprocessors as there are.
SGG_DEVICE long long sgg_push_index(int lane) {
  return (long long)lane * sgg_warps() + (long long)(threadIdx.x >> 5) * gridDim.x + blockIdx.x;
}

// Loads this lane's first item, before anybody knows how many there are: the load's latency is that of the count's.
SGG_DEVICE void sgg_push_load(const Frame& f, int lane, Round& round) {
  long long index = sgg_push_index(lane);
  round.item = index < f.queueCapacity ? round.queue[index] : 0;
}

// Walks the edges of the queue's items.
SGG_DEVICE void sgg_push_items(const Frame& f, int lane, const Round& round, RoundTally& tally) {
  long long warps = sgg_warps();
  for (long long base = 0; base < round.items; base += warps * SGG_WARP) {
    long long index = base + sgg_push_index(lane);
    bool takes = index < round.items;
    if (!__any_sync(SGG_ALL_LANES, takes)) {
      return;
    }
    long long item = base == 0 ? round.item : takes ? round.queue[index] : 0;
    int v = (int)(unsigned)item;
    int part = (int)(item >> 32);
#if SGG_PUSHES == 1
    if (takes && part == 0) {
      // This bitmap is the next superstep's: it has to be empty then.
      sgg_clear_bit(round.active, v);
    }
#endif
#if SGG_WALKS_OUT
    sgg_push_walk<WalkOut, true>(f, lane, round, takes, v, part, tally);
#endif
#if SGG_WALKS_IN
    sgg_push_walk<WalkIn, false>(f, lane, round, takes, v, part, tally);
#endif
  }
}

#if SGG_PUSHES == 2
// Empties the slots, once in a run: a thread per held vertex. The bitmap of those that got something is empty.
SGG_KERNEL(push_reset) {
  long long threads = (long long)gridDim.x * blockDim.x;
  for (long long v = (long long)blockIdx.x * blockDim.x + threadIdx.x; v < f.stored; v += threads) {
    sgg_slot_reset(f, (int)v);
  }
}

// Runs the vertex program where a message came, and empties slots and bitmaps again.
SGG_DEVICE void sgg_push_apply(const Frame& f, int lane, const Round& round, RoundTally& tally) {
  long long threads = (long long)gridDim.x * blockDim.x;
  for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < round.items; i += threads) {
    long long item = round.queue[i];
    if (item >> 32 == 0) {
      sgg_clear_bit(round.active, (int)(unsigned)item);
    }
  }
  long long touched = (long long)sgg_fresh(&round.ring[SGG_RING_TOUCHED]);
  for (long long first = sgg_warp() * SGG_WARP; first < touched; first += sgg_warps() * SGG_WARP) {
    bool runs = first + lane < touched;
    bool active = false;
    int v = 0;
    if (runs) {
      v = f.touchedRows[first + lane];
      Message message;
      sgg_slot_load(f, v, message);
      sgg_slot_reset(f, v);
      sgg_clear_bit(f.touched, v);
      State before;
      sgg_load_state(f, v, before);
      State after{};
      sgg_vertex_program(f, v, before, message, after);
      active = sgg_active_when(f, v, before, after);
#if SGG_IN_PLACE
      active = sgg_state_differs(before, after);
      runs = active;
#endif
      if (runs) {
        sgg_write_current(f, v, after);
      }
      if (active) {
        atomicOr(&round.nextActive[v >> 5], 1u << (v & 31));
      }
    }
    tally.ran += runs ? 1 : 0;
    sgg_push_activate(f, lane, round, active, v, tally);
  }
}
#endif

SGG_DEVICE void sgg_tally_reset(RoundTally& tally) {
  tally.edges = 0;
  tally.ran = 0;
  tally.activated = 0;
  tally.activeEdges = 0;
}

// Adds what the threads of a block counted to the ring, through shared memory that is 0 before and afterwards. All threads.
SGG_DEVICE void sgg_push_count(unsigned long long* counts, unsigned long long* ring, int lane, const RoundTally& tally) {
  if (__any_sync(SGG_ALL_LANES, (tally.edges | tally.ran | tally.activated) != 0)) {
    // The halves of activeEdges apart: sums of 32 bits are one instruction.
    unsigned long long activeEdges = (unsigned long long)tally.activeEdges;
    unsigned sums[5] = {sgg_warp_add((unsigned)tally.edges), sgg_warp_add((unsigned)tally.ran), sgg_warp_add((unsigned)tally.activated),
                        sgg_warp_add((unsigned)(activeEdges & 0xffffffull)), sgg_warp_add((unsigned)(activeEdges >> 24))};
    if (lane == 0) {
      for (int i = 0; i < 3; i++) {
        atomicAdd(&counts[i], (unsigned long long)sums[i]);
      }
      atomicAdd(&counts[3], ((unsigned long long)sums[4] << 24) + sums[3]);
    }
  }
  __syncthreads();
  if (threadIdx.x < 4u) {
    unsigned long long count = counts[threadIdx.x];
    counts[threadIdx.x] = 0ull;
    if (count != 0ull) {
      atomicAdd(&ring[SGG_RING_EDGES + threadIdx.x], count);
    }
  }
}

// Runs supersteps until one leaves no vertex active, or more or less work than this launch is for, or a fault, or `rounds` are done. A
// cooperative launch. Of bitmaps and queues those that the last superstep filled are the next ones after an odd number of supersteps, the
// others, which were the current ones, after an even number; the rest is empty.
// With a fifth block per multiprocessor its registers spill, which costs more than the block brings (docs/performance.md).
SGG_KERNEL_OF(push_loop, 4) {
  SGG_SHARED(unsigned long long, counts, 4);
  int lane = sgg_lane();
  unsigned long long* arrivals = &f.pushed[SGG_PUSHED_ARRIVALS];
  unsigned target = 0u;
  if (threadIdx.x < 4u) {
    counts[threadIdx.x] = 0ull;
  }
  __syncthreads();
  Round round;
  round.queue = f.queue;
  round.nextQueue = f.nextQueue;
  round.active = const_cast<unsigned*>(f.active);
  round.nextActive = f.nextActive;
  round.ring = f.ring;
#if SGG_BUCKETS
  round.list = (int)sgg_fresh(&f.pushed[SGG_PUSHED_FAR_LIST]);
  round.threshold = f.bucket > 0.0 ? __longlong_as_double((long long)sgg_fresh(&f.pushed[SGG_PUSHED_THRESHOLD])) : SGG_INFINITY;
#endif
  round.items = (long long)sgg_fresh(&f.pushed[SGG_PUSHED_ITEMS]);
  sgg_push_load(f, lane, round);
  for (int done = 1;; done++) {
    RoundTally tally;
    sgg_tally_reset(tally);
    sgg_push_items(f, lane, round, tally);
#if SGG_PUSHES == 2
    sgg_grid_sync(arrivals, target);
    sgg_push_apply(f, lane, round, tally);
#endif
    sgg_push_count(counts, round.ring, lane, tally);
#if SGG_FAULTS
    // Told before the barrier: behind it all have to know the same, and some may be in the next superstep already.
    if (threadIdx.x == 0u && sgg_fresh(&f.status[SGG_STATUS_FAULT]) != 0ull) {
      atomicAdd(&round.ring[SGG_RING_FAULTS], 1ull);
    }
#endif
    sgg_grid_sync(arrivals, target);
#if SGG_BUCKETS
    long long putOff = (long long)sgg_fresh(&f.pushed[SGG_PUSHED_FAR + round.list]);
    if (putOff > 0 && sgg_fresh(&round.ring[SGG_RING_ITEMS]) == 0ull) {
      sgg_tally_reset(tally);
      sgg_push_bucket(f, lane, round, putOff, arrivals, target, tally);
      sgg_push_count(counts, round.ring, lane, tally);
      sgg_grid_sync(arrivals, target);
      putOff = (long long)sgg_fresh(&f.pushed[SGG_PUSHED_FAR + round.list]);
      if (blockIdx.x == 0u && threadIdx.x == 0u) {
        f.pushed[SGG_PUSHED_FAR + 1 - round.list] = 0ull;
      }
    }
#endif
    long long* queue = const_cast<long long*>(round.queue);
    round.queue = round.nextQueue;
    round.nextQueue = queue;
    sgg_push_load(f, lane, round);
    round.items = (long long)sgg_fresh(&round.ring[SGG_RING_ITEMS]);
    long long work = (long long)(sgg_fresh(&round.ring[SGG_RING_ACTIVATED]) + sgg_fresh(&round.ring[SGG_RING_ACTIVE_EDGES]));
    bool faulty = SGG_FAULTS && sgg_fresh(&round.ring[SGG_RING_FAULTS]) != 0ull;
    bool last = round.items == 0 || done == (int)f.rounds || work > f.mostWork || work < f.leastWork || faulty;
    if (blockIdx.x == 0u && threadIdx.x == 0u) {
      round.ring[SGG_RING_NANOS] = sgg_nanos();
#if SGG_BUCKETS
      round.ring[SGG_RING_FAR] = (unsigned long long)putOff;
      if (last) {
        f.pushed[SGG_PUSHED_FAR_LIST] = (unsigned long long)round.list;
        f.pushed[SGG_PUSHED_THRESHOLD] = (unsigned long long)__double_as_longlong(round.threshold);
      }
#endif
      if (last) {
        f.pushed[SGG_PUSHED_ITEMS] = (unsigned long long)round.items;
        f.pushed[SGG_PUSHED_ROUNDS] = (unsigned long long)done;
      }
    }
    if (last) {
      return;
    }
    unsigned* active = round.active;
    round.active = round.nextActive;
    round.nextActive = active;
    round.ring += SGG_RING_WORDS;
  }
}
#endif
