// Slots of supersteps that push: messages are merged into one cell for each vertex, whose first sender puts the vertex into a list
// (touchedRows, with a bit in touched); behind a barrier the vertex program runs on the list and empties the slots again.

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

#if !SGG_PUSHES_VALUES
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
      sgg_slot_load(f, v, message);
      sgg_slot_reset(f, v);
      sgg_clear_bit(f.touched, v);
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
