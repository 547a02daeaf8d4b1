// What surrounds a sparse superstep: candidates before it, new values made current behind it.

// Sets the candidate bits of the neighbours of a warp's active vertices in a transpose: the lanes walk the packed list of their
// rows (dynamic thread assignment). With vertex grouping a row of the transpose is a group, walked once by its first active lane.
SGG_DEVICE void sgg_activate_neighbours(const Frame& f, int lane, int v, unsigned active, const int* offsets, const int* targets) {
  int shift = (int)f.groupShift;
  int group = v >> shift;
  int groupLane = shift >= 5 ? 0 : lane & ~((1 << shift) - 1);
  unsigned before = active & sgg_lanes(groupLane, lane);
  bool walks = ((active >> lane) & 1u) && before == 0u;
  int begin = walks ? offsets[group] : 0;
  int count = walks ? offsets[group + 1] - begin : 0;
  PackedRows rows = sgg_pack(begin, count, false, lane);
  for (int base = 0; base < rows.total; base += SGG_WARP) {
    int place = base + lane;
    int owner = sgg_owner(rows, place);
    int edge = sgg_shfl(rows.begin, owner) + (place - sgg_shfl(rows.start, owner));
    if (place < rows.total) {
      sgg_set_bit(f.candidates, targets[edge]);
    }
  }
}

// Sets the candidate bits that the active vertices of a bitmap word are the reason for.
SGG_DEVICE void sgg_activate_word(const Frame& f, int lane, long long word, unsigned active) {
  int v = (int)(word << 5) + lane;
  if (SGG_ACTIVATES_SELF && ((active >> lane) & 1u) && v < (int)f.stored) {
    sgg_set_bit(f.candidates, v >> (int)f.groupShift);
  }
  if constexpr (SGG_ACTIVATES_IN) {
    sgg_activate_neighbours(f, lane, v, active, f.inTransposeOffsets, f.inTransposeTargets);
  }
  if constexpr (SGG_ACTIVATES_OUT) {
    sgg_activate_neighbours(f, lane, v, active, f.outTransposeOffsets, f.outTransposeTargets);
  }
}

// Candidates of the next sparse superstep from the active vertices, held and ghosts: a warp per Policy::SCAN_WORDS words of them. The
// candidates start at 0.
SGG_KERNEL(activate) {
  int lane = sgg_lane();
  long long words = sgg_bitmap_words(f.locals);
  for (long long first = sgg_warp() * Policy::SCAN_WORDS; first < words; first += sgg_warps() * Policy::SCAN_WORDS) {
    unsigned own = lane < Policy::SCAN_WORDS && first + lane < words ? f.active[first + lane] : 0u;
    for (unsigned left = __ballot_sync(SGG_ALL_LANES, own != 0u); left != 0u; left &= left - 1u) {
      int which = __ffs((int)left) - 1;
      sgg_activate_word(f, lane, first + which, (unsigned)sgg_shfl((int)own, which));
    }
  }
}

#if SGG_FEATURES_APPLY && SGG_FEATURES_SELECT
// Makes the values that a sparse superstep wrote current: a warp per Policy::SCAN_WORDS words of them, a group of lanes per vertex.
SGG_KERNEL(commit) {
  const unsigned* ran = SGG_RECORDS_RAN ? f.ran : f.nextActive;
  int lane = sgg_lane();
  long long words = sgg_bitmap_words(f.stored);
  for (long long first = sgg_warp() * Policy::SCAN_WORDS; first < words; first += sgg_warps() * Policy::SCAN_WORDS) {
    unsigned own = lane < Policy::SCAN_WORDS && first + lane < words ? ran[first + lane] : 0u;
    for (unsigned left = __ballot_sync(SGG_ALL_LANES, own != 0u); left != 0u; left &= left - 1u) {
      int which = __ffs((int)left) - 1;
      sgg_part_commit_word(f, lane, first + which, (unsigned)sgg_shfl((int)own, which));
    }
  }
}
#else
// Makes the values that a sparse superstep wrote current: a thread per held vertex.
SGG_KERNEL(commit) {
  const unsigned* ran = SGG_RECORDS_RAN ? f.ran : f.nextActive;
  long long threads = (long long)gridDim.x * blockDim.x;
  for (long long v = (long long)blockIdx.x * blockDim.x + threadIdx.x; v < f.stored; v += threads) {
    if (sgg_bit(ran, (int)v)) {
      sgg_commit_state(f, (int)v);
    }
  }
}
#endif
