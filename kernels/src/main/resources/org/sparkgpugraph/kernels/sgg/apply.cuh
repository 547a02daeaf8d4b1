// What happens to a row behind its gather: vertex program, activity, refined updates.

// A row's message so far.
struct Inbox {
  Message message;
  bool has;
};

SGG_DEVICE void sgg_inbox_reset(Inbox& inbox) {
  sgg_message_reset(inbox.message);
  inbox.has = false;
}

#if SGG_PARTIAL_MESSAGES
SGG_DEVICE void sgg_inbox_take(const Frame& f, int row, Inbox& inbox, const Message& message);

// Puts the partial messages that a row was told (partials.cuh) before what its own edges have brought.
SGG_DEVICE void sgg_take_told(const Frame& f, int v, Inbox& inbox) {
  int end = f.toldOffsets[v + 1];
  Inbox all;
  sgg_inbox_reset(all);
  for (int slot = f.toldOffsets[v]; slot < end; slot++) {
    if (f.toldHas[slot] != 0) {
      Message message;
      sgg_message_reset(message);
      sgg_told_load(f, slot, message);
      sgg_inbox_take(f, v, all, message);
    }
  }
  if (all.has) {
    if (inbox.has) {
      sgg_inbox_take(f, v, all, inbox.message);
    }
    inbox = all;
  }
}
#endif

// Bitmap words of rows that are applied.
enum {
  SGG_BITS_OWN,    // the lanes are the 32 rows of a word, and nobody else writes to it
  SGG_BITS_WORD,   // the lanes are the 32 rows of a word; another warp may have one of them at the same time (a hub)
  SGG_BITS_SINGLE  // the lanes have rows of any words
};

// Writes who is active in the next superstep, and who ran where a sparse one keeps that. All lanes.
template <int Mode, int Bits>
SGG_DEVICE void sgg_apply_bits(const Frame& f, int lane, int v, bool active, bool ran) {
  if constexpr (Bits == SGG_BITS_SINGLE) {
    if (active) {
      atomicOr(&f.nextActive[v >> 5], 1u << (v & 31));
    }
    if (SGG_RECORDS_RAN && Mode == SGG_TAKE_SPARSE && ran) {
      atomicOr(&f.ran[v >> 5], 1u << (v & 31));
    }
  } else {
    unsigned activeRows = __ballot_sync(SGG_ALL_LANES, active);
    if (lane == 0) {
      if (Bits == SGG_BITS_OWN) {
        f.nextActive[v >> 5] = activeRows;
      } else if (activeRows != 0u) {
        atomicOr(&f.nextActive[v >> 5], activeRows);
      }
    }
    if constexpr (SGG_RECORDS_RAN) {
      unsigned ranRows = __ballot_sync(SGG_ALL_LANES, ran);
      if (Mode == SGG_TAKE_SPARSE && lane == 0) {
        f.ran[v >> 5] = ranRows;
      }
    }
  }
}

// Keeps who changed until readers elsewhere are told, which may be several supersteps later. All lanes.
template <int Bits>
SGG_DEVICE void sgg_keep_changed(const Frame& f, int lane, int v, bool changed) {
  if (f.changed == nullptr) {
    return;
  }
  if constexpr (Bits == SGG_BITS_SINGLE) {
    if (changed) {
      atomicOr(&f.changed[v >> 5], 1u << (v & 31));
    }
  } else {
    unsigned changedRows = __ballot_sync(SGG_ALL_LANES, changed);
    if (lane == 0 && changedRows != 0u) {
      if (Bits == SGG_BITS_OWN) {
        f.changed[v >> 5] |= changedRows;
      } else {
        atomicOr(&f.changed[v >> 5], changedRows);
      }
    }
  }
}

// What is left to do behind the vertex program of a row per lane: who is active, who has to be told. `after` are the values of those that
// changed. All lanes.
template <int Mode, int Bits>
SGG_DEVICE void sgg_applied(const Frame& f, int lane, int v, bool isRow, bool ran, bool active, bool changed, const State& after,
                            Tally& tally) {
  if (active) {
    tally.activated++;
    if (!SGG_EVERY_VERTEX && f.activeCost != nullptr) {
      tally.activeEdges += f.activeCost[v];
    }
  }
  if constexpr (!SGG_EVERY_VERTEX) {
    sgg_apply_bits<Mode, Bits>(f, lane, v, active, ran);
  }
  if constexpr (SGG_TRACKS_CHANGES) {
    sgg_keep_changed<Bits>(f, lane, v, changed);
    // Hubs write for themselves, now or later; of a vertex that does not exist nobody else would say that it says nothing.
    bool writes = isRow || (Bits != SGG_BITS_SINGLE && v < (int)f.stored && !sgg_present(f, v));
    sgg_refine<Bits != SGG_BITS_SINGLE>(f, lane, v, writes, changed, active, after);
  }
}

// Runs the vertex program on a row per lane and commits what it says. `isRow` says that this lane has a row at all.
// Bits: who else writes to the bitmap words of these rows. `known`: the row's values, where they were loaded before. `rank`: where they
// stand among those that the next superstep reads by rank, in a unit that reads hot vertices first (near.cuh). All lanes.
template <int Mode, int Bits>
SGG_DEVICE void sgg_apply(const Frame& f, int lane, int v, bool isRow, Inbox& inbox, Tally& tally, const State* known = nullptr,
                          int rank = -1) {
  (void)rank;
#if SGG_PARTIAL_MESSAGES
  if (isRow) {
    sgg_take_told(f, v, inbox);
  }
#endif
  bool ran = isRow && inbox.has;
  if constexpr (SGG_EVERY_VERTEX) {
    if (isRow && !inbox.has) {
      sgg_empty_message(f, inbox.message);
      ran = true;
    }
  }
  bool active = false;
  bool changed = false;
  State after{};
  if (ran) {
    State before;
    if (known != nullptr) {
      before = *known;
    } else {
      sgg_load_state(f, v, before);
    }
    sgg_vertex_program(f, v, before, inbox.message, after);
    tally.ran++;
    sgg_aggregate(f, v, before, after, tally.aggregates);
    if constexpr (SGG_IN_PLACE) {
      active = sgg_state_differs(before, after);
      ran = active;
    } else {
      active = sgg_active_when(f, v, before, after);
    }
    changed = SGG_TRACKS_CHANGES && ran && sgg_shipped_differs(before, after);
    if (ran) {
      sgg_store_state(f, v, after);
#if SGG_HOT
      sgg_store_ranked(f, rank, after);
#endif
    }
  }
  if (Mode != SGG_TAKE_SPARSE && !SGG_IN_PLACE && isRow && !ran) {
    sgg_copy_unchanged(f, v);
  }
  sgg_applied<Mode, Bits>(f, lane, v, isRow, ran, active, changed, after, tally);
}
