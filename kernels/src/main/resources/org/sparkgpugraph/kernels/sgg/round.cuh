// What supersteps that push keep in registers: where they read and write, and what they counted.

// One superstep of a launch: what it reads, what it writes. Bitmaps and queues change places behind it.
struct Round {
  const long long* queue;
  long long items;
  long long item;  // this lane's first one, if there are as many
  unsigned* active;
  unsigned* nextActive;
  long long* nextQueue;
  unsigned long long* ring;
  double threshold;  // values from here on are put off
  int list;          // of those put off
  Shelf* shelf;      // of the block, for what is active next; null: there is none
#if SGG_DELEGATES
  unsigned long long* room;  // in shared memory (delegate.cuh)
#endif
};

// What this thread counted in a superstep; rounds, waves and rows as in Tally (tally.cuh).
struct RoundTally {
  int edges;
  int ran;
  int activated;
  long long activeEdges;
  int rounds;
  int waves;
  int rows;
  int staged;  // messages that the warp has not sent yet (delegate.cuh)
};

// Blocks that merge what the others send: the first ones.
SGG_DEVICE int sgg_push_servers(const Frame& f) {
#if SGG_DELEGATES
  return (int)f.servers;
#else
  (void)f;
  return 0;
#endif
}

// Whether this is the first to set a vertex's bit.
SGG_DEVICE bool sgg_first(unsigned* words, int v) {
  unsigned bit = 1u << (v & 31);
  return (atomicOr(&words[v >> 5], bit) & bit) == 0u;
}

SGG_DEVICE void sgg_clear_bit(unsigned* words, int v) { atomicAnd(&words[v >> 5], ~(1u << (v & 31))); }

// Puts vertices that are active in the next superstep into its queue. All lanes.
SGG_DEVICE void sgg_push_activate(const Frame& f, int lane, const Round& round, bool active, int v, RoundTally& tally) {
  tally.activated += active ? 1 : 0;
  tally.activeEdges += sgg_push_append(f, lane, active, v, round.nextQueue, &round.ring[SGG_RING_ITEMS], round.shelf);
}

// Takes places in the next queue for all that is on the block's shelf, by one atomic, and puts it there. The shelf is empty afterwards:
// who comes next to it has waited for the grid. All threads of the block.
SGG_DEVICE void sgg_push_unshelve(const Round& round) {
#if SGG_PUSH_SHELF > 0
  Shelf& shelf = *round.shelf;
  __syncthreads();
  int items = sgg_smaller(shelf.items, shelf.end);
  if (threadIdx.x == 0u && items > 0) {
    shelf.first = atomicAdd(&round.ring[SGG_RING_ITEMS], (unsigned long long)items);
  }
  __syncthreads();
  for (int i = (int)threadIdx.x; i < items; i += SGG_BLOCK) {
    round.nextQueue[(long long)shelf.first + i] = shelf.at[i];
  }
  __syncthreads();
  if (threadIdx.x == 0u) {
    sgg_empty(shelf);
  }
#else
  (void)round;
#endif
}

SGG_DEVICE void sgg_tally_reset(RoundTally& tally) {
  tally.edges = 0;
  tally.ran = 0;
  tally.activated = 0;
  tally.activeEdges = 0;
  tally.rounds = 0;
  tally.waves = 0;
  tally.rows = 0;
  tally.staged = 0;
}
