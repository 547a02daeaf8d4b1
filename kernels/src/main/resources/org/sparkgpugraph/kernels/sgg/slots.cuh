// Slots of supersteps that push: messages are merged into one cell for each vertex, whose first sender puts the vertex into a list
// (touchedRows, with a bit in touched); behind a barrier the vertex program runs on the list and empties the slots again.
//
// Where no atomic operation merges (SGG_SLOT_WORDS words of a record), the program's own function does: by a server that owns the receiver
// (SGG_DELEGATES, delegate.cuh), or, to compare with, under a lock of each receiver in global memory (SGG_LOCKS). `slotState` tells then
// whether there is anything in a slot (1), and who has its lock (2).

// Puts vertices that got their first message into the list. All lanes.
SGG_DEVICE void sgg_touch(const Frame& f, int lane, const Round& round, bool first, int row) {
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
}

#if SGG_SLOT_WORDS > 0
// A message as words.
struct SlotWords {
  unsigned long long at[SGG_SLOT_WORDS];
};
static_assert(sizeof(Message) <= sizeof(SlotWords), "the host counts the words of a message otherwise");

#ifdef SGG_EMULATED
#define SGG_COPY_BYTES __builtin_memcpy
#else
#define SGG_COPY_BYTES memcpy
#endif

SGG_DEVICE void sgg_slot_words(const Message& message, SlotWords& words) {
  words.at[SGG_SLOT_WORDS - 1] = 0ull;
  SGG_COPY_BYTES(words.at, &message, sizeof(Message));
}
SGG_DEVICE void sgg_slot_message(const SlotWords& words, Message& message) { SGG_COPY_BYTES(&message, words.at, sizeof(Message)); }

// Merges a message into a slot that nobody else touches meanwhile. Returns whether it was empty.
SGG_DEVICE bool sgg_slot_put(const Frame& f, int row, bool has, const Message& message) {
  unsigned long long* slot = &f.slotWords[(long long)row * SGG_SLOT_WORDS];
  Message merged = message;
  SlotWords words;
  if (has) {
    for (int w = 0; w < SGG_SLOT_WORDS; w++) {
      words.at[w] = slot[w];
    }
    sgg_slot_message(words, merged);
    sgg_merge(f, row, merged, message);
  }
  sgg_slot_words(merged, words);
  for (int w = 0; w < SGG_SLOT_WORDS; w++) {
    slot[w] = words.at[w];
  }
  return !has;
}

#if SGG_LOCKS
// The same under the receiver's lock. A lane gives it back before it tries again with the others, so lanes of a warp do not wait for each
// other.
SGG_DEVICE bool sgg_slot_lock(const Frame& f, int row, const Message& message) {
  bool first = false;
  for (bool waits = true; waits;) {
    unsigned before = atomicOr(&f.slotState[row], 2u);
    if ((before & 2u) == 0u) {
      __threadfence();
      first = sgg_slot_put(f, row, before != 0u, message);
      __threadfence();
      atomicExch(&f.slotState[row], 1u);
      waits = false;
    }
  }
  return first;
}
#endif

// Takes what is in a slot, which is empty then.
SGG_DEVICE void sgg_slot_take(const Frame& f, int row, Message& message) {
  SlotWords words;
  for (int w = 0; w < SGG_SLOT_WORDS; w++) {
    words.at[w] = f.slotWords[(long long)row * SGG_SLOT_WORDS + w];
  }
  sgg_slot_message(words, message);
  f.slotState[row] = 0u;
}
#else
SGG_DEVICE void sgg_slot_take(const Frame& f, int row, Message& message) {
  sgg_slot_load(f, row, message);
  sgg_slot_reset(f, row);
  sgg_clear_bit(f.touched, row);
}
#endif

#if !SGG_PUSHES_VALUES && SGG_SLOT_WORDS == 0
// Empties the slots, once in a run: a thread per held vertex. The bitmap of those that got something is empty.
SGG_KERNEL(push_reset) {
  long long threads = (long long)gridDim.x * blockDim.x;
  for (long long v = (long long)blockIdx.x * blockDim.x + threadIdx.x; v < f.stored; v += threads) {
    sgg_slot_reset(f, (int)v);
  }
}
#endif

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
      sgg_slot_take(f, v, message);
      State before;
      sgg_load_state(f, v, before);
      State after{};
      sgg_vertex_program(f, v, before, message, after);
      if constexpr (SGG_IN_PLACE) {
        active = sgg_state_differs(before, after);
        runs = active;
      } else {
        active = sgg_active_when(f, v, before, after);
      }
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
